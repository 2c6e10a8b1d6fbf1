# 010_split_rows.pl
#	Random star queries give the same rows however they are split.
#
# Each query runs with ssdpar off and then on, with a random number of
# subqueries, partition and planner setting, on the Star Schema Benchmark's
# tables with some rows updated and deleted.  Whether plans are good is not
# tested.
#
# SSDPAR_LONG=1 runs ten times as many queries; SSDPAR_SEED=N repeats a run.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SSDPAR_SEED} // 1;
my $queries = $ENV{SSDPAR_LONG} ? 3000 : 300;
srand($seed);

sub one_of { return $_[ rand @_ ] }
sub number { my ($low, $high) = @_; return $low + int rand($high - $low + 1) }

# Columns by which a dimension is joined, restricted and grouped.
my %dimension = (
	date => {
		join => 'lo_orderdate = d_datekey',
		only => [
			sub { 'd_year = ' . number(1992, 1998) },
			sub { 'd_yearmonthnum = ' . one_of(199401, 199512, 190001) },
			sub { 'd_weeknuminyear = ' . number(1, 53) },
			sub { 'd_year = 1994 AND d_weeknuminyear = ' . number(1, 53) } ],
		group => 'd_year' },
	customer => {
		join => 'lo_custkey = c_custkey',
		only => [
			sub { "c_region = '" . one_of('ASIA', 'AMERICA', 'NOWHERE') . "'" },
			sub { "c_city = 'UNITED KI" . number(0, 9) . "'" },
			sub { 'c_custkey < ' . number(1, 400) } ],
		group => 'c_nation' },
	supplier => {
		join => 'lo_suppkey = s_suppkey',
		only => [
			sub { "s_region = '" . one_of('ASIA', 'EUROPE') . "'" },
			sub { 's_suppkey % ' . number(2, 9) . ' = 0' } ],
		group => 's_nation' },
	part => {
		join => 'lo_partkey = p_partkey',
		only => [
			sub { "p_brand1 = 'MFGR#22" . number(10, 39) . "'" },
			sub { "p_category = 'MFGR#" . number(1, 5) . number(1, 5) . "'" },
			sub { 'p_size = ' . number(1, 50) } ],
		group => 'p_brand1' },);

my @fact_only = (
	sub { 'lo_discount BETWEEN 1 AND ' . number(1, 9) },
	sub { 'lo_quantity < ' . number(1, 50) },
	sub { 'true' });

my @aggregate = (
	'count(*)', 'sum(lo_revenue)', 'count(DISTINCT lo_custkey)',
	'avg(lo_tax)', 'max(lo_shipmode)');

my @planner = (
	'', 'SET enable_hashjoin = off;', 'SET enable_nestloop = off;',
	'SET parallel_leader_participation = off;',
	'SET enable_hashjoin = off; SET enable_nestloop = off;',
	'SET geqo_threshold = 2;', "SET work_mem = '64kB';",
	'SET random_page_cost = 1.1;', 'SET enable_bitmapscan = off;',
	'SET max_parallel_workers = 2;');

sub random_query
{
	my @used = grep { rand() < 0.5 } sort keys %dimension;
	my @where = (one_of(@fact_only)->());
	my @group;

	foreach my $name (@used)
	{
		my $d = $dimension{$name};
		push @where, $d->{join};
		push @where, one_of(@{ $d->{only} })->() if rand() < 0.8;
		push @group, $d->{group} if rand() < 0.5;
	}
	my $from = join ', ', 'lineorder', @used;
	my $where = join ' AND ', @where;
	return "SELECT lo_orderkey, lo_linenumber FROM $from WHERE $where"
	  if @used && rand() < 0.15;
	my $columns = join ', ', @group, one_of(@aggregate) . ' AS a', 'count(*) AS n';
	my $by = @group ? ' GROUP BY ' . join(', ', @group) : '';
	return "SELECT $columns FROM $from WHERE $where$by";
}

sub digest
{
	my ($query) = @_;

	return "SELECT concat(md5(string_agg(r::text, '|' ORDER BY r::text)), ' ', "
	  . "count(*)) FROM ($query) r;\n";
}

my $node = PostgreSQL::Test::Cluster->new('rows');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
max_worker_processes = 40
max_parallel_workers = 36
autovacuum = off
client_min_messages = warning
CONF
$node->start;
$node->safe_psql('postgres', slurp_file('bench/ssb/schema.sql'));
command_ok(
	[
		'bench/ssb/ssbload', '--scale', '0.02', '--seed', '1',
		$node->connstr('postgres')
	],
	'the benchmark loads');
$node->command_ok(
	[
		'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f',
		'bench/ssb/indexes.sql', '-d', $node->connstr('postgres')
	],
	'its indexes are made');
$node->safe_psql('postgres', <<'SQL');
UPDATE date SET d_weeknuminyear = d_weeknuminyear WHERE d_datekey % 5 = 0;
UPDATE part SET p_size = p_size + 0 WHERE p_partkey % 3 = 0;
DELETE FROM supplier WHERE s_suppkey % 11 = 0;
DELETE FROM customer WHERE c_custkey BETWEEN 100 AND 250;
SQL

# All in one session, one after another, as a user might run them.
my ($script, @case) = ('');
foreach my $i (1 .. $queries)
{
	my $query = random_query();
	my $set = 'SET ssdpar.subqueries = ' . one_of(0, 1, 2, 3, 5, 8, 16, 33)
	  . '; SET ssdpar.partition = ' . one_of('auto', 'dimension', 'fact')
	  . '; ' . one_of(@planner);
	push @case, "$set $query";
	$script .= "SET ssdpar.enabled = off;\n" . digest($query)
	  . "SET ssdpar.enabled = on; $set\n" . digest($query) . "RESET ALL;\n"
	  . "SET client_min_messages = warning;\n";
}
my @row = split /\n/, $node->safe_psql('postgres', $script);
is(scalar @row, 2 * $queries, 'every query ran both ways');

my @different = grep { $row[ 2 * $_ ] ne $row[ 2 * $_ + 1 ] } 0 .. $queries - 1;
is(scalar @different, 0, "no rows differ (seed $seed)");
diag($case[$_]) foreach @different;

# The comparison is meaningful only if there are rows.
my $empty = grep { $row[ 2 * $_ ] =~ /^ 0$/ } 0 .. $queries - 1;
cmp_ok($empty, '<', $queries / 2, 'most queries have rows');

$node->stop;
done_testing();
