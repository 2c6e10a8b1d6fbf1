# 012_star_rows.pl
#	Random star and snowflake queries give the same rows with star scans as
#	without.
#
# Each query runs with ssdpar off, then on, with a random access method, number
# of workers, prefetch method and planner setting.  The tables have error-prone
# contents: NULLs, duplicate and skewed keys, keys of two types, texts in a
# nondeterministic collation, composite keys, dimensions of dimensions, an
# empty one, a partitioned fact, row-level security, updated and deleted rows.
# The queries add outer, semi and anti joins to the star.  Partitions are on
# three devices.  Then the same runs while other sessions write, and on a
# standby that replays their changes.  Whether plans are good is not tested.
#
# SSDPAR_LONG=1 runs 5,000 queries instead of 300, SSDPAR_QUERIES=N runs N;
# SSDPAR_SEED=N repeats a run.

use strict;
use warnings;

use IPC::Run;
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

# The join of each dimension with the fact f, the columns compared, and
# filters; show: further columns for queries that return rows.
my %dimension = (
	customer => {
		join => 'f.f_c = c_key', keys => 'c_key', group => 'c_reg',
		only => [
			sub { 'c_reg = ' . number(0, 6) },
			sub { 'c_key < ' . number(1, 500) },
			sub { 'c_name LIKE ' . one_of("'c1%'", "'%7'", "'x'") } ],
		below => ['nation', 'JOIN nation ON c_nat = n_key',
			sub { "n_name < 'n" . number(1, 3) . "'" }] },
	part => {
		join => 'f.f_p = p_key', keys => 'p_key', group => 'p_brand',
		show => [ 'p_maker', 'p_key', 'p_brand || f.f_v' ],
		only => [
			sub { "p_brand = 'b" . number(0, 40) . "'" },
			sub { 'p_key % ' . number(2, 9) . ' = 1' } ],
		below => ['maker', 'JOIN maker ON p_maker = m_name',
			sub { 'm_size = ' . number(0, 4) }] },
	day => {
		join => 'f.f_d = d_date', keys => 'd_date', group => 'd_year',
		show => [ 'd_year', 'd_date', 'f.f_v - d_year' ],
		only => [
			sub { 'd_year = ' . number(2019, 2024) },
			sub { "d_date BETWEEN '2020-03-01' AND '2020-0"
				  . number(3, 9) . "-28'" } ] },
	tag => {
		join => 'f.f_t = t_key', keys => 't_key', group => 't_kind',
		only => [ sub { 't_kind = ' . number(0, 6) },
			sub { "t_key > 't" . number(0, 9) . "'" } ] },
	word => {
		join => 'f.f_w = w_key', keys => 'w_key', group => 'w_kind',
		only => [ sub { 'w_kind = ' . number(0, 4) } ] },
	pair => {
		join => 'f.f_a = a AND f.f_b = b', keys => 'a, b', group => 'a',
		only => [ sub { 'x < ' . number(1, 30) },
			sub { 'a = ' . number(0, 12) } ] },
	price => {
		join => 'f.f_n = r_key', keys => 'r_key', group => 'r_kind',
		only => [ sub { 'r_kind = ' . number(0, 5) } ] },
	weight => {
		join => 'f.f_g = g_key', keys => 'g_key', group => 'g_kind',
		only => [ sub { 'g_kind < ' . number(0, 5) } ] },
	place => {
		join => 'f.f_c = l_key', keys => 'l_key', group => 'l_name',
		show => [ 'l_name', 'l_tax', 'l_open', 'l_list', 'l_key',
			'md5(l_pad)', 'place', 'place.ctid', 'l_kind + f.f_v' ],
		only => [
			sub { 'l_kind = ' . number(0, 4) },
			sub { 'l_key > ' . number(1, 400) } ] },
	nothing => {
		join => 'f.f_c = e_key', keys => 'e_key', group => 'e_key',
		only => [ sub { 'e_key > 0' } ] });

my @filter = (
	sub { 'f.f_v < ' . number(1, 100) },
	sub { 'f.f_c > ' . number(1, 300) },
	sub { "f.f_d > '2020-0" . number(1, 9) . "-01'" },
	sub { 'f.f_p IS NOT NULL' });

my @planner = (
	('') x 8, 'SET jit_above_cost = 0;',
	'SET enable_hashjoin = off;', 'SET enable_nestloop = off;',
	'SET enable_mergejoin = off;', 'SET enable_seqscan = off;',
	'SET enable_indexscan = off;', 'SET geqo_threshold = 2;',
	"SET work_mem = '64kB'; SET hash_mem_multiplier = 1;",
	'SET join_collapse_limit = 1;', 'SET enable_partitionwise_join = on;',
	
	'SET parallel_leader_participation = off;',
	'SET enable_parallel_hash = off;', 'SET enable_memoize = off;');

