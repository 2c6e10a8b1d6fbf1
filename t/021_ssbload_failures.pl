# 021_ssbload_failures.pl
#	If loading the Star Schema Benchmark fails because of a bad file, the
#	server, or a signal, the tables are left empty, and there is one
#	message.
#
# Needs bench/ssb/ssbload (make -C bench/ssb), or SSBLOAD naming it.
#
# servers: one
use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Utils;
use SsbLoad;
use Test::More;

start_ssb();

make_tbl();

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

# Failure during commit, when the other connections have already committed:
# their rows must be removed again.
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

# Failure in the middle.  A trigger waits for a lock that the test holds, so
# the load is stopped at a known point.
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

# Afterwards the tables can still be loaded.
load_ok('after all', '--scale', '0.01');

$node->stop;
done_testing();
