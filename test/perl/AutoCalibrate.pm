# AutoCalibrate.pm
#	A server that calibrates in the background, for tests of that.  What other
#	programs do with the device is not looked at, and a second without a query
#	is quiet.
package AutoCalibrate;

use strict;
use warnings;

use Exporter qw(import);
use PostgreSQL::Test::Cluster;

our @EXPORT = qw(calibrating_node);

# Started, with a budget of so many seconds a day.
sub calibrating_node
{
	my ($name, $seconds) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', <<"CONF");
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
ssdpar.auto_calibrate = on
ssdpar.auto_calibrate_time = $seconds
ssdpar.auto_calibrate_quiet = 1s
ssdpar.auto_calibrate_busy = 100
autovacuum = off
jit = off
CONF
	$node->append_conf('postgresql.conf', 'io_method = sync')
	  if $node->pg_version >= 18;
	$node->start;
	return $node;
}

1;
