# 081_planning_joins.pl
#	The instructions that ssdpar adds to planning a query with many joins.
#
# A genetic search tries a hundred join orders.  The limit detects that the
# paths of each tree are walked down to the tables, with all expressions,
# whenever they become the outer side of an index join.
#
# For a query that joins all rows of a fact, it detects that each pair of
# relations is joined again at our prices.
#
# runs: alone

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

my $node = counted_node('joins');
my @dimensions = (1 .. 9);

# A look at a dimension ends by time, and there is none in a serializable
# transaction.
$node->append_conf('postgresql.conf',
	'default_transaction_isolation = serializable');
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
SQL
$node->safe_psql('postgres', <<"SQL") foreach @dimensions;
CREATE TABLE d$_ (k int PRIMARY KEY, g int, s text);
INSERT INTO d$_ SELECT i, i % 50, 'row ' || i FROM generate_series(1, 2000) i;
SQL
$node->safe_psql('postgres', 'CREATE TABLE fact ('
	  . join(', ', map { "k$_ int" } @dimensions) . ', v int);'
	  . 'INSERT INTO fact SELECT '
	  . join(', ', map { "i * $_ % 2000 + 1" } @dimensions)
	  . ', i FROM generate_series(1, 20000) i;'
	  . join('', map { "CREATE INDEX ON fact (k$_);" } @dimensions)
	  . 'VACUUM ANALYZE;');

my $query = 'SELECT '
  . join(', ', map { "d$_.s, d$_.g" } @dimensions)
  . ', k1, k2, k3, v FROM fact'
  . join('',
	map { " JOIN d$_ ON k$_ = d$_.k AND d$_.s <> 'row 1'" } @dimensions)
  . join(' AND ', ' WHERE d1.g = 1', map { "v <> d$_.g" } @dimensions);
my $explain = "EXPLAIN (COSTS OFF) $query;\n";
my $genetic = "SET geqo_threshold = 5;\nSET geqo_effort = 1;\n";

$node->stop;
start_counting($node, 'pg_plan_query');

# It is planned once before, to fill caches.
my ($off, $on) = count_instructions($node,
	map { [ "${genetic}SET ssdpar.enabled = $_;\n$explain", $explain ] }
	  qw(off on));
my $all = 'SELECT sum(v)'
  . join('', map { ", count(d$_.s)" } 1 .. 5) . ' FROM fact'
  . join('', map { " JOIN d$_ ON k$_ = d$_.k" } 1 .. 5);
my $explain_all = "EXPLAIN (COSTS OFF) $all;\n";
my ($all_off, $all_on) = count_instructions($node,
	map { [ "SET ssdpar.enabled = $_;\n$explain_all", $explain_all ] }
	  qw(off on));
stop_counting($node);
cmp_ok($all_on, '<=', 1.65 * $all_off,
	sprintf 'all rows: %.1f million instructions,'
	  . ' without ssdpar %.1f, %.2f times',
	$all_on / 1e6, $all_off / 1e6, $all_on / $all_off);
cmp_ok($on, '<=', 1.55 * $off,
	sprintf 'a genetic search: %.1f million instructions,'
	  . ' without ssdpar %.1f, %.2f times',
	$on / 1e6, $off / 1e6, $on / $off);
done_testing();
