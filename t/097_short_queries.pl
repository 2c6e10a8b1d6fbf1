# 097_short_queries.pl
#	What ssdpar adds to the planning of queries that core answers in a short time,
#	in instructions.
#
# To read a dimension for what it keeps and to compare star scans and index joins
# took five to nine times what planning takes without ssdpar.
#
# runs: alone

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

my $node = counted_node('short');

# Looks are allowed, and a query is short if it takes 6 ms.
$node->append_conf('postgresql.conf', <<'CONF');
ssdpar.cost_model_min_size = 8MB
ssdpar.residency = cold
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
CREATE TABLE item (item int PRIMARY KEY, brand int, name text);
INSERT INTO item SELECT i, i / 2, 'item ' || i FROM generate_series(1, 5000) i;
CREATE INDEX ON item (brand);
CREATE TABLE day (day int PRIMARY KEY, d date);
INSERT INTO day SELECT i, date '2000-01-01' + i
  FROM generate_series(1, 20000) i;
CREATE INDEX ON day (d);
CREATE TABLE customer (customer int PRIMARY KEY, state int);
INSERT INTO customer SELECT i, i % 40 FROM generate_series(1, 10000) i;
CREATE TABLE fact AS SELECT 1 + i * 7919 % 5000 AS item, i / 50 AS day,
    1 + i * 31 % 10000 AS customer, repeat('x', 60) AS pad
  FROM generate_series(1, 100000) i;
CREATE INDEX ON fact (item);
CREATE INDEX ON fact (day);
VACUUM ANALYZE item, day, customer, fact;
SQL
$node->stop;
start_counting($node, 'pg_plan_query');

my %queries = (
	'items of a brand' => 'SELECT count(*), min(state) FROM fact'
	  . ' JOIN item USING (item) JOIN customer USING (customer)'
	  . ' WHERE brand = 700',
	'a day' => 'SELECT count(*), min(state) FROM fact JOIN day USING (day)'
	  . " JOIN customer USING (customer) WHERE d = '2001-01-01'",
	'a LIMIT' => 'SELECT pad, name FROM fact JOIN item USING (item)'
	  . ' WHERE brand BETWEEN 700 AND 710 LIMIT 3',
	'four tables' => 'SELECT count(*), min(state) FROM fact'
	  . ' JOIN item USING (item) JOIN customer USING (customer)'
	  . " JOIN day USING (day) WHERE brand = 700 AND d > '2000-05-05'");
foreach my $name (sort keys %queries)
{
	my $explain = "EXPLAIN (COSTS OFF) $queries{$name};\n";

	# It is planned once before, for the caches.
	my ($off, $on) = count_instructions($node,
		map { [ "SET ssdpar.enabled = $_;\n$explain", $explain ] } qw(off on));
	cmp_ok($on, '<=', 1.2 * $off,
		sprintf '%s: %.2f million instructions, without ssdpar %.2f, %.2f times',
		$name, $on / 1e6, $off / 1e6, $on / $off);
}
stop_counting($node);
done_testing();