# One dimension's additions to FROM, WHERE and the columns of a query.
sub add_dimension
{
	my ($query, $name) = @_;
	my $d = $dimension{$name};
	my $filter = maybe(0.85) ? one_of(@{ $d->{only} })->() : 'true';
	my $way = one_of(('inner') x 8, 'in', 'exists', 'subquery', 'values',
		'left', 'right', 'full', 'anti');

	if ($way eq 'in' && $name ne 'pair')
	{
		my ($left) = $d->{join} =~ /^(\S+) =/;
		push @{ $query->{where} },
		  "$left IN (SELECT $d->{keys} FROM $name WHERE $filter)";
	}
	elsif ($way eq 'exists' || $way eq 'anti')
	{
		push @{ $query->{where} }, ($way eq 'anti' ? 'NOT ' : '')
		  . "EXISTS (SELECT FROM $name WHERE $d->{join} AND $filter)";
	}
	elsif ($way eq 'subquery')
	{
		$query->{from} .= ' JOIN (SELECT ' . one_of('DISTINCT ', '')
		  . "$d->{keys} FROM $name WHERE $filter"
		  . one_of('', ' OFFSET 0', ' ') . ") $name ON $d->{join}";
	}
	elsif ($way eq 'values' && $name eq 'customer')
	{
		$query->{from} .= ' JOIN (VALUES (1), ('
		  . number(2, 500) . '), (NULL)) vals (v) ON f.f_c = v';
	}
	elsif ($way eq 'left' || $way eq 'right')
	{
		$query->{from} .= " \U$way\E JOIN $name ON $d->{join}"
		  . one_of('', " AND $filter");
		push @{ $query->{group} }, $d->{group} if maybe(0.3);
	}
	elsif ($way eq 'full')
	{
		$query->{from} .= " FULL JOIN $name ON $d->{join}";
	}
	else
	{
		my $below = $d->{below};

		$query->{from} .= " JOIN $name ON $d->{join}";
		push @{ $query->{where} }, $filter;
		push @{ $query->{group} }, $d->{group} if maybe(0.4);
		push @{ $query->{show} }, one_of(@{ $d->{show} })
		  if $d->{show} && maybe(0.6);
		# another condition, or the dimension a second time
		push @{ $query->{where} }, "f.f_v <> length($name\::text)"
		  if maybe(0.05);
		$query->{from} .= ' JOIN part p2 (k2, b2, m2) ON f.f_a = k2 AND '
		  . "b2 < 'b2'"
		  if $name eq 'part' && maybe(0.1);
		if ($below && maybe(0.5))
		{
			$query->{from} .= " $below->[1]";
			push @{ $query->{where} }, $below->[2]->() if maybe(0.8);
		}
	}
	return;
}

sub random_star
{
	my %query = (where => [], group => [], show => []);
	my @names = sort keys %dimension;

	@names = grep { $_ ne 'nothing' || maybe(0.1) } @names;
	$query{from} = one_of(('fact') x 5, 'part_fact', 'part_fact', 'own_fact',
		'barrier_fact', 'joined_fact') . ' f';
	push @{ $query{where} }, one_of(@filter)->() if maybe(0.4);
	my %used;
	foreach (1 .. number(1, 4))
	{
		my $name = one_of(@names);
		add_dimension(\%query, $name) unless $used{$name}++;
	}
	# sometimes a second fact
	$query{from} .= ' JOIN fact f2 ON f.f_v = f2.f_v AND f2.f_c = '
	  . number(1, 200)
	  if maybe(0.08);
	$query{tail} = "FROM $query{from}"
	  . (@{ $query{where} } ? ' WHERE ' . join(' AND ', @{ $query{where} })
		: '');
	return \%query;
}

