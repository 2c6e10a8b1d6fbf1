# 079_rows_together.pl
#	Lines of an order have its day, and are on one page: a bitmap of a
#	day's rows has a quarter of the pages that scattered rows would have.
#	The planner and the executor find this out by sampling the index on the
#	day.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('rows_together');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.residency = cold
ssdpar.cost_model_min_size = 0
ssdpar.index_join = off
enable_bitmapscan = off
max_parallel_workers_per_gather = 0
autovacuum = off
CONF
$node->start;

# 1 ms per read, many concurrently, slightly faster in order.  Of 160,000 rows
# on 2,300 pages, a year of 50 of 2,500 days has 3,200.  In one table, four
# adjacent rows have the same day, in the other each has a different one.
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('CASE pattern WHEN ''random'' THEN depth * 8192e3 / size ELSE 25e7 / size END', 8, 1e-6);
CREATE TABLE day (d int PRIMARY KEY, year int);
INSERT INTO day SELECT i, i / 50 FROM generate_series(0, 2499) i;
CREATE TABLE scattered (id int, d int, pad text);
INSERT INTO scattered SELECT i, i * 7919 % 2500, repeat('x', 70)
  FROM generate_series(1, 160000) i;
CREATE TABLE lines (id int, d int, pad text);
INSERT INTO lines SELECT i, i / 4 * 7919 % 2500, repeat('x', 70)
  FROM generate_series(1, 160000) i;
CREATE INDEX ON scattered (d);
CREATE INDEX ON lines (d);
VACUUM ANALYZE day, scattered, lines;
CREATE FUNCTION star(query text, options text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (%s FORMAT json) %s', options, query) INTO plan;
  RETURN jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")');
END $$;
SQL

sub query
{
	my ($fact) = @_;

	return "SELECT count(id) FROM $fact f, day "
	  . "WHERE f.d = day.d AND year = 7";
}

# In a new session, which has cached no index.
sub star
{
	my ($fact, $item, $options) = @_;

	$options = '' unless defined $options;
	return $node->safe_psql('postgres',
		"SELECT star('" . query($fact) . "', '$options')->>'$item'");
}

is(star('lines', 'Access'), 'bitmap', 'few pages are read by bitmap');
is(star('scattered', 'Access'), 'sequential', 'all of them in sequence');

# The executor chooses again with the same number.
is(star('lines', 'Access', 'ANALYZE,'),
	'bitmap', 'the executor does not think otherwise');
my $pages = star('lines', 'Exact Pages', 'ANALYZE,');
cmp_ok($pages, '<=', 810, 'four rows a page');

# The rows are the same.
my $rows = $node->safe_psql('postgres', 'SET ssdpar.enabled = off;' . query('lines'));
is($node->safe_psql('postgres', query('lines')), $rows, 'rows are the same');

# Pages of the index that a session has visited after planning the query this
# number of times; core visits some too.
sub looked_at
{
	my ($times, $settings) = @_;

	return $node->safe_psql('postgres',
			"$settings; BEGIN;"
		  . ('EXPLAIN ' . query('lines') . ';') x $times
		  . 'SELECT pg_stat_get_xact_blocks_fetched(\'lines_d_idx\'::regclass)'
		  . ' AS looked;') =~ /(\d+)\s*\z/ ? $1 : -1;
}
my $off = 'SET ssdpar.enabled = off';
my $look = looked_at(1, '') - looked_at(1, $off);
cmp_ok($look, '>', 0, 'the planner looks at the index');
cmp_ok($look, '<=', 6, 'at a few pages');
is(looked_at(3, '') - looked_at(3, $off), $look, 'a session looks once');

$node->stop;
done_testing();
