# 071_partitions_in_workers.pl
#	A parallel worker opens the indexes only of partitions that it reads,
#	not of those excluded by keys, because its catalog caches are empty at
#	the start.
#
# runs: alone

use strict;
use warnings;

use List::Util qw(max);
use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

# Relative to the instructions of workers that use no index.
my $most = 1.15;

my $node = counted_node('workers');
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
CREATE TABLE fact (id int, a int, b int, v int) PARTITION BY RANGE (id);
DO $$ BEGIN
  FOR i IN 0..149 LOOP
    EXECUTE format('CREATE TABLE fact_%1$s PARTITION OF fact '
                   'FOR VALUES FROM (%1$s * 200) TO (%1$s * 200 + 200)', i);
  END LOOP;
END $$;
INSERT INTO fact SELECT i, i % 1000, i % 700, i % 100
  FROM generate_series(0, 29999) i;
CREATE INDEX ON fact (id);
CREATE INDEX ON fact (a);
CREATE TABLE di AS SELECT i AS k, i / 200 AS g FROM generate_series(0, 29999) i;
CREATE TABLE da AS SELECT i AS k, i % 50 AS g FROM generate_series(0, 999) i;
ALTER TABLE di ADD PRIMARY KEY (k);
ALTER TABLE da ADD PRIMARY KEY (k);
ALTER TABLE di SET (parallel_workers = 0);
ALTER TABLE da SET (parallel_workers = 0);
VACUUM ANALYZE;
SQL

my $query = 'SELECT sum(v) FROM fact JOIN di ON id = di.k JOIN da ON a = da.k'
  . ' WHERE di.g = 7 AND da.g = 1';

# One partition of 150 has these keys; the workers do all of the work.
sub settings
{
	my ($access) = @_;

	return "SET ssdpar.star_access = $access;"
	  . 'SET max_parallel_workers_per_gather = 2;'
	  . 'SET parallel_leader_participation = off;'
	  . 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;'
	  . 'SET min_parallel_table_scan_size = 0;';
}

foreach my $access ('bitmap', 'sequential')
{
	my $plan = $node->safe_psql('postgres',
		settings($access) . "EXPLAIN (ANALYZE, COSTS OFF) $query");

	like($plan, qr/Parallel Custom Scan \(SsdparStarKeys\)/,
		"$access: workers read the fact");
	like($plan, qr/Partitions Pruned by Keys: 149/, "$access: one partition");
	like($plan, qr/Access: $access/, "$access: by that");
}
$node->stop;
start_counting($node,
	qw(ExecutorStart ExecutorRun ExecutorFinish ExecutorEnd));
# The worker that did most, because another one may start after the partition
# has been read.
my ($by_index, $without) =
  map { max(count_workers($node, settings($_) . "$query;")) }
  ('bitmap', 'sequential');
stop_counting($node);
cmp_ok($by_index, '<=', $most * $without,
	sprintf 'workers: %.1f million instructions, without indexes %.1f',
	$by_index / 1e6, $without / 1e6);
done_testing();
