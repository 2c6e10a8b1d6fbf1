# 025_read_ahead_chunks.pl
#	A sequential star scan requests its next chunk before it gets there:
#	the whole fact, in chunks of 256 kB, or nothing if prefetching is off.
#	Requests are logged on their way to the kernel (test/log_fadvise.c).

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use SequentialFact;

my $chunk = 32;
my $place = PostgreSQL::Test::Utils::tempdir;
my $log = "$place/fadvise";
my $node = sequential_node('chunks');
my %logging = (
	LD_PRELOAD => join(' ',
		map { load_library($place, $_) } qw(log_fadvise device_files)),
	FADVISE_LOG => $log,
	DEVICE_FLUSHES => "$place/flushes",
	DEVICE_UNKNOWN => "$place/unknown");

start_cold($node, %logging);
my ($path, $blocks) = make_fact($node);

# How often each block of the fact was requested, and the longest request,
# starting from a block.  Requests before the query are not logged.
sub asked
{
	my ($settings, $before, $begin) = @_;
	my (@times, $longest);

	start_cold($node, %logging);
	$node->safe_psql('postgres', "$settings $before") if defined $before;
	unlink $log;
	my $count = $node->safe_psql('postgres', "$settings $query");
	is($count, '10000', "rows: $settings");
	$longest = 0;
	foreach my $line (-e $log ? split(/\n/, slurp_file($log)) : ())
	{
		my ($file, $offset, $length) = split / /, $line;
		next unless $file =~ m{/\Q$path\E$};
		$times[$_]++
		  foreach $offset / 8192 .. ($offset + $length) / 8192 - 1;
		$longest = $length / 8192
		  if $offset / 8192 >= ($begin // 0) && $length / 8192 > $longest;
	}
	return ($longest, map { $times[$_] // 0 } 0 .. $blocks - 1);
}

my $serial = 'SET max_parallel_workers_per_gather = 0;';
like($node->safe_psql('postgres', "$serial EXPLAIN $query"),
	qr/SsdparStarScan.*Access: sequential/s, 'star scan, sequential');

my ($longest, @times) = asked($serial);
is(scalar(grep { $_ == 0 } @times), 0, 'each block was asked for');
is(scalar(grep { $_ > 1 } @times[$chunk .. $#times]),
	0, 'and, after the first chunk, only once');
cmp_ok($longest, '<=', 2 * $chunk, 'in chunks');

($longest, @times) = asked('SET max_parallel_workers_per_gather = 2;');
cmp_ok(scalar(grep { $_ > 0 } @times),
	'>=', 0.9 * $blocks, 'by several processes, too');
cmp_ok($longest, '<=', $chunk, 'in chunks');

unlink $log;
$node->safe_psql('postgres', "$serial $query");
ok(!-e $log || slurp_file($log) !~ m{/\Q$path\E }, 'in shared buffers: nothing is asked for');

($longest, @times) = asked("SET ssdpar.prefetch = off; $serial");
is(scalar(grep { $_ > 0 } @times), 0, 'prefetching off: nothing is asked for');

# While a process waits for the device to flush, no more than 35 pages may be
# outstanding: one chunk at first, then two of 16.  The scan notices at its
# second check, a millisecond after the first.  It may read a hundred pages in
# that time, so another scan makes the first check.
$node->safe_psql('postgres',
	'CREATE TABLE small AS SELECT * FROM fact WHERE id <= 1000; ANALYZE small');
my $looked = ($query =~ s/fact/small/r) . '; SELECT pg_sleep(0.01)';
like($node->safe_psql('postgres', "$serial EXPLAIN $looked"),
	qr/SsdparStarScan\) on small/, 'what looks at the device first');
append_to_file($logging{DEVICE_FLUSHES}, '');
($longest, @times) =
  asked("SET ssdpar.write_protection = '0.25ms'; $serial", $looked, $chunk);
is(scalar(grep { $_ == 0 } @times), 0, 'each block was asked for beside a writer');
cmp_ok($longest, '<=', 16, 'in smaller chunks');
cmp_ok(scalar(grep { $_ > 1 } @times[$chunk .. $#times]), '<=', 0, 'once');
unlink($logging{DEVICE_FLUSHES}) or die $!;

# With a profile, the kernel reads ahead if its window is large enough, but not
# on a device that takes a millisecond, and not while others write.
cmp_ok($blocks, '>', 400, 'the fact is larger than a window');
my $modelled = 'SET max_parallel_workers_per_gather = 2;'
  . "SET ssdpar.cost_model_min_size = 0; SET ssdpar.prefetch_window = '1MB';";
$node->safe_psql('postgres', "SELECT invent_device('1e9 / size', 8192, 4e-6)");
($longest, @times) = asked($modelled);
cmp_ok(scalar(grep { $_ > 0 } @times),
	'<=', 192, 'fast: all but the beginning is left to the kernel');
my $protected = "$modelled SET ssdpar.write_protection = '0.25ms';";
($longest, @times) = asked($protected);
cmp_ok(scalar(grep { $_ > 0 } @times),
	'<=', 192, 'and so it is while nobody writes');
append_to_file($logging{DEVICE_FLUSHES}, '');
($longest, @times) = asked($protected, $looked);
cmp_ok(scalar(grep { $_ > 0 } @times),
	'>=', 0.9 * $blocks, 'beside a writer: asked for');
unlink($logging{DEVICE_FLUSHES}) or die $!;
$node->safe_psql('postgres',
	"SELECT invent_device('depth / (1e-3 + size / 1e9)', 128, 4e-6)");
($longest, @times) = asked($modelled);
cmp_ok(scalar(grep { $_ > 0 } @times),
	'>=', 0.9 * $blocks, 'far away: asked for');

$node->stop;
done_testing();
