# 048_index_join_faults.pl
#	Failures during an index join, or between its planning and its
#	execution: it is interrupted anywhere, its index is rebuilt, dropped or
#	damaged, its table is emptied or truncated.  Like core's nested loop,
#	it returns the same rows or raises the same error.
#
# Files are damaged while the server is stopped.

use strict;
use warnings;

use IndexJoins;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('index_join_faults');
$node->init;
$node->append_conf('postgresql.conf', index_join_settings());
$node->start;
$node->safe_psql('postgres', <<'END' . index_join_device());
CREATE EXTENSION ssdpar;
CREATE TABLE one AS
  SELECT i AS id, i * 7919 % 60000 AS k FROM generate_series(1, 20000) i;
CREATE TABLE many AS
  SELECT i AS id, i * 71 % 60000 AS k, repeat('x', 40) AS pad
    FROM generate_series(1, 60000) i;
CREATE INDEX many_k ON many (k);
VACUUM ANALYZE one, many;
CHECKPOINT;
END

my $query = 'SELECT count(*), sum(many.id), max(pad) FROM one JOIN many USING (k)';
like($node->safe_psql('postgres', "EXPLAIN $query"),
	qr/SsdparIndexJoin/, 'an index join');
my $rows = $node->safe_psql('postgres', "SET ssdpar.enabled = off; $query");
is($node->safe_psql('postgres', $query), $rows, 'the rows');

# The result of a statement in a session: its rows, or its error.
sub outcome
{
	my ($script) = @_;
	my ($code, $out, $err) =
	  $node->psql('postgres', $script, on_error_stop => 0);

	# pages are read in another order
	$err =~ s/blocks? \d+(?:\.\.\d+)? in file|read only \d+ of/N/g;
	return join("\n", $out, $err =~ /(?:ERROR|FATAL): +(.*)/g);
}

sub same_outcome
{
	my ($script, $what) = @_;
	my $on = outcome($script);

	is($on, outcome("SET ssdpar.enabled = off; $script"),
		"$what: " . substr($on, 0, 60));
	return $on;
}

# Interrupted anywhere: by timeouts, which a session survives, and by
# termination. The last timeout may end the SET that resets it.
my $timeouts = join('', map { "SET statement_timeout = $_; $query;\n" } 1 .. 40);
my ($code, $out, $err) = $node->psql('postgres',
	$timeouts . "SET statement_timeout = 0;\n" x 3 . "$query;",
	on_error_stop => 0);
my @said = split /\n/, $out;
my @errors = $err =~ /ERROR: +(.*)/g;

# one more error for each SET that the previous timeout interrupted
cmp_ok(scalar(@said) + scalar(@errors), '>=', 41, 'each statement ended');
is_deeply([ grep { $_ ne $rows } @said ], [], 'in the rows');
is_deeply(
	[ grep { $_ ne 'canceling statement due to statement timeout' } @errors ],
	[], scalar(@errors) . ' of them in the timeout');
is($said[-1], $rows, 'and the session lives on');

foreach my $delay (0.001, 0.005, 0.01, 0.02, 0.04)
{
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	my $pid = $session->query('SELECT pg_backend_pid()');

	$session->{stdin} .= "$query;\n";
	$session->{run}->pump_nb;
	select(undef, undef, undef, $delay);
	$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
	eval { $session->{run}->finish };
}
is($node->safe_psql('postgres', $query), $rows, 'after terminated sessions');

# Between planning and execution, and within a cursor.
my $prepared = "SET plan_cache_mode = force_generic_plan; PREPARE q AS $query; "
  . 'EXECUTE q;';
same_outcome("$prepared REINDEX INDEX many_k; EXECUTE q;", 'rebuilt');
same_outcome(
	"$prepared BEGIN; DROP INDEX many_k; SET LOCAL enable_hashjoin = on; "
	  . 'EXECUTE q; ROLLBACK; EXECUTE q;',
	'dropped, and back');
same_outcome("$prepared BEGIN; TRUNCATE many; EXECUTE q; ROLLBACK; EXECUTE q;",
	'emptied, and back');
same_outcome("$prepared BEGIN; ALTER TABLE many ALTER k TYPE bigint; "
	  . 'EXECUTE q; ROLLBACK; EXECUTE q;',
	'of another type, and back');
my $cursor = 'BEGIN; DECLARE c CURSOR FOR SELECT many.id FROM one JOIN many '
  . 'USING (k); FETCH 100 FROM c;';
