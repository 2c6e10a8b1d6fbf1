# 003_ssbload.pl
#	The Star Schema Benchmark's loader and queries with a server: rows and
#	counts agree with the generator, and every way of dividing the work
#	gives the same tables.  Errors during loading are tested in
#	021_ssbload_failures.pl.
#
# Needs bench/ssb/ssbload (make -C bench/ssb), or SSBLOAD naming it.
#
# servers: one
use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use SsbLoad;
use Test::More;

start_ssb();

# Number of rows that a query selects.
sub count_of_query
{
	my ($file) = @_;
	my $sql = slurp_file($file);

	$sql =~ s/^--.*\n//mg;
	$sql =~ s/\A\s*select\b.*?\bfrom\b/select count(*) from/s
	  or die "$file has no FROM";
	$sql =~ s/\bgroup by\b.*;/;/s;
	return $node->safe_psql('postgres', $sql);
}

my @queries = sort glob "$ssb/queries/q*.sql";
is(scalar(@queries), 15, '13 queries, Q0 and Q1.2n');

# The server's counts are those of the generator.
sub compare_counts
{
	my ($scale, $seed) = @_;
	my %expected = map { split /\t/ } split /\n/,
	  slurp_pipe('--scale', $scale, '--seed', $seed, '--count-factors');
	my $nonzero = 0;

	foreach my $file (@queries)
	{
		my ($name) = $file =~ m{/(q[0-9.n]+)\.sql$};
		is(count_of_query($file), $expected{$name},
			"scale $scale: $name selects $expected{$name} rows");
		$nonzero++ if $expected{$name} > 0;
	}
	return $nonzero;
}

like(slurp_pipe('--help'), qr/--scale SF.*--data DIR/s, '--help');
like(slurp_pipe('--version'), qr/\Assbload \(ssdpar\) \d+\.\d+\n\z/,
	'--version');

# Options
refused('scale ' . ($_ eq '' ? 'empty' : $_), [ '--scale', $_, $conn ],
	qr/not a scale factor.*0\.01 to 100/)
  foreach ('0', '-1', 'abc', '1e9', 'nan', '1x', '', '0.009', '100.1');
refused('no source', [$conn], qr/--scale.*or --data/);
refused('both sources', [ '--scale', '1', '--data', '.', $conn ],
	qr/--scale.*or --data/);
refused('no connection string', [ '--scale', '1' ], qr/connection string/);
refused('two connection strings', [ '--scale', '1', $conn, 'x' ],
	qr/unexpected argument "x"/);
refused('unknown option', [ '--scael', '1', $conn ],
	qr/unknown option "--scael"/);
refused('option without value', ['--scale'], qr/--scale needs a value/);
refused('value on a flag', [ '--scale', '1', '--stdout=x' ],
	qr/"--stdout=x"/);
refused("jobs $_", [ '--scale', '1', '--jobs', $_, $conn ],
	qr/not a number of jobs.*1 to 64/)
  foreach ('0', '65', '-1', 'two', '1.5', '99999999999999999999');
refused("seed $_", [ '--scale', '1', '--seed', $_, $conn ], qr/not a seed/)
  foreach ('-1', 'x', '18446744073709551616');
refused("table $_", [ '--scale', '1', '--table', $_, $conn ],
	qr/there is no table "$_"/)
  foreach ('orders', 'DATE');
refused("chunk $_",
	[ '--scale', '1', '--table', 'part', '--stdout', '--chunk', $_ ],
	qr/not a chunk/)
  foreach ('0/3', '4/3', '1', '/', '1/0', 'a/b', '1/2/3', '1/9999999');
refused('stdout without table', [ '--scale', '1', '--stdout' ],
	qr/name it with --table/);
refused('chunk without stdout', [ '--scale', '1', '--chunk', '1/2', $conn ],
	qr/belong to --stdout/);
refused('stdout with data', [ '--data', '.', '--stdout' ],
	qr/give --scale and not --data/);
refused('stdout with connection',
	[ '--scale', '1', '--table', 'part', '--stdout', $conn ],
	qr/nothing is loaded/);
SKIP:
{
	skip 'no /dev/full', 1 unless -c '/dev/full';
	my $stderr;
	IPC::Run::run(
		[ $ssbload, '--scale', '1', '--table', 'part', '--stdout' ],
		'>', '/dev/full', '2>', \$stderr);
	like($stderr, qr/\Assbload: error: cannot write to standard output: /,
		'full disk behind --stdout');
}

# Connections and tables
refused('no server',
	[ '--scale', '0.01', 'host=/nonexistent dbname=postgres' ],
	qr/cannot connect: /);
