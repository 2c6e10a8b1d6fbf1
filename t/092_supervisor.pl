# 092_supervisor.pl
#	The daemon that a server starts has room for as many sessions as the
#	server. If the server is stopped while its supervisor waits before
#	restarting a daemon, it ends immediately, not when the supervisor wakes
#	up.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $place = PostgreSQL::Test::Utils::tempdir_short();
my $node = PostgreSQL::Test::Cluster->new('supervised');
my $read = 0;

# The process ID of a daemon that was started since then; undefined if there is
# none.
sub new_daemon
{
	my $log = slurp_file($node->logfile, $read);

	return unless $log =~ /started the prefetch daemon with process ID (\d+)\n/g;
	$read += pos $log;
	return $1;
}

# The next one's arguments, once it is no longer a copy of the supervisor.
sub daemon_arguments
{
	my $pid;
	my $arguments = '';

	for (my $i = 0; !$pid && $i < 1800; $i++)
	{
		usleep(100_000);
		$pid = new_daemon();
	}
	die 'no daemon was started' unless $pid;
	for (my $i = 0; $arguments !~ m{/ssdpard\0} && $i < 1800; $i++)
	{
		usleep(100_000);
		$arguments = slurp_file("/proc/$pid/cmdline");
	}
	kill 'KILL', $pid;
	return $arguments;
}

$node->init;
$node->append_conf('postgresql.conf', <<END);
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_socket = '$place/ssdpard.sock'
max_connections = 1200
END
$node->start;
my ($sessions) = daemon_arguments() =~ /\0--max_sessions=(\d+)\0/;
cmp_ok($sessions // 0, '>', 1200, 'there may be as many sessions');

# Each daemon is killed immediately, so the delay before the next one grows.
my $until = time + $PostgreSQL::Test::Utils::timeout_default;

while (slurp_file($node->logfile) !~ /starting it again in 1600 ms/)
{
	my $pid = new_daemon();

	die 'no daemon ended early in time' if time > $until;
	kill 'KILL', $pid if $pid;
	usleep(10_000);
}

# At most 1.6 s of that delay remain; without an event, the supervisor would
# sleep for ten.
my $ended = system_log('pg_ctl', 'stop', '--mode=fast', '--timeout=7',
	'--pgdata=' . $node->data_dir) == 0;

ok($ended, 'the server ends meanwhile');
unlike(
	(split /received fast shutdown request/, slurp_file($node->logfile))[1],
	qr/started the prefetch daemon/,
	'and starts no daemon before');
$node->_update_pid(0) if $ended;
done_testing();
