# 019_reproduction.pl
#	A small reproduction on emulated devices, from ./run bench to the
#	report: the shape of the paper's Figure 13 and Table II, and bad input.
#
# needs: root
# servers: one
#
# Only the shape: which of two plans keeps the device busy for longer.  The
# reads of each plan, with their processes, are recorded while it runs, and
# replayed on the simulated device (ssdsim --trace-processes).  The elapsed
# times do not matter; bench/ measures them.  Do not quote figures from this
# test. Without FUSE, only the bad input is tested.

use strict;
use warnings;

use Cwd qw(abs_path getcwd);
use File::Path qw(make_path remove_tree);
use IPC::Run qw(run start pump finish);
use List::Util qw(min);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $top = getcwd();
my $place = abs_path(PostgreSQL::Test::Utils::tempdir_short());
my @frame = ('--scale', '0.05', '--memory', '800M', '--quick');

$ENV{SSDPAR_SCRATCH} = "$place/s";
$ENV{PYTHONDONTWRITEBYTECODE} = '1';
$ENV{SSDPAR_REPORT_AGAIN} = '1';    # do not install matplotlib for this
# The server's user needs access.
chmod 0755, $place;

# Runs ./run with ARGUMENTS; results go to the directory INTO, next to a trace
# of the emulated device's reads.
sub run_it
{
	my ($into, @arguments) = @_;
	my ($out, $err) = ('', '');

	local $ENV{SSDPAR_BENCH_INTO} = "$place/$into";
	local $ENV{SSDPAR_BENCH_TRACE} = "$place/$into.trace";
	run([ "$top/run", @arguments ], '<', \undef, '>', \$out, '2>', \$err);
	return ($? >> 8, $out, $err);
}

sub measures
{
	my ($into, @arguments) = @_;
	my ($status, $out, $err) = run_it($into, 'bench', @arguments);

	is($status, 0, "$into: measured") or diag("$out\n$err");
	return $out;
}

sub refuses
{
	my ($name, $status, $message, @arguments) = @_;
	my ($got, $out, $err) = run_it('none', @arguments);

	is($got, $status, "$name: exit status");
	like($err, $message, "$name: message");
	is(scalar(() = $err =~ /^ssdpar: /mg), 1, "$name: one message");
	unlike($err, qr/Traceback/, "$name: no traceback");
}

# The device requests of each leg of a query, by variant: requests, bytes,
# reading processes, and ns, the virtual time on PROFILE if each process has
# one request outstanding.
sub replayed
{
	my ($into, $profile, $query) = @_;
	my ($out, $err) = ('', '');
	my %leg;

	run(
		[
			"$top/bench/ssdsim/ssdsim", '--device', $profile, '--trace',
			"$place/$into.trace", '--trace-processes'
		],
		'>', \$out, '2>', \$err);
	is($err, '', "$into: the trace can be replayed");
	foreach my $line (split /\n/, $out)
	{
		next unless $line =~ /^\Q$query\E,([\w-]+),1 (.*)$/;
		$leg{$1} = { map { split /=/ } split(/ /, $2) };
		note("$into: $line");
	}
	return %leg;
}

# Virtual times of the plan that reads the fact by ACCESS.
sub times_of
{
	my ($access, %leg) = @_;

	return map { $leg{$_}{ns} } grep { /^$access-/ } keys %leg;
}

sub test_ssd
{
	measures('ssd-s', 'fig13', @frame, '--device', 'ssd-s', '--rounds', '1',
		'--queries', 'q2.2', '--n', '1,8,16');
	my %leg = replayed('ssd-s', 'ssd-s', 'q2.2');

	is(scalar(keys %leg), 6, 'ssd-s: all plans were measured');
	cmp_ok($leg{'index-1'}{bytes}, '<', $leg{'hash-1'}{bytes},
		'ssd-s: the index join reads less');
	cmp_ok($leg{'index-1'}{ns}, '>', $leg{'hash-1'}{ns},
		'ssd-s: alone the hash join is faster all the same');
	cmp_ok($leg{'index-8'}{processes}, '>=', 4,
		'ssd-s: split, several processes read');
	cmp_ok($leg{'index-1'}{ns} / min(times_of('index', %leg)), '>', 1.5,
		'ssd-s: splitting makes the index join faster');
}

