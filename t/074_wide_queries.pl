# 074_wide_queries.pl
#	The random queries of ./run trust (fuzz.py --wide): a good share of
#	their plans has a node of ssdpar, and each node occurs with each access
#	method.
#
# Comparisons find errors in what the queries execute.  Here plans are only
# counted, which takes no time; 028_query_fuzz.pl compares.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('wide');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
max_worker_processes = 24
max_parallel_workers = 20
autovacuum = off
CONF
$node->start;

my $user = $node->safe_psql('postgres', 'SELECT current_user');

# Counts the nodes in the plans of this number of queries.
sub plans
{
	my (@options) = @_;
	my $out = '';

	IPC::Run::run(
		[
			'python3', 'test/query_fuzz/fuzz.py', '--plans', '--wide',
			'--socket', $node->host, '--port', $node->port, '--user', $user,
			@options
		],
		'>&', \$out);
	note($out);
	my ($line) = $out =~ /^plans: (.*)$/m;
	return ($line // '') =~ /(\w[\w :]*?) (\d+)(?:, |$)/g;
}

my %stars = plans('--seed', 5, '--queries', 1000, '--schema-queries', 50);
cmp_ok($stars{'plans'} // 0, '>', 900, 'queries have plans');
cmp_ok($stars{'Ssdpar'}, '>', 0.35 * $stars{'plans'},
	'many have a node of ssdpar\'s');
foreach my $access ('by bitmap', 'sequentially')
{
	cmp_ok($stars{$access}, '>', 0.08 * $stars{'plans'}, $access);
}
foreach my $part ('by workers', 'of array keys', 'joined', 'SsdparStarKeys',
	'SsdparShardKeys', 'SsdparPartition', 'SsdparIndexJoin', 'Rows Measured')
{
	cmp_ok($stars{$part}, '>', 0, $part);
}

my %joins = plans('--queries', 300, '--joins', '--index-joins');
cmp_ok($joins{'SsdparIndexJoin'},
	'>', 0.02 * $joins{'plans'}, 'index joins where joins are asked for');

$node->stop;
done_testing();
