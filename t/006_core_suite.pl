# 006_core_suite.pl
#	The server's own regression tests about joins, aggregates and parallel
#	plans have the same output without the library, with it and
#	ssdpar.enabled = off, and with it on but without a device profile.
#
# The runs, with hundreds of plans, are compared with each other line by line.
# This does not test the server: if its output differs from what the suite
# expects, it must differ in the same way all three times.
#
# $SSDPAR_REGRESS_SUITE is the suite (test/source.sh gets it), or "none" to
# skip this test.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $suite = $ENV{SSDPAR_REGRESS_SUITE} // '';

# Prerequisites of later files, in the order of the suite's own schedule.
my @set_up = qw(test_setup point polygon box circle path line
  create_misc create_index create_aggregate);
my @compared = qw(select select_distinct subselect union case join aggregates
  groupingsets join_hash tsrf tidscan incremental_sort select_parallel
  equivclass limit window with partition_join partition_prune
  partition_aggregate memoize);

# The postgresql.conf of each of the three servers.  The second one requests
# splitting too, because otherwise it would have nothing to switch off.
my %server = (
	without => '',
	off => "shared_preload_libraries = 'ssdpar'\nssdpar.enabled = off\n"
	  . "ssdpar.subqueries = 8\n",
	on => "shared_preload_libraries = 'ssdpar'\nssdpar.enabled = on\n",);

sub start_server
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new("suite_$name");

	$node->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
	# Statistics may change only when a test does so.  The number of
	# connections is that of the suite's own server.
	$node->append_conf('postgresql.conf',
		"autovacuum = off\nmax_connections = 20\nlog_statement = none\n");
	$node->append_conf('postgresql.conf', $server{$name});
	$node->start;
	return $node;
}

# Runs the suite; returns the directory with results/.
sub run_suite
{
	my ($name) = @_;
	my $node = start_server($name);
	my $output = "${PostgreSQL::Test::Utils::tmp_check}/suite_$name";

	mkdir $output or die "cannot make $output: $!";
	# It exits with 1 if output differs from what the suite expects.
	system_log(
		$ENV{PG_REGRESS}, '--bindir=', "--dlpath=$suite",
		"--inputdir=$suite", "--outputdir=$output",
		'--host=' . $node->host, '--port=' . $node->port,
		'--max-concurrent-tests=1', @set_up, @compared);
	is( $node->safe_psql(
			'postgres',
			"SELECT coalesce(current_setting('ssdpar.enabled', true), '')"),
		{ without => '', off => 'off', on => 'on' }->{$name},
		"$name: the server was the one meant");
	$node->stop;
	return $output;
}

# Some output contains paths of the run.
sub result
{
	my ($output, $test) = @_;
	my $file = "$output/results/$test.out";
	my $text = -e $file ? slurp_file($file) : '';

	$text =~ s/\Q$output\E/OUTPUT/g;
	return $text;
}

sub expected
{
	my ($test) = @_;

	return map { slurp_file($_) } glob "$suite/expected/$test*.out";
}

# A comparison of empty results must not pass.
sub check_substance
{
	my ($output) = @_;
	my $plans = 0;
	my @agree;

	foreach my $test (@compared)
	{
		my $text = result($output, $test);
		$plans += () = $text =~ /QUERY PLAN/g;
		push @agree, $test if grep { $_ eq $text } expected($test);
	}
	note "as the suite expects: @agree";
	cmp_ok($plans, '>', 400, "the runs hold plans enough ($plans)");
	# All files, if suite and server have the same release; a few plans may
	# differ between minor releases.
	cmp_ok(1.25 * @agree, '>=', scalar @compared,
		'the output without the library is as the suite expects');
}

# The first lines that differ, for whatever explains the difference.
sub first_difference
{
	my ($x, $y, $test) = @_;
	my ($out, undef) = run_command(
		[ 'diff', '-U3', map { "$_/results/$test.out" } $x, $y ]);

	return join "\n", (split /\n/, $out)[ 0 .. 40 ];
}

if ($suite eq 'none')
{
	plan skip_all => 'left out by --no-source';
}
if (!-e "$suite/regress.so")
{
	fail("the server's regression suite is here");
	diag("\$SSDPAR_REGRESS_SUITE ('$suite') has no regress.so. "
		  . "test/source.sh brings the suite; ./run check calls it.");
	done_testing();
	exit;
}
note 'suite of ' . slurp_file("$suite/version");

my %output = map { $_ => run_suite($_) } qw(without off on);

check_substance($output{without});
foreach my $test (@compared)
{
	foreach my $name (qw(off on))
	{
		my $same =
		  result($output{without}, $test) eq result($output{$name}, $test);

		ok($same && -e "$output{$name}/results/$test.out",
			"$test: enabled = $name is as without the library")
		  or diag first_difference(@output{ 'without', $name }, $test);
	}
}

done_testing();
