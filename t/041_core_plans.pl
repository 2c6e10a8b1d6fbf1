# 041_core_plans.pl
#	A plan of core's own takes no more instructions with the library loaded
#	than without it: at most 0.5 % more, for plans of every kind.
#
# Counted, not timed: callgrind counts what a server in single-user mode
# executes from the start to the end of a query, the second time that it runs,
# when all that it needs is in shared buffers.  All tables are large enough to
# be tracked here, as small as they are, and their device has a profile, so
# whatever ssdpar does to a running plan of core's it does to these.
#
# Without valgrind, or with a server that checks assertions (ours walk lists),
# there is nothing to count.

use strict;
use warnings;

use FindBin;
use IPC::Run qw(run);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant MOST => 0.5;		# percent

my %plans = (
	'aggregate of a sequential scan' => 'SELECT sum(v) FROM wide',
	'filter' => 'SELECT count(*) FROM wide WHERE v < 30 AND g <> 7',
	'rows of a filter' => 'SELECT k, v FROM wide WHERE v = 3',
	'sort' => 'SELECT k FROM wide ORDER BY v, k DESC OFFSET 19000',
	'hashed groups' => 'SELECT g, sum(v) FROM wide GROUP BY g',
	'sorted groups' =>
	  'SELECT k / 10, count(*) FROM wide GROUP BY k / 10 ORDER BY 1 OFFSET 1990',
	'hash join' => 'SELECT sum(w.v) FROM wide w JOIN small s ON w.g = s.g',
	'merge join' =>
	  'SELECT sum(a.v) FROM wide a JOIN wide b ON a.k = b.k WHERE a.k < 6000',
	'lookups of a nested loop' =>
	  'SELECT sum(w.v) FROM small s JOIN wide w ON w.g = s.g WHERE s.g < 60',
	'lookups by a unique key' =>
	  'SELECT sum(w.v) FROM small s JOIN wide w ON w.k = s.g * 7',
	'index scan' => 'SELECT sum(v) FROM (SELECT v FROM wide WHERE k < 9000 ORDER BY k) x',
	'index scan backward' =>
	  'SELECT sum(v) FROM (SELECT v FROM wide WHERE k < 9000 ORDER BY k DESC) x',
	'index scan with a filter' =>
	  'SELECT count(*) FROM (SELECT k FROM wide WHERE k < 9000 AND v < 50 ORDER BY k) x',
	'index-only scan' => 'SELECT count(g) FROM wide WHERE g < 150',
	'bitmap heap scan' => 'SELECT sum(v) FROM wide WHERE g < 150',
	'bitmaps combined' => 'SELECT sum(v) FROM wide WHERE g < 100 OR k < 6000',
	'limit' => 'SELECT k FROM wide LIMIT 5000 OFFSET 4000',
	'partitions' => 'SELECT sum(v) FROM parts',
	'window' => 'SELECT max(r) FROM (SELECT rank() OVER (PARTITION BY g ORDER BY v) r FROM wide) x',
	'set operation' => 'SELECT g FROM wide EXCEPT SELECT g FROM small',
	'subplan' => 'SELECT count(*) FROM small s WHERE g > (SELECT avg(v) FROM wide w WHERE w.k < s.g)',
	'recursion' => 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3000) SELECT sum(n) FROM r',
	'rows of a function' => 'SELECT sum(i) FROM generate_series(1, 9000) i',
	'rows by their addresses' =>
	  q{SELECT sum(v) FROM wide WHERE ctid >= '(20,1)' AND ctid < '(200,1)'},
	'processes of a parallel scan' => 'SELECT sum(v) FROM wide',
);

# What makes the planner take the plan that is meant.
my %settings = (
	'merge join' => 'enable_hashjoin enable_nestloop',
	'lookups of a nested loop' =>
	  'enable_hashjoin enable_mergejoin enable_bitmapscan enable_seqscan',
	'lookups by a unique key' =>
	  'enable_hashjoin enable_mergejoin enable_bitmapscan enable_seqscan',
	'index scan' => 'enable_seqscan enable_bitmapscan enable_sort',
	'index scan backward' => 'enable_seqscan enable_bitmapscan enable_sort',
	'index scan with a filter' => 'enable_seqscan enable_bitmapscan enable_sort',
	'index-only scan' => 'enable_seqscan enable_bitmapscan',
	'bitmap heap scan' => 'enable_seqscan enable_indexscan',
	'bitmaps combined' => 'enable_seqscan enable_indexscan',
	'sorted groups' => 'enable_hashagg',
);

my $node = PostgreSQL::Test::Cluster->new('core_plans');

