# 003_ssbload.pl
#		The Star Schema Benchmark's loader and queries against a server: rows
#		and counts agree with the generator, every way of splitting the work
#		gives the same tables, and whatever goes wrong leaves them empty.
#
# Needs bench/ssb/ssbload (make -C bench/ssb), or SSBLOAD naming it.
use strict;
use warnings;

use Cwd qw(abs_path);
use Digest::MD5 qw(md5_hex);
use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $ssb = abs_path(dirname(__FILE__) . '/../bench/ssb');
my $ssbload = $ENV{SSBLOAD} || "$ssb/ssbload";
-x $ssbload or die "$ssbload is missing: run make -C bench/ssb first";

# The test module gives every client its own name; ssbload is to be found by
# the name that it gives itself.
delete $ENV{PGAPPNAME};

my @tables = qw(lineorder customer supplier part date);

my $node = PostgreSQL::Test::Cluster->new('ssb');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\n");
$node->start;
my $conn = $node->connstr('postgres');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $conn, '-f',
	"$ssb/schema.sql" ], 'schema.sql runs');

sub slurp_pipe
{
	my ($stdout, $stderr);
	my $ok = IPC::Run::run([ $ssbload, @_ ], '>', \$stdout, '2>', \$stderr);
	$ok or die "ssbload @_: $stderr";
	return $stdout;
}

# Run ssbload; it must fail with exactly one line, which matches, and print
# nothing else.
sub refused
{
	my ($name, $args, $pattern) = @_;
	my ($stdout, $stderr) = ('', '');

	IPC::Run::run([ $ssbload, @$args ], '<', \undef, '>', \$stdout, '2>',
		\$stderr);
	isnt($? >> 8, 0, "$name: fails");
	is($stdout, '', "$name: prints nothing");
	like($stderr, qr/\Assbload: error: [^\n]*\n\z/, "$name: one message");
	like($stderr, $pattern, "$name: clear message");
	return;
}

sub nrows
{
	my ($table) = @_;
	return $node->safe_psql('postgres', "select count(*) from $table");
}

sub all_empty
{
	my ($name) = @_;

	is(join(' ', map { nrows($_) } @tables), '0 0 0 0 0',
		"$name: tables are empty");
	return;
}

sub empty_tables
{
	$node->safe_psql('postgres', 'truncate ' . join(', ', @tables));
	return;
}

# Contents of all tables whatever the order of their rows.
sub fingerprint
{
	return join ' ', map {
		$node->safe_psql('postgres',
			"select md5(string_agg(t::text, E'\\n' order by t::text)) "
			  . "from $_ t")
	} @tables;
}

sub load_ok
{
	my ($name, @args) = @_;
	my ($stdout, $stderr) = ('', '');
	my $ok = IPC::Run::run([ $ssbload, @args, $conn ], '<', \undef, '>',
		\$stdout, '2>', \$stderr);

	ok($ok, "$name: loads") or diag $stderr;
	is($stdout, '', "$name: nothing on standard output");
	like($stderr, qr/^ssbload: loaded /m, "$name: says what was loaded");
	return;
}

# What a query selects.
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

