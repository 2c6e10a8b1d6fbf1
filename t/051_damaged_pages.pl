# 051_damaged_pages.pl
#	Pages that fail their checksum: a statement that comes to one has the
#	server's own error, whatever reads it; one that does not has its rows, though
#	planning it looks at the rows of a dimension.

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
INSERT INTO day SELECT i, i / 180 FROM generate_series(0, 20000) i;
CREATE TABLE side (k int PRIMARY KEY, c int);
INSERT INTO side SELECT i, i % 30 FROM generate_series(0, 2999) i;
VACUUM ANALYZE;
SQL

# Rows of the first pages of the calendar, by its index; rows of all of the fact.
# Dimensions are looked at, but the fact has no index for a star scan.
my $by_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off;'
  . ' SET enable_hashjoin = off; SET enable_mergejoin = off;'
  . ' SET enable_material = off;'
  . ' SET ssdpar.star_access = bitmap; SET ssdpar.index_join = off';
my $first = 'SELECT count(*), sum(v) FROM fact, day, side WHERE d = day.k'
  . ' AND y = 0 AND s = side.k AND c < 15 AND id < 500';
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

# The dimensions that planning looks at, where a star scan shows them.
sub looks_at
{
	my ($dimensions) = $node->safe_psql('postgres',
		"SET ssdpar.star_access = sequential; EXPLAIN $first") =~
	  /Rows Measured: (.*)  \(/;

	return join ', ', sort split /, /, $dimensions // '';
}

my $rows = outcome("$by_index; SET ssdpar.enabled = off", $first);
like($rows, qr/^[1-9]\d*\|/, 'some rows by the first pages');
is(looks_at(), 'day, side', 'planning looks at both dimensions');
unlike($node->safe_psql('postgres', "$by_index; EXPLAIN $first"),
	qr/Ssdpar/, 'the plan does not read all of them');

my $kept = damage('day', sub { $_[0] >= 50 });
is(outcome("$by_index; SET ssdpar.enabled = off", $first),
	$rows, 'damaged pages elsewhere: rows without ssdpar');
is(outcome($by_index, $first), $rows, 'and with it, though a look meets them');
is(looks_at(), 'side', 'nothing is known of a table that cannot be read');
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
mend($kept);
$kept = damage('fact', sub { $_[0] >= 50 });
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
