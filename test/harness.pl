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

use strict;
use warnings;

use TAP::Harness;

my ($counts_file, @programs) = @ARGV;
die "usage: test/harness.pl COUNTS-FILE PROGRAM...\n" unless @programs;

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

my $harness = TAP::Harness->new({ exec => \&command_for, verbosity => 0,
		timer => 1 });
my $all = $harness->runtests(@programs);
my %total = (passed => 0, failed => 0, skipped => 0);

foreach my $program (@programs)
{
	my ($parser) = $all->parsers($program);
	my %count = $parser ? count_one($parser) : (failed => 1);

	$total{$_} += $count{$_} // 0 foreach keys %total;
	print "BAD $program\n" if $count{failed};
}

open(my $out, '>>', $counts_file) or die "cannot write $counts_file: $!\n";
print $out "$total{passed} $total{failed} $total{skipped}\n";
close($out) or die "cannot write $counts_file: $!\n";
exit($total{failed} ? 1 : 0);
