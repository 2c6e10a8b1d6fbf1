# 061_citus.pl
#	Random star queries on a distributed table of Citus: rows are the same
#	with ssdpar on every node, with ssdpar off, and from a plain table.
#	Distributed tables with partitions and columnar ones are planned with a
#	device profile.  Also both orders of preloading, settings passed to the
#	workers, and a worker that restarts.
#
# A coordinator and two workers on this machine; dimensions are reference
# tables. Citus is not in Debian, so the test is skipped without it.
#
# SSDPAR_LONG=1 runs 5,000 queries instead of 300, SSDPAR_QUERIES=N runs N;
# SSDPAR_SEED=N repeats a run.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SSDPAR_SEED} // 1;
my $queries = $ENV{SSDPAR_QUERIES} // ($ENV{SSDPAR_LONG} ? 5000 : 300);
srand($seed);
note("SSDPAR_SEED=$seed SSDPAR_QUERIES=$queries");

sub one_of { return $_[ rand @_ ] }
sub number { my ($low, $high) = @_; return $low + int rand($high - $low + 1) }
sub maybe { return rand() < $_[0] }

# ----- the cluster -----

my $front = PostgreSQL::Test::Cluster->new('front');
plan skip_all => 'Citus is not installed'
  unless -e $front->config_data('--sharedir') . '/extension/citus.control';
my @worker = map { PostgreSQL::Test::Cluster->new("worker_$_") } 1 .. 2;

foreach my $node ($front, @worker)
{
	$node->init;
	$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'citus,ssdpar'
citus.node_conninfo = 'sslmode=disable'
max_prepared_transactions = 50
autovacuum = off
client_min_messages = warning
jit = off
CONF
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION citus');
}
$front->safe_psql('postgres', sprintf(
	"SELECT citus_set_coordinator_host('%s', %d)", $front->host, $front->port));
$front->safe_psql('postgres', sprintf(
	"SELECT citus_add_node('%s', %d)", $_->host, $_->port)) foreach @worker;
$front->safe_psql('postgres', 'CREATE EXTENSION ssdpar');

sub on_all_nodes
{
	my ($sql) = @_;
	return $front->safe_psql('postgres',
		"SELECT DISTINCT result FROM run_command_on_all_nodes(\$x\$$sql\$x\$)");
}

is(on_all_nodes("SELECT count(*) FROM pg_extension WHERE extname = 'ssdpar'"),
	1, 'the extension is made on every node');

# ----- tables -----

# Keys have NULLs, values that are in no dimension, and duplicates.
$front->safe_psql('postgres', <<'SQL');
CREATE TABLE day (d_key int PRIMARY KEY, d_year int, d_month int);
CREATE TABLE item (i_key bigint PRIMARY KEY, i_kind int, i_name text);
CREATE TABLE shop (s_key int2, s_region int, s_name text);
SELECT create_reference_table(t) FROM unnest('{day,item,shop}'::regclass[]) t;
INSERT INTO day SELECT i, 2000 + i / 365, i / 30 % 12 FROM generate_series(1, 2500) i;
INSERT INTO item SELECT i, nullif(i % 40, 9), 'item ' || i FROM generate_series(1, 3000) i;
INSERT INTO shop SELECT i / 2, nullif(i % 13, 5), 'shop ' || i FROM generate_series(1, 200) i;
CREATE TABLE plain_sales (id bigint, d int, i bigint, s int2, amount int, note text);
INSERT INTO plain_sales SELECT n, nullif(n * 7 % 2700, 11), nullif(n * 31 % 3200, 8),
    nullif(n * 13 % 105, 4), n % 1000, repeat('x', (n % 90)::int)
  FROM generate_series(1, 60000::bigint) n;
CREATE TABLE sales (LIKE plain_sales);
SELECT create_distributed_table('sales', 'id', shard_count => 4);
INSERT INTO sales SELECT * FROM plain_sales;
CREATE INDEX ON sales (d);
CREATE INDEX ON sales (i);
CREATE INDEX ON sales (s);
ANALYZE;
SQL

