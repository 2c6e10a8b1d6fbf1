# 032_bitmap_depth.pl
#	The server's bitmap heap scans read ahead at the depth of the device
#	profile, even in parallel workers, unless a user has set another depth;
#	and the leaves of their indexes are read ahead.
#
# An error stops a scan at its 100th page.  Its depth is the number of pages
# beyond that which it has requested from the kernel (test/log_fadvise.c).

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $pages = 100;
my $place = PostgreSQL::Test::Utils::tempdir;
my $log = "$place/fadvise";
my $node = PostgreSQL::Test::Cluster->new('bitmap_depth');

# the server's own default
my $default = $node->pg_version >= 18 ? 16 : 1;

system_or_bail('cc', '-shared', '-fPIC', '-o', "$place/log_fadvise.so",
	"$FindBin::Bin/../test/log_fadvise.c", '-ldl');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.star_scan = off
shared_buffers = 128MB
autovacuum = off
enable_seqscan = off
enable_indexscan = off
max_parallel_workers_per_gather = 0
CONF

# asynchronous I/O does not advise the kernel
$node->append_conf('postgresql.conf', 'io_method = sync')
  if $node->pg_version >= 18;

sub start
{
	local $ENV{LD_PRELOAD} = "$place/log_fadvise.so";
	local $ENV{FADVISE_LOG} = $log;

	$node->start;
}

start();
# one row of each k in every second page, of each far in every 16th
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE wide (id int, k int, far int, pad text);
INSERT INTO wide SELECT i, i % 16, i % 128, repeat('x', 890)
  FROM generate_series(0, 15999) i;
CREATE INDEX wide_k ON wide (k);
CREATE INDEX wide_far ON wide (far);
CREATE INDEX wide_id ON wide (id DESC, pad) WITH (fillfactor = 50);
VACUUM ANALYZE wide;
SQL
my $path = $node->safe_psql('postgres', "SELECT pg_relation_filepath('wide')");

# A query that ends with an error at a row.
sub query_to
{
	my ($condition, $row) = @_;

	return "SELECT count(*) FROM wide"
	  . " WHERE $condition AND 1 / (id - $row) IS NOT NULL";
}

my $last = ($pages - 1) * 16 + 5;
my $query = query_to('k = 5', $last);

# How far a scan is ahead of that row's page, with empty shared buffers.
sub depth
{
	my ($settings, $condition, $row) = @_;
	my $stop;

	$condition //= 'k = 5';
	$row //= $last;
	$node->stop;
	start();
	$stop = $node->safe_psql('postgres',
		"SELECT split_part(trim(ctid::text, '()'), ',', 1) FROM wide"
		  . " WHERE id = $row");
	unlink $log;
	my ($result, $out, $error) =
	  $node->psql('postgres', "$settings\n" . query_to($condition, $row));
	like($error, qr/division by zero/, "stopped at its page: $settings");
	return scalar(grep { $_ > $stop } asked($path));
}

# The blocks of a file requested from the kernel.
sub asked
{
	my ($file) = @_;
	my %asked;

	foreach my $line (-e $log ? split(/\n/, slurp_file($log)) : ())
	{
		my ($name, $offset, $length) = split / /, $line;
		next unless $name =~ m{/\Q$file\E$};
		$asked{$_} = 1
		  foreach $offset / 8192 .. ($offset + $length) / 8192 - 1;
	}
	return keys %asked;
}

# One page more or less may be in progress.
sub reads_at
{
	my ($expected, $settings, $what) = @_;
	my $depth = depth($settings);

	ok(abs($depth - $expected) <= 1,
		"depth $expected, not $depth: $what");
}

like($node->safe_psql('postgres', "EXPLAIN $query"),
	qr/Bitmap Heap Scan on wide/, 'a bitmap scan');
reads_at($default, '', 'not calibrated');

$node->safe_psql('postgres', <<'SQL');
\i test/invent_device.sql
SELECT invent_device('least(depth, 16) * 1000', 128, 4e-6);
SELECT change_points($$jsonb_build_object('queue_depth', queue_depth * 5)$$,
                     'queue_depth > 1');
SQL
my $device = $node->safe_psql('postgres',
	"SELECT suggested FROM ssdpar.suggest_settings()"
	  . " WHERE setting = 'effective_io_concurrency'");
cmp_ok($device, '>', 20, "the device is saturated at $device");

reads_at($device, '', 'calibrated');
reads_at($device, 'SET ssdpar.cost_model = off;', 'whatever prices plans');
reads_at(7, 'SET ssdpar.io_concurrency = 7;', "the process's own depth");
reads_at($default, 'SET ssdpar.prefetch_bitmap_scans = off;', 'off');
reads_at($default, 'SET ssdpar.prefetch = off;', 'prefetching off');
reads_at($default, 'SET ssdpar.enabled = off;', 'ssdpar off');
reads_at(1, 'SET effective_io_concurrency = 1;', 'chosen in the session');
reads_at(5, 'SET effective_io_concurrency = 5;', 'chosen in the session');

