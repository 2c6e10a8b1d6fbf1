# 054_asked_during_keys.pl
#	While a star scan collects its keys, it requests the next dimensions
#	and the start of a fact that it will read sequentially: only of tables
#	that are not in memory, at most a window, and never if it may read a
#	bitmap.  It requests more of the fact if the device is known and all
#	rows are wanted.
#
# Counted by EXPLAIN.  Planning does not look at dimensions in serializable
# transactions, so it brings none of them into memory.

use strict;
use warnings;

use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('keys');
my $first = 128;		# pages: the megabyte that is requested first

$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch_min_size = 0
ssdpar.star_access = sequential
default_transaction_isolation = serializable
ssdpar.write_protection = -1
max_parallel_workers_per_gather = 0
min_parallel_table_scan_size = 0
parallel_setup_cost = 0
parallel_tuple_cost = 0
shared_buffers = 16MB
autovacuum = off
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE small AS SELECT i AS k, i % 10 AS v
  FROM generate_series(1, 1000) i;
CREATE TABLE wide AS SELECT i AS k, i % 10 AS v, repeat('x', 900) AS pad
  FROM generate_series(1, 2000) i;
CREATE TABLE broad AS TABLE wide;
CREATE TABLE many AS SELECT i AS k, i % 10 AS v
  FROM generate_series(1, 200000) i;
ALTER TABLE many ADD PRIMARY KEY (k);
ALTER TABLE small ADD PRIMARY KEY (k);
ALTER TABLE wide ADD PRIMARY KEY (k);
ALTER TABLE broad ADD PRIMARY KEY (k);
CREATE TABLE fact AS SELECT i AS id, i % 1000 + 1 AS k, i % 2000 + 1 AS w,
    i % 2000 + 1 AS b, repeat('x', 900) AS pad
  FROM generate_series(1, 40000) i;
CREATE INDEX ON fact (k);
CREATE TABLE parts (id int, k int, w int, b int, pad text)
    PARTITION BY RANGE (id);
CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (20000);
CREATE TABLE part2 PARTITION OF parts FOR VALUES FROM (20000) TO (50000);
INSERT INTO parts SELECT * FROM fact;
VACUUM (FREEZE, ANALYZE) small, wide, broad, many, fact, part1, part2;
CHECKPOINT;
SQL
my %file = map {
	$_ => $node->data_dir . '/'
	  . $node->safe_psql('postgres', "SELECT pg_relation_filepath('$_')")
} qw(small wide broad many fact part1 part2);

# Evicts all pages of these tables from shared buffers and the page cache.
sub evict
{
	$node->stop;
	system_or_bail('dd', 'if=/dev/null', "of=$_", 'conv=notrunc,fdatasync',
		'oflag=nocache', 'count=0', 'status=none')
	  foreach values %file;
	$node->start;
	return;
}