# ----- queries -----

my %dimension = (
	day => { join => 'f.d = d_key', by => [qw(d_year d_month)] },
	item => { join => 'f.i = i_key', by => [qw(i_kind)] },
	shop => { join => 'f.s = s_key', by => [qw(s_region)] });

sub filter
{
	my ($by) = @_;
	my $low = $by eq 'd_year' ? 2000 + number(0, 6) : number(0, 12);
	return one_of("$by = $low", "$by < $low",
		"$by BETWEEN $low AND " . ($low + 2), "$by IN ($low, " . ($low + 3) . ')',
		"$by IS NULL", 'true');
}

# FROM and WHERE of a query; its groups.
sub random_tail
{
	my ($from, @where, @group) = ('SALES f');

	foreach my $name (sort { rand() <=> 0.5 } sort keys %dimension)
	{
		my ($join, $by) = ($dimension{$name}{join}, one_of(@{ $dimension{$name}{by} }));
		my $filter = filter($by);
		my $way = one_of(('inner') x 6, 'exists', 'in', 'left', 'anti', 'none', 'none');
		next if $way eq 'none';
		if ($way eq 'inner')
		{
			$from .= " JOIN $name ON $join";
			push @where, $filter;
			push @group, $by if maybe(0.4);
		}
		elsif ($way eq 'left')
		{
			$from .= " LEFT JOIN $name ON $join AND $filter";
			push @group, $by if maybe(0.5);
		}
		elsif ($way eq 'in')
		{
			my ($left, $right) = split / = /, $join;
			push @where, "$left IN (SELECT $right FROM $name WHERE $filter)";
		}
		else
		{
			push @where, ($way eq 'anti' ? 'NOT ' : '')
			  . "EXISTS (SELECT FROM $name WHERE $join AND $filter)";
		}
	}
	push @where, 'f.amount < ' . number(10, 1000) if maybe(0.3);
	return ($from . (@where ? ' WHERE ' . join(' AND ', @where) : ''), @group);
}

sub random_query
{
	my ($tail, @group) = random_tail();
	my $shape = one_of(('groups') x 4, 'rows', 'limit', 'with', 'union');

	return "SELECT f.id, f.amount FROM $tail" if $shape eq 'rows';
	return "SELECT f.id FROM $tail ORDER BY 1 LIMIT " . number(1, 20)
	  if $shape eq 'limit';
	return "WITH c AS MATERIALIZED (SELECT f.id, f.s FROM $tail) "
	  . 'SELECT count(*), sum(c.id) FROM c JOIN shop ON s_key = c.s'
	  if $shape eq 'with';
	return "SELECT f.id FROM $tail UNION ALL SELECT f.id FROM "
	  . (random_tail())[0]
	  if $shape eq 'union';
	return 'SELECT ' . join(', ', @group, 'count(*)', 'sum(f.amount)',
		'count(DISTINCT f.s)') . " FROM $tail"
	  . (@group ? ' GROUP BY ' . join(', ', @group) : '');
}

sub random_settings
{
	return join '; ',
	  'SET LOCAL ssdpar.star_access = ' . one_of('auto', 'bitmap', 'sequential'),
	  'SET LOCAL max_parallel_workers_per_gather = ' . one_of(0, 2),
	  'SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0',
	  'SET LOCAL min_parallel_table_scan_size = ' . one_of(0, "'8MB'"),
	  one_of(('') x 4, 'SET LOCAL enable_hashjoin = off',
		'SET LOCAL enable_nestloop = off', "SET LOCAL work_mem = '64kB'"), '';
}

