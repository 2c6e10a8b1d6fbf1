# 004_demo.pl
#	./run with bad input: one clear message, a non-zero exit status, no
#	files and no processes left.  Also runs the unit tests of those parts
#	of bench/ that need no server.
#
# A successful demo is not tested, because it takes minutes.  No time is
# asserted.
#
# servers: one

use strict;
use warnings;

use Cwd qw(getcwd);
use Fcntl qw(:flock);
use File::Path qw(make_path);
use IPC::Run qw(run start pump finish);
use PostgreSQL::Test::Utils;
use Test::More;

my $top = getcwd();
my $place = PostgreSQL::Test::Utils::tempdir_short();
my $scratch = "$place/s";

$ENV{SSDPAR_SCRATCH} = $scratch;
$ENV{PYTHONDONTWRITEBYTECODE} = '1';

# Runs ./run with ARGUMENTS: (exit status, standard output, standard error).
sub run_it
{
	my @arguments = @_;
	my ($out, $err) = ('', '');

	run([ "$top/run", @arguments ], '<', \undef, '>', \$out, '2>', \$err);
	return ($? >> 8, $out, $err);
}

# Checks for a refusal: exit with STATUS and a single message, MESSAGE, without
# a traceback or a change in the scratch directory.
sub refuses
{
	my ($name, $status, $message, @arguments) = @_;
	my $existed = -e $scratch;
	my ($got, $out, $err) = run_it(@arguments);

	is($got, $status, "$name: exit status");
	like($err, $message, "$name: message");
	is(scalar(() = $err =~ /^ssdpar: /mg), 1, "$name: one message");
	unlike($err, qr/Traceback/, "$name: no traceback");
	is(!!-e $scratch, !!$existed, "$name: leaves nothing behind");
}

sub write_file
{
	my ($path, $content) = @_;

	open(my $file, '>', $path) or die "cannot write $path: $!";
	print $file $content;
	close($file) or die "cannot write $path: $!";
}

sub test_words
{
	my ($status, $out, $err) = run_it('help');

	is($status, 0, 'help succeeds');
	like($out, qr/^ +demo .*^ +clean /ms, 'help names the commands');
	($status, $out, $err) = run_it('--version');
	like($out, qr/^ssdpar \d+\.\d+\n$/, 'the version');
	($status, $out, $err) = run_it('bench');
	like($out, qr/^ +fig13 /m, 'bench lists scenarios');

	refuses('unknown command', 2, qr/unknown command 'demos'/, 'demos');
	refuses('unknown scenario', 2, qr/no scenario 'fig99'/,
		'bench', 'fig99');
	refuses('option without scenario', 2, qr/needs a scenario's name/,
		'bench', '--quick');
	refuses('stop with an argument', 2, qr/takes no arguments/, 'stop', 'x');
}

sub test_options
{
	refuses("scale $_", 2, qr/'\Q$_\E' is not a scale factor/,
		'demo', "--scale=$_")
	  foreach ('0', '-1', 'much', 'nan', '101', '');
	refuses("rounds $_", 2, qr/'\Q$_\E' is not a whole number/,
		'demo', "--rounds=$_")
	  foreach ('0', '-1', '1.5', 'x');
	refuses('unknown option', 2, qr/unrecognized arguments: --fast/,
		'demo', '--fast');
	refuses('abbreviated option', 2, qr/unrecognized arguments: --sc/,
		'demo', '--sc', '1');
	refuses('scale and data', 2, qr/exclude each other/,
		'demo', '--scale', '1', '--data', $place);
	refuses('no such data', 1, qr/there is no such directory/,
		'demo', '--data', "$place/none");
	make_path("$place/empty");
	refuses('no tables in data', 1, qr/holds no \.tbl file/,
		'demo', '--data', "$place/empty");
	refuses("fig13 $_", 2, qr/\Q--\E/, 'bench', 'fig13', $_)
	  foreach ('--n=0', '--n=1,1', '--n=65', '--memory=1M', '--memory=x',
		'--queries=q9', '--rounds=0', '--scale=0', '--device=tape');
}

