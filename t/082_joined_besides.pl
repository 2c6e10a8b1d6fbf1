# 082_joined_besides.pl
#	If a dimension drops no row but one of its columns is needed, a star
#	scan that pays off for other dimensions joins it too, with fewer
#	instructions than a hash join above.  It does not join a dimension
#	whose rows do not fit into memory with theirs, or of which a row may
#	have several matches.
#
# runs: alone

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

my $rows = 60000;
my $node = counted_node('besides');
$node->append_conf('postgresql.conf', <<'CONF');
max_parallel_workers_per_gather = 0
CONF
$node->start;
$node->safe_psql('postgres', <<SQL);
CREATE EXTENSION ssdpar;
\\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
CREATE TABLE shop AS SELECT i AS k, i % 10 AS region FROM generate_series(1, 1000) i;
ALTER TABLE shop ADD PRIMARY KEY (k);
CREATE TABLE day AS SELECT i AS k, i / 365 AS year, i % 7 AS weekday,
  repeat('pad', 30) AS notes FROM generate_series(0, 1999) i;
ALTER TABLE day ADD PRIMARY KEY (k);
CREATE TABLE visit AS SELECT i / 2 AS k, i AS who FROM generate_series(0, 3999) i;
CREATE INDEX ON visit (k);
CREATE TABLE sale AS SELECT i * 7919 % 1000 + 1 AS shop, i * 31 / 3 % 2000 AS day,
  i % 100 AS amount FROM generate_series(1, $rows) i;
CREATE INDEX ON sale (shop);
VACUUM ANALYZE;
SQL

my $sale = 'FROM sale s JOIN shop ON s.shop = shop.k JOIN day d ON s.day = d.k'
  . ' WHERE shop.region < 5';
my $query = "SELECT d.year, sum(s.amount), count(*) $sale GROUP BY d.year;";

sub plan_of
{
	return $node->safe_psql('postgres', "$_[1] EXPLAIN (COSTS off) $_[0]");
}

sub rows_of
{
	return $node->safe_psql('postgres', "$_[1] SELECT * FROM ($_[0]) q ORDER BY q");
}

my $off = 'SET ssdpar.enabled = off;';
my $forced = 'SET ssdpar.star_access = sequential;';
my $plan = plan_of($query, '');
like($plan, qr/Reducer: d on day, joined: year/, 'day is joined by the scan');
unlike($plan, qr/Hash Join/, '... and not above it');
like(plan_of($query, $forced),
	qr/Hash Join/, 'with a forced access it is joined above');
my $bare = $query =~ s/;//r;
is(rows_of($bare, ''), rows_of($bare, $off), 'the same rows');

my $wide = "SELECT d.notes, count(*) $sale GROUP BY d.notes";
like(plan_of($wide, "SET work_mem = '256kB';"),
	qr/Join/, 'what takes more memory than there is, is joined above');
is(rows_of($wide, "SET work_mem = '256kB';"),
	rows_of($wide, $off), '... the same rows');

my $several = 'SELECT sum(v.who) FROM sale s JOIN shop ON s.shop = shop.k'
  . ' JOIN visit v ON s.day = v.k WHERE shop.region < 5';
like(plan_of($several, ''), qr/Join/, 'several partners: joined above');
is(rows_of($several, ''), rows_of($several, $off), '... the same rows');
$node->stop;

start_counting($node, 'ExecutorRun');
my ($by_scan, $above) =
  count_instructions($node, [ '', $query ], [ $forced, $query ]);
stop_counting($node);
note sprintf '%.0f instructions a row of the fact, %.0f with the join above',
  $by_scan / $rows, $above / $rows;
cmp_ok($by_scan, '<', 0.9 * $above, 'a tenth less than by a join above');

done_testing();
