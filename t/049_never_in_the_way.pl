# 049_never_in_the_way.pl
#	A plan with only core's nodes executes at most half a percent more
#	instructions with ssdpar loaded than without.  All tables count as
#	large and the tablespace as calibrated, so that all work per statement,
#	scan or row is done for each plan.
#
# runs: alone

use strict;
use warnings;

use List::Util qw(sum);
use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

my @functions = qw(ExecutorStart ExecutorRun ExecutorFinish ExecutorEnd
  CommitTransactionCommand);
my $most = 1.005;

# The walwriter clears WAL buffers for the sessions, if it runs in time; the
# session's instructions include those that it has to clear.  A small number of
# buffers makes this negligible.
my $node = counted_node('way');
$node->append_conf('postgresql.conf', <<'CONF');
wal_buffers = 32kB
wal_writer_delay = 10s
max_parallel_workers_per_gather = 0
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
CREATE TABLE t AS SELECT i AS k, i % 100 AS g, i * 7919 % 20000 AS r, 
  repeat('x', 30) AS pad FROM generate_series(1, 20000) i;
ALTER TABLE t ADD PRIMARY KEY (k);
CREATE INDEX ON t (r);
CREATE TABLE s AS SELECT i AS k, i % 7 AS v FROM generate_series(1, 3000) i;
ALTER TABLE s ADD PRIMARY KEY (k);
CREATE TABLE p (k int, v int) PARTITION BY RANGE (k);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (5000);
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (5000) TO (10000);
CREATE TABLE p3 PARTITION OF p FOR VALUES FROM (10000) TO (15000);
CREATE TABLE p4 PARTITION OF p FOR VALUES FROM (15000) TO (20001);
INSERT INTO p SELECT k, r FROM t;
VACUUM ANALYZE;
CHECKPOINT;
SQL

# Name, settings, required part of the plan, query.  Few rows are returned, so
# that the work per row is not hidden by the work to send it.
my $by_index = 'enable_seqscan=off enable_bitmapscan=off';
my $no_join = 'ssdpar.star_scan=off ssdpar.index_join=off';
my $loop = "$no_join enable_hashjoin=off enable_mergejoin=off";
my @plans = (
	[ 'sequential scan', '', 'Seq Scan on t',
		'SELECT k FROM t WHERE g > 98' ],
	[ 'sequential scan of all', '', 'Seq Scan on t', 'SELECT * FROM t' ],
	[ 'index scan', $by_index, 'Index Scan using t_r_idx',
		'SELECT count(g) FROM t WHERE r < 10000' ],
	[ 'index-only scan', $by_index, 'Index Only Scan',
		'SELECT count(*) FROM t WHERE r < 10000' ],
	[ 'bitmap scan', 'enable_seqscan=off enable_indexscan=off',
		'Bitmap Heap Scan', 'SELECT count(*) FROM t WHERE r < 10000' ],
	[ 'hash join', "$no_join enable_mergejoin=off enable_nestloop=off",
		'Hash Join', 'SELECT count(v) FROM t JOIN s ON r = s.k' ],
	[ 'merge join', "$no_join enable_hashjoin=off enable_nestloop=off",
		'Merge Join', 'SELECT count(v) FROM t JOIN s ON r = s.k' ],
	[ 'nested loop', "$loop enable_memoize=off", 'Nested Loop',
		'SELECT count(v) FROM t JOIN s ON g = s.k WHERE t.k < 3000' ],
	[ 'memoize', $loop, 'Memoize',
		'SELECT count(v) FROM t JOIN s ON g = s.k WHERE t.k < 6000' ],
	[ 'plain aggregate', '', 'Aggregate', 'SELECT sum(k), max(r) FROM t' ],
	[ 'sorted aggregate', 'enable_hashagg=off', 'GroupAggregate',
		'SELECT g, sum(k) FROM t WHERE k <= 6000 GROUP BY g' ],
	[ 'hashed aggregate', 'enable_sort=off', 'HashAggregate',
		'SELECT g, sum(k) FROM t GROUP BY g' ],
	[ 'sort', '', 'Sort',
		'SELECT k FROM t WHERE k <= 6000 ORDER BY g, r OFFSET 5999' ],
	[ 'incremental sort', 'enable_seqscan=off enable_bitmapscan=off',
		'Incremental Sort',
		'SELECT k FROM t WHERE r < 6000 ORDER BY r, g OFFSET 5999' ],
	[ 'window', '', 'WindowAgg',
		'SELECT sum(k) OVER (PARTITION BY g) FROM t WHERE k <= 6000'
		  . ' OFFSET 5999' ],
	[ 'CTE', '', 'CTE Scan',
		'WITH c AS MATERIALIZED (SELECT k, g FROM t WHERE k <= 6000)'
		  . ' SELECT count(*) FROM c WHERE g = 3' ],
	[ 'recursive CTE', '', 'Recursive Union',
		'WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL'
		  . ' SELECT n + 1 FROM c WHERE n < 5000) SELECT count(*) FROM c' ],
	[ 'set operation', '', 'Except',
		'SELECT r FROM t WHERE r < 6000 EXCEPT SELECT k FROM s OFFSET 9999' ],
	[ 'limit', $by_index, 'Limit',
		'SELECT g FROM t ORDER BY r LIMIT 1 OFFSET 8000' ],
	[ 'append of partitions', '', 'Append', 'SELECT count(v) FROM p' ],
	[ 'subplan', $no_join, 'SubPlan',
		'SELECT sum((SELECT v FROM s WHERE s.k = t.g)) FROM t WHERE k < 2000' ],
	[ 'insert', '', 'Insert', 'INSERT INTO w SELECT k, r FROM t WHERE k < 4000' ],
	[ 'update', '', 'Update', 'UPDATE w SET v = v + 1 WHERE k < 3000' ],
	[ 'delete', '', 'Delete', 'DELETE FROM w WHERE v < 4000' ]);