same_outcome("$cursor TRUNCATE many;", 'emptied below a cursor');
same_outcome("$cursor DROP INDEX many_k;", 'dropped below a cursor');
same_outcome("$cursor DELETE FROM many; MOVE 1000 IN c; FETCH 5 FROM c; ROLLBACK;",
	'deleted below a cursor');

# Another session empties the table: rows of a snapshot are gone for core too.
foreach my $enabled ('on', 'off')
{
	my $reader = $node->background_psql('postgres');

	$reader->query_safe("SET ssdpar.enabled = $enabled; CREATE TABLE copy AS TABLE many;"
		  . 'CREATE INDEX copy_k ON copy (k); ANALYZE copy;');
	$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;');
	$node->safe_psql('postgres', 'TRUNCATE copy');
	is($reader->query_safe('SELECT count(*) FROM one JOIN copy USING (k)'),
		'0', "ssdpar $enabled: a table that was emptied meanwhile");
	$reader->query_safe('COMMIT; DROP TABLE copy');
	$reader->quit;
}

# Damage: an empty leaf, an invalid page, a truncated file.
my %damage = (
	'a page of zeros' => sub { my ($file, $size) = @_; overwrite($file, $size, "\0" x 8192) },
	'a page of noise' => sub { my ($file, $size) = @_; overwrite($file, $size, "\x5a" x 8192) },
	'a leaf with no special space' => sub {
		my ($file, $size) = @_;
		overwrite($file, $size, pack('x8 x2 S S S S S x4', 0, 24, 8192, 8192, 0x2004) . "\0" x 8168);
	},
	'a file that ends early' => sub { my ($file, $size) = @_; truncate($file, int($size / 16384) * 8192) or die $! });

sub overwrite
{
	my ($file, $size, $bytes) = @_;

	open(my $handle, '+<', $file) or die "$file: $!";
	binmode $handle;
	seek($handle, int($size / 8192 / 2) * 8192, 0) or die $!;
	print $handle $bytes or die $!;
	close($handle) or die $!;
	return;
}

# Repeats the root's last item as long as there is room for a line pointer:
# searches still work, but it has more children than any valid page.
sub repeat_last_item
{
	my ($file) = @_;

	open(my $handle, '+<', $file) or die "$file: $!";
	binmode $handle;
	read($handle, my $meta, 8192) == 8192 or die $!;
	my $root = unpack('x32 L', $meta);
	seek($handle, $root * 8192, 0) or die $!;
	read($handle, my $page, 8192) == 8192 or die $!;
	my ($lower, $upper) = unpack('x12 S S', $page);
	my $last = substr($page, $lower - 4, 4);
	substr($page, 12, 2) = pack('S', $upper);
	while ($lower + 4 <= $upper)
	{
		substr($page, $lower, 4) = $last;
		$lower += 4;
	}
	seek($handle, $root * 8192, 0) or die $!;
	print $handle $page or die $!;
	close($handle) or die $!;
	return;
}

# If rows of the table are missing, the scan marks index entries as dead, so
# both files are restored.
my %path = map {
	$_ => $node->data_dir . '/'
	  . $node->safe_psql('postgres', "SELECT pg_relation_filepath('$_')")
} ('many', 'many_k');
$node->stop;
my %kept = map { $_ => slurp_file($path{$_}) } keys %path;

sub put_back
{
	foreach my $relation (keys %path)
	{
		open(my $handle, '>', $path{$relation}) or die $!;
		binmode $handle;
		print $handle $kept{$relation} or die $!;
		close $handle or die $!;
	}
	return;
}

foreach my $what (sort keys %damage)
{
	foreach my $relation (sort keys %path)
	{
		$damage{$what}->($path{$relation}, -s $path{$relation});
		$node->start;
		same_outcome("$query;", "$relation: $what");
		$node->stop;
		put_back();
	}
}
repeat_last_item($path{many_k});
$node->start;
same_outcome("$query;", 'a root with too many children');
same_outcome('SET enable_bitmapscan = on; SET enable_seqscan = off; '
	  . 'SET enable_indexscan = off; '
	  . 'SELECT count(pad) FROM many WHERE k >= 5;',
	'a bitmap by it');
$node->stop;
put_back();
$node->start;
is($node->safe_psql('postgres', $query), $rows, 'mended, the rows');

$node->stop;
unlike(
	slurp_file($node->logfile),
	qr/TRAP:|PANIC|terminated by signal|write past chunk end/,
	'nothing crashed');
done_testing();