# Up to 17 adjacent pages are left to the kernel.
is(depth('', 'id >= 0'), 0, 'all pages are wanted: depth 0')
  if $node->pg_version < 18;

# The same for a scan without a filter, which calls the executor in another
# way.
sub table_pages_asked
{
	my ($statement) = @_;

	$node->stop;
	start();
	unlink $log;
	$node->safe_psql('postgres', $statement);
	return scalar(asked($path));
}

my $all = 'SELECT sum(k) FROM wide WHERE id >= 0';
my $again = 'SELECT sum(s) FROM generate_series(1, 2) g, LATERAL'
  . ' (SELECT sum(k) + g AS s FROM wide WHERE id >= 0) x';
if ($node->pg_version < 18)
{
	foreach my $statement ($all, "EXPLAIN (ANALYZE) $all", $again)
	{
		my $asked = table_pages_asked($statement);
		cmp_ok($asked, '<', 400,
			"$asked of 2000 pages asked for, without a filter: $statement");
	}
}

# A whole scan in one worker, and one shared by two.
my $force =
  $node->pg_version >= 16 ? 'debug_parallel_query' : 'force_parallel_mode';
my $worker = <<"SQL";
SET $force = on;
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;
SQL
like($node->safe_psql('postgres', "$worker EXPLAIN $query"),
	qr/Single Copy: true.* Bitmap Heap Scan on wide/s, 'a scan in a worker');
reads_at($device, $worker, 'in a worker');
reads_at(5, "SET effective_io_concurrency = 5;\n$worker",
	'chosen in the session, in a worker');
my $parallel = <<"SQL";
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET seq_page_cost = 0;
SET random_page_cost = 0;
SET ssdpar.cost_model = off;
SQL
my $far = 95 * 128 + 5;
like(
	$node->safe_psql('postgres',
		"$parallel EXPLAIN " . query_to('far = 5', $far)),
	qr/Parallel Bitmap Heap Scan on wide/, 'a parallel bitmap scan');
cmp_ok(depth($parallel, 'far = 5', $far),
	'>', 20, 'in workers that share a scan');

# Only the leaves of the range are requested.
my $index =
  $node->safe_psql('postgres', "SELECT pg_relation_filepath('wide_id')");
my $size =
  $node->safe_psql('postgres', "SELECT pg_relation_size('wide_id') / 8192");