# SQL that prints one line which depends on every row of query, and, with
# explained, its plan.
sub digest
{
	my ($query, $table, $enabled, $set, $explained) = @_;
	$query =~ s/SALES/$table/g;
	return "BEGIN; SET LOCAL citus.propagate_set_commands = 'local';\n"
	  . "SET LOCAL ssdpar.enabled = $enabled; $set\n"
	  . "SELECT concat(md5(string_agg(r::text, '|' ORDER BY r::text)), ' ', "
	  . "count(*)) FROM ($query) r;\n"
	  . ($explained ? "EXPLAIN (COSTS OFF) $query;\n" : '') . "COMMIT;\n";
}

my ($script, @case) = ('');
foreach (1 .. $queries)
{
	my ($query, $set) = (random_query(), random_settings());
	push @case, "$set $query";
	$script .= digest($query, 'plain_sales', 'off', '')
	  . digest($query, 'sales', 'off', '')
	  . digest($query, 'sales', 'on', $set, 1) . "\\echo end\n";
}
my ($rc, $out, $err) = $front->psql('postgres', $script, on_error_stop => 0);
is($err, '', 'no error');
my @answer = split /^end\n?/m, $out;
is(scalar @answer, $queries, 'every query ran');
my ($different, $with_rows, $star_scans) = (0, 0, 0);
foreach my $number (0 .. $#answer)
{
	my ($plain, $off, $on) = split /\n/, $answer[$number];
	$with_rows++ if $plain !~ / 0$/;
	$star_scans++ if $answer[$number] =~ /SsdparStarScan/;
	next if $plain eq $off && $off eq $on;
	$different++;
	diag("$case[$number]\n  plain $plain, off $off, on $on");
}
is($different, 0, "no rows differ (seed $seed)");
cmp_ok($with_rows, '>', $queries / 3, 'a good share have rows');
cmp_ok($star_scans, '>', $queries / 4, 'and star scans on the workers');
note("$queries queries, $with_rows have rows, $star_scans star scans");

# ----- settings, plans -----

my $star = <<'SQL';
SELECT d_year, count(*) FROM sales JOIN day ON d = d_key JOIN item ON i = i_key
  WHERE d_month = 3 AND i_kind = 7 GROUP BY 1 ORDER BY 1
SQL

sub shards_plans
{
	my ($set) = @_;
	return $front->safe_psql('postgres', <<"SQL");
SET citus.explain_all_tasks = on;
BEGIN; SET LOCAL citus.propagate_set_commands = 'local'; $set
EXPLAIN (COSTS OFF) $star;
COMMIT;
SQL
}
my $plans = shards_plans('SET LOCAL ssdpar.star_access = bitmap;');
is(scalar(() = $plans =~ /SsdparStarScan/g), 4,
	'SET LOCAL reaches the workers: each shard has a star scan');
unlike(shards_plans('SET LOCAL ssdpar.star_access = bitmap; '
	  . 'SET LOCAL ssdpar.star_scan = off;'), qr/Ssdpar/, 'and none is made');
# since Citus 13, also those of a database
my $major = $front->safe_psql('postgres',
	"SELECT split_part(extversion, '.', 1) FROM pg_extension WHERE extname = 'citus'");
my $owner = $front->safe_psql('postgres', 'SELECT current_user');
foreach my $of ("ROLE $owner", $major >= 13 ? 'DATABASE postgres' : ())
{
	$front->safe_psql('postgres', "ALTER $of SET ssdpar.star_scan = off");
	is(on_all_nodes("SELECT count(*) FROM pg_db_role_setting WHERE "
		  . "'ssdpar.star_scan=off' = ANY (setconfig)"),
		1, "a setting of the $of is on every node");
	$front->safe_psql('postgres', "ALTER $of RESET ssdpar.star_scan");
}

# ----- partitions, columnar tables -----

# The coordinator plans a distributed partitioned table as one without
# partitions; it has neither a file nor rows and, once analyzed, the greatest
# possible number of pages.  Columnar tables have no parallel scans, and their
# row addresses are not positions on pages.
$front->safe_psql('postgres', '\i test/invent_device.sql');
on_all_nodes("SELECT invent_device('depth * 81920000.0 / size', 4096)");
$front->safe_psql('postgres', <<'SQL');
CREATE EXTENSION IF NOT EXISTS citus_columnar;
CREATE TABLE parts (LIKE plain_sales) PARTITION BY RANGE (amount);
CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (500);
CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (500) TO (1000);
SELECT create_distributed_table('parts', 'id', colocate_with => 'sales');
INSERT INTO parts SELECT * FROM plain_sales;
CREATE INDEX ON parts (d);
CREATE TABLE columns (LIKE plain_sales) USING columnar;
SELECT create_distributed_table('columns', 'id', colocate_with => 'sales');
INSERT INTO columns SELECT * FROM plain_sales;
CREATE INDEX ON columns (d);
ANALYZE parts, columns;
SQL
foreach my $table ('parts', 'columns')
{
	foreach my $set ('', 'SET LOCAL ssdpar.star_access = bitmap;',
		'SET LOCAL ssdpar.subqueries = 3; SET LOCAL ssdpar.partition = fact;',
		'SET LOCAL ssdpar.cost_model_min_size = 0;',
		'SET LOCAL ssdpar.cost_model_min_size = 0; '
		  . 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;')
	{
		my ($plain, $off, $on, @plan) = split /\n/, $front->safe_psql('postgres',
			join '', map { digest('SELECT d_year, count(*) FROM SALES JOIN day '
				  . 'ON d = d_key WHERE d_month = 3 GROUP BY 1', @$_) }
			  [ 'plain_sales', 'off', '' ], [ $table, 'off', '' ],
			[ $table, 'on', $set, 1 ]);
		is("$off $on", "$plain $plain", "$table: the same rows. $set");
		unlike("@plan", qr/Ssdpar/, 'no scan of columns') if $table eq 'columns';
	}
}

# ----- savepoints -----

# Planning looks at a dimension while Citus copies rows to workers: no savepoint may
# go along with them, nor with what is planned in a transaction that has reached them.
$front->safe_psql('postgres', <<'SQL');
CREATE TABLE plain_day (LIKE day INCLUDING INDEXES);
INSERT INTO plain_day SELECT * FROM day;
VACUUM ANALYZE plain_day;
CREATE FUNCTION sales_before(n bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE answer bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM plain_sales f JOIN plain_day ON f.d = d_key '
    'WHERE d_month = %s AND f.amount < %s', n % 12, 100 + n) INTO answer;
  RETURN answer;
END $$;
SQL
my $looks = "SET LOCAL ssdpar.cost_model_min_size = 0; "
  . "SET LOCAL ssdpar.residency = cold;";
foreach my $enabled ('off', 'on')
{
	($rc, $out, $err) = $front->psql('postgres', <<"SQL", on_error_stop => 0);
BEGIN; SET LOCAL ssdpar.enabled = $enabled; $looks
SET LOCAL citus.log_remote_commands = on; SET LOCAL client_min_messages = notice;
INSERT INTO sales SELECT id, d, sales_before(id), s, amount, note
  FROM plain_sales WHERE id < 20;
SELECT count(*) FROM parts JOIN day ON d = d_key WHERE d_month = 3;
ROLLBACK;
SQL
	unlike($err, qr/ERROR|SAVEPOINT/,
		"rows of a function that plans are copied, ssdpar.enabled = $enabled");
}

# ----- a worker restarts; the other order of preloading -----

my $count = $front->safe_psql('postgres', $star);
$worker[0]->restart('immediate');
is($front->safe_psql('postgres', $star), $count,
	'a worker restarts, the next query is right');
$worker[1]->append_conf('postgresql.conf',
	"shared_preload_libraries = 'ssdpar,citus'\n");
$worker[1]->stop;
is($worker[1]->start(fail_ok => 1), 0, 'Citus refuses to be loaded second');
like(slurp_file($worker[1]->logfile), qr/Citus has to be loaded first/,
	'and says so');

$worker[0]->stop;
$front->stop;
done_testing();
