# 033_random_joins.pl
#	Random joins of two to six tables, of all types, with NULLs, duplicates
#	and changes in between: rows, errors and calls are the same with ssdpar
#	as without.
#
# Runs test/query_fuzz/fuzz.py --joins; 028_query_fuzz.pl tests stars.  Prints
# how many plans had which nodes; nodes that this build does not have count 0.
#
# Then half as many on tables whose statistics are stale, where index joins meet
# more outer rows than expected.
#
# The check runs 300 cases of a seed.  SSDPAR_LONG=1 runs 20,000 and
# SSDPAR_QUERIES=N runs N; SSDPAR_SEED=N runs others.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SSDPAR_SEED} // 1;
my $queries = $ENV{SSDPAR_QUERIES} // ($ENV{SSDPAR_LONG} ? 20_000 : 300);

my $node = PostgreSQL::Test::Cluster->new('joins');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
max_worker_processes = 24
max_parallel_workers = 20
autovacuum = off
restart_after_crash = on
CONF
$node->start;

my $user = $node->safe_psql('postgres', 'SELECT current_user');

# Runs this number of cases, prints the results, and returns the counts.
sub fuzz
{
	my ($count, @options) = @_;
	my $out = '';

	IPC::Run::run(
		[
			'python3', 'test/query_fuzz/fuzz.py', '--joins',
			'--socket', $node->host, '--port', $node->port, '--user', $user,
			'--seed', $seed, '--queries', $count, '--schema-queries', 50,
			'--findings', 3, @options
		],
		'>&', \$out);
	my ($ran, $found) = $out =~ /: (\d+) queries, (\d+) findings/;

	cmp_ok($ran // 0, '>=', $count, "the queries ran (@options)");
	is($found, 0, "nothing is found (seed $seed)") or diag($out);
	note($out);
	return $out;
}

my $out = fuzz($queries);
my ($ran) = $out =~ /: (\d+) queries/;

# The comparison is meaningful only if there were such joins, and rows.
my ($rows) = $out =~ /with rows (\d+)/;
my %nodes = $out =~ /([A-Z][A-Za-z ]+) (\d+)/g;
my ($plans) = $out =~ /plans: plans (\d+)/;
cmp_ok($rows // 0, '>', ($ran // 1) / 4, 'a good share have rows');
cmp_ok($plans // 0, '>', ($ran // 1) / 2, 'most have plans');
cmp_ok($nodes{'Nested Loop'} // 0,
	'>', ($plans // 1) / 4, 'nested loops are many');
cmp_ok($nodes{'Index Scan'} // 0,
	'>', ($plans // 1) / 4, 'and so are index scans');

my $stale = int($queries / 2);
$out = fuzz($stale, '--index-joins', '--stale', '--no-foreign', '--scale', 2);
my ($joins) = $out =~ /SsdparIndexJoin (\d+)/;
cmp_ok($joins // 0, '>', $stale / 50, 'some have index joins');

unlike(
	slurp_file($node->logfile),
	qr/TRAP:|PANIC|terminated by signal/,
	'no process of the server died');

$node->stop;
done_testing();
