# 060_explain_io.pl
#	EXPLAIN's option IO, of PostgreSQL 19, shows for a star scan's reads
#	what it shows for core's scans: by bitmap and sequentially, in one
#	process and in several, in text and in JSON.
#
# The numbers are compared with ssdpar's own counters.

use strict;
use warnings;

use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('explain_io');

plan skip_all => 'the option IO came with 19' if $node->pg_version->major < 19;

$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
shared_buffers = 16MB
autovacuum = off
fsync = off
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE small AS SELECT i AS k FROM generate_series(1, 4000) i;
ALTER TABLE small ADD PRIMARY KEY (k);
CREATE TABLE fact AS SELECT i % 4000 + 1 AS k, i AS id, repeat('x', 900) AS pad
  FROM generate_series(1, 40000) i ORDER BY md5(i::text);
CREATE INDEX ON fact (k);
ALTER TABLE fact SET (parallel_workers = 2);
VACUUM (FREEZE, ANALYZE) small, fact;
SQL
my $query = 'SELECT sum(f.id) FROM fact f, small s'
  . ' WHERE f.k = s.k AND s.k BETWEEN 1001 AND 1200';
my $parallel = <<'SQL';
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0; SET debug_parallel_query = off;
SET max_parallel_workers_per_gather = 2;
SQL

sub scan_of
{
	my ($plan) = @_;

	return $plan if ($plan->{'Custom Plan Provider'} // '') eq 'SsdparStarScan';
	foreach my $child (@{ $plan->{Plans} // [] })
	{
		my $found = scan_of($child);
		return $found if defined $found;
	}
	return undef;
}

# With nothing of the fact in shared buffers.
sub explained
{
	my ($set, $options) = @_;

	$node->restart;
	return $node->safe_psql('postgres',
		"$set EXPLAIN (ANALYZE, $options) $query;");
}

foreach my $workers (0, 2)
{
	foreach my $access ('bitmap', 'sequential')
	{
		my $set = ($workers ? $parallel :
			  'SET max_parallel_workers_per_gather = 0;')
		  . "SET ssdpar.star_access = $access;";
		my $what = "$access, $workers workers";
		my $scan = scan_of(
			decode_json(explained($set, 'IO, FORMAT JSON'))->[0]{Plan});
		my $count = $scan->{'I/O Count'} // 0;
		my $pages = $count * ($scan->{'Average I/O Size'} // 0);

		cmp_ok($count, '>', 0, "$what: reads are counted");
		cmp_ok($scan->{'Prefetch Capacity'}, '>', 0, '... and the distance');
		cmp_ok($scan->{'Average Prefetch Distance'},
			'<=', $scan->{'Max Prefetch Distance'}, '... on average');
		# the size has three digits
		cmp_ok(abs($pages - $scan->{'Pages Read'}),
			'<', 2 + $count * 0.001, '... as many pages as were read')
		  if $access eq 'bitmap';
		like(
			explained($set, 'IO, COSTS OFF'),
			qr/SsdparStarScan.*Prefetch: avg=[\d.]+ max=\d+ capacity=\d+\n\s+I\/O: count=\d+ waits=\d+ size=[\d.]+ in-progress=[\d.]+\n/s,
			"$what: in text");
		unlike(explained($set, 'COSTS OFF'),
			qr/Prefetch: avg|I\/O: count/, '... not without the option');
	}
}

# Reads without a stream.
my $off = scan_of(
	decode_json(
		explained(
			'SET max_parallel_workers_per_gather = 0;'
			  . 'SET ssdpar.star_access = bitmap; SET ssdpar.prefetch = off;',
			'IO, FORMAT JSON'))->[0]{Plan});
cmp_ok($off->{'Pages Read'}, '>', 0, 'nothing is read ahead');
ok(!exists $off->{'I/O Count'}, '... and nothing is said');

$node->stop;
done_testing();
