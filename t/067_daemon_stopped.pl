# 067_daemon_stopped.pl
#	The daemon is stopped (SIGSTOP) while sessions run all kinds of queries
#	that use it, and while the server, its supervisor or the configuration
#	ends: no query waits for it, and it is not left behind.
#
# t/008_prefetch.pl tests the full socket, and what happens when it continues.

use strict;
use warnings;

use DaemonStatus;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';
my $node = PostgreSQL::Test::Cluster->new('stopped');
my @stopped;

# With a required part of the plan, so that the intended method is used.
my %queries = (
	'a star scan by bitmap' => [
		'SET ssdpar.star_access = bitmap',
		'SELECT count(*), sum(id) FROM fact f JOIN dim ON f.k = dim.k'
		  . ' WHERE v = 3', qr/SsdparStarScan/
	],
	'a star scan of all' => [
		'SET ssdpar.star_access = sequential',
		'SELECT count(*), sum(id) FROM fact f JOIN dim ON f.k = dim.k'
		  . ' WHERE v = 3', qr/SsdparStarScan/
	],
	'an index join' => [
		'SET ssdpar.star_scan = off; SET enable_hashjoin = off;'
		  . 'SET enable_mergejoin = off; SET enable_seqscan = off',
		'SELECT count(*), sum(id) FROM fact f JOIN dim ON f.k = dim.k'
		  . ' WHERE v = 3', qr/SsdparIndexJoin/
	]);

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

sub daemon_pid
{
	return daemon_says(\&sql, 'pid');
}

# Stops it; if it is left behind after all, it is killed at the end.
sub stop_daemon
{
	my $pid = daemon_pid();

	kill 'STOP', $pid;
	push @stopped, $pid;
	# On a busy machine, it runs until it is scheduled to stop.
	usleep(1000) while slurp_file("/proc/$pid/stat") !~ /\) T /;
	return $pid;
}

# The process has ended, or ends within a minute, because reads may be
# outstanding.
sub ends
{
	my ($pid) = @_;

	foreach (1 .. 600)
	{
		return 1 unless kill 0, $pid;
		usleep(100_000);
	}
	return 0;
}

sub make_tables
{
	sql('CREATE EXTENSION ssdpar');
	sql(slurp_file('test/invent_device.sql')
		  . q{SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', }
		  . '128, 5e-6)');
	sql(slurp_file('test/wide_star.sql'));
	return;
}

sub test_queries
{
	my %expected;
	my $pid;

	foreach my $name (sort keys %queries)
	{
		my ($set, $query, $plan) = @{ $queries{$name} };

		$expected{$name} = sql("SET ssdpar.enabled = off; $query");
		like(sql("$set; EXPLAIN $query"), $plan, "$name: it is one");
	}
	$pid = stop_daemon();
	foreach my $name (sort keys %queries)
	{
		my ($set, $query) = @{ $queries{$name} };

		foreach my $method (qw(daemon auto))
		{
			my ($code, $out, $err) = $node->psql('postgres',
				"$set; SET ssdpar.prefetch = $method; $query; $query");

			is("$out$err", "$expected{$name}\n$expected{$name}",
				"$name: rows with a stopped daemon, $method");
		}
	}
	kill 'CONT', $pid;
	is(daemon_pid(), $pid, 'it goes on when it is let to');
	return;
}

# What ends, and how the server is started again.
sub test_ends
{
	my %ends = (
		'server stopped fast' => sub { $node->stop('fast') },
		'server stopped at once' => sub { $node->stop('immediate') },
		'server killed' => sub { $node->kill9 });

	foreach my $when (sort keys %ends)
	{
		my $pid = stop_daemon();
		my $log = -s $node->logfile;

		$ends{$when}->();
		ok(ends($pid), "$when: the stopped daemon ends");
		ok(!-e $socket, "$when: and leaves no socket");
		unlike(slurp_file($node->logfile, $log),
			qr/did not end within/, "$when: it need not be killed");
		$node->start;
		isnt(daemon_pid(), $pid, "$when: another daemon comes");
	}
	return;
}

# The server continues, possibly after a moment.
sub test_replaced
{
	my $pid = stop_daemon();
	my ($supervisor) = slurp_file("/proc/$pid/status") =~ /^PPid:\s+(\d+)$/m;

	kill 'KILL', $supervisor;
	ok(ends($pid), 'supervisor killed: the stopped daemon ends');
	ok( $node->poll_query_until(
			'postgres', "SELECT pid <> $pid FROM ssdpar.daemon_status()"),
		'supervisor killed: another daemon comes');

	$pid = stop_daemon();
	$node->append_conf('postgresql.conf',
		"ssdpar.daemon_socket = '$socket.moved'\n");
	$node->reload;
	ok(ends($pid), 'path changed: the stopped daemon ends');
	isnt(daemon_pid(), $pid, 'path changed: another daemon comes');
	return;
}

$node->init;
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.cost_model_min_size = 0
ssdpar.residency = cold
ssdpar.daemon_socket = '$socket'
shared_buffers = 1MB
autovacuum = off
synchronize_seqscans = off
jit = off
restart_after_crash = on
END
$node->start;
make_tables();

test_queries();
test_ends();
test_replaced();
$node->stop;
done_testing();

END
{
	# Otherwise a failure would leave the stopped daemon behind.
	my $status = $?;

	kill 'KILL', grep { kill 0, $_ } @stopped;
	$? = $status;
}
