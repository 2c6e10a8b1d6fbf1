# 026_memory.pl
#	A session that runs star queries again and again does not grow.
#
# One session executes a star query many times: as text with different
# constants and prepared, by bitmap and sequentially, split, in parallel, ended
# by LIMIT, and with errors in between.  Its memory contexts, open files and
# mapped shared memory must be the same in the middle of the run and at its
# end.  The start does not count, because caches fill.
#
# SSDPAR_LONG=1 executes 10,000 queries of each kind instead of 200, and a
# fifth of that if they start processes.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

my $times = $ENV{SSDPAR_LONG} ? 10000 : 200;

my $node = PostgreSQL::Test::Cluster->new('memory');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.cost_model_min_size = 0
ssdpar.prefetch_min_size = 0
ssdpar.residency = cold
ssdpar.index_join = off
autovacuum = off
max_worker_processes = 16
jit = off
CONF
$node->start;

# Random reads take 100 us, and 16 of them run concurrently.
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE fact AS
  SELECT i % 1000 AS a, i % 500 AS b, i AS v FROM generate_series(1, 20000) i;
CREATE TABLE one AS SELECT i AS a, i % 50 AS kind FROM generate_series(0, 999) i;
CREATE TABLE other AS SELECT i AS b, i % 20 AS kind
  FROM generate_series(0, 499) i;
CREATE INDEX ON fact (a);
CREATE INDEX ON fact (b);
ALTER TABLE one ADD PRIMARY KEY (a);
ALTER TABLE other ADD PRIMARY KEY (b);
VACUUM ANALYZE;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096);
SQL

my $from = 'FROM fact JOIN one USING (a) JOIN other USING (b) WHERE one.kind =';

sub text
{
	my ($i) = @_;
	return "SELECT count(*), sum(v) $from " . ($i % 50)
	  . ' AND other.kind = ' . ($i % 20) . ';';
}
sub prepared { my ($i) = @_; return 'EXECUTE star (' . ($i % 50) . ');' }

my $parallel = 'SET max_parallel_workers_per_gather = 2; '
  . 'SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; '
  . 'SET parallel_tuple_cost = 0;';
my @kinds = (
	[ 'text', '', \&text ],
	[ 'bitmap', 'SET ssdpar.star_access = bitmap;', \&text ],
	[ 'sequential', 'SET ssdpar.star_access = sequential;', \&text ],
	[ 'prepared', 'SET plan_cache_mode = force_custom_plan;', \&prepared ],
	[ 'prepared once', 'SET plan_cache_mode = force_generic_plan;',
		\&prepared ],
	[ 'limit', 'SET ssdpar.star_access = bitmap;', sub {
		return "SELECT v $from " . ($_[0] % 50) . ' LIMIT 2;' } ],
	[ 'error', '', sub {
		return "SELECT sum(1 / (v - v)) $from " . ($_[0] % 50) . ';' } ],
	[ 'parallel', $parallel, \&text, 5 ],
	[ 'split', "SET ssdpar.subqueries = 3; $parallel", \&text, 5 ]);

# The session's resources, line by line.  A context's total grows in steps,
# which may hide slow growth; its used part fluctuates, and in the last one
# also because of statistics that wait to be sent.
my $snapshot = <<'SQL';
SELECT 'size of ' || name, sum(total_bytes), 0 FROM pg_backend_memory_contexts
 GROUP BY name ORDER BY name;
SELECT 'used of ' || name, sum(used_bytes), 8 FROM pg_backend_memory_contexts
 WHERE name <> 'PgStat Pending' GROUP BY name ORDER BY name;
SELECT 'files', count(*), 0 FROM pg_ls_dir('/proc/self/fd');
SELECT 'shared memory', count(*), 0
  FROM regexp_split_to_table(pg_read_file('/proc/self/maps'), '\n') line
 WHERE line ~ '/dev/shm/';
SQL

