# 001_plans.pl
#	With ssdpar.enabled = off, the plans of the Star Schema Benchmark's
#	queries are the same, to the last digit of a cost, as those of a server
#	without the library.
#
# One data directory is restarted, and nothing is analyzed in between.  Whether
# plans are good, and their results, are tested elsewhere.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $ssb = 'bench/ssb';

# Each of these leads the planner to other joins, scans or workers.
my %planner = (
	'as delivered' => '',
	'free parallelism' => 'SET parallel_setup_cost = 0;'
	  . 'SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;'
	  . 'SET min_parallel_index_scan_size = 0;'
	  . 'SET max_parallel_workers_per_gather = 4;',
	'free parallelism, no hash join' => 'SET parallel_setup_cost = 0;'
	  . 'SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;'
	  . 'SET min_parallel_index_scan_size = 0; SET enable_hashjoin = off;',
	'workers only' => 'SET parallel_setup_cost = 0;'
	  . 'SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;'
	  . 'SET parallel_leader_participation = off;',
	'no parallelism' => 'SET max_parallel_workers_per_gather = 0;',
	'no hash join' => 'SET enable_hashjoin = off;',
	'no nested loop' => 'SET enable_nestloop = off;',
	'merge join only' => 'SET enable_hashjoin = off;'
	  . 'SET enable_nestloop = off;',
	'no sequential scan' => 'SET enable_seqscan = off;',
	'no bitmap scan' => 'SET enable_bitmapscan = off;',
	'the usual advice for SSDs' => 'SET random_page_cost = 1.1;'
	  . 'SET effective_io_concurrency = 200; SET jit = off;',
	'little memory' => "SET work_mem = '64kB';",
	'order of joins as written' => 'SET join_collapse_limit = 1;'
	  . 'SET from_collapse_limit = 1;',
	'genetic optimizer' => 'SET geqo_threshold = 2;',
	'partitionwise' => 'SET enable_partitionwise_join = on;'
	  . 'SET enable_partitionwise_aggregate = on;',);

# Other settings must not matter either while ssdpar is off.
my @ssdpar_settings = (
	'',
	'SET ssdpar.subqueries = 8; SET ssdpar.partition = dimension;',
	'SET ssdpar.subqueries = 8; SET ssdpar.partition = fact;');

my %query;

sub read_queries
{
	foreach my $file (glob "$ssb/queries/*.sql")
	{
		my ($name) = $file =~ m{([^/]+)\.sql$};
		$query{$name} = slurp_file($file);
	}
}

sub load_benchmark
{
	my ($node) = @_;

	$node->safe_psql('postgres', slurp_file("$ssb/schema.sql"));
	local $ENV{PGAPPNAME} = 'ssbload';
	command_ok(
		[
			"$ssb/ssbload", '--scale', '0.01', '--seed', '1',
			$node->connstr('postgres') . ' user=' . $ENV{PGUSER}
		],
		'the benchmark loads');
	# safe_psql would run the file as one transaction, which VACUUM refuses.
	$node->command_ok(
		[
			'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1',
			'-f', "$ssb/indexes.sql", '-d', $node->connstr('postgres')
		],
		'its indexes are made');
}

# An invented device that is 32 times faster at depth.  Without a profile,
# ssdpar would have nothing to switch off.
sub invent_profile
{
	my ($node) = @_;

	$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
SELECT ssdpar.store_profile('pg_default', json_build_object(
    'format', 'ssdpar-probe', 'version', 1, 'engine_version', '1',
    'measured_at', '2026-01-01T00:00:00Z', 'file_size', 1073741824,
    'seconds', 1, 'device', json_build_object('identity', 'any device'),
    'points', json_agg(json_build_object('operation', 'read',
      'pattern', pattern, 'request_size', size, 'queue_depth', depth,
      'iops', iops, 'bytes_per_second', iops * size,
      'latency_p50', 1e6 * depth / iops, 'latency_p99', 2e6 * depth / iops,
      'spread', 0.01, 'passes', 3))))
    FROM unnest('{random,sequential}'::text[]) pattern,
         unnest('{8192,32768,131072,262144}'::int[]) size,
         unnest('{1,2,4,8,16,32,64}'::int[]) depth,
         LATERAL (SELECT least(depth, 32) * 1e7 / (size + 8192.0)) x (iops);
SQL
	is($node->safe_psql('postgres',
			"SELECT ssdpar.profile_problem('pg_default')"),
		'', 'there is a profile that the planner takes');
}

# The number of plans that differ.
sub differences
{
	my ($x, $y) = @_;

	return scalar grep { $x->{$_} ne $y->{$_} } keys %query;
}

# The plans of all queries in one session, by name.
sub explain_all
{
	my ($node, $set) = @_;
	my ($script, %plan) = ("$set\n");

	foreach my $name (sort keys %query)
	{
		$script .= "\\echo == $name\nEXPLAIN (COSTS on, VERBOSE)\n";
		$script .= "$query{$name}\n;\n";
	}
	my $output = $node->safe_psql('postgres', $script);
	foreach my $part (split /^== /m, $output)
	{
		my ($name, $text) = split /\n/, $part, 2;
		$plan{$name} = $text if defined $name && exists $query{$name};
	}
	return \%plan;
}

# That two servers agree is meaningful only if the plans differ among the
# settings; otherwise every setting would test the same.
sub check_variety
{
	my ($without) = @_;
	my %seen;

	foreach my $how (keys %planner)
	{
		my $all = join "\n", map { $without->{$how}{$_} } sort keys %query;
		$seen{$all} = 1;
	}
	cmp_ok(scalar keys %seen, '>=', 8, 'the settings give different plans');
	like(join("\n", values %{ $without->{'free parallelism'} }),
		qr/Gather/, 'some of them are parallel');
}

read_queries();
if (!%query)
{
	fail("there are queries in $ssb/queries");
	done_testing();
	exit;
}

# ssbload connects as this user; we are the cluster's superuser.
$ENV{PGUSER} //= getpwuid($<);

my $node = PostgreSQL::Test::Cluster->new('plans');
$node->init;
# Statistics must stay as they are.
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;
load_benchmark($node);
invent_profile($node);

my %without = map { $_ => explain_all($node, $planner{$_}) } keys %planner;
check_variety(\%without);

$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'ssdpar'\nssdpar.enabled = off\n");
$node->restart;
is($node->safe_psql('postgres', 'SHOW ssdpar.enabled'),
	'off', 'the library is loaded and off');

# Otherwise equal plans below would not show that "off" works.
my $on = 'SET ssdpar.enabled = on;';
cmp_ok(
	differences(
		$without{'as delivered'},
		explain_all($node, "$on SET ssdpar.subqueries = 8;")),
	'>', 5, 'switched on and told to split, ssdpar changes plans');
note 'on and left to itself, it changes '
  . differences($without{'as delivered'}, explain_all($node, $on));

foreach my $how (sort keys %planner)
{
	foreach my $settings (@ssdpar_settings)
	{
		my $with = explain_all($node, $settings . $planner{$how});

		foreach my $name (sort keys %query)
		{
			is($with->{$name}, $without{$how}{$name}, "$name, $how; $settings");
		}
	}
}

$node->stop;
done_testing();