refused('bad connection string', [ '--scale', '0.01', 'dbname=' . "'x" ],
	qr/cannot connect: /);
refused('no tables', [ '--scale', '0.01', $node->connstr('template1') ],
	qr/there is no table "lineorder": create the tables with schema\.sql/);
all_empty('after refused options');

# Load, count, and load again
load_ok('scale 0.01', '--scale', '0.01');
is(join(' ', map { nrows($_) } @tables),
	slurp_pipe('--scale', '0.01', '--table', 'lineorder', '--stdout') =~
	  tr/\n// . ' 300 20 2000 2556',
	'scale 0.01: rows of each table');
compare_counts('0.01', 1);
my $generated = fingerprint();
refused('not empty', [ '--scale', '0.01', $conn ],
	qr/table "lineorder" is not empty: TRUNCATE it first/);
is(fingerprint(), $generated, 'not empty: rows are as they were');

foreach my $file (@queries)
{
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $conn,
		'-f', $file ], "psql runs $file");
}
$node->command_like(
	[ 'pgbench', '-n', '-t', '1', (map { ('-f', $_) } @queries), $conn ],
	qr/actually processed: 1\/1/, 'pgbench takes the query files');

foreach my $jobs (1, 3, 8)
{
	empty_tables();
	load_ok("$jobs jobs", '--scale', '0.01', '--jobs', $jobs);
	is(fingerprint(), $generated, "$jobs jobs: same contents");
}

# One table at a time
empty_tables();
load_ok("table $_", '--scale', '0.01', '--table', $_) foreach @tables;
is(fingerprint(), $generated, 'table by table: same contents');

# Chunks
foreach my $table (@tables)
{
	my @args = ('--scale', '0.01', '--table', $table, '--stdout');
	my $whole = md5_hex(slurp_pipe(@args));
	foreach my $n (1, 3, 7)
	{
		is(md5_hex(join '', map { slurp_pipe(@args, '--chunk', "$_/$n") }
				1 .. $n), $whole, "$table: $n chunks make the whole");
	}
}
isnt(slurp_pipe(qw(--scale 0.01 --table part --stdout)),
	slurp_pipe(qw(--scale 0.01 --table part --stdout --seed 2)),
	'another seed, other rows');

# Print as .tbl, load from there
make_tbl();
like($tbl{customer}, qr/\A1\|Customer#000000001\|.*\|\n/,
	'.tbl has a bar after the last column');
empty_tables();
load_ok('data', '--data', $dir);
is(fingerprint(), $generated, 'data: same contents');
refused('data, not empty', [ '--data', $dir, $conn ], qr/is not empty/);

# Split files, and the date table's other name
unlink "$dir/lineorder.tbl";
rename "$dir/date.tbl", "$dir/ddate.tbl";
write_tbl("lineorder.tbl.$_",
	slurp_pipe(qw(--scale 0.01 --table lineorder --stdout --tbl --chunk),
		"$_/4"))
  foreach (1 .. 4);
empty_tables();
load_ok('split data', '--data', $dir, '--jobs', '3');
is(fingerprint(), $generated, 'split data: same contents');
empty_tables();

unlink "$dir/lineorder.tbl.2";
refused('gap in split files', [ '--data', $dir, $conn ],
	qr/lineorder\.tbl\.2 is missing although lineorder\.tbl\.3 is there/);
unlink map { "$dir/lineorder.tbl.$_" } (1, 3, 4);
refused('missing file', [ '--data', $dir, $conn ],
	qr/lineorder\.tbl is missing in/);
write_tbl('lineorder.tbl', $tbl{lineorder});
write_tbl('date.tbl', $tbl{date});
refused('file twice', [ '--data', $dir, $conn ],
	qr/both date\.tbl and ddate\.tbl are there/);
unlink "$dir/ddate.tbl";
refused('missing directory', [ '--data', "$dir/none", $conn ],
	qr/lineorder\.tbl is missing in/);

# At a scale where nearly every query selects something.
empty_tables();
load_ok('scale 0.1', '--scale', '0.1', '--seed', '5');
cmp_ok(compare_counts('0.1', 5), '>=', 14, 'nearly every query selects rows');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $conn, '-f',
	"$ssb/indexes.sql" ], 'indexes.sql runs');
is( $node->safe_psql(
		'postgres',
		"select count(*) filter (where indisprimary), count(*) from pg_index "
		  . "join pg_tables on indrelid::regclass::text = tablename "
		  . "where schemaname = 'public'"),
	'5|10', 'five primary keys, five indexes on foreign keys');

$node->stop;
done_testing();
