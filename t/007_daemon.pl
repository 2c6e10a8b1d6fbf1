# 007_daemon.pl
#	ssdpard without a server: what it refuses, and how it handles hostile
#	clients, files and signals.
# needs: root
# servers: one
#
# One case needs root: a client of another user.  The cases are Python programs
# in test/daemon/, and this script counts their results.  The speed and the
# extension's side (t/008_prefetch.pl) are not tested here.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $top = "$FindBin::Bin/..";
my $scratch = tempdir('ssdpard.XXXXXX', DIR => '/var/tmp', CLEANUP => 1);
chmod 0755, $scratch or die "cannot change $scratch: $!\n";
$ENV{PYTHONDONTWRITEBYTECODE} = 1;

foreach my $script ('malformed', 'behaviour', 'connections', 'load')
{
	my ($plan, $seen) = (-1, 0);

	open(my $lines, '-|', 'python3', "$top/test/daemon/$script.py",
		"$top/daemon/ssdpard", $scratch)
	  or die "cannot run $script.py: $!\n";
	while (my $line = <$lines>)
	{
		chomp $line;
		if ($line =~ /^(not )?ok \d+ - (.*)/)
		{
			ok(!$1, $2);
			$seen++;
		}
		elsif ($line =~ /^1\.\.(\d+)$/)
		{
			$plan = $1;
		}
		else
		{
			diag($line);
		}
	}
	ok(close($lines) && $seen == $plan, "$script.py ran to its end");
}

done_testing();
