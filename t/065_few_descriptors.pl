# 065_few_descriptors.pl
#	If a session uses all the descriptors for transient files that the
#	server allows, ssdpar does without the files that it opens for
#	estimates.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('few');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
max_files_per_process = 64
autovacuum = off
jit = off
CONF
$node->start;
plan skip_all => 'file_fdw is not installed'
  if $node->psql('postgres', 'CREATE EXTENSION file_fdw') != 0;

my $file = PostgreSQL::Test::Utils::tempdir() . '/numbers';
append_to_file($file, join("\n", 1 .. 20000) . "\n");
chmod(0644, $file);
$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
$node->safe_psql('postgres', slurp_file('test/invent_device.sql'));
$node->safe_psql('postgres', <<"SQL");
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
CREATE TABLE dim AS SELECT i AS k, i % 10 AS v, repeat('x', 900) AS pad
  FROM generate_series(1, 1000) i;
CREATE UNIQUE INDEX ON dim (k);
CREATE TABLE fact AS SELECT i AS id, i % 1000 + 1 AS k, repeat('x', 900) AS pad
  FROM generate_series(1, 20000) i;
CREATE INDEX ON fact (k);
VACUUM ANALYZE dim, fact;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE numbers (n int) SERVER files OPTIONS (filename '$file');
SQL

# Pages in shared buffers are not looked up in the page cache.
$node->restart;

sub held
{
	my ($count) = @_;

	return join('', map {
			"DECLARE c$_ CURSOR FOR SELECT * FROM numbers; FETCH 1 FROM c$_;\n"
	} 1 .. $count);
}

# Uses all descriptors that the server allows a session.
my ($most, $status, $out, $err) = (0);
foreach my $count (1 .. 64)
{
	($status, $out, $err) = $node->psql('postgres', 'BEGIN; ' . held($count));
	last if $err ne '';
	$most = $count;
}
like($err, qr/exceeded maxAllocatedDescs/, 'there is none left for the server');
my $held = held($most);

my $query = 'SELECT count(*) FROM fact f JOIN dim ON f.k = dim.k WHERE v = 3';
my $set = 'SET ssdpar.cost_model_min_size = 0; SET ssdpar.residency_ttl = 0;';
foreach my $how (
	[ 'what is cached is asked', '' ],
	[
		'keys are read',
		'SET ssdpar.residency = cold; SET ssdpar.star_access = sequential;'
	])
{
	my ($what, $more) = @$how;

	($status, $out, $err) = $node->psql('postgres', <<"SQL");
$set $more
BEGIN;
$held
\\echo rows
$query;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) $query;
SQL
	is($err, '', "$what: no error");
	like($out, qr/rows\n2000\n/, "$what: the rows");
}
$node->stop;
done_testing();
