# 024_shared_buffers.pl
#	A star scan of more pages than a quarter of shared buffers leaves there
#	what others have, as core's sequential scans do; one of few pages keeps
#	them.  One of a table of that size begins where another one is, and goes
#	round.

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

# Pages of the fact in shared buffers after a star scan of so many.
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

# The last scan has left a position in the midst of the table.
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
