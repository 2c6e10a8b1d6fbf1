# 045_shard_rows.pl
#	Random queries on foreign tables return the same rows with keys of
#	local dimensions sent along as without.
#
# The fact is a foreign table of postgres_fdw, or has partitions some of which
# are; the remote server is this one, through another connection.  Keys have
# the three integer types, possibly different ones on both sides, with NULLs,
# duplicates, and values outside of the other type.  If there are too many for
# a list, one server gets a filter, the other a range.  Each query runs with
# ssdpar off, then on.  Finally, the remote server disappears during a query.
# Whether plans are good is not tested.
#
# SSDPAR_LONG=1 runs 5,000 queries instead of 400, SSDPAR_QUERIES=N runs N;
# SSDPAR_SEED=N repeats a run.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SSDPAR_SEED} // 1;
my $queries = $ENV{SSDPAR_QUERIES} // ($ENV{SSDPAR_LONG} ? 5000 : 400);
srand($seed);
note("SSDPAR_SEED=$seed SSDPAR_QUERIES=$queries");

sub one_of { return $_[ rand @_ ] }
sub number { my ($low, $high) = @_; return $low + int rand($high - $low + 1) }
sub maybe { return rand() < $_[0] }

# For each dimension: a key, and columns for filters.
my %dimension = (
	small => { key => 's_key', fact => [qw(f_a f_b f_c)], by => 's_v' },
	wide => { key => 'w_key', fact => [qw(f_a f_b f_c)], by => 'w_v' },
	twice => { key => 't_key', fact => [qw(f_b f_c)], by => 't_v' },
	part => { key => 'p_key', fact => [qw(f_a f_c)], by => 'p_v' });

sub filter
{
	my ($by) = @_;
	return one_of(
		"$by = " . number(0, 12), "$by < " . number(0, 10),
		"$by BETWEEN 2 AND " . number(1, 9), "$by IN (1, 4, " . number(0, 9) . ')',
		"$by IS NULL", 'true', 'false',
		"$by = (SELECT min(s_v) FROM small WHERE s_v > " . number(0, 8) . ')');
}

# One dimension's additions to FROM, WHERE and columns.
sub add_dimension
{
	my ($query, $name) = @_;
	my $d = $dimension{$name};
	my $join = 'f.' . one_of(@{ $d->{fact} }) . " = $d->{key}";
	my $filter = filter($d->{by});

	# a range of keys, which is sent if there are too many
	$filter .= " AND $d->{key} " . one_of('>', '<=') . ' ' . number(-20, 400)
	  if maybe(0.3);
	my $way = one_of(('inner') x 6, 'exists', 'in', 'anti', 'left', 'right',
		'full', 'subquery', 'below');

	if ($way eq 'inner' || $way eq 'below')
	{
		$query->{from} .= " JOIN $name ON $join";
		push @{ $query->{where} }, $filter;
		push @{ $query->{group} }, $d->{by} if maybe(0.4);
		$query->{from} .= " JOIN kind k_$name ON k_$name.k_key = $d->{by} "
		  . "AND k_$name.k_name < 'kind 5'"
		  if $way eq 'below';
	}
	elsif ($way eq 'in')
	{
		my ($left) = $join =~ /^(\S+)/;
		push @{ $query->{where} },
		  "$left IN (SELECT $d->{key} FROM $name WHERE $filter)";
	}
	elsif ($way eq 'exists' || $way eq 'anti')
	{
		push @{ $query->{where} }, ($way eq 'anti' ? 'NOT ' : '')
		  . "EXISTS (SELECT FROM $name WHERE $join AND $filter)";
	}
	elsif ($way eq 'subquery')
	{
		$query->{from} .= ' JOIN (SELECT ' . one_of('', 'DISTINCT ')
		  . "$d->{key} FROM $name WHERE $filter) $name ON $join";
	}
	elsif ($way eq 'full')
	{
		$query->{from} .= " FULL JOIN $name ON $join";
	}
	else
	{
		$query->{from} .= " \U$way\E JOIN $name ON $join AND $filter";
	}
	return;
}

