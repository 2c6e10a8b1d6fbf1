# ProfileEverywhere.pm
#	Gives each cluster that a TAP test of the server makes the device profile
#	$SSDPAR_PROFILE, so that ssdpar has something to plan by.
#
# By PERL5OPT=-MProfileEverywhere.  Other scripts than tests, which the tests
# start, are left alone.

package ProfileEverywhere;

use strict;
use warnings;

use File::Copy qw(copy);

sub with_profile
{
	my ($init) = @_;

	return sub {
		my ($node, @rest) = @_;

		$init->($node, @rest);
		copy($ENV{SSDPAR_PROFILE}, $node->data_dir . '/ssdpar.profile')
		  or die "cannot copy $ENV{SSDPAR_PROFILE}: $!";
		return;
	};
}

if ($ENV{SSDPAR_PROFILE} && $0 =~ m{(?:^|/)t/[^/]+\.pl$})
{
	require PostgreSQL::Test::Cluster;
	my $init = PostgreSQL::Test::Cluster->can('init');

	no warnings 'redefine';
	*PostgreSQL::Test::Cluster::init = with_profile($init);
}

1;