$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
autovacuum = off
fsync = off
jit = off
shared_buffers = 64MB
max_parallel_workers_per_gather = 0
CONF
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ssdpar'");
$node->append_conf('postgresql.conf', 'ssdpar.daemon_autostart = off');
$node->start;
plan skip_all => 'assertions are checked'
  if $node->safe_psql('postgres', 'SHOW debug_assertions') eq 'on' &&
  !$ENV{SSDPAR_COUNT_ANYWAY};
plan skip_all => 'there is no valgrind' if system('which valgrind >/dev/null') != 0;

$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
$node->psql('postgres', undef, extra_params => ['-f', "$FindBin::Bin/../test/invent_device.sql"]);
$node->safe_psql('postgres', <<'SQL');
SELECT invent_device('depth * 10000', 128);
CREATE TABLE wide AS SELECT i AS k, i % 200 AS g, i * 7 % 100 AS v, repeat('x', 500) AS filler
  FROM generate_series(1, 20000) i;
CREATE UNIQUE INDEX ON wide (k);
CREATE INDEX ON wide (g);
CREATE TABLE small AS SELECT i AS g FROM generate_series(1, 300) i;
CREATE TABLE parts (k int, v int) PARTITION BY RANGE (k);
SELECT format('CREATE TABLE part%s PARTITION OF parts FOR VALUES FROM (%s) TO (%s)', i, i * 1000, i * 1000 + 1000)
  FROM generate_series(0, 19) i \gexec
INSERT INTO parts SELECT k - 1, v FROM wide;
VACUUM (FREEZE, ANALYZE);
SQL
$node->stop;

# One query's settings, as lines of a single user.
sub settings_of
{
	my ($name) = @_;
	my @off = split ' ', $settings{$name} // '';
	my $lines = "RESET ALL\n" . join('', map { "SET $_ = off\n" } @off);

	$lines .= "SET max_parallel_workers_per_gather = 2\nSET parallel_setup_cost = 0\n" .
	  "SET parallel_tuple_cost = 0\nSET min_parallel_table_scan_size = 0\n"
	  if $name eq 'processes of a parallel scan';
	return $lines;
}

# What the queries print in a single-user server, and the instructions of each.
sub count
{
	my ($library) = @_;
	my $dumps = PostgreSQL::Test::Utils::tempdir;
	my $mark = "UNLISTEN mark\n";
	my @names = sort keys %plans;
	my $input = '';
	my %result;

	foreach my $name (@names)
	{
		$input .= settings_of($name) . "EXPLAIN (COSTS OFF) $plans{$name}\n" .
		  "$plans{$name}\n" . $mark . "$plans{$name}\n" . $mark;
	}
	my @options = $library ? (
		'-c', 'shared_preload_libraries=ssdpar',
		'-c', 'ssdpar.prefetch_min_size=8MB',
		'-c', 'ssdpar.cost_model=off', '-c', 'ssdpar.star_scan=off',
		'-c', 'ssdpar.subqueries=1') :
	  ('-c', 'shared_preload_libraries=');
	my $output;
	my $errors;
	run [ 'valgrind', '--tool=callgrind', '-q', '--collect-atstart=no',
		(map { "--toggle-collect=Executor$_" } qw(Start Run End)),
		'--dump-before=Async_Unlisten', "--callgrind-out-file=$dumps/out",
		$node->config_data('--bindir') . '/postgres',
		'--single', '-D', $node->data_dir, @options, 'postgres' ],
	  '<', \$input, '>', \$output, '2>', \$errors
	  or die "valgrind: $errors";
	$result{text} = join "\n", grep { !/^backend>|^PostgreSQL/ } split /\n/, $output;

	# a dump at each mark: before the first, then what is counted, in turns
	my @parts = sort { ($a =~ /(\d+)$/)[0] <=> ($b =~ /(\d+)$/)[0] }
	  glob("$dumps/out.*");
	my @counted = @parts[ map { 2 * $_ + 1 } 0 .. $#names ];
	foreach my $name (@names)
	{
		my $part = slurp_file(shift @counted);

		($result{$name}) = $part =~ /^(?:summary|totals): (\d+)/m;
		die "no count of $name" unless $result{$name};
	}
	return \%result;
}

my $without = count(0);
my $with = count(1);

is($with->{text}, $without->{text}, 'plans and rows are the same');
foreach my $name (sort keys %plans)
{
	my $more = 100 * ($with->{$name} / $without->{$name} - 1);

	cmp_ok($more, '<=', MOST, sprintf('%s: %+.2f %% of %d instructions', $name, $more, $without->{$name}));
}

done_testing();
