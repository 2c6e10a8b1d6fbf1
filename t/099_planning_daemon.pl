# 099_planning_daemon.pl
#	Planning knows whether the daemon is there, and connects to nothing: the
#	supervisor says so, or without one the session that has tried last.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Since 17 the server's read streams overlap reads with computing, so a star
# scan costs the same with a daemon and without one.
plan skip_all => 'a price shows whether planning knows the daemon'
  if `pg_config --version` =~ /PostgreSQL (\d+)/ && $1 >= 17;

my $place = PostgreSQL::Test::Utils::tempdir_short();
my $socket = "$place/ssdpard.sock";
my $node = PostgreSQL::Test::Cluster->new('planning');

$node->init;
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_socket = '$socket'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.cost_model_min_size = 0
ssdpar.residency = cold
max_parallel_workers_per_gather = 0
autovacuum = off
END
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 1000', 128, 1e-6);
CREATE TABLE big AS SELECT i, repeat('x', 100) AS pad FROM generate_series(1, 20000) i;
CREATE TABLE few AS SELECT i, i % 7 AS kind FROM generate_series(1, 20000, 20) i;
VACUUM ANALYZE big, few;
SQL

my $query = 'SELECT count(pad) FROM big JOIN few USING (i) WHERE kind = 3';

# The cost that a new session plans for a star scan, which the daemon reads for.
sub cost
{
	my $plan = $node->safe_psql('postgres',
		"SET ssdpar.star_access = sequential; EXPLAIN $query");

	$plan =~ /SsdparStarScan.*\.\.([\d.]+) rows/ or die $plan;
	return $1;
}

# The number of sessions that the daemon has, without the one that asks.
sub sessions
{
	return $node->safe_psql('postgres',
		'SELECT sessions - 1 FROM ssdpar.daemon_status()');
}

$node->poll_query_until('postgres',
	'SELECT problem IS NULL FROM ssdpar.daemon_status()')
  or die 'there is no daemon';
my $with = cost();
my $session = $node->background_psql('postgres');
$session->query_safe("EXPLAIN $query");
is(sessions(), 0, 'a session that plans has no connection');
$session->quit;

$node->append_conf('postgresql.conf', 'ssdpar.daemon_autostart = off');
$node->restart;
my $without = cost();
cmp_ok($without, '>', 1.1 * $with, 'it costs more without a daemon');

my $daemon = IPC::Run::start([ 'ssdpard', "--socket=$socket" ]);
$node->poll_query_until('postgres',
	'SELECT problem IS NULL FROM ssdpar.daemon_status()')
  or die 'there is no daemon';
is(cost(), $with, 'one session has found a daemon, and others know');
$daemon->signal('TERM');
$daemon->finish;
is(cost(), $with, 'nothing has asked since it ended');
$node->safe_psql('postgres', 'SELECT FROM ssdpar.daemon_status()');
is(cost(), $without, 'now it is known to be gone');
$node->stop;
done_testing();
