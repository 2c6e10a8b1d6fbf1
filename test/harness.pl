#!/usr/bin/perl
# harness.pl
#	Runs programs that speak TAP (t/*.pl, cmocka's unit tests) and counts
#	every assertion.  It is not prove(1), whose totals count files and which
#	says nothing of skipped assertions that a script could read.
#
# Usage: test/harness.pl COUNTS-FILE PROGRAM...
#
# Appends "passed failed skipped" to COUNTS-FILE.  A .pl file runs under perl
# with the include path of PERL5LIB, anything else by itself.  A program that
# dies, or stops short of its plan, counts as one more failure.
#
# Programs run side by side, as most of them wait more than they compute.  One
# that says "# runs: alone" in its first 20 lines runs when the others have
# ended, one that says "# runs: first" before the others, so that it is not the
# last to end.  SSDPAR_TEST_JOBS is how many; without it as many as there are
# processors and one more, if there is memory for them.

use strict;
use warnings;

use TAP::Harness;

my ($counts_file, @programs) = @ARGV;
die "usage: test/harness.pl COUNTS-FILE PROGRAM...\n" unless @programs;

# Some tests copy the tree while others run Python programs of it.
$ENV{PYTHONDONTWRITEBYTECODE} = 1;

# A test's servers, with what they put into shared memory and the page cache.
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

sub command_for
{
	my ($harness, $program) = @_;
	return [ $^X, $program ] if $program =~ /\.pl$/;
	return [$program];
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

# Runs them, so many at a time, and adds what came out to $total.
sub run_programs
{
	my ($total, $jobs, @all) = @_;

	return unless @all;
	my $harness = TAP::Harness->new(
		{
			exec => \&command_for,
			verbosity => 0,
			timer => 1,
			jobs => $jobs
		});
	my $results = $harness->runtests(@all);

	foreach my $program (@all)
	{
		my ($parser) = $results->parsers($program);
		my %count = $parser ? count_one($parser) : (failed => 1);

		$total->{$_} += $count{$_} // 0 foreach keys %$total;
		print "BAD $program\n" if $count{failed};
	}
	return;
}

my %total = (passed => 0, failed => 0, skipped => 0);
my %in_way = (alone => [], first => [], '' => []);

push @{ $in_way{ way_to_run($_) } }, $_ foreach @programs;
run_programs(\%total, jobs(), @{ $in_way{first} }, @{ $in_way{''} });
run_programs(\%total, 1, @{ $in_way{alone} });

open(my $out, '>>', $counts_file) or die "cannot write $counts_file: $!\n";
print $out "$total{passed} $total{failed} $total{skipped}\n";
close($out) or die "cannot write $counts_file: $!\n";
exit($total{failed} ? 1 : 0);
