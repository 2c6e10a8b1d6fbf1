# 024_shared_buffers.pl
#	A star scan of more pages than a quarter of shared buffers does not
#	evict other pages, like core's sequential scans; one of few pages keeps
#	its pages there.  The same applies to partitions that together exceed
#	shared buffers although each is less than a quarter; those that fit are
#	kept, as in core.  A scan of a large table starts at the position of
#	another scan, and wraps around.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('shared_buffers');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
shared_buffers = 16MB
autovacuum = off
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE EXTENSION pg_buffercache;
\i test/wide_fact.sql
SQL

# Pages of the fact in shared buffers after a star scan of this number of
# pages.
sub kept
{
	my ($dimension) = @_;

	$node->restart;
	my ($pages, $kept) = split /\n/, $node->safe_psql('postgres', <<SQL);
SET max_parallel_workers_per_gather = 0;
SET ssdpar.star_access = bitmap;
SELECT count(DISTINCT (f.ctid::text::point)[0]) FROM fact f, dimension d
  WHERE f.k = d.k AND $dimension;
SELECT count(*) FROM pg_buffercache
  WHERE relfilenode = pg_relation_filenode('fact') AND relforknumber = 0;
SQL
	return ($pages, $kept);
}

my $plan = $node->safe_psql('postgres', <<'SQL');
SET ssdpar.star_access = bitmap;
EXPLAIN SELECT count(f.id) FROM fact f, dimension d WHERE f.k = d.k AND d.v < 5;
SQL
like($plan, qr/SsdparStarScan.*Access: bitmap/s, 'star scan by bitmap');

my ($pages, $kept) = kept('d.v < 5');
cmp_ok($pages, '>', 1000, 'many pages were read');
cmp_ok($kept, '<', 600, 'and few of them are kept in shared buffers');

($pages, $kept) = kept('d.k < 10');
cmp_ok($pages, '<', 400, 'few pages were read');
cmp_ok($kept, '>=', $pages, 'and all of them are kept');

# Pages in shared buffers after a scan of all of 2,500 pages in ten partitions,
# or half of these, with room for 2,048, by the leader and by workers.
sub kept_of_partitions
{
	my ($settings, $condition) = @_;

	$node->restart;
	return split /\n/, $node->safe_psql('postgres', <<SQL);
$settings;
SELECT count(f.id) FROM parts f, dimension d
  WHERE f.k = d.k AND d.v < 5 AND $condition;
SELECT count(*) FROM pg_buffercache b
  JOIN pg_class c ON b.relfilenode = pg_relation_filenode(c.oid)
  WHERE c.relname LIKE 'part\_%' AND c.relkind = 'r' AND relforknumber = 0;
SQL
}

$node->safe_psql('postgres', <<'SQL');
\i test/wide_parts.sql
SQL
my $alone = 'SET max_parallel_workers_per_gather = 0';
my $shared = <<'SQL';
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2
SQL

for my $access ('sequential', 'bitmap')
{
	for my $processes ($alone, $shared)
	{
		my $settings = "$processes; SET ssdpar.star_access = $access";
		my ($rows, $kept) = kept_of_partitions($settings, 'f.id > 0');
		my ($half, $kept_half) =
			kept_of_partitions($settings, 'f.id < 10000');
		my $how = $access . ($processes eq $alone ? '' : ', workers');

		is($rows, 10000, "all rows, $how");
		cmp_ok($kept, '<', 1000,
			"more than shared buffers hold: few are kept, $how");
		cmp_ok($kept_half, '>', 1150, "what fits is kept, $how");
	}
}

# The last scan has left a position in the middle of the table.
my $round = <<'SQL';
SET max_parallel_workers_per_gather = 0;
SET ssdpar.star_access = sequential;
SET ssdpar.enabled = %s;
SELECT count(*) FROM (SELECT f.id FROM fact f, dimension d
  WHERE f.k = d.k AND d.v < 5 LIMIT 5000) half;
SELECT (f.ctid::text::point)[0] FROM fact f, dimension d
  WHERE f.k = d.k AND d.v < 5 LIMIT 1;
SELECT count(f.id), sum(f.id) FROM fact f, dimension d
  WHERE f.k = d.k AND d.v < 5;
SQL
my (undef, $first, $ours) =
	split /\n/, $node->safe_psql('postgres', sprintf($round, 'on'));
my (undef, undef, $cores) =
	split /\n/, $node->safe_psql('postgres', sprintf($round, 'off'));
cmp_ok($first, '>', 0, 'a synchronized scan begins in the midst');
is($ours, $cores, 'and reads all rows');

$node->stop;
done_testing();
