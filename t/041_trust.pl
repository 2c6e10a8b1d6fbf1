# 041_trust.pl
#	./run trust: its parts run and find nothing, it resumes an interrupted
#	run, and each user error ends with one line and leaves nothing behind.
#
# A short run of each part that needs only the server; results are for pages of
# docs/results.  Suites (t/006_core_suite.pl compares with them), smith
# (sqlsmith) and checked (valgrind and the server's sources) are skipped;
# test/trust/test_*.py test how their output is interpreted.
#
# servers: one

use strict;
use warnings;

use File::Copy qw(copy);
use File::Path qw(make_path);
use IPC::Run qw(run start);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

# In a copy of the tree, because it writes a page of docs/results.
my $place = PostgreSQL::Test::Utils::tempdir_short();
my $top = "$place/tree";
my $results = "$top/docs/results";
my $journal = "$results/raw/trust-2001-01-01.jsonl";
my $page = "$results/trust-2001-01-01.md";

$ENV{SSDPAR_SCRATCH} = "$place/s";
delete $ENV{SSDPAR_SERVER_SOURCES};

# (exit code, output on both channels)
sub trust
{
	my (@options) = @_;
	my $said = '';

	run([ "$top/run", 'trust', '--date', '2001-01-01', @options ],
		'<', \undef, '>', \$said, '2>&1');
	return ($? >> 8, $said);
}

sub copy_tree
{
	mkdir($top) or die "cannot make $top: $!";
	system_or_bail('cp', '-a', 'run', 'bench', 'docs', 'test', $top);
	return;
}

sub left
{
	return join ' ', glob("$place/s*");
}

sub refused
{
	my ($name, $pattern, @options) = @_;
	my ($code, $said) = trust(@options);

	isnt($code, 0, "$name: fails");
	$said =~ s/\Aseed 1, [^\n]*\n//;
	like($said, qr/\Assdpar: $pattern[^\n]*\n\z/, "$name: one line");
	is(left(), '', "$name: nothing is left");
	return;
}

sub units
{
	return -e $journal ? scalar(split /\n/, slurp_file($journal)) : 0;
}

sub test_refusals
{
	refused('hours', qr/.*not a number of hours/, '--hours', 'many');
	refused('name', qr/.*invalid choice/, '--only', 'luck');
	refused('a unit of any part', qr/.*give one --only/, '--unit', '3');
	refused('date', qr/.*is no date/, '--date', 'today');
	refused(
		'no sources',
		qr/suites: needs the server's sources/,
		'--only', 'suites');
	refused('wrong sources', qr/suites: .*regress\.so/,
		'--only', 'suites', '--sources', $place);
	{
		local $ENV{PG_CONFIG} = "$place/none";
		refused('no server', qr/there is no PostgreSQL/);
	}
	{
		# Python executes this before the program, to simulate a full disk
		mkdir("$place/full") or die "cannot make $place/full: $!";
		append_to_file("$place/full/sitecustomize.py", <<'END');
import shutil
from types import SimpleNamespace
shutil.disk_usage = lambda path: SimpleNamespace(free=1 << 20)
END
		local $ENV{PYTHONPATH} = "$place/full";
		refused('full disk', qr/only 1 MB are free where \Q$place\E/,
			'--only', 'rows');
	}
	is(units(), 0, 'nothing was written down');
	return;
}

sub test_parts
{
	foreach my $part ('rows', 'logic', 'faults', 'ddl', 'endurance')
	{
		my $before = units();
		my ($code, $said) = trust('--only', $part, '--hours', '0.002');

		is($code, 0, "$part: nothing is found") or diag($said);
		like($said, qr/\Aseed 1, .*\n0 found with seed 1; .*\n\z/s,
			"$part: its seed, first and last");
		cmp_ok(units(), '>', $before, "$part: written down");
		is(left(), '', "$part: nothing is left");
	}
	like(slurp_file($page), qr/\| rows \|.*queries.*\| nothing \|/,
		'the page tells of it');
	like(slurp_file($page), qr/!\[.*\]\(endurance-2001-01-01\.svg\)/,
		'and shows what endurance took');
	like(slurp_file("$results/endurance-2001-01-01.svg"), qr/<polyline/,
		'in a figure');
	return;
}

sub test_resumed
{
	my $before = units();

	trust('--only', 'logic', '--hours', '0.0005');
	like(slurp_file($journal), qr/"part": "logic".*"unit": 1,/,
		'it goes on where it was');
	return;
}

# A second concurrent run, and a signal that ends the first.
sub test_twice_and_interrupted
{
	my $before = units();
	my ($first, $said, $code) = ('', '');
	my $run = start(
		[ "$top/run", 'trust', '--date', '2001-01-01', '--only', 'logic' ],
		'<', \undef, '>', \$first, '2>&1');

	# wait until the server runs
	foreach (1 .. 600)
	{
		last if glob("$place/s*/socket/.s.PGSQL.*");
		usleep(100_000);
	}
	($code, $said) = trust('--only', 'rows');
	is($code, 1, 'twice at once: the second fails');
	like($said, qr/\Assdpar: another \.\/run is using [^\n]*\n\z/,
		'twice at once: one line');
	$run->signal('INT');
	$run->finish;
	like($first, qr/^ssdpar: interrupted\.$/m, 'interrupted: one line');
	is(left(), '', 'interrupted: nothing is left');
	return;
}

copy_tree();
test_refusals();
test_parts();
test_resumed();
test_twice_and_interrupted();
done_testing();
