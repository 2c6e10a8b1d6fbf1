# 028_query_fuzz.pl
#	Random queries on random tables: ssdpar causes no crash, no different
#	rows, no error and no call of a volatile function that core would not.
#
# Runs test/query_fuzz/fuzz.py, which generates queries, compares results, and
# prints how to reproduce what it finds.  012_star_rows.pl tests stars in
# depth, and concurrent writers.
#
# The check runs the first cases of a seed: 10,000, or as many as fit into
# three minutes (about six per second).  SSDPAR_LONG=1 runs 50,000 and
# SSDPAR_QUERIES=N runs N, without a time limit; SSDPAR_SEED=N runs others.
#
# runs: first

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SSDPAR_SEED} // 2;
my $wanted = $ENV{SSDPAR_QUERIES} // ($ENV{SSDPAR_LONG} ? 50_000 : undef);
my $queries = $wanted // 10_000;

my $node = PostgreSQL::Test::Cluster->new('fuzz');
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
my $out = '';
IPC::Run::run(
	[
		'python3', 'test/query_fuzz/fuzz.py',
		'--socket', $node->host, '--port', $node->port, '--user', $user,
		'--seed', $seed, '--queries', $queries, '--findings', 3,
		defined $wanted ? () : ('--seconds', 170)
	],
	'>&', \$out);
my ($ran, $found) = $out =~ /: (\d+) queries, (\d+) findings/;

$ran //= 0;
cmp_ok($ran, '>=', $wanted // 1000, "$ran queries ran");
is($found, 0, "nothing is found (seed $seed)") or diag($out);

# The comparison is meaningful only if ssdpar was used, and there were rows.
my ($rows) = $out =~ /with rows (\d+)/;
my ($plans, $stars, $subplans) =
  $out =~ /plans (\d+), .*SsdparStarScan (\d+),.* SubPlan (\d+)/;
cmp_ok($rows // 0, '>', $ran / 4, 'a good share have rows');
cmp_ok($stars // 0, '>', ($plans // 1) / 10, 'star scans took part');
cmp_ok($subplans // 0, '>', ($plans // 1) / 10, 'SubPlans took part');
unlike(
	slurp_file($node->logfile),
	qr/TRAP:|PANIC|terminated by signal/,
	'no process of the server died');
note($out);

$node->stop;
done_testing();
