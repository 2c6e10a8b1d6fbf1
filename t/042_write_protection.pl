# 042_write_protection.pl
#	While a process waits for a write, prefetching has fewer requests
#	outstanding, reports that, and continues: the rows are the same.
#
# Counted, not timed: a session shows the wait event of a writer (ssdpar_test's
# wait_as) as long as the test needs.  The test also controls the device's
# flushes for processes other than the server's (test/device_files.c).

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

# Without a profile, the device works on 10 pages, and gets 25 more in 0.25 ms.
use constant {
	DEPTH => 200,
	USUAL => 35,
	STRICT => 10,
};

my $place = PostgreSQL::Test::Utils::tempdir;
my $node = PostgreSQL::Test::Cluster->new('write_protection');

system_or_bail('cc', '-shared', '-fPIC', '-o', "$place/device_files.so",
	"$FindBin::Bin/../test/device_files.c", '-ldl');
$ENV{DEVICE_FLUSHES} = "$place/flushes";
$ENV{DEVICE_UNKNOWN} = "$place/unknown";

# With a device that the test controls.
sub start
{
	local $ENV{LD_PRELOAD} = "$place/device_files.so";

	$node->start;
}

$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
shared_buffers = 1MB
autovacuum = off
fsync = off
jit = off
ssdpar.daemon_autostart = off
ssdpar.prefetch_min_size = 0
ssdpar.write_protection = '0.25ms'
CONF
start();
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE EXTENSION ssdpar_test;
CREATE TABLE fact AS SELECT i AS k, i * 7919 % 1000 AS d, repeat('x', 900) AS filler
  FROM generate_series(1, 16000) i;
CREATE INDEX fact_d ON fact (d);
CREATE TABLE dim AS SELECT i AS d, i % 10 AS kind FROM generate_series(0, 999) i;
ALTER TABLE dim ADD PRIMARY KEY (d);
VACUUM ANALYZE;
CHECKPOINT;
SQL

sub depth_query
{
	my ($settings) = @_;

	return "$settings SELECT ssdpar_test.read_depth('fact', 1500, 1, " . DEPTH . ", 'local')";
}

sub depth
{
	my ($settings) = @_;

	return $node->safe_psql('postgres', depth_query($settings));
}

# Waits until a query gives this result, because the server's own processes may
# write.
sub comes_to
{
	my ($query, $wanted) = @_;
	my $found = '';

	foreach (1 .. 100)
	{
		$found = $node->safe_psql('postgres', $query);
		last if $found eq $wanted;
		usleep(100_000);
	}
	return $found;
}

# Starts a session that waits, and returns how to end it.
sub begin_wait
{
	my ($event) = @_;
	my $session = $node->background_psql('postgres', on_error_stop => 0);

	$session->query_until(qr/begun/, "\\echo begun\nSELECT ssdpar_test.wait_as('$event');\n");
	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE '%wait_as%' AND wait_event ILIKE '"
		  . ($event =~ s/WALWriteLock/WALWrite/r) . "%' AND pid <> pg_backend_pid()")
	  or die "no session waits as $event";
	return $session;
}

sub end_wait
{
	my ($session) = @_;

	$node->safe_psql('postgres',
		"SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%wait_as%' AND pid <> pg_backend_pid()");
	$session->quit;
}

is(comes_to(depth_query(''), DEPTH), DEPTH, 'no process waits for a write: full depth');

append_to_file($ENV{DEVICE_FLUSHES}, '');
cmp_ok(depth(''), '<=', USUAL, 'the device flushes for others: less is outstanding');
is(depth('SET ssdpar.write_protection = -1;'), DEPTH, 'not where that is not looked for');
unlink($ENV{DEVICE_FLUSHES}) or die $!;
is(comes_to(depth_query(''), DEPTH), DEPTH, 'it has ceased to: full depth');
append_to_file($ENV{DEVICE_UNKNOWN}, '');
cmp_ok(depth(''), '<=', USUAL, 'a device that counts no flushes writes: less is outstanding');
unlink($ENV{DEVICE_UNKNOWN}) or die $!;

foreach my $event ('WALSync', 'WALWrite', 'WALWriteLock', 'DataFileSync',
	'DataFileWrite', 'DataFileExtend')
{
	my $session = begin_wait($event);

	cmp_ok(depth(''), '<=', USUAL, "$event: less is outstanding");
	end_wait($session);
}

my $query = <<'SQL';
SET ssdpar.star_access = bitmap; SET ssdpar.io_concurrency = 200;
SET max_parallel_workers_per_gather = 0;
SQL
my $select = 'SELECT kind, count(*), sum(k) FROM fact JOIN dim USING (d) WHERE kind < 3 GROUP BY 1 ORDER BY 1';
my $rows = $node->safe_psql('postgres', "SET ssdpar.enabled = off; $select");
my $writer = begin_wait('WALSync');