sub test_environment
{
	{
		local $ENV{PG_CONFIG} = "$place/none";
		refuses('no such pg_config', 1, qr/there is no such program/,
			'demo');
		local $ENV{PG_CONFIG} = '/bin/true';
		refuses('not a pg_config', 1, qr/no PostgreSQL 15, 17 or 18/, 'demo');
	}
	{
		local $ENV{SSDPAR_SCRATCH} = "$place/" . ('x' x 120);
		refuses('long path', 1, qr/too long for a UNIX socket/, 'demo');
		local $ENV{SSDPAR_SCRATCH} = "$place/none/s";
		refuses('no such parent', 1, qr/cannot make the scratch directory/,
			'demo');
	}
	make_path("$place/mine");
	write_file("$place/mine/thesis", "do not lose\n");
	{
		local $ENV{SSDPAR_SCRATCH} = "$place/mine";
		refuses('directory in use', 1, qr/not ssdpar's scratch data/, 'demo');
		is((run_it('clean'))[0], 0, 'clean where nothing is');
	}
	is(slurp_file("$place/mine/thesis"),
		"do not lose\n", 'what is not ours is not touched');
	refuses('psql without data', 1, qr/no loaded data/, 'psql');
}

# A sparse file of 8 TB costs nothing, but fits on no test machine.
sub test_space
{
	make_path("$place/huge");
	write_file("$place/huge/lineorder.tbl", '');
  SKIP:
	{
		skip 'no sparse files of this size here', 5
		  unless truncate("$place/huge/lineorder.tbl", 1 << 43);
		refuses('too little space', 1,
			qr/needs about \d+\.\d GB .* and \d+\.\d GB are free/,
			'demo', '--data', "$place/huge");
	}
}

sub test_lock
{
	make_path("$scratch/socket");
	chmod(0700, $scratch);
	write_file("$scratch/ssdpar-scratch", '');
	write_file("$scratch/lock", "4711\n");
	open(my $lock, '+<', "$scratch/lock") or die "cannot open the lock: $!";
	flock($lock, LOCK_EX | LOCK_NB) or die "cannot take the lock: $!";
	refuses("$_ while another runs", 1, qr/another .*\(process 4711\)/, $_)
	  foreach ('demo', 'stop', 'clean');
	close($lock);
	is((run_it('clean'))[0], 0, 'clean when it has ended');
	ok(!-e $scratch, 'clean leaves nothing');
}

# Can make install succeed here, or is it installed already?
sub can_run_demo
{
	my ($library) = run_command([ $ENV{PG_CONFIG} // 'pg_config',
		'--pkglibdir' ]);

	return -e "$top/bench/ssb/Makefile"
	  && (-w $library
		|| !system('cmp', '-s', "$top/ssdpar.so", "$library/ssdpar.so"));
}

sub servers
{
	my $found = `ps -eo args`;

	return scalar(() = $found =~ /-D \Q$scratch\E/g);
}

# On a busy machine a process that was told to end may be seen for a while.
sub servers_left
{
	foreach (1 .. 100)
	{
		return 0 if servers() == 0;
		select(undef, undef, undef, 0.1);
	}
	return servers();
}

sub test_bad_data
{
	make_path("$place/bad");
	write_file("$place/bad/$_.tbl", "1|broken\n")
	  foreach ('lineorder', 'customer', 'supplier', 'part', 'date');
	refuses('bad data', 1, qr/\.tbl.*half-made data removed/s,
		'demo', '--data', "$place/bad");
	is(servers_left(), 0, 'bad data: no server is left');
}

sub test_interrupt
{
	my ($signal, $number) = @_;
	my $err = '';
	my $demo = start([ "$top/run", 'demo', '--scale', '1' ],
		'<', \undef, '>', '/dev/null', '2>', \$err);

	pump $demo until $err =~ /making a scratch server/ || !$demo->pumpable;
	$demo->signal($signal);
	finish $demo;
	is($demo->result(0), 128 + $number, "SIG$signal: exit status");
	like($err, qr/^ssdpar: interrupted\.$/m, "SIG$signal: message");
	is(servers_left(), 0, "SIG$signal: no server is left");
	ok(!-e $scratch, "SIG$signal: no data is left");
}

test_words();
test_options();
test_environment();
test_space();
test_lock();

SKIP:
{
	skip 'ssdpar cannot be installed from here', 14 unless can_run_demo();
	test_bad_data();
	test_interrupt('INT', 2);
	test_interrupt('TERM', 15);
}

{
	my ($out, $err) = ('', '');

	run([ 'env', '-C', "$top/bench", 'python3', '-m', 'unittest', 'discover',
			'-t', '.', '-s', 'tests' ],
		'>', \$out, '2>', \$err) or diag($err);
	like($err, qr/^Ran [1-9]\d* tests.*^OK(?: \(skipped=\d+\))?$/ms, 'unit tests of bench/');
}

done_testing();