# The generator's counts are the server's.
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
like(slurp_pipe('--version'), qr/\Assbload \(ssdpar\) \d+\.\d+\.\d+\n\z/,
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
my $dir = PostgreSQL::Test::Utils::tempdir();

sub write_tbl
{
	my ($file, $text) = @_;
	open my $fh, '>', "$dir/$file" or die "$dir/$file: $!";
	print $fh $text;
	close $fh or die "$dir/$file: $!";
	return;
}

my %tbl = map {
	$_ => slurp_pipe('--scale', '0.01', '--table', $_, '--stdout', '--tbl')
} @tables;
like($tbl{customer}, qr/\A1\|Customer#000000001\|.*\|\n/,
	'.tbl has a bar after the last column');
write_tbl("$_.tbl", $tbl{$_}) foreach @tables;
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

# Bad lines, each in a table that is loaded after others have been sent
sub bad_file
{
	my ($name, $table, $change, $pattern) = @_;
	my $text = $tbl{$table};

	$change->($text);
	write_tbl("$table.tbl", $text);
	refused($name, [ '--data', $dir, '--jobs', '2', $conn ], $pattern);
	all_empty($name);
	write_tbl("$table.tbl", $tbl{$table});
	return;
}

sub change_line
{
	my ($line, $from, $to) = @_;
	return sub {
		my @lines = split /^/m, $_[0];
		$lines[ $line - 1 ] =~ s/$from/$to/ or die "nothing to change";
		$_[0] = join '', @lines;
	};
}

bad_file('column missing', 'customer', change_line(17, qr/[^|]*\|$/, ''),
	qr/customer\.tbl, line 17: 7 columns, 8 expected; nothing was loaded/);
bad_file('column too many', 'supplier', change_line(2, qr/$/, 'x|'),
	qr/supplier\.tbl, line 2: 8 columns, 7 expected/);
bad_file('no number', 'lineorder',
	change_line(59000, qr/^\d+/, '12a'),
	qr/lineorder\.tbl, line 59000: lo_orderkey is "12a", a number is exp/);
bad_file('number too large', 'part', change_line(2000, qr/^2000/, '2147483648'),
	qr/part\.tbl, line 2000: p_partkey is 2147483648, out of the range/);
bad_file('text too long', 'date', change_line(1, qr/Winter/, 'W' x 13),
	qr/date\.tbl, line 1: d_sellingseason has 13 characters, at most 12/);
bad_file('cut off', 'lineorder', sub { $_[0] = substr $_[0], 0, -20 },
	qr/lineorder\.tbl, line \d+: no newline at its end: the file is cut/);
bad_file('empty', 'lineorder', sub { $_[0] = '' },
	qr/lineorder\.tbl is empty/);
chmod 0, "$dir/part.tbl";
refused('unreadable file', [ '--data', $dir, $conn ],
	qr/cannot open ".*part\.tbl": /)
  if !open my $readable, '<', "$dir/part.tbl";
chmod 0644, "$dir/part.tbl";
all_empty('unreadable file');

# The server refuses
sub with_sql
{
	my ($setup, $cleanup, $run) = @_;
	$node->safe_psql('postgres', $setup);
	$run->();
	$node->safe_psql('postgres', $cleanup);
	return;
}

my @load4 = ('--scale', '0.01', '--jobs', '4', $conn);

with_sql(
	'alter table lineorder add check (lo_orderkey <> 40000)',
	'alter table lineorder drop constraint lineorder_lo_orderkey_check',
	sub {
		refused('check in the middle', \@load4,
			qr/loading table "lineorder" failed: .*violates check constraint.*; nothing was loaded/
		);
		all_empty('check in the middle');
	});
with_sql(
	'alter table part rename column p_color to p_colour',
	'alter table part rename column p_colour to p_color',
	sub {
		refused('other columns', \@load4,
			qr/cannot load table "part": column "p_color" of relation/);
		all_empty('other columns');
	});
with_sql(
	q{create function drop_row() returns trigger language plpgsql as
	  'begin if new.p_partkey = 1234 then return null; end if;
	   return new; end';
	  create trigger t before insert on part
	  for each row execute function drop_row()},
	'drop trigger t on part',
	sub {
		refused('rows dropped', \@load4,
			qr/table "part" took 1999 of 2000 rows: a trigger or a rule/);
		all_empty('rows dropped');
	});

# Fails while committing, when the other connections have already committed:
# what they loaded has to go again.
with_sql(
	q{create function refuse() returns trigger language plpgsql as
	  $$begin raise exception 'not today'; end$$;
	  create constraint trigger t after insert on customer
	  deferrable initially deferred
	  for each row when (new.c_custkey = 300) execute function refuse()},
	'drop trigger t on customer',
	sub {
		refused('commit fails', \@load4,
			qr/the commit failed: not today; the tables were emptied again/);
		all_empty('commit fails');
		refused('only commit fails', [ '--scale', '0.01', '--jobs', '1', $conn ],
			qr/the commit failed: not today; nothing was loaded/);
		all_empty('only commit fails');
	});

# Something happens in the middle.  A trigger waits for a lock that the test
# holds, so the load stands still at a known place.
$node->safe_psql(
	'postgres', q{
	create function wait_here() returns trigger language plpgsql as
	  $$begin perform pg_advisory_xact_lock_shared(1); return new; end$$;
	create trigger t before insert on lineorder
	  for each row when (new.lo_orderkey = 40000)
	  execute function wait_here()});

sub start_and_stop_at_lock
{
	my ($name, $action, $pattern) = @_;
	my $stderr = '';
	my ($in, $out) = ('', '');
	my $lock = IPC::Run::start([ 'psql', '-XAtq', '-d', $conn ],
		'<', \$in, '>', \$out, IPC::Run::timeout(180));

	$in .= "select 'locked' from pg_advisory_lock(1);\n";
	IPC::Run::pump($lock) until $out =~ /locked/;
	my $load = IPC::Run::start([ $ssbload, @load4 ], '<', \undef, '>',
		\my $stdout, '2>', \$stderr, IPC::Run::timeout(180));
	$node->poll_query_until('postgres',
		"select count(*) = 1 from pg_stat_activity "
		  . "where application_name = 'ssbload' and wait_event = 'advisory'")
	  or die 'the load does not come to the lock';
	$action->($load);
	IPC::Run::finish($load);
	my $code = $? >> 8;
	$in .= "\\q\n";
	eval { IPC::Run::finish($lock) };
	isnt($code, 0, "$name: fails");
	like($stderr, qr/\A(ssbload: [0-9.]+ %.*\n)*ssbload: error: .*\n\z/,
		"$name: one message, perhaps after lines of progress");
	like($stderr, $pattern, "$name: clear message");
	return $code;
}

sub no_sessions_left
{
	my ($name) = @_;
	ok( $node->poll_query_until('postgres',
			"select count(*) = 0 from pg_stat_activity "
			  . "where application_name = 'ssbload'"),
		"$name: no session left");
	return;
}

foreach my $signal ('INT', 'TERM')
{
	is( start_and_stop_at_lock("SIG$signal",
			sub { $_[0]->signal($signal) },
			qr/interrupted; nothing was loaded/),
		130, "SIG$signal: exit code");
	no_sessions_left("SIG$signal");
	all_empty("SIG$signal");
}

start_and_stop_at_lock(
	'connection cut',
	sub {
		$node->safe_psql('postgres',
			"select pg_terminate_backend(pid) from pg_stat_activity "
			  . "where application_name = 'ssbload' "
			  . "and wait_event = 'advisory'");
	},
	qr/"lineorder" failed: .*(connection|terminat).*; nothing was loaded/);
no_sessions_left('connection cut');
all_empty('connection cut');

start_and_stop_at_lock(
	'second load',
	sub {
		refused('second load itself', [ '--scale', '0.01', $conn ],
			qr/table "lineorder" is locked, perhaps by another load/);
		$_[0]->signal('INT');
	},
	qr/interrupted; nothing was loaded/);
all_empty('second load');

start_and_stop_at_lock(
	'server crash',
	sub { $node->stop('immediate') },
	qr/failed: .*; nothing was loaded/);
$node->start;
all_empty('server crash');
$node->safe_psql('postgres', 'drop trigger t on lineorder');

# After all that the tables can still be loaded, at a scale where nearly
# every query selects something.
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
