#!/usr/bin/perl
# harness.pl
#	Runs programs that print TAP (t/*.pl, cmocka's unit tests) and counts
#	every assertion.  prove(1) is no replacement, because its totals count
#	files, and a script cannot read skipped assertions from its output.
#
# Usage: test/harness.pl COUNTS-FILE PROGRAM...
#
# Appends "passed failed skipped" to COUNTS-FILE.  A .pl file runs under perl
# with the include path of PERL5LIB, other programs directly.  A program that
# dies, or does not complete its plan, counts as one more failure.
#
# If anything failed, the output ends with a line "failures:" and a list: the
# names of the assertions, each with the program's diagnostics, which for
# Test::More are the actual and the expected value.
# (test/structure/test_harness.py)
#
# Programs run concurrently, because most of them wait more than they compute.
# A program with "# runs: alone" in its first 20 lines runs when the others
# have ended, one with "# runs: first" starts before the others, so that it is
# not the last to end.  SSDPAR_TEST_JOBS is the number of jobs; by default the
# number of processors plus one, if there is enough memory.

use strict;
use warnings;

use File::Temp qw(tempdir);
use TAP::Harness;

my ($counts_file, @programs) = @ARGV;
die "usage: test/harness.pl COUNTS-FILE PROGRAM...\n" unless @programs;

# Some tests copy the tree while others run Python programs of it.
$ENV{PYTHONDONTWRITEBYTECODE} = 1;