sub random_query
{
	my $star = random_star();
	my @group = @{ $star->{group} };
	my $groups = join ', ', @group;
	my $shape = one_of(
		('aggregate') x 5, 'rows', 'rows', 'limit', 'sets', 'lateral',
		'scalar', 'semi', 'anti', 'full', 'union');
	my $count = one_of('count(*)', 'sum(f.f_v)', 'count(DISTINCT f.f_c)',
		'max(f.f_t COLLATE "C")', 'sum(f.f_id)');

	return 'SELECT ' . join(', ', one_of('f.*', 'f.f_id', 'f.f_v'), @group,
		map { "$star->{show}[$_] AS s$_" } 0 .. $#{ $star->{show} })
	  . " $star->{tail}"
	  if $shape eq 'rows';
	return "SELECT f.f_id $star->{tail} ORDER BY f.f_id LIMIT " . number(1, 20)
	  if $shape eq 'limit';
	return "SELECT $groups, $count AS n $star->{tail} GROUP BY GROUPING SETS "
	  . "(($groups), ($group[0]), ())"
	  if $shape eq 'sets' && @group;
	return "SELECT x, n FROM generate_series(1, 3) x, LATERAL (SELECT $count "
	  . "AS n $star->{tail}" . ($star->{tail} =~ /WHERE/ ? ' AND' : ' WHERE')
	  . " f.f_v % 3 < x) s"
	  if $shape eq 'lateral';
	return "SELECT c_key, (SELECT $count $star->{tail}"
	  . ($star->{tail} =~ /WHERE/ ? ' AND' : ' WHERE')
	  . " f.f_a = o.c_reg) AS n FROM customer o WHERE c_key < 9"
	  if $shape eq 'scalar';
	return 'SELECT * FROM pair WHERE ' . ($shape eq 'anti' ? 'NOT ' : '')
	  . "EXISTS (SELECT $star->{tail}"
	  . ($star->{tail} =~ /WHERE/ ? ' AND' : ' WHERE')
	  . ' f.f_a = pair.a)'
	  if $shape eq 'semi' || $shape eq 'anti';
	return "SELECT * FROM (SELECT f.f_c AS k, $count AS n $star->{tail} "
	  . 'GROUP BY 1) s FULL JOIN nation ON k = n_key'
	  if $shape eq 'full';
	return "SELECT f.f_id $star->{tail} UNION ALL SELECT f.f_id "
	  . random_star()->{tail}
	  if $shape eq 'union';
	return 'SELECT ' . join(', ', @group, "$count AS n", 'count(*) AS m')
	  . " $star->{tail}" . (@group ? " GROUP BY $groups" : '');
}

# SQL that prints one line which depends on every row of query.
sub digest
{
	my ($query, $how) = @_;

	return "SELECT walk(\$q\$$query\$q\$);\n" if $how eq 'cursor';
	my $select =
	  "SELECT concat(md5(string_agg(r::text, '|' ORDER BY r::text)), ' ', "
	  . "count(*)) FROM ($query) r";
	return "$select;\n" unless $how eq 'prepared';
	# the first constant compared becomes a parameter
	my $value = $select =~ s/( (?:c_reg|t_kind|x|f\.f_v) [<=]) (\d+)/$1 \$1/
	  ? $2 : 1;
	return "PREPARE q (int) AS $select;\n"
	  . "SET plan_cache_mode = force_generic_plan;\n"
	  . "EXECUTE q ($value); DEALLOCATE q;\n";
}

sub random_settings
{
	return 'SET ssdpar.star_access = '
	  . one_of(('auto') x 3, ('bitmap') x 3, ('sequential') x 3)
	  . '; SET ssdpar.cost_model_min_size = ' . one_of(0, 0, 0, "'64MB'")
	  . '; SET ssdpar.residency = ' . one_of('auto', 'cold', 'hot')
	  . '; SET max_parallel_workers_per_gather = ' . one_of(0, 2, 4)
	  . '; SET ssdpar.prefetch = ' . one_of('auto', 'daemon', 'local', 'off')
	  . '; SET ssdpar.subqueries = ' . one_of((0) x 6, 1, 3)
	  . '; SET parallel_setup_cost = 0; SET parallel_tuple_cost = '
	  . one_of(0, 0.1) . '; SET min_parallel_table_scan_size = 0; '
	  . 'SET min_parallel_index_scan_size = 0; ' . one_of(@planner);
}

# Runs n random queries both ways, in one session.
my $checked = 0;

sub compare
{
	my ($node, $n, $what, $begin, $end) = @_;
	my ($script, @case) = ('');

	foreach my $i (1 .. $n)
	{
		my $query = random_query();
		my $set = random_settings();
		my $how = one_of(('plain') x 6, 'prepared', 'cursor');

		push @case, "$set $query; -- $how";
		$script .= "SET ROLE reader;\n$begin"
		  . "SET ssdpar.enabled = off;\n" . digest($query, $how)
		  . "RESET plan_cache_mode;\nSET ssdpar.enabled = on; $set\n"
		  . digest($query, $how)
		  . "SELECT uses_star(\$q\$$query\$q\$);\n"
		  . "${end}RESET ROLE; RESET ALL;\n"
		  . "SET client_min_messages = warning;\n";
	}
	my ($rc, $out, $err) = $node->psql('postgres', $script,
		on_error_stop => 0);
	is($err, '', "$what: no error");
	my @row = split /\n/, $out;
	is(scalar @row, 3 * $n, "$what: every query ran both ways");
	my @different =
	  grep { ($row[ 3 * $_ ] // '') ne ($row[ 3 * $_ + 1 ] // '') }
	  0 .. $n - 1;
	is(scalar @different, 0, "$what: no rows differ (seed $seed)");
	diag("$case[$_]\n  $row[3 * $_] | $row[3 * $_ + 1]") foreach @different;
	$checked += $n;

	# The comparison is meaningful only if there are star scans and rows.
	my @star = map { $row[ 3 * $_ + 2 ] // '' } 0 .. $n - 1;
	my $stars = grep { $_ ne 'none' } @star;
	my $joined = grep { $_ eq 'joined' } @star;
	my $rows = grep { ($row[ 3 * $_ ] // '') !~ /^(.* )?0$/ } 0 .. $n - 1;
	cmp_ok($stars, '>', $n / 4, "$what: a good share are star scans");
	cmp_ok($joined, '>', $n / 20, "$what: some join dimensions themselves");
	cmp_ok($rows, '>', $n / 3, "$what: a good share have rows");
	note("$what: $n queries, $stars with star scans, $joined of them joined, "
		  . "$rows with rows");
	return;
}

my $node = PostgreSQL::Test::Cluster->new('stars');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
allow_in_place_tablespaces = on
max_worker_processes = 40
max_parallel_workers = 36
autovacuum = off
client_min_messages = warning
log_min_messages = warning
CONF
$node->start;
$node->safe_psql('postgres', slurp_file('test/star_tables.sql'));

my $fifth = int($queries / 5);
compare($node, $queries - 3 * $fifth, 'daemon up', '', '');
$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
# queries are not canceled, because two results of one snapshot are compared
$standby->append_conf('postgresql.conf', <<'CONF');
hot_standby_feedback = on
max_standby_streaming_delay = -1
CONF
$standby->start;

# While others write, both ways use the same snapshot.
my $churn = IPC::Run::start(
	[
		'psql', '-X', '-q', '-d', $node->connstr('postgres'),
		'-c', 'CALL churn()'
	],
	'>', \my $churn_out, '2>', \my $churn_err);
my @snapshot = (
	"BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT FROM nation LIMIT 0;\n",
	"COMMIT;\n");
compare($node, $fifth, 'while others write', @snapshot);
compare($standby, $fifth, 'on a standby that replays it', @snapshot);

# In READ COMMITTED, each statement has a new snapshot.  The changes of churn()
# to the table moved never change how many of its rows match.
my $moved = '';
foreach my $i (1 .. 40)
{
	$moved .= random_settings() . "\n"
	  . "SELECT concat(count(*), ' ', sum(v)) FROM moved, customer "
	  . "WHERE k = c_key AND c_reg = 3;\nRESET ALL;\n"
	  . "SET client_min_messages = warning;\n";
}
my @moved = split /\n/, $node->safe_psql('postgres', $moved);
is(scalar(grep { $_ eq '1000 500500' } @moved),
	40, 'no row is missed or doubled while it moves');
$node->safe_psql('postgres', 'INSERT INTO stop VALUES (true)');
ok($churn->finish, 'the writer wrote to the end') or diag($churn_err);
$standby->stop;

# An update that has waited for another one rechecks its row, with a star scan
# in the plan.
$node->safe_psql('postgres', 'TRUNCATE stop');
my $blocker = IPC::Run::start(
	[
		'psql', '-X', '-q', '-d', $node->connstr('postgres'), '-c',
		'BEGIN', '-c', 'UPDATE nation SET n_name = n_name WHERE n_key = 3',
		'-c', 'SELECT pg_sleep(1)', '-c', 'COMMIT'
	],
	'>', \my $blocker_out, '2>', \my $blocker_err);
$node->poll_query_until('postgres',
	"SELECT count(*) > 0 FROM pg_locks WHERE relation = 'nation'::regclass "
	  . "AND mode = 'RowExclusiveLock'");
is($node->safe_psql('postgres', <<'SQL'), '1', 'a recheck with a star works');
SET ssdpar.star_access = sequential;
WITH u AS (UPDATE nation SET n_name = n_name
    FROM (SELECT count(*) AS n FROM fact, customer
        WHERE f_c = c_key AND c_reg = 2) s
    WHERE n_key = 3 AND s.n >= 0 RETURNING 1)
SELECT count(*) FROM u;
SQL
$blocker->finish;

# The same without a daemon.
$node->append_conf('postgresql.conf', 'ssdpar.daemon_autostart = off');
$node->restart;
compare($node, $fifth, 'daemon down', '', '');
is($checked, $queries, "$queries queries compared");

$node->stop;
done_testing();