is(depth('SET ssdpar.write_protection = -1;'), DEPTH, 'not looked for: full depth');
cmp_ok(depth('SET ssdpar.write_protection = 0;'), '<=', STRICT, '0: what the device works on');
cmp_ok(depth('SET ssdpar.write_protection = 0;'), '>=', 1, '0: but something');
is(depth("SET ssdpar.write_protection = '100ms';"), DEPTH, 'a write may lose 100 ms: full depth');

foreach my $prefetch ('auto', 'local', 'daemon', 'off')
{
	is($node->safe_psql('postgres', "SET ssdpar.prefetch = $prefetch; $query $select"),
		$rows, "rows of a star scan beside a writer, prefetch $prefetch");
	is($node->safe_psql('postgres', "SET ssdpar.prefetch = $prefetch; SET ssdpar.star_access = sequential; $select"),
		$rows, "rows of a sequential star scan beside a writer, prefetch $prefetch");
}
is($node->safe_psql('postgres', "$query SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0;"
	  . "SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; $select"),
	$rows, 'rows of a parallel star scan beside a writer');

# Views and counters.
$node->safe_psql('postgres', 'SELECT ssdpar.stat_reset()');
my $explain = $node->safe_psql('postgres', "$query SET ssdpar.prefetch = local; EXPLAIN (ANALYZE, COSTS off) $select");

like($explain, qr/ssdpar Yielded to Writes: times=[1-9]\d* time=\d+\.\d{3} ms/, 'EXPLAIN says so');
$explain = $node->safe_psql('postgres', "$query SET ssdpar.prefetch = local; EXPLAIN (ANALYZE, COSTS off, FORMAT json) $select");
like($explain, qr/"ssdpar Yields": [1-9]\d*,\s*"ssdpar Yielded Time": \d+\.\d+/, 'and as JSON');
$explain = $node->safe_psql('postgres',
	"$query SET ssdpar.prefetch = local; SET ssdpar.write_protection = -1; EXPLAIN (ANALYZE, COSTS off) $select");
unlike($explain, qr/Yielded/, 'not where writes are not looked for');
depth('');
is($node->safe_psql('postgres',
		'SELECT yields > 0, yielded_time > 0 FROM ssdpar.pg_stat_ssdpar WHERE datname = current_database()'),
	't|t', 'pg_stat_ssdpar counts it');

# A permanent writer still leaves a reader one page.
is($node->safe_psql('postgres', "SELECT ssdpar_test.read_pages('fact', 20000, 1, 200, 'local')"),
	20000, 'a reader goes on beside a log that stands still');
end_wait($writer);
is(comes_to(depth_query(''), DEPTH), DEPTH, 'the writer has gone: full depth');

# A parallel worker respects its device too.  This one has 16 requests at most,
# and answers 5 of them in 0.25 ms in addition to the 5 that it works on.
my $in_worker = ($node->pg_version >= 16 ? 'debug_parallel_query' : 'force_parallel_mode');
my $depth_of_device = "SET $in_worker = on; SELECT ssdpar_test.read_depth('fact', 1500, 1, 0, 'local')";

$node->safe_psql('postgres', <<'SQL');
ALTER FUNCTION ssdpar_test.read_depth PARALLEL SAFE;
\i test/invent_device.sql
SELECT invent_device('CASE depth WHEN 1 THEN 4000 WHEN 4 THEN 12000 ELSE 20000 END', 4096, 1e-5);
SQL
like($node->safe_psql('postgres', $depth_of_device =~ s/SELECT/EXPLAIN SELECT/r), qr/Gather/,
	'a worker reads');
is(comes_to($depth_of_device, 16), 16, 'at the depth of the device');
$writer = begin_wait('WALSync');
cmp_ok($node->safe_psql('postgres', $depth_of_device), '<=', 10,
	'and beside a writer has no more than that answers in time');
end_wait($writer);
$node->safe_psql('postgres', q(SELECT ssdpar.forget_profile('pg_default')));

# Without shared memory, each session checks itself.
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''");
$node->stop;
start();
$writer = begin_wait('WALSync');
cmp_ok(depth("LOAD 'ssdpar';"), '<=', USUAL, 'library not preloaded: less is outstanding');
end_wait($writer);
is(comes_to(depth_query("LOAD 'ssdpar';"), DEPTH), DEPTH, 'library not preloaded: full depth without');
$node->stop;

done_testing();