sub random_tail
{
	my ($also) = @_;
	my %query = (where => [ $also // () ], group => []);
	my @names = sort keys %dimension;
	my %used;

	$query{from} = one_of('far', 'parts', 'parts', 'mixed', 'policed') . ' f';
	# joined remotely, with the keys
	$query{from} .= ' JOIN ' . one_of('far', 'parts', 'here')
	  . ' g ON f.f_id = g.f_id'
	  if maybe(0.2);
	push @{ $query{where} }, 'f.f_v < ' . number(1, 100) if maybe(0.3);
	push @{ $query{where} }, "f.f_t LIKE '%" . number(0, 9) . "'"
	  if maybe(0.2);
	foreach (1 .. number(1, 3))
	{
		my $name = one_of(@names);
		add_dimension(\%query, $name) unless $used{$name}++;
	}
	$query{tail} = "FROM $query{from}"
	  . (@{ $query{where} } ? ' WHERE ' . join(' AND ', @{ $query{where} })
		: '');
	return \%query;
}

sub random_query
{
	my $shape = one_of(('rows') x 3, ('groups') x 3, 'limit', 'scalar',
		'lateral', 'union', 'with');
	my $query = random_tail(
		$shape eq 'scalar' || $shape eq 'lateral' ? 'f.f_v % 4 < x' : undef);
	my @group = @{ $query->{group} };
	my $tail = $query->{tail};

	return "SELECT f.* $tail" if $shape eq 'rows';
	return "SELECT f.f_id $tail ORDER BY 1 LIMIT " . number(1, 9)
	  if $shape eq 'limit';
	return "SELECT x, (SELECT sum(f.f_id) $tail) FROM generate_series(0, 3) x"
	  if $shape eq 'scalar';
	return 'SELECT * FROM generate_series(0, 3) x, '
	  . "LATERAL (SELECT count(*) $tail) s"
	  if $shape eq 'lateral';
	return "SELECT f.f_id $tail UNION ALL SELECT f.f_id "
	  . random_tail()->{tail}
	  if $shape eq 'union';
	return "WITH c AS MATERIALIZED (SELECT f.f_id, f.f_v $tail) "
	  . 'SELECT count(*), sum(c.f_v) FROM c JOIN small ON s_key = f_v'
	  if $shape eq 'with';
	return 'SELECT ' . join(', ', @group, 'count(*)', 'sum(f.f_id)') . " $tail"
	  . (@group ? ' GROUP BY ' . join(', ', @group) : '');
}

sub random_settings
{
	return join '; ',
	  'SET ssdpar.star_access = ' . one_of('auto', 'bitmap', 'sequential'),
	  'SET ssdpar.shard_keys = ' . one_of(100000, 100000, 20, 3, 1),
	  'SET enable_async_append = ' . one_of('on', 'off'),
	  'SET max_parallel_workers_per_gather = ' . one_of(0, 2),
	  'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0',
	  'SET min_parallel_table_scan_size = ' . one_of(0, "'8MB'"),
	  one_of(('') x 6, 'SET enable_hashjoin = off', 'SET enable_nestloop = off',
		'SET enable_mergejoin = off', 'SET geqo_threshold = 2',
		'SET join_collapse_limit = 1', 'SET enable_partitionwise_join = on',
		"SET work_mem = '64kB'; SET hash_mem_multiplier = 1"),
	  '';
}

# SQL that prints one line which depends on every row of query.
sub digest
{
	my ($query, $prepared) = @_;
	my $select =
	  "SELECT concat(md5(string_agg(r::text, '|' ORDER BY r::text)), ' ', "
	  . "count(*)) FROM ($query) r";

	return "$select;\n" unless $prepared;
	my $value = $select =~ s/( [swtp]_v [<=]) (\d+)/$1 \$1/ ? $2 : 1;
	return "PREPARE q (int) AS $select;\n"
	  . "SET plan_cache_mode = force_generic_plan;\n"
	  . "EXECUTE q ($value); EXECUTE q ($value); DEALLOCATE q;\n"
	  . "RESET plan_cache_mode;\n";
}

my $node = PostgreSQL::Test::Cluster->new('shards');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.shard_keys = 100000
autovacuum = off
client_min_messages = warning
CONF
$node->start;
my ($host, $port) = ($node->host, $node->port);
my ($there) = $node->safe_psql('postgres', <<'SQL');
SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'
SQL
plan skip_all => 'postgres_fdw is not installed' unless $there;
$node->safe_psql('postgres', <<"SQL");
CREATE EXTENSION ssdpar;
CREATE EXTENSION postgres_fdw;
CREATE SERVER loopback FOREIGN DATA WRAPPER postgres_fdw
  OPTIONS (host '$host', port '$port', dbname 'postgres', async_capable 'true',
    extensions 'ssdpar');
CREATE SERVER estimating FOREIGN DATA WRAPPER postgres_fdw
  OPTIONS (host '$host', port '$port', dbname 'postgres',
    use_remote_estimate 'true', fetch_size '7');
SQL
$node->safe_psql('postgres', <<'SQL');
CREATE ROLE reader;
DO $$ BEGIN
  EXECUTE format('CREATE USER MAPPING FOR PUBLIC SERVER loopback
    OPTIONS (user %L, password_required ''false'')', current_user);
  EXECUTE format('CREATE USER MAPPING FOR PUBLIC SERVER estimating
    OPTIONS (user %L, password_required ''false'')', current_user);
END $$;
CREATE TABLE there_1 (f_id int, f_a int2, f_b int4, f_c int8, f_v int, f_t text);
INSERT INTO there_1 SELECT i, nullif(i % 90, 3), nullif(i * 7 % 400 - 20, 8),
    CASE WHEN i % 50 = 0 THEN 5000000000 + i % 7 ELSE i * 3 % 500 END,
    i * 31 % 100, 'text ' || i
  FROM generate_series(1, 2000) i;
-- Other types there; values beyond what is declared here would fail to come.
CREATE TABLE there_2 (f_t varchar, f_c numeric, f_v int8, f_b int8, f_a int4, f_id oid);
INSERT INTO there_2 SELECT f_t, f_c, f_v, f_b, f_a, 2000 + f_id FROM there_1;
CREATE INDEX ON there_1 (f_b);
CREATE INDEX ON there_2 (f_c);
CREATE TABLE here (LIKE there_1);
INSERT INTO here SELECT 4000 + f_id, f_a, f_b, f_c, f_v, f_t FROM there_1;
CREATE INDEX ON here (f_b);

CREATE FOREIGN TABLE far (f_id int, f_a int2, f_b int4, f_c int8, f_v int, f_t text)
  SERVER loopback OPTIONS (table_name 'there_1');
CREATE TABLE parts (LIKE there_1) PARTITION BY LIST (f_v);
CREATE FOREIGN TABLE parts_1 PARTITION OF parts DEFAULT
  SERVER loopback OPTIONS (table_name 'there_1');
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (1000, 1001, 1002)
  PARTITION BY RANGE (f_id);
CREATE FOREIGN TABLE parts_2a PARTITION OF parts_2 FOR VALUES FROM (0) TO (100000)
  SERVER estimating OPTIONS (table_name 'there_2');
-- Inheritance: a local parent with rows of its own, a child here, two there.
CREATE TABLE mixed (LIKE there_1);
INSERT INTO mixed SELECT 9000 + f_id, f_a, f_b, f_c, f_v, f_t FROM there_1
  WHERE f_id < 100;
ALTER TABLE here INHERIT mixed;
CREATE FOREIGN TABLE mixed_1 (f_t text, f_v int, f_c int8, f_b int4, f_a int2,
  f_id int) INHERITS (mixed) SERVER loopback OPTIONS (table_name 'there_1');
CREATE FOREIGN TABLE mixed_2 () INHERITS (mixed)
  SERVER estimating OPTIONS (table_name 'there_2');
CREATE TABLE policed (LIKE there_1) PARTITION BY RANGE (f_id);
CREATE FOREIGN TABLE policed_1 PARTITION OF policed DEFAULT
  SERVER loopback OPTIONS (table_name 'there_1');
ALTER TABLE policed ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON policed USING (f_id % 2 = 1);

CREATE TABLE kind (k_key int, k_name text);
INSERT INTO kind SELECT i, 'kind ' || i FROM generate_series(0, 9) i;
CREATE TABLE small (s_key int2 UNIQUE, s_v int);
INSERT INTO small SELECT i, nullif(i % 11, 7) FROM generate_series(-5, 99) i;
CREATE TABLE wide (w_key int8, w_v int);
INSERT INTO wide SELECT i, i % 10 FROM generate_series(-50, 700) i;
INSERT INTO wide SELECT i + 4999999990, i % 10 FROM generate_series(1, 30) i;
INSERT INTO wide SELECT NULL, i FROM generate_series(1, 9) i;
CREATE TABLE twice (t_key int4, t_v int);
INSERT INTO twice SELECT i % 300, i % 9 FROM generate_series(1, 600) i;
CREATE TABLE part (p_key int8, p_v int) PARTITION BY RANGE (p_key);
CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (MINVALUE) TO (100);
CREATE TABLE part_2 PARTITION OF part DEFAULT;
INSERT INTO part SELECT i, i % 8 FROM generate_series(-10, 500) i;
ALTER TABLE twice ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON twice USING (t_key % 3 > 0);
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
ANALYZE;
ANALYZE far, parts_1, mixed_1;

CREATE FUNCTION sends_keys(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan::text LIKE '%SsdparShardKeys%';
END $$;
SQL

my ($script, @case) = ('');
foreach my $i (1 .. $queries)
{
	my $query = random_query();
	my $set = random_settings();
	my $prepared = maybe(0.2);
	my $one = digest($query, $prepared);

	push @case, "$set $query;" . ($prepared ? ' -- prepared' : '');
	$script .= "SET ROLE reader;\n\\echo off\nSET ssdpar.enabled = off;\n$one"
	  . "\\echo on\nSET ssdpar.enabled = on; $set\n$one"
	  . "\\echo keys\nSELECT sends_keys(\$q\$$query\$q\$);\n"
	  . "\\echo end\nRESET ROLE; RESET ALL;\n";
}
my ($rc, $out, $err) =
  $node->psql('postgres', $script, on_error_stop => 0);
is($err, '', 'no error');
my @answer = split /^end\n?/m, $out;
is(scalar @answer, $queries, 'every query ran');
my ($different, $sent, $with_rows, $both) = (0) x 4;
foreach my $i (0 .. $#answer)
{
	my ($off, $on, $keys) =
	  $answer[$i] =~ /^off\n(.*)^on\n(.*)^keys\n(.*)/ms;
	if ($off ne $on)
	{
		$different++;
		diag("$case[$i]\n  $off  $on");
	}
	$sent++ if $keys =~ /t/;
	$with_rows++ if $off !~ / 0$/m;
	$both++ if $keys =~ /t/ && $off !~ / 0$/m;
}
is($different, 0, "no rows differ (seed $seed)");
cmp_ok($sent, '>', $queries / 4, 'a good share send keys');
cmp_ok($both, '>', $queries / 8, 'and many of these have rows');
note("$queries queries, $sent send keys, $with_rows have rows, $both both");

# The remote session ends while rows arrive: the error is core's, nothing
# crashes, and the next query is right.
my $kill = <<'SQL';
SET ssdpar.enabled = %s;
SET ssdpar.star_access = sequential;
BEGIN;
DECLARE c CURSOR FOR SELECT f_id FROM far JOIN wide ON f_b = w_key WHERE w_v < 9;
FETCH 1 FROM c \g /dev/null
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE application_name = 'postgres_fdw' \g /dev/null
\set VERBOSITY sqlstate
MOVE ALL FROM c;
ROLLBACK;
SELECT count(*) FROM far JOIN wide ON f_b = w_key WHERE w_v < 9;
SQL
my @state;
my @count;
foreach my $enabled ('off', 'on')
{
	my ($killed, $rows, $message) = $node->psql('postgres',
		sprintf($kill, $enabled), on_error_stop => 0);
	push @state, $message =~ /ERROR:\s+(\w{5})/ ? $1 : "none: $message";
	push @count, $rows;
}
is($state[1], $state[0], "a session that ends there: $state[0]");
is($count[1], $count[0], 'and the next query is right');

$node->stop;
done_testing();