# Only the workers work.
my $workers = 'max_parallel_workers_per_gather=2'
  . ' parallel_leader_participation=off min_parallel_table_scan_size=0'
  . ' parallel_setup_cost=0 parallel_tuple_cost=0';
my @parallel = (
	[ 'gather', $workers, 'Gather', 'SELECT sum(k) FROM t WHERE g > 20' ],
	[ 'gather merge', $workers, 'Gather Merge',
		'SELECT k FROM t WHERE g = 20 ORDER BY r' ],
	[ 'parallel hash join', "$workers $no_join enable_mergejoin=off",
		'Parallel Hash', 'SELECT count(*) FROM t JOIN s ON t.r = s.k' ]);

# Recreated for each server, because earlier writes make a difference.
my $written = <<'SQL';
DROP TABLE IF EXISTS w;
CREATE TABLE w (k int, v int);
INSERT INTO w SELECT k, r FROM t;
VACUUM ANALYZE w;
SQL

sub set_text
{
	return join('', map { my ($name, $value) = split /=/;
			"SET $name = $value;\n" } split(' ', $_[0]));
}

sub plan_of
{
	my ($plan) = @_;
	return $node->safe_psql('postgres',
		set_text($plan->[1]) . "EXPLAIN (COSTS OFF) $plan->[3]");
}

# Instructions of each plan, which runs once before.
sub count_plans
{
	my (@runs, %counts);

	foreach my $plan (@plans)
	{
		my $run = "BEGIN;\n$plan->[3];\nROLLBACK;\n";
		push @runs,
		  [ "RESET ALL;\n" . set_text($plan->[1]) . $run, $run ];
	}
	@counts{ map { $_->[0] } @plans } = count_instructions($node, @runs);
	$counts{ $_->[0] } =
	  sum(count_workers($node, set_text($_->[1]) . "$_->[3];\n$_->[3];\n"))
	  foreach @parallel;
	return \%counts;
}

sub measure
{
	my ($library) = @_;
	my %explained;

	$node->adjust_conf('postgresql.conf', 'shared_preload_libraries',
		"'$library'");
	$node->start;
	$node->safe_psql('postgres', $written);
	$explained{ $_->[0] } = plan_of($_) foreach @plans, @parallel;
	$node->stop;
	start_counting($node, @functions);
	my $counts = count_plans();
	stop_counting($node);
	return (\%explained, $counts);
}

$node->stop;
my ($plain, $without) = measure('');
my ($loaded, $with) = measure('ssdpar');
foreach my $plan (@plans, @parallel)
{
	my ($name, undef, $part) = @$plan;

	like($plain->{$name}, qr/\b$part\b/, "$name: the plan is of that kind");
	is($loaded->{$name}, $plain->{$name}, "$name: the same plan");

	# The leader of a parallel plan may have done all work before a worker
	# started.
  SKIP:
	{
		skip "$name: no worker took part", 1
		  if !$without->{$name} || !$with->{$name};
		my $share = $with->{$name} / $without->{$name} - 1;

		# Processes divide a parallel plan's work differently each time, by a
		# percent and more.
		local $TODO = 'shares differ' if grep { $_ == $plan } @parallel;
		cmp_ok($with->{$name}, '<=', $most * $without->{$name},
			sprintf('%s: %.2f %% more of %.1f million instructions', $name,
				100 * $share, $without->{$name} / 1e6));
	}
}

done_testing();
