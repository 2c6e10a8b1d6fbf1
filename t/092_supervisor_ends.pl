# 092_supervisor_ends.pl
#	A server that is stopped while its supervisor waits before it starts a
#	daemon again ends at once, not when the supervisor wakes.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $node = PostgreSQL::Test::Cluster->new('ends');
my $read = 0;

$node->init;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ssdpar'");
$node->start;

# Each daemon is killed at once, so that the next one is waited with longer and
# longer.
my $until = time + $PostgreSQL::Test::Utils::timeout_default;

while (slurp_file($node->logfile) !~ /starting it again in 1600 ms/)
{
	die 'no daemon ended early in time' if time > $until;

	my $log = slurp_file($node->logfile, $read);

	if ($log =~ /started the prefetch daemon with process ID (\d+)\n/g)
	{
		$read += pos $log;
		kill 'KILL', $1;
	}
	usleep(10_000);
}

# What is left of that wait is 1.6 s at most; with nothing else to wake it the
# supervisor would sleep for ten.
my $ended = system_log('pg_ctl', 'stop', '--mode=fast', '--timeout=7',
	'--pgdata=' . $node->data_dir) == 0;

ok($ended, 'the server ends meanwhile');
unlike(
	(split /received fast shutdown request/, slurp_file($node->logfile))[1],
	qr/started the prefetch daemon/,
	'and starts no daemon before');
$node->_update_pid(0) if $ended;
done_testing();
