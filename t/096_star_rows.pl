# 096_star_rows.pl
#	Row counts of random star queries, with calendars longer than the fact,
#	NULL and skewed keys and all kinds of filters: for star scans that
#	replace joins and for joins with the fact, they are within a factor of
#	two of the truth in 95 % of the queries.
#
# Runs test/query_fuzz/star_rows.py: once with whole dimensions sampled, once
# with keys looked up by their indexes.  SSDPAR_SEED=N runs another seed,
# SSDPAR_QUERIES=N runs N queries.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SSDPAR_SEED} // 1;
my $queries = $ENV{SSDPAR_QUERIES} // ($ENV{SSDPAR_LONG} ? 2000 : 500);

my $node = PostgreSQL::Test::Cluster->new('star_rows');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
autovacuum = off
CONF
$node->start;

my $user = $node->safe_psql('postgres', 'SELECT current_user');

# Runs this number of queries and prints their counts.
sub star_rows
{
	my ($count, @options) = @_;
	my $out = '';

	IPC::Run::run(
		[
			'python3', 'test/query_fuzz/star_rows.py',
			'--socket', $node->host, '--port', $node->port, '--user', $user,
			'--seed', $seed, '--queries', $count, '--least-share', 0,
			'--show', 5, @options
		],
		'>&', \$out);
	note($out);
	return $out =~ /^ssdpar .*: (\d+) queries, ([\d.]+) % within/m;
}

my ($ran, $share) = star_rows($queries);
cmp_ok($ran // 0, '>=', $queries * 0.9, 'queries have joins with the fact');
cmp_ok($share // 0, '>=', 95,
	"rows are within a factor of two where dimensions are read (seed $seed)");

($ran, $share) = star_rows(
	int($queries / 5),
	'--set', 'seq_page_cost = 10000',
	'--set', 'random_page_cost = 0');
cmp_ok($ran // 0, '>=', $queries / 6, 'queries have joins with the fact');
cmp_ok($share // 0, '>=', 90,
	"rows are within a factor of two where keys are asked for (seed $seed)");

$node->stop;
done_testing();
