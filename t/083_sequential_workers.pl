# 083_sequential_workers.pl
#	A sequential star scan on a device with latency has more outstanding
#	than the requests of three I/O workers: it requests chunks ahead of its
#	read stream. It does not if the server itself has as many outstanding,
#	if pages are in shared buffers, or with direct I/O.
#
# Counted.  Reads take 0.2 ms, and reads and requests are logged
# (test/slow_reads.c).

use strict;
use warnings;

use List::Util qw(max uniq);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use SequentialFact;

# Pages that the server reads in one request, at most.
my $request = 16;

my $place = PostgreSQL::Test::Utils::tempdir;
my $log = "$place/reads";
my $node = sequential_node('sequential');
my $has_workers = $node->pg_version >= 18;
my %slow = (
	LD_PRELOAD => load_library($place, 'slow_reads'),
	READS_LOG => $log);

$node->append_conf('postgresql.conf', <<'CONF');
ssdpar.cost_model_min_size = 0
ssdpar.prefetch_window = '1MB'
CONF
$node->append_conf('postgresql.conf', 'io_method = worker') if $has_workers;

start_cold($node, %slow);
my ($path, $blocks) = make_fact($node);
$node->safe_psql('postgres',
	"SELECT invent_device('depth / (1e-3 + size / 1e9)', 128, 4e-6)");
my $serial = 'SET max_parallel_workers_per_gather = 0;';
my $parallel = 'SET max_parallel_workers_per_gather = 2;';

# Log entries of the fact while this ran: ["ask" or "wait", block].
sub logged
{
	my ($sql, $rows) = @_;

	unlink $log;
	is($node->safe_psql('postgres', $sql), $rows, "rows: $sql");
	return map { m{^(ask|wait) \S*/\Q$path\E (\d+)$} ? [ $1, $2 ] : () }
	  (-e $log ? split(/\n/, slurp_file($log)) : ());
}

sub asked
{
	return uniq(map { $_->[0] eq 'ask' ? $_->[1] : () } @_);
}

# Reads of pages that had not been requested before.
sub unexpected
{
	my %asked;
	my $count = 0;

	foreach (@_)
	{
		my ($what, $block) = @$_;

		$asked{$block} = 1 if $what eq 'ask';
		$count++ if $what eq 'wait' && !$asked{$block};
	}
	return $count;
}

# How far requests are ahead of the I/O workers when one starts to read: the
# median, in pages.
sub median_ahead
{
	my ($last_asked, $last_read, @ahead) = (0, 0);

	foreach (@_)
	{
		my ($what, $block) = @$_;

		$last_asked = max($last_asked, $block) if $what eq 'ask';
		$last_read = max($last_read, $block) if $what eq 'wait';
		push @ahead, max($last_asked - $last_read, 0) if $what eq 'wait';
	}
	return (sort { $a <=> $b } @ahead)[ @ahead / 2 ] // 0;
}

foreach my $settings ($serial, $parallel)
{
	start_cold($node, %slow);
	like($node->safe_psql('postgres', "$settings EXPLAIN $query"),
		qr/SsdparStarScan.*Access: sequential/s, 'star scan, sequential');
	my @reads = logged("$settings $query", 10000);
	cmp_ok(scalar(asked(@reads)), '>=', 0.9 * $blocks, 'asked for');
	cmp_ok(unexpected(@reads), '<=', 12, 'before it is read');
	cmp_ok(median_ahead(@reads),
		'>=', 2 * $request, 'and more is outstanding than I/O workers read')
	  if $has_workers;
	is(scalar(logged("$settings $query", 10000)),
		0, 'nothing of what is in shared buffers');
}

# An early end, and a restart.
start_cold($node, %slow);
my @reads = logged("$serial SELECT f.id > 0 FROM fact f, dimension d"
	  . ' WHERE f.k = d.k AND d.v < 5 LIMIT 1', 't');
cmp_ok(scalar(asked(@reads)), '<=', 128, 'LIMIT asks for little');
start_cold($node, %slow);
@reads = logged("$serial SET enable_material = off;"
	  . ' SELECT string_agg(n::text, \',\') FROM generate_series(4, 5) v,'
	  . ' LATERAL (SELECT count(*) AS n FROM fact f, dimension d'
	  . ' WHERE f.k = d.k AND d.v < v.v) x', '8000,10000');
cmp_ok(scalar(asked(@reads)), '>=', 0.9 * $blocks, 'rescans');
start_cold($node, %slow);
my $error;
$node->psql('postgres',
	"$parallel SELECT sum(1 / (f.id - 9000)) "
	  . 'FROM fact f, dimension d WHERE f.k = d.k AND d.v < 5',
	stderr => \$error);
like($error, qr/division by zero/, 'an error ends it');

# The server itself has enough outstanding.
$node->safe_psql('postgres',
	"SELECT invent_device('1e9 / size', 8192, 4e-6)");
start_cold($node, %slow);
@reads = logged("$parallel $query", 10000);
cmp_ok(scalar(asked(@reads)), '<=', 192, 'a fast device: left to the server');
$node->safe_psql('postgres',
	"SELECT invent_device('depth / (1e-3 + size / 1e9)', 128, 4e-6)");
if ($has_workers)
{
	$node->append_conf('postgresql.conf', $_)
	  foreach $node->pg_version->major >= 19
	  ? ('io_min_workers = 32', 'io_max_workers = 32')
	  : 'io_workers = 32';
	start_cold($node, %slow);
	@reads = logged("$parallel $query", 10000);
	cmp_ok(scalar(asked(@reads)), '<=', 192, 'many I/O workers: left to them');
}
if ($node->pg_version >= 16)
{
	$node->append_conf('postgresql.conf', 'debug_io_direct = data');
	start_cold($node, %slow);
	is(scalar(asked(logged("$parallel $query", 10000))),
		0, 'direct I/O: nothing is asked for');
}
unlike(slurp_file($node->logfile), qr/WARNING|leak|TRAP/, 'nothing leaks');

$node->stop;
done_testing();