# The stderr output of each program, and its failed assertions: their lines
# with the comments that follow them.
my $errors = tempdir('harness.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my %not_ok;

# Limits of shown lines: of an assertion, of a program, and of its stderr.
my ($most_of_one, $most_of_program, $most_of_errors) = (30, 200, 60);

# Memory for a test's servers, including shared memory and the page cache.
my $kb_each = 1024 * 1024;

sub first_line_like
{
	my ($file, $pattern) = @_;
	my $found;

	open(my $lines, '<', $file) or return undef;
	while (my $line = <$lines>)
	{
		last if $. > 20;
		$found //= $1 if $line =~ $pattern;
	}
	close($lines);
	return $found;
}

# "alone", "first", or "" for the rest.
sub way_to_run
{
	my ($program) = @_;

	return '' if $program !~ /\.pl$/;
	return first_line_like($program, qr/^# runs: (alone|first)$/) // '';
}

sub jobs
{
	my $processors = `nproc` || 1;
	my $kb = first_line_like('/proc/meminfo', qr/^MemAvailable: +(\d+) kB/);
	my $jobs = $ENV{SSDPAR_TEST_JOBS} || $processors + 1;

	$jobs = int($kb / $kb_each)
	  if !$ENV{SSDPAR_TEST_JOBS} && $kb && $kb < $jobs * $kb_each;
	return $jobs < 1 ? 1 : $jobs;
}

sub errors_of
{
	my ($program) = @_;
	return "$errors/" . ($program =~ s{/}{:}gr);
}

# A program that bails out has failed; the others continue.
@Harness::ISA = ('TAP::Harness');
sub Harness::_bailout { return; }

# stderr goes to a file, so there is nothing to merge.  Merging is requested
# because TAP::Parser, if it has a pipe for stderr, waits for the program's
# next line after each word in that, and no other program ends meanwhile.
sub command_for
{
	my ($harness, $program) = @_;
	return [
		'sh', '-c', 'exec 2>"$0" "$@"', errors_of($program),
		$program =~ /\.pl$/ ? ($^X, $program) : $program ];
}

# Keeps a program's diagnostics of failed assertions.
sub watch
{
	my ($parser, $job) = @_;
	my $list = $not_ok{ $job->[0] } //= [];
	my $open;

	$parser->callback(
		ALL => sub {
			my ($result) = @_;

			$open = !$result->is_ok && !$result->has_skip if $result->is_test;
			push @$list, [] if $open && $result->is_test;
			push @{ $list->[-1] }, $result->raw
			  if $open && ($result->is_test || $result->is_comment);
			push @$list, [ $result->raw ] if $result->is_bailout;
		});
	return;
}

# Omits the middle if there are more lines than that.
sub shortened
{
	my ($most, @lines) = @_;

	@lines = map { length > 500 ? substr($_, 0, 500) . ' ...' : $_ } @lines;
	return @lines if @lines <= $most;
	my $half = int($most / 2);
	return (@lines[ 0 .. $half - 1 ], '...', @lines[ -$half .. -1 ]);
}

sub lines_of
{
	my ($file) = @_;

	open(my $handle, '<', $file) or return ();
	chomp(my @lines = <$handle>);
	return @lines;
}

# Test::More's diagnostics of each failed assertion, in their order.
sub explanations
{
	my @blocks;

	foreach my $line (@_)
	{
		push @blocks, [] if $line =~ /^\s*#\s+Failed (?:\(TODO\) )?test\b/;
		push @{ $blocks[-1] }, $line if @blocks && $line =~ /^\s*#/;
	}
	return @blocks;
}

sub way_it_ended
{
	my ($status) = @_;

	return $status & 127
	  ? sprintf('ended by signal %d', $status & 127)
	  : sprintf('exit code %d', $status >> 8);
}

# For one program: its failed assertions, why it ended, and its last output if
# that has not been shown.
sub tell_failure
{
	my ($program, $parser) = @_;
	my @said = lines_of(errors_of($program));
	my @blocks = explanations(@said);
	my @lines;

	foreach my $assertion (@{ $not_ok{$program} // [] })
	{
		my $block = shift @blocks // [];
		push @lines, shortened($most_of_one, @$assertion, @$block);
	}
	push @lines, map { shortened($most_of_one, @$_) } @blocks;
	push @lines, $parser ? $parser->parse_errors : 'it was not run';
	push @lines, way_it_ended($parser->wait) if $parser && $parser->wait;
	push @lines, shortened($most_of_errors, @said)
	  unless explanations(@said);
	print "FAILED $program\n",
	  map { "  $_\n" } shortened($most_of_program, @lines);
	return;
}

# A skipped assertion is neither passed nor failed.  TAP::Parser passes those
# written "ok ... # SKIP" and fails cmocka's, "not ok ... # SKIP".
sub count_one
{
	my ($parser) = @_;
	my %is_skipped = map { $_ => 1 } $parser->skipped;
	my %count = (
		passed => scalar(grep { !$is_skipped{$_} } $parser->passed),
		failed => scalar(grep { !$is_skipped{$_} } $parser->failed),
		skipped => scalar $parser->skipped);

	$count{skipped} = 1 if defined $parser->skip_all;
	$count{failed} = 1
	  if !$count{failed} && ($parser->parse_errors || $parser->wait);
	return %count;
}

# Runs programs, a limited number at a time, and adds their results to $total.
# Returns those that failed, each with its parser.
sub run_programs
{
	my ($total, $jobs, @all) = @_;

	my @bad;

	return () unless @all;
	my $harness = Harness->new(
		{
			exec => \&command_for,
			merge => 1,
			verbosity => 0,
			timer => 1,
			jobs => $jobs
		});
	$harness->callback(made_parser => \&watch);
	my $results = $harness->runtests(@all);

	foreach my $program (@all)
	{
		my ($parser) = $results->parsers($program);
		my %count = $parser ? count_one($parser) : (failed => 1);

		$total->{$_} += $count{$_} // 0 foreach keys %$total;
		push @bad, [ $program, $parser ] if $count{failed};
	}
	return @bad;
}

my %total = (passed => 0, failed => 0, skipped => 0);
my %in_way = (alone => [], first => [], '' => []);

push @{ $in_way{ way_to_run($_) } }, $_ foreach @programs;
my @bad = (
	run_programs(\%total, jobs(), @{ $in_way{first} }, @{ $in_way{''} }),
	run_programs(\%total, 1, @{ $in_way{alone} }));
print "failures:\n" if @bad;
tell_failure(@$_) foreach @bad;

open(my $out, '>>', $counts_file) or die "cannot write $counts_file: $!\n";
print $out "$total{passed} $total{failed} $total{skipped}\n";
close($out) or die "cannot write $counts_file: $!\n";
exit($total{failed} ? 1 : 0);
