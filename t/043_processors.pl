# 043_processors.pl
#	The cost model prices a parallel plan with the processors that other
#	sessions' queries leave.  Nothing is timed: EXPLAIN shows the workers.

use strict;
use warnings;

use IPC::Run qw(start timeout);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('processors');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.residency = hot
ssdpar.cost_model_min_size = '1MB'
ssdpar.estimate_budget = 0
max_parallel_workers_per_gather = 3
min_parallel_table_scan_size = 0
parallel_setup_cost = 10
work_mem = '64MB'
jit = off
CONF
$node->start;

$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE big AS SELECT i AS k, i % 1000 AS g, repeat('x', 100) AS pad
  FROM generate_series(1, 200000) i;
CREATE TABLE other AS SELECT i AS k, i % 7 AS v
  FROM generate_series(1, 200000) i;
CREATE TABLE small AS SELECT 1 AS k;
CREATE TABLE indexed AS TABLE big;
CREATE INDEX ON indexed (k);
VACUUM ANALYZE big, other, small, indexed;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
SQL

my %queries = (
	scan => q{SELECT * FROM big WHERE md5(pad || k) = 'x'},
	aggregate => q{SELECT count(*), sum(k), max(g) FROM big},
	groups => q{SELECT g, count(*), sum(k) FROM big GROUP BY g},
	join => q{SELECT sum(v) FROM big JOIN other USING (k)});

sub set_cores
{
	my ($cores) = @_;
	$node->safe_psql('postgres', qq(SELECT change_profile('{"machine": {"cores": $cores}}')));
	return;
}

# The number of workers in each query's plan.
sub workers
{
	my ($settings) = @_;
	my %workers;

	while (my ($name, $query) = each %queries)
	{
		my $plan = $node->safe_psql('postgres',
			($settings // '') . "EXPLAIN $query");
		$workers{$name} = $plan =~ /Workers Planned: (\d+)/ ? $1 : 0;
	}
	return \%workers;
}

sub all_have
{
	my ($number) = @_;
	return { map { $_ => $number } keys %queries };
}

# A session that runs SQL until it is ended; it waits there for EVENT.
sub begin_session
{
	my ($sql, $event) = @_;
	my %session = (in => "$sql\n", out => '', err => '');
	my $count =
		"SELECT count(*) FROM pg_stat_activity WHERE wait_event = '$event'";
	my $before = $node->safe_psql('postgres', $count);

	$session{run} = start(
		[ 'psql', '-XAtq', '-d', $node->connstr('postgres') ],
		'<', \$session{in}, '>', \$session{out}, '2>', \$session{err},
		timeout($PostgreSQL::Test::Utils::timeout_default));
	$session{run}->pump_nb;
	$node->poll_query_until('postgres', "SELECT ($count) > $before")
		or die "nothing waits for $event";
	return \%session;
}

sub end_sessions
{
	my @sessions = @_;

	$node->safe_psql('postgres', <<'SQL');
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
 WHERE pid <> pg_backend_pid() AND backend_type = 'client backend';
SQL
	foreach my $session (@sessions)
	{
		$session->{in} .= "\\q\n";
		eval { $session->{run}->finish };
	}
	return;
}

# Each of them is one process.
my $serial = 'SET max_parallel_workers_per_gather = 0;';
my $scan = "$serial SELECT FROM big WHERE pg_sleep(600) IS NULL;";

set_cores(4);
is_deeply(workers(), all_have(3), 'alone on four processors');
set_cores(2);
my $alone = workers();
is_deeply($alone, all_have(3), 'alone on two, core decides');

my $one = begin_session($scan, 'PgSleep');
is_deeply(workers(), all_have(0), 'none where one of two is left');
is_deeply(workers('SET ssdpar.cost_model = off;'),
	all_have(3), 'but for the cost model');
is_deeply(workers('SET ssdpar.enabled = off;'),
	all_have(3), 'but for ssdpar');
set_cores(4);
is_deeply(workers(), all_have(2), 'two where three of four are left');
my $two = begin_session($scan, 'PgSleep');
is_deeply(workers(), all_have(1), 'one where two are');
$node->safe_psql('postgres', 'ALTER TABLE big SET (parallel_workers = 3)');
is(workers()->{aggregate}, 3, 'what the user has set for a table stays');
$node->safe_psql('postgres', 'ALTER TABLE big RESET (parallel_workers)');
my @more = map { begin_session($scan, 'PgSleep') } 1 .. 2;
is_deeply(workers(), all_have(0), 'none beside four sessions');

# A table too small for a worker stays so, with core's default sizes.
my $little_read = <<'SQL';
SET min_parallel_table_scan_size = '8MB';
SET parallel_setup_cost = 0;
EXPLAIN SELECT * FROM indexed WHERE k < 900 AND md5(pad || k) = 'x';
SQL
unlike($node->safe_psql('postgres', "SET $_ = off; $little_read"),
	qr/Workers/, "a few rows of an index, without $_")
  foreach qw(enable_bitmapscan enable_indexscan);
end_sessions($one, $two, @more);
is_deeply(workers(), all_have(3), 'all when they have gone');

# A session's processes count, but leave a fair share.
my $wide = begin_session(<<'SQL', 'PgSleep');
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0.001;
SELECT pg_sleep(600 + 0 * n) FROM (SELECT count(*) AS n FROM big) x;
SQL
is_deeply(workers(), all_have(1), 'half of four is left by four processes');
end_sessions($wide);

# Inactive sessions do not count.
set_cores(2);
my $cursor = begin_session(
	'BEGIN; DECLARE c CURSOR FOR SELECT * FROM big; FETCH 1 FROM c;',
	'ClientRead');
is_deeply(workers(), $alone, 'a cursor that is not fetched from');
my $lock = $node->background_psql('postgres');
$lock->query_safe('SELECT pg_advisory_lock(1)');
my $waiting = begin_session(
	"$serial SELECT FROM big WHERE pg_advisory_lock(1) IS NULL;", 'advisory');
is_deeply(workers(), $alone, 'nor one that waits for a lock');
my $little = begin_session('SELECT pg_sleep(600) FROM small;', 'PgSleep');
is_deeply(workers(), $alone, 'nor a query of a small table');
my $off = begin_session("SET ssdpar.enabled = off; $scan", 'PgSleep');
is_deeply(workers(), $alone, 'nor one with ssdpar.enabled off');
my $nested = begin_session(<<"SQL", 'PgSleep');
$serial BEGIN; DECLARE a CURSOR FOR SELECT * FROM big; FETCH 1 FROM a;
DECLARE b CURSOR FOR SELECT * FROM big; FETCH 1 FROM b; CLOSE a;
SELECT pg_sleep(600);
SQL
set_cores(4);
is_deeply(workers(), all_have(2), 'of two cursors one is at work');
eval { $lock->quit };
end_sessions($cursor, $waiting, $little, $off, $nested);
is_deeply(workers(), all_have(3), 'all when these have gone');

$node->stop;
done_testing();
