# 089_reload_at_start.pl
#	A reload of the configuration reaches a daemon that has just been
#	started: it handles it when it can, and does not end.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $place = PostgreSQL::Test::Utils::tempdir_short();
my $library = "$place/hup_at_start.so";
my $node = PostgreSQL::Test::Cluster->new('reload');

system_or_bail('cc', '-shared', '-fPIC', '-o', $library, 'test/hup_at_start.c');
$node->init;
$node->append_conf('postgresql.conf', <<END);
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_socket = '$place/ssdpard.sock'
END
{
	local $ENV{LD_PRELOAD} = $library;
	$node->start;
}
# Up to a minute, on a busy machine.
foreach (1 .. 600)
{
	last
	  if slurp_file($node->logfile) =~
	  /settings read again|the prefetch daemon .* was ended/;
	usleep(100_000);
}
like(slurp_file($node->logfile),
	qr/ssdpard: settings read again/, 'the daemon hears of the reload');
unlike(slurp_file($node->logfile),
	qr/the prefetch daemon .* was ended/, 'and does not end by it');
$node->stop;
done_testing();