# For Q2.2 the difference is small; half as many brands leave a margin on both
# sides.
sub test_crossing
{
	measures('crossing', 'sweep', @frame, '--device', 'ssd-s', '--rounds',
		'1', '--brands', '4', '--n', '1,8');
	my %leg = replayed('crossing', 'ssd-s', 'brands4');

	cmp_ok($leg{'index-1'}{ns}, '>', $leg{'hash-1'}{ns},
		'ssd-s, 4 brands: alone the hash join is faster');
	cmp_ok($leg{'index-8'}{ns}, '<', min(times_of('hash', %leg)),
		'ssd-s, 4 brands: split the index join is faster');
}

sub test_disk
{
	measures('hdd', 'fig13', @frame, '--device', 'hdd', '--rounds', '1',
		'--queries', 'q1.2n', '--n', '1,8');
	my %leg = replayed('hdd', 'hdd', 'q1.2n');

	cmp_ok($leg{'index-8'}{processes}, '>=', 4,
		'hdd: split, several processes read');
	cmp_ok($leg{'index-1'}{ns} / $leg{'index-8'}{ns}, '<', 1.25,
		'hdd: splitting gains nothing');
}

sub test_table
{
	my $out = measures('table2', 'table2', '--device', 'ssd-s', '--rounds',
		'1', '--file-size', '64');
	my @rows = $out =~ /^((?:sequential|random) read .*)$/mg;

	is(scalar(@rows), 2, 'Table II: a row for each kind of read');
	is(scalar(grep { 3 == (() = /[\d.]*[1-9][\d.]*/g) } @rows),
		2, 'Table II: each alone and beside both kinds of write')
	  or diag($out);
}

# After a crash, the file ends with a truncated line.  The leg is measured
# again.
sub test_resume
{
	my $file = "$place/ssd-s/legs.csv";
	my $whole = slurp_file($file);
	my ($status, $out, $err);

	truncate($file, length($whole) - 20) or die "cannot truncate: $!";
	($status, $out, $err) =
	  run_it('ssd-s', 'bench', 'fig13', '--resume', "$place/ssd-s");
	is($status, 0, 'resume: succeeds') or diag($err);
	like($err, qr/removed \d+ bytes of a cut-off last line/,
		'resume: says what was repaired');
	like($err, qr/running 1 cold legs/, 'resume: measures what is missing');
	is(scalar(() = slurp_file($file) =~ /\n/g),
		scalar(() = $whole =~ /\n/g), 'resume: nothing is lost');
}

