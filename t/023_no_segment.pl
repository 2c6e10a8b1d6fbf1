# 023_no_segment.pl
#	Parallel star scans when the server has no shared memory segment left
#	for a parallel query: each then runs only in its leader, and returns
#	the same rows.
#
# The server allows 64 segments plus five per connection, and each Gather of a
# statement holds one until the statement ends.  So the last of many gets none.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('no_segment');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
max_connections = 4
superuser_reserved_connections = 0
max_worker_processes = 1
max_wal_senders = 0
autovacuum_max_workers = 1
autovacuum = off
CONF
$node->append_conf('postgresql.conf',
	"reserved_connections = 0\n") if $node->pg_version >= 16;
$node->append_conf('postgresql.conf',
	"autovacuum_worker_slots = 1\n") if $node->pg_version >= 18;
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE other AS SELECT i AS k FROM generate_series(1, 1000) i;
CREATE TABLE dimension AS SELECT i AS k, i % 10 AS v
  FROM generate_series(1, 1000) i;
CREATE TABLE fact AS SELECT i AS id, i % 1000 AS k
  FROM generate_series(1, 20000) i;
CREATE INDEX ON fact (k);
CREATE UNIQUE INDEX ON dimension (k);
ANALYZE;
SQL

my $settings = <<'SQL';
SET enable_parallel_append = off;
SET max_parallel_workers = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 1;
SQL
my $others = join "\nUNION ALL ", ('SELECT count(*) FROM other') x 200;
my $star = 'SELECT count(*) FROM fact f, dimension d '
  . 'WHERE f.k = d.k AND d.v = 3';

# Tests whether the segments are used up by requesting one more.
my ($rc, $out, $err);
foreach my $access ('bitmap', 'sequential')
{
	my $set = "$settings SET ssdpar.subqueries = 0; "
	  . "SET ssdpar.star_access = $access;\n";
	my $plan = $node->safe_psql('postgres',
		"$set EXPLAIN (COSTS off) $others UNION ALL $star");

	like($plan, qr/Parallel Custom Scan \(SsdparStarScan\)/,
		"$access: a parallel star scan is planned");
	cmp_ok(scalar(() = $plan =~ /Gather/g),
		'>', 200, "$access: after many other parallel queries");
	($rc, $out, $err) = $node->psql('postgres',
		"$set SELECT * FROM ($others UNION ALL $star) s WHERE count <> 1000");
	is($err, '', "$access: no error without a segment");
	is($out, '2000', "$access: the star scan's rows come out");

	# the same node repeatedly
	($rc, $out, $err) = $node->psql('postgres',
		    "$set SET enable_material = off;\n"
		  . "SELECT sum(count) FROM ($others UNION ALL SELECT s.count "
		  . "FROM generate_series(1, 3) g LEFT JOIN ($star) s ON s.count > g) u");
	is($err, '', "$access: no error when it is rescanned");
	is($out, 200 * 1000 + 3 * 2000, "$access: the same rows each time");
}
$node->stop;
done_testing();
