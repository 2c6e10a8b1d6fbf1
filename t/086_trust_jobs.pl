# 086_trust_jobs.pl
#	./run trust --jobs: units run concurrently, each exactly once, and
#	nothing is left behind however it ends.
#
# Its parts are tested in 041_trust.pl.
#
# servers: one

use strict;
use warnings;

use IPC::Run qw(run start);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

# In a copy of the tree, because it writes a page of docs/results.
my $place = PostgreSQL::Test::Utils::tempdir_short();
my $top = "$place/tree";
my $raw = "$top/docs/results/raw";
my $journal = "$raw/trust-2001-01-01.jsonl";
my @trust = ("$top/run", 'trust', '--date', '2001-01-01', '--only', 'logic');

$ENV{SSDPAR_SCRATCH} = "$place/s";

# (exit code, output on both channels)
sub trust
{
	my (@options) = @_;
	my $said = '';

	run([ @trust, @options ], '<', \undef, '>', \$said, '2>&1');
	return ($? >> 8, $said);
}

sub left
{
	return join ' ', glob("$place/s*");
}

# The numbers of units in the journal, in its order.
sub units
{
	return join ' ', slurp_file($journal) =~ /"unit": (\d+),/g;
}

# Waits for a run until each of two jobs has a server.
sub started
{
	my ($said) = @_;
	my $run = start([ @trust, '--jobs', '2' ], '<', \undef, '>', $said, '2>&1');

	foreach (1 .. 1200)
	{
		my @sockets = grep { !/lock$/ } glob("$place/s*/socket/.s.PGSQL.*");

		last if @sockets == 2;
		usleep(100_000);
	}
	return $run;
}

# The processes that a run has started for its jobs.
sub jobs_of
{
	my ($pid) = @_;

	return split ' ', slurp_file("/proc/$pid/task/$pid/children");
}

sub test_units
{
	my ($code, $said) = trust('--jobs', '2', '--hours', '0.0005');

	is($code, 0, 'two jobs find nothing') or diag($said);
	is(join(' ', sort split ' ', units()), '0 1', 'each does a unit');
	is(left(), '', 'nothing is left');
	return;
}

# As if the first job's unit had been interrupted while the other's ended.
sub test_resumed
{
	my ($second) = slurp_file($journal) =~ /^(.*"unit": 1,.*\n)/m;

	unlink($journal) or die "cannot remove $journal: $!";
	append_to_file($journal, $second);
	trust('--hours', '0.0005');
	is(units(), '1 0', 'what was broken off is done first');
	trust('--hours', '0.0005');
	is(units(), '1 0 2', 'then what comes next');
	return;
}

sub test_refused
{
	my ($code, $said) = trust('--jobs', '0');

	is($code, 2, 'no job: refused');
	like($said, qr/\Assdpar: [^\n]*--jobs: '0' is not a whole number[^\n]*\n\z/,
		'no job: one line');
	return;
}

sub test_twice_and_interrupted
{
	my $first = '';
	my $run = started(\$first);
	my ($code, $said) = trust('--jobs', '3');

	is($code, 1, 'twice at once: the second fails');
	like($said, qr/\Assdpar: another \.\/run is using [^\n]*\n\z/,
		'twice at once: one line');
	$run->signal('INT');
	$run->finish;
	like($first, qr/\Aseed 1, PostgreSQL \d[^\n]*\nssdpar: interrupted\.\n\z/,
		'interrupted: one line after the seed');
	is(left(), '', 'interrupted: nothing is left');
	return;
}

sub test_job_killed
{
	my $said = '';
	my $run = started(\$said);
	my $pid = $run->{KIDS}->[0]->{PID};
	my @jobs = jobs_of($pid);

	is(scalar(@jobs), 2, 'two jobs are two processes');
	kill 'KILL', $jobs[1];
	$run->finish;
	like($said, qr/\Aseed 1, [^\n]*\nssdpar: a job was ended from outside\.\n\z/,
		'one is killed: one line after the seed');
	is(left(), '', 'one is killed: nothing is left');
	is(join(' ', grep { -e "/proc/$_" } @jobs), '', 'and the other ends');
	return;
}

mkdir($top) or die "cannot make $top: $!";
system_or_bail('cp', '-a', 'run', 'bench', 'docs', 'test', $top);
test_units();
test_resumed();
test_refused();
test_twice_and_interrupted();
test_job_killed();
done_testing();
