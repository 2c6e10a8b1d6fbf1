# 055_stream_depth.pl
#	A star scan by bitmap on asynchronous I/O requests as many pages ahead
#	as the device can handle, although its read stream may pin few and
#	three I/O workers read for it; nothing that is in shared buffers, and
#	little under LIMIT.
#
# Counted by EXPLAIN.  Reads take 0.2 ms (test/slow_reads.c), and each reading
# of the clock takes 0.1 ms in some cases (test/quick_clock.c).

use strict;
use warnings;

use FindBin;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $place = PostgreSQL::Test::Utils::tempdir;
my $node = PostgreSQL::Test::Cluster->new('stream');
my $depth = 128;

plan skip_all => 'asynchronous I/O came with 18' if $node->pg_version < 18;

foreach my $library (qw(slow_reads quick_clock))
{
	system_or_bail('cc', '-shared', '-fPIC', '-o', "$place/$library.so",
		"$FindBin::Bin/../test/$library.c", '-ldl');
}
$node->init;
$node->append_conf('postgresql.conf', <<"CONF");
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.star_access = bitmap
ssdpar.write_protection = -1
ssdpar.io_concurrency = $depth
io_method = worker
max_parallel_workers_per_gather = 0
shared_buffers = 16MB
autovacuum = off
fsync = off
CONF
{
	local $ENV{LD_PRELOAD} = "$place/slow_reads.so $place/quick_clock.so";
	local $ENV{QUICK_CLOCK} = "$place/quick";
	$node->start;
}
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE small AS SELECT i AS k FROM generate_series(1, 4000) i;
ALTER TABLE small ADD PRIMARY KEY (k);
CREATE TABLE fact AS SELECT i % 4000 + 1 AS k, i AS id, repeat('x', 900) AS pad
  FROM generate_series(1, 40000) i ORDER BY md5(i::text);
CREATE INDEX ON fact (k);
VACUUM (FREEZE, ANALYZE) small, fact;
SQL
my $from = 'FROM fact f, small s WHERE f.k = s.k AND s.k BETWEEN 1001 AND';
my $query = "SELECT count(*), sum(f.id) $from 1200";

sub scan_of
{
	my ($plan) = @_;

	return $plan if ($plan->{'Custom Plan Provider'} // '') eq 'SsdparStarScan';
	foreach my $child (@{ $plan->{Plans} // [] })
	{
		my $scan = scan_of($child);
		return $scan if $scan;
	}
	return;
}

# The EXPLAIN output of the last of these.
sub explained
{
	my ($begin, $select) = @_;
	my $json = $node->safe_psql('postgres', "$begin\n"
		  . "EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF, FORMAT JSON) $select");

	$json =~ s/^[^\[]*//;
	return scan_of(decode_json($json)->[0]{Plan});
}

my $scan = explained('', $query);
my $pages = $scan->{'Exact Pages'};
is($scan->{'Read Ahead'}, 'read stream', 'a read stream reads');
cmp_ok($pages, '>', 1000, 'many pages');
cmp_ok($scan->{'Pages Asked'} // 0,
	'>=', 0.8 * $pages, 'nearly all were asked for before');
cmp_ok($scan->{'Depth Max'} // 0, '>=', $depth / 2, 'as deep as is wanted');
cmp_ok($scan->{'Depth Max'} // 0, '<=', $depth, 'and no deeper');

$scan = explained('', "SELECT f.id $from 1200 LIMIT 1");
cmp_ok($scan->{'Pages Asked'} // 0, '<=', 32, 'LIMIT asks for few');

my $few = "SELECT count(*) $from 1010";
$scan = explained("$few;\n", $few);
is($scan->{'Pages Asked'} // 0, 0, 'nothing that is in shared buffers');
is($scan->{'Pages Read'}, 0, 'which all of it was');
append_to_file("$place/quick", '');
$scan = explained("$few;\n", $few);
is($scan->{'Pages Asked'} // 0, 0, 'not by a process that is interrupted');
unlink("$place/quick") or die "$place/quick: $!";

my $direct = $node->safe_psql('postgres',
	"$query; SET ssdpar.prefetch = daemon; $query; "
	  . "SET ssdpar.enabled = off; $query");
like($direct, qr/^(.*)\n\1\n\1$/, 'the same rows');

# It also works with writers, or a few buffers per scan.
is($node->safe_psql('postgres', "SET ssdpar.io_concurrency = 1024; $query"),
	(split /\n/, $direct)[0], 'deeper than any queue');
is($node->safe_psql('postgres',
		'SET max_parallel_workers_per_gather = 2; '
		  . 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; '
		  . "SET min_parallel_table_scan_size = 0; $query"),
	(split /\n/, $direct)[0], 'by several processes');
is($node->safe_psql('postgres', <<"SQL"), 5, 'cursors that end early');
DO \$\$ DECLARE c refcursor; n int := 0; row record; BEGIN
  FOR i IN 1 .. 5 LOOP
    OPEN c FOR SELECT f.id $from 1200;
    MOVE FORWARD 40 * i IN c;
    CLOSE c;
    n := n + 1;
  END LOOP;
  PERFORM set_config('test.n', n::text, false);
END \$\$;
SELECT current_setting('test.n');
SQL
unlike(slurp_file($node->logfile), qr/WARNING|leak|TRAP/, 'nothing leaks');

$node->stop;
done_testing();