# The lines of a snapshot: name, amount, and growth allowed per execution.
sub held
{
	my ($text) = @_;
	return map { /^(.*)\|(\d+)\|(\d+)$/ ? ($1 => [ $2, $3 ]) : () }
	  split /\n/, $text // '';
}

sub run
{
	my ($kind) = @_;
	my ($name, $settings, $query, $fewer) = @$kind;
	my $half = int($times / 2 / ($fewer // 1));
	my $script = "$settings\n" . "PREPARE star (int) AS SELECT count(*), "
	  . "sum(v) $from \$1;\n\\o /dev/null\n";
	my $at = 0;

	# Twice before the middle, because the first snapshot itself fills caches.
	foreach my $part (1, 1, 2)
	{
		$script .= $query->($at++) . "\n" foreach 1 .. $half * $part / 2;
		$script .= "\\o\n\\echo ---\n$snapshot\\o /dev/null\n";
	}
	my ($rc, $out, $err) = $node->psql('postgres', $script,
		on_error_stop => 0);
	$err =~ s/^.*ERROR:  division by zero\n?//mg if $name eq 'error';
	is($err, '', "$name: $at executions without a complaint");

	my (undef, undef, $middle, $end) = split /^---$/m, $out;
	my %held = held($middle);
	my %then = held($end);
	cmp_ok(scalar keys %held, '>', 20, "$name: there is something to see");
	my @grown = grep {
		my ($amount, $allowed) = @{ $then{$_} };
		$amount > ($held{$_} ? $held{$_}[0] : 0) + $allowed * $half;
	} sort keys %then;
	is(scalar @grown, 0, "$name: nothing has grown");
	diag("$_: " . ($held{$_} ? $held{$_}[0] : 0) . " to $then{$_}[0]")
	  foreach @grown;
	return;
}

# This is meaningful only if star scans run.
like($node->safe_psql('postgres', 'EXPLAIN ' . text(3)),
	qr/SsdparStarScan/, 'the query is run by a star scan');
run($_) foreach @kinds;

$node->stop;

# If keys turn out to be on most pages, the pages are not listed.  Half of the
# rows have one of them, but the planner does not know.  A separate server
# counts the executions of that code.
SKIP:
{
	skip 'valgrind is not there', 4
	  if system('valgrind --version >/dev/null 2>&1') != 0;
	my $counted = counted_node('pages');

	$counted->append_conf('postgresql.conf', <<'CONF');
max_parallel_workers_per_gather = 0
default_transaction_isolation = serializable
ssdpar.residency = cold
ssdpar.index_join = off
CONF
	$counted->start;
	$counted->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE dim AS SELECT i AS k, i % 500 AS v FROM generate_series(0, 999) i;
CREATE UNIQUE INDEX ON dim (k);
CREATE TABLE fact AS
  SELECT CASE WHEN i % 2 = 0 THEN 7 ELSE i % 1000 END AS k, i AS v,
    repeat('x', 500) AS pad FROM generate_series(1, 20000) i;
CREATE INDEX ON fact (k);
VACUUM ANALYZE;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096);
SQL
	my $query =
	  'SELECT count(*), sum(f.v) FROM fact f, dim d WHERE f.k = d.k AND d.v =';
	my $explain = 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)';
	my ($few, $many) = map { $counted->safe_psql('postgres', "$explain $query $_") }
	  9, 7;

	like($few, qr/Access: bitmap/, 'few pages are read by bitmap');
	like($many, qr/too many pages.*index rows=10040/s, 'many are not');
	$counted->stop;
	start_counting($counted, 'ssdpar_tid_pages_build');
	my ($of_few, $of_many) = count_instructions($counted,
		[ "$query 9;", "$query 9;" ], [ "$query 7;", "$query 7;" ]);
	stop_counting($counted);
	cmp_ok($of_few, '>', 0, 'a list of few pages');
	is($of_many, 0, 'none of many');
}
done_testing();
