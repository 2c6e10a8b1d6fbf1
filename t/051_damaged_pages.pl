# 051_damaged_pages.pl
#	Pages that fail their checksum: a statement that reads one raises the
#	server's own error, whichever node reads it; one that does not returns
#	its rows, although planning samples the data.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('damaged');
$node->init(extra => ['--data-checksums']);
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.cost_model_min_size = '100kB'
ssdpar.prefetch_min_size = 0
ssdpar.residency = cold
ssdpar.estimate_share = 100
ssdpar.estimate_budget = '10s'
autovacuum = off
fsync = off
jit = off
max_parallel_workers_per_gather = 0
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 2', 128, 4e-6);
CREATE TABLE fact (id int, d int, s int, v int, pad text);
INSERT INTO fact SELECT i, i % 365, i * 7919::bigint % 3000, i % 100,
  repeat('x', 60) FROM generate_series(1, 40000) i;
CREATE INDEX ON fact (id);
CREATE TABLE day (k int PRIMARY KEY, y int);
INSERT INTO day SELECT i, i / 365 FROM generate_series(0, 73000) i;
CREATE TABLE side (k int PRIMARY KEY, c int);
INSERT INTO side SELECT i, i % 30 FROM generate_series(0, 2999) i;
VACUUM ANALYZE;
SQL

# Rows of the fact's first pages, by its index; rows of undamaged tables; rows
# of the whole fact.
my $by_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off;'
  . ' SET ssdpar.star_scan = off; SET ssdpar.index_join = off';
my $first = 'SELECT count(*), sum(v) FROM fact, day, side WHERE d = day.k'
  . ' AND y = 0 AND s = side.k AND c < 15 AND id < 500';
my $whole = 'SELECT count(*), sum(c) FROM day, side WHERE day.k = side.k'
  . ' AND y < 5 AND c < 15';
my $all = 'SELECT count(*), sum(v) FROM fact, day WHERE d = day.k AND y = 0'
  . ' AND day.k < 40';

# Changes a byte of these pages: a coderef chooses them by number.
sub damage
{
	my ($relation, $which) = @_;
	my $path = $node->data_dir . '/'
	  . $node->safe_psql('postgres',
		"CHECKPOINT; SELECT pg_relation_filepath('$relation')");
	my ($good, $bad);

	$node->stop;
	$good = slurp_file($path);
	$bad = $good;
	foreach my $page (grep { $which->($_) } 0 .. length($good) / 8192 - 1)
	{
		substr($bad, $page * 8192 + 4000, 1) ^= "\x55";
	}
	write_file($path, $bad);
	$node->start;
	return [ $path, $good ];
}

sub write_file
{
	my ($path, $bytes) = @_;

	open(my $file, '>:raw', $path) or die "$path: $!";
	print $file $bytes;
	close($file) or die "$path: $!";
	return;
}

sub mend
{
	my ($path, $good) = @{ $_[0] };

	$node->stop;
	write_file($path, $good);
	$node->start;
	return;
}

# Rows, or the error without block numbers, which depend on how many are read
# at a time.
sub outcome
{
	my ($settings, $query) = @_;
	my ($code, $out, $err) = $node->psql('postgres', "$settings; $query");

	return $out if $code == 0;
	my ($message) = $err =~ /ERROR:\s+(.*)/;
	$message =~
	  s/(?:invalid page in block|\d+ invalid pages among blocks) [\d.]+/invalid page/;
	return $message;
}

sub measured
{
	my ($query) = @_;

	return $node->safe_psql('postgres',
		"$by_index; EXPLAIN (VERBOSE) $query") =~
	  /Rows Measured: tables=[1-9]/;
}

my $rows = outcome("$by_index; SET ssdpar.enabled = off", $first);
like($rows, qr/^[1-9]\d*\|/, 'some rows on the first pages');
ok(measured($first), 'rows are measured for it');

my $kept = damage('fact', sub { $_[0] >= 50 });
is(outcome("$by_index; SET ssdpar.enabled = off", $first),
	$rows, 'damaged pages elsewhere: rows without ssdpar');
is(outcome($by_index, $first), $rows, 'and with it, though pages are sampled');
ok(!measured($first), 'nothing is known of a table that cannot be read');
ok(measured("$whole UNION ALL $first"), 'but of what was asked before');
ok(!measured("$first UNION ALL $whole"),
	'nothing else is asked then, which might take as long again');
is(outcome("$by_index; BEGIN; INSERT INTO side VALUES (-1, 1)",
		"$first; COMMIT; DELETE FROM side WHERE k = -1"),
	$rows, 'nor is what the transaction has written lost');
is(outcome($by_index, <<"SQL"), $rows, 'in a function');
CREATE FUNCTION first(OUT n bigint, OUT v bigint) LANGUAGE plpgsql AS \$\$
BEGIN
  EXECUTE '$first' INTO n, v;
EXCEPTION WHEN division_by_zero THEN
  n := -1;
END \$\$;
SELECT * FROM first();
SQL
my $error = outcome('SET ssdpar.enabled = off', $all);
like($error, qr/^invalid page of relation/, 'a damaged page is met');
foreach my $settings (
	'SET ssdpar.star_access = sequential',
	'SET ssdpar.star_access = sequential; SET ssdpar.prefetch = off',
	'SET ssdpar.star_access = sequential; SET ssdpar.prefetch = daemon',
	'SET ssdpar.star_scan = off; SET enable_hashjoin = off;'
	  . ' SET enable_mergejoin = off')
{
	is(outcome($settings, $all), $error, "the server's error: $settings");
}
mend($kept);
$node->safe_psql('postgres', 'CREATE INDEX fact_d ON fact (d)');

# Neither the root nor the last leaf, from which the server gets the column's
# minimum and maximum.
$rows = outcome('SET ssdpar.enabled = off', $all);
$kept = damage('fact_d', sub { $_[0] > 4 && $_[0] < 30 });
is(outcome('SET enable_bitmapscan = off; SET enable_indexscan = off;'
			. ' SET ssdpar.star_scan = off; SET ssdpar.index_join = off', $all),
	$rows, 'a damaged index that no plan uses');
like(outcome('SET ssdpar.star_access = bitmap', $all),
	qr/^invalid page of relation/, 'and one that a star scan reads');
mend($kept);
is(outcome('SET ssdpar.star_access = bitmap', $all), $rows, 'mended');

damage('fact', sub { $_[0] >= 50 });
is(outcome("SET ssdpar.star_access = bitmap; SET ssdpar.prefetch = $_", $all),
	$error, "the server's error: a star scan by bitmap, read ahead: $_")
  foreach qw(off local daemon);

$node->stop;
done_testing();