# All nodes of a plan.
sub nodes
{
	my ($plan) = @_;

	return ($plan, map { nodes($_) } @{ $plan->{Plans} // [] });
}

# Pages of the fact and of dimensions that a query requests, after settings.
sub asked
{
	my ($begin, $query) = @_;
	my $json = $node->safe_psql('postgres', "$begin\n"
		  . "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) $query");

	$json =~ s/^[^\[]*//;
	my @scan = grep { defined $_->{'Dimension Pages Asked During Keys'} }
	  nodes(decode_json($json)->[0]{Plan});
	ok(scalar @scan, "a node tells: $begin $query") or diag($json);
	return map { $scan[0]->{"$_ Pages Asked During Keys"} }
	  qw(Fact Dimension);
}

my $one = 'SELECT count(*), sum(f.id) FROM fact f, small s '
  . 'WHERE f.k = s.k AND s.v < 5';
my $two = 'SELECT count(*), sum(f.id) FROM fact f, broad b, wide w '
  . 'WHERE f.b = b.k AND f.w = w.k AND b.v < 5 AND w.v < 5';
my $blocks = $node->safe_psql('postgres',
	"SELECT pg_relation_size('fact') / 8192");

evict();
sub read_bytes
{
	return slurp_file('/proc/self/io') =~ /^read_bytes: (\d+)/m ? $1 : 0;
}
my $before = read_bytes();
slurp_file($file{fact});
if (read_bytes() - $before < (-s $file{fact}) / 2)
{
	$node->stop;
	plan skip_all => 'files of this file system stay in memory';
}

evict();
# A fact that is read sequentially.
my ($fact, $dimensions) = asked('', $one);
cmp_ok($fact, '>=', $first, 'a cold fact is asked for');
cmp_ok($fact, '<=', $blocks, 'no more than there is of it');
is($dimensions, 0, 'the dimension that is read at once is not');
($fact, $dimensions) = asked('', $one);
is($fact, 0, 'a fact in memory is not asked for');

evict();
($fact) = asked("SET ssdpar.prefetch_window = '1MB';", $one);
is($fact, $first, 'no more than a window');
evict();
($fact) = asked('SET max_parallel_workers_per_gather = 2;', $one);
cmp_ok($fact, '>=', $first, 'with workers, too');
cmp_ok($fact, '<=', $blocks, 'once');
evict();
($fact) = asked('SET enable_hashjoin = off; SET enable_nestloop = off;',
	"$one AND s.v % 7 = 6");
is($fact, $first, 'without a key, what was asked for to begin with');

# The next dimensions.
evict();
($fact, $dimensions) = asked('', $two);
cmp_ok($dimensions, '>=', $first, 'the second dimension is asked for');
cmp_ok($dimensions, '<=', 256, 'no more than there is of it');

# Cases in which nothing is requested.
evict();
foreach my $off ('SET ssdpar.prefetch = off;',
	q{SET ssdpar.prefetch_min_size = '1GB';},
	'SET ssdpar.star_access = bitmap;')
{
	($fact) = asked($off, $one);
	is($fact, 0, "nothing of the fact: $off");
	evict();
}
($fact) = asked('', $one =~ s/fact/parts/r);
is($fact, 0, 'nothing of partitions');

# Pages read meanwhile reduce the price of reading the fact.
$node->safe_psql('postgres', <<'SQL');
\i test/invent_device.sql
SELECT invent_device('1000 * depth', 4096, 0.001);
SQL

my $modelled =
  'SET ssdpar.cost_model_min_size = 0; SET ssdpar.residency = cold;';

sub price
{
	my ($set, $query) = @_;
	my $json = $node->safe_psql('postgres',
		"$modelled $set EXPLAIN (FORMAT JSON) " . ($query // $one));
	my ($scan) = grep { ($_->{'Custom Plan Provider'} // '') eq 'SsdparStarScan' }
	  nodes(decode_json($json)->[0]{Plan});

	return $scan->{'Total Cost'};
}
my $little = q{SET ssdpar.prefetch_window = '1MB';};
cmp_ok(price(''), '<', price($little), 'a window is cheaper than a megabyte');
cmp_ok(price($little), '<', price(q{SET ssdpar.prefetch_min_size = '1GB';}),
	'and that than nothing');
is(price('SET ssdpar.star_access = bitmap;'),
	price("SET ssdpar.star_access = bitmap; $little"),
	'a bitmap costs what it did');

# If the device takes longer for the fact than its rows take, more than a
# window is requested, as far as it stays in memory.  How much arrives in time
# varies, so take the best of several runs.
$node->safe_psql('postgres', "SELECT invent_device('100', 4096, 0.0001)");
my $long = $one =~ s/small/many/r;
my $none = join(' ', map { "SET enable_$_ = off;" }
	  qw(seqscan indexscan indexonlyscan bitmapscan));

sub most_asked
{
	my ($enough, $set, $query) = @_;
	my $most = 0;

	foreach (1 .. 10)
	{
		evict();
		my ($pages) = asked("$modelled $little $set", $query);

		$most = $pages if $pages > $most;
		last if $most >= $enough;
	}
	return $most;
}
cmp_ok(most_asked(3 * $first, '', $long), '>=', 3 * $first,
	'of a slow device more than a window');
is(most_asked(2 * $first, q{SET effective_cache_size = '16MB';}, $long),
	2 * $first, 'no more than stays in memory');
is(most_asked($first, $none, "SELECT f.id FROM fact f, many s "
		  . 'WHERE f.k = s.k AND s.v < 5 LIMIT 5'),
	$first, 'a window where a few rows will do');
is(most_asked($first, 'SET cpu_operator_cost = 100;', "$long AND f.id % 7 < 6"),
	$first, 'a window where rows take longer');
cmp_ok(price($little, $long), '<',
	price("$little SET effective_cache_size = '8MB';", $long),
	'what is asked for is priced');

# However a scan ends: the same rows, and no file stays open.
evict();
my $failing = $one =~ s/s\.v < 5/100 \/ (s.k - 700) < 5/r;
my ($rc, $out, $err) = $node->psql('postgres', <<SQL, on_error_stop => 0);
SET ssdpar.enabled = off;
$one;
SET ssdpar.enabled = on;
$one;
SELECT f.id FROM fact f, small s WHERE f.k = s.k AND s.v < 5 LIMIT 0;
SELECT count(*) FROM (SELECT FROM fact f, small s WHERE f.k = s.k AND s.v < 5
    LIMIT 1) l;
$failing;
BEGIN;
SAVEPOINT here;
$failing;
ROLLBACK TO here;
DECLARE c CURSOR FOR SELECT f.id FROM fact f, small s
    WHERE f.k = s.k AND s.v < 5;
MOVE 1 IN c;
CLOSE c;
COMMIT;
SQL
my @row = split /\n/, $out;
is($row[0], $row[1], 'the same rows');
is($row[2], 1, 'LIMIT');
like($err, qr/division by zero/, 'a dimension may fail');
unlike(slurp_file($node->logfile), qr/WARNING|leak|TRAP/, 'nothing leaks');

$node->stop;
done_testing();