sub test_report
{
	my ($status, $out, $err) = run_it('none', 'bench', 'report',
		"$place/ssd-s", "$place/hdd", "$place/table2", '--output',
		"$place/report.html");
	my $page = -e "$place/report.html" ? slurp_file("$place/report.html") : '';

	is($status, 0, 'report: succeeds') or diag($err);
	like($page, qr/emulated hdd.*Q1.2N alone/s, 'report: has the runs');
	like($page, qr/What the paper saw.*Verdict.*Caveats.*Scale factor 0.05/s,
		'report: has its sections');
	unlike($page, qr/(?:src|href)="(?!#)/, 'report: is self-contained');
}

sub test_bad_input
{
	make_path("$place/empty");
	refuses('no results', 1, qr/holds no results of \.\/run bench/,
		'bench', 'report', "$place/empty");
	refuses('nothing to resume', 1, qr/is no directory of results/,
		'bench', 'fig13', '--resume', "$place/empty");
	refuses('no run of all', 1, qr/is no run of \.\/run bench all/,
		'bench', 'all', '--resume', "$place/empty");
	refuses('unknown scenario', 2, qr/is no scenario: fig5/,
		'bench', 'all', '--only', 'fig99');
	refuses('disk', 1, qr/this run needs about \d+\.\d GB .* are free there/,
		'bench', 'all', '--scale', '100', '--only', 'fig13', '--memory', '1G');
	{
		local $ENV{SSDPAR_TREES} = "$place/empty";
		refuses('no such server', 1,
			qr/PostgreSQL 17 is neither installed here nor in/,
			'bench', 'power', '--server', '17')
		  unless -x '/usr/lib/postgresql/17/bin/pg_config';
	}
	ok(!-e "$place/s", 'bad input leaves nothing behind');
}

sub test_interrupt
{
	my $err = '';
	local $ENV{SSDPAR_BENCH_INTO} = "$place/cut";
	my $bench = start([ "$top/run", 'bench', 'fig13', @frame, '--device',
			'ssd-s', '--rounds', '5' ], '<', \undef, '>', '/dev/null',
		'2>', \$err);

	pump $bench until $err =~ /running \d+ cold legs/ || !$bench->pumpable;
	$bench->signal('INT');
	finish $bench;
	is($bench->result(0), 130, 'interrupted: exit status');
	like($err, qr/^ssdpar: interrupted\.$/m, 'interrupted: message');
	unlike(slurp_file('/proc/self/mountinfo'), qr/\Q$place\E/,
		'interrupted: nothing is mounted');
	is(scalar(() = `ps -eo args` =~ /-D \Q$place\E/g), 0,
		'interrupted: no server is left');
}

# Lines of a file, without one that a crash may have truncated.
sub lines_of
{
	my ($file) = @_;

	return -e $file ? slurp_file($file) =~ /^(.*)\n/mg : ();
}

sub is_left
{
	foreach my $file (glob '/proc/[0-9]*/environ')
	{
		open my $environ, '<', $file or next;
		local $/;
		return 1 if (<$environ> // '') =~ /SSDPAR_SCRATCH=\Q$place\E/;
	}
	return slurp_file('/proc/self/mountinfo') =~ /\Q$place\E/
	  || `ps -eo args` =~ /-D \Q$place\E/;
}

sub wait_until
{
	my ($what, $test) = @_;

	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if $test->();
		usleep(100_000);
	}
	die "waited in vain: $what";
}

# ./run bench all is killed while a scenario runs, and is then continued.
sub test_killed
{
	my $err = '';
	my $bench = start([ "$top/run", 'bench', 'all', @frame, '--device',
			'ssd-s', '--rounds', '1', '--only', 'fig13' ],
		'<', \undef, '>', '/dev/null', '2>', \$err);

	pump $bench until $err =~ /running \d+ cold legs/ || !$bench->pumpable;
	my ($results) = $err =~ /results go to (.*); interrupted/;
	my $legs = "$results/fig13-ssd-s/legs.csv";
	wait_until('two legs', sub { 3 <= (() = lines_of($legs)) });
	$bench->signal('KILL');
	eval { finish $bench };
	wait_until('all has ended', sub { !is_left() });
	pass('killed: nothing goes on, nothing is mounted');
	my @before = lines_of($legs);
	cmp_ok(scalar(@before), '<', 13, 'killed: in the middle');

	my ($status, $out, $said) =
	  run_it('none', 'bench', 'all', '--resume', $results);
	is($status, 0, 'killed: can be continued') or diag($said);
	unlike($said, qr/Traceback/, 'killed: no traceback');
	my @after = lines_of($legs);
	is_deeply([ @after[ 0 .. $#before ] ], \@before,
		'killed: nothing is lost');
	is(scalar(@after), 13, 'killed: nothing is measured twice');
	like(slurp_file("$results/report.html"), qr/Q1\.2N alone/,
		'killed: the report has it all');
	like(slurp_file("$results/report.md"), qr/\| Q1\.2N alone/,
		'killed: so has its Markdown');
	remove_tree($results);
}

test_bad_input();

SKIP:
{
	skip 'no FUSE here', 1 unless -w '/dev/fuse';
	test_ssd();
	test_crossing();
	test_disk();
	test_table();
	test_resume();
	test_report();
	test_interrupt();
	test_killed();
}

run_it('none', 'clean');
ok(!-e "$place/s", 'nothing is left');
done_testing();
