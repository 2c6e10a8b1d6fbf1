# 070_planning_partitions.pl
#	Planning a star query on 150 partitions, none of which can be excluded,
#	takes hardly more instructions with ssdpar than without.
#
# 15 and 17 need twice the instructions of 18 for planning, so the same
# addition is a smaller share there; a part of it is for the query, not for its
# partitions. The limit detects repeated work: making parallel index scans
# twice, opening partitions' indexes for each process's plan, or searching
# index paths twice.
#
# runs: alone

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

my $node = counted_node('parts');
my $most = $node->pg_version >= 18 ? 1.12 : 1.09;

# Serializable transactions do not look at dimensions, because a look ends by time.
$node->append_conf('postgresql.conf',
	'default_transaction_isolation = serializable');
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
CREATE TABLE fact (id int, a int, b int, c int, v int) PARTITION BY RANGE (id);
DO $$ BEGIN
  FOR i IN 0..149 LOOP
    EXECUTE format('CREATE TABLE fact_%1$s PARTITION OF fact '
                   'FOR VALUES FROM (%1$s * 200) TO (%1$s * 200 + 200)', i);
  END LOOP;
END $$;
INSERT INTO fact SELECT i, i % 1000, i % 700, i % 300, i % 100
  FROM generate_series(0, 29999) i;
CREATE INDEX ON fact (a);
CREATE INDEX ON fact (b);
CREATE INDEX ON fact (c);
CREATE TABLE da AS SELECT i AS k, i % 50 AS g FROM generate_series(0, 999) i;
CREATE TABLE db AS SELECT i AS k, i % 50 AS g FROM generate_series(0, 699) i;
CREATE TABLE dc AS SELECT i AS k, i % 50 AS g FROM generate_series(0, 299) i;
ALTER TABLE da ADD PRIMARY KEY (k);
ALTER TABLE db ADD PRIMARY KEY (k);
ALTER TABLE dc ADD PRIMARY KEY (k);
VACUUM ANALYZE;
SQL

my $three = 'FROM fact JOIN da ON a = da.k JOIN db ON b = db.k'
  . ' JOIN dc ON c = dc.k WHERE da.g = 1 AND db.g = 2';
my @queries = (
	[ 'one dimension and a filter of the fact',
		'SELECT sum(v) FROM fact JOIN da ON a = da.k WHERE da.g = 1 AND v < 50'
	],
	[ 'three dimensions', "SELECT dc.g, sum(v) $three GROUP BY dc.g" ],
	[ 'three dimensions, in an order', "SELECT v $three ORDER BY c" ]);

# Each is planned once before, to fill caches.
my (@names, @runs);
foreach my $workers (0, 2)
{
	foreach my $query (@queries)
	{
		my $explain = "EXPLAIN (COSTS OFF) $query->[1];\n";

		push @names, "$query->[0], $workers workers";
		push @runs,
		  map { [ "SET max_parallel_workers_per_gather = $workers;\n"
				  . "SET ssdpar.enabled = $_;\n$explain", $explain ] }
		  qw(off on);
	}
}

like($node->safe_psql('postgres', "EXPLAIN (COSTS OFF) $queries[1][1]"),
	qr/SsdparStarScan/, 'a star scan is planned');
$node->stop;
start_counting($node, 'pg_plan_query');
my @counts = count_instructions($node, @runs);
stop_counting($node);
foreach my $name (@names)
{
	my ($off, $on) = splice @counts, 0, 2;

	cmp_ok($on, '<=', $most * $off,
		sprintf '%s: %.1f million instructions, without ssdpar %.1f', $name,
		$on / 1e6, $off / 1e6);
}
done_testing();