sub leaves
{
	my ($settings, $condition, $table, $file) = @_;
	my $count = 'SELECT count(*) FROM '
	  . ($table // 'wide') . " WHERE $condition";

	$node->stop;
	start();
	unlink $log;
	my $rows = $node->safe_psql('postgres', "$settings $count");
	my $asked = scalar(asked($file // $index));
	is($rows, $node->safe_psql('postgres', "SET ssdpar.enabled = off; $count"),
		"rows: $settings $condition");
	return $asked;
}

my $half = 'id BETWEEN 4000 AND 11999';
like($node->safe_psql('postgres', "EXPLAIN SELECT count(*) FROM wide WHERE $half"),
	qr/Bitmap Index Scan on wide_id/, 'a range of the index');
my $asked = leaves('', $half);
cmp_ok($asked, '>', 0.4 * $size, "half of $size leaves were asked for: $asked");
cmp_ok($asked, '<', 0.6 * $size, 'and no more');
cmp_ok(leaves('', 'id < 15000'), '>', 0.8 * $size, 'below a bound');
cmp_ok(leaves('', 'id >= 8000'), '>', 0.4 * $size, 'from a bound on');
cmp_ok(leaves('', 'id > 4000 AND id <= 11999 AND pad < id::text'),
	'>', 0.4 * $size, 'with another condition');
cmp_ok(leaves('', 'id BETWEEN 100 AND 2099 OR id BETWEEN 9000 AND 10999'),
	'>', 0.2 * $size, 'of two scans');
cmp_ok(
	leaves(
		'SET plan_cache_mode = force_generic_plan;'
		  . ' PREPARE q (int) AS SELECT count(*) FROM wide'
		  . ' WHERE id > $1; EXECUTE q (4000); --', 'id > 4000'),
	'>', 0.4 * $size, 'to a value that is computed');
is(leaves('', 'id BETWEEN 100 AND 110'), 0, 'of few entries, none');
is(leaves('', 'id = ANY (ARRAY(SELECT generate_series(1, 2000)))'),
	0, 'of a list, none');
is(leaves('SET effective_io_concurrency = 1;', $half), 0, 'nor at depth 1');

# Not more than the scan itself will read.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE parts AS SELECT i % 2 AS tenant, i AS item,
  CASE WHEN i % 10 = 0 THEN i END AS seldom FROM generate_series(1, 200000) i;
CREATE INDEX parts_tenant ON parts (tenant, item);
CREATE INDEX parts_seldom ON parts (seldom);
VACUUM ANALYZE parts;
SQL
my $bitmaps = 'SET enable_seqscan = off; SET enable_indexscan = off;'
  . ' SET enable_indexonlyscan = off;';

sub share_of
{
	my ($name, $condition) = @_;
	my $file =
	  $node->safe_psql('postgres', "SELECT pg_relation_filepath('$name')");
	my $all =
	  $node->safe_psql('postgres', "SELECT pg_relation_size('$name') / 8192");
	my $query = "EXPLAIN SELECT count(*) FROM parts WHERE $condition";

	like($node->safe_psql('postgres', "$bitmaps $query"),
		qr/Bitmap Index Scan on $name/, "$name: $condition");
	return leaves($bitmaps, $condition, 'parts', $file) / $all;
}

my $list = join(',', map { 2 * $_ } 1 .. 1500);
sub reads_within
{
	my ($least, $most, $name, $condition) = @_;
	my $share = share_of($name, $condition);

	cmp_ok($share, '>=', $least, 'those of the range are asked for');
	cmp_ok($share, '<=', $most, '... and no others');
	return;
}

reads_within(0.03, 0.07, 'parts_tenant', 'tenant = 0 AND item < 20000');
reads_within(0.03, 0.07, 'parts_tenant',
	'tenant = 0 AND item >= 0 AND item >= 180000');
reads_within(0.03, 0.07, 'parts_tenant',
	'tenant = 0 AND item <= 20000 AND item < 200001');
reads_within(0.03, 0.07, 'parts_tenant',
	'tenant = 0 AND item < 20000::bigint');
reads_within(0, 0, 'parts_tenant',
	"tenant = 0 AND item = ANY ('{$list}')");
reads_within(0, 0, 'parts_seldom', 'seldom IS NULL');
reads_within(0.02, 0.3, 'parts_seldom', 'seldom > 100000');
reads_within(0.02, 0.5, 'parts_seldom', 'seldom IS NOT NULL');
$node->safe_psql('postgres',
	'DROP INDEX parts_seldom; CREATE INDEX parts_first ON parts (seldom DESC)');
reads_within(0.02, 0.3, 'parts_first', 'seldom > 100000');
is(leaves('SET ssdpar.prefetch_bitmap_scans = off;', $half), 0, 'nor if off');
is(leaves('SET ssdpar.enabled = off;', $half), 0, 'nor with ssdpar off');

$node->safe_psql('postgres',
	"ALTER TABLESPACE pg_default SET (effective_io_concurrency = 3)");
reads_at(3, '', 'chosen for the tablespace');
$node->safe_psql('postgres',
	"ALTER TABLESPACE pg_default RESET (effective_io_concurrency)");
$node->safe_psql('postgres',
	"ALTER ROLE CURRENT_USER SET effective_io_concurrency = 4");
reads_at(4, '', 'chosen for the role');
$node->safe_psql('postgres',
	"ALTER ROLE CURRENT_USER RESET effective_io_concurrency");

# Rows and rescans: each outer row has a separate scan.
my $loop = 'SELECT count(*), sum(w.id) FROM generate_series(1, 20) g,'
  . ' LATERAL (SELECT id FROM wide WHERE k = g % 16 OFFSET 0) w';
is($node->safe_psql('postgres', $loop),
	$node->safe_psql('postgres', "SET ssdpar.enabled = off; $loop"),
	'rows of scans that are started again');

# Combined bitmaps: the keys of a row are gone when those of the next are made.
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE names AS SELECT (i % 20)::text AS a, (i % 25)::text AS b
  FROM generate_series(1, 60000) i;
CREATE INDEX names_a ON names (a);
CREATE INDEX names_b ON names (b);
ANALYZE names;
SQL
my $either = 'SELECT x.n, count(names.a) FROM (SELECT n, n ||'
  . " CASE WHEN n % 2 = 0 THEN repeat('x', 40000000) ELSE '' END AS name"
  . ' FROM generate_series(0, 5) n OFFSET 0) x'
  . ' LEFT JOIN names ON a = name OR b = name GROUP BY 1 ORDER BY 1';
like($node->safe_psql('postgres', "EXPLAIN $either"),
	qr/BitmapOr/, 'bitmaps combined for each row');
is($node->safe_psql('postgres', $either),
	$node->safe_psql('postgres', "SET ssdpar.enabled = off; $either"),
	'rows of combined bitmaps that are made again');

my $known = $node->safe_psql('postgres', "SELECT ssdpar.profile_document('pg_default')");
$node->safe_psql('postgres', "SELECT ssdpar.forget_profile('pg_default')");
is(leaves('', $half), 0, 'no leaves where the device is not known');
$node->safe_psql('postgres', "SELECT ssdpar.store_profile('pg_default', '$known')");

$node->append_conf('postgresql.conf', 'effective_io_concurrency = 6');
reads_at(6, '', 'chosen in the file');

$node->stop;
done_testing();
