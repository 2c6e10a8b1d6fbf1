# 034_looks_concurrently.pl
#	Planning looks at the rows of dimensions while others write, and whatever
#	else happens then: the same rows as without, and no error that the server
#	alone would not give.
#
# Tables are updated, vacuumed, truncated, rewritten and indexed concurrently
# with the looks; statements that look are cancelled and terminated, time out,
# run on a standby and in read-only transactions, in functions and parallel
# workers, with statistics that are missing or a million times off, with indexes
# that are invalid or being built.  What a look tells is for sql/star_rows.sql.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $seed = $ENV{SSDPAR_SEED} // 1;
srand($seed);
note("SSDPAR_SEED=$seed");

my $node = PostgreSQL::Test::Cluster->new('looks');
$node->init(allows_streaming => 1, extra => ['--data-checksums']);
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
ssdpar.cost_model_min_size = '100kB'
ssdpar.residency = cold
ssdpar.star_access = sequential
autovacuum = off
max_parallel_workers_per_gather = 0
hot_standby_feedback = off
max_standby_streaming_delay = 500ms
CONF
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
$node->safe_psql('postgres', slurp_file('test/invent_device.sql'));
$node->safe_psql('postgres', <<'SQL');
SELECT invent_device('depth * 2', 128, 4e-6);
CREATE TABLE fact (id int, d int, s int, v int, pad text);
INSERT INTO fact SELECT i, i % 730, i * 7919::bigint % 3000, i % 100, repeat('x', 60)
  FROM generate_series(1, 40000) i;
CREATE INDEX fact_d ON fact (d);
CREATE INDEX fact_s ON fact (s);
-- a calendar much wider than the facts
CREATE TABLE day (k int PRIMARY KEY, y int);
INSERT INTO day SELECT i, i / 365 FROM generate_series(0, 20000) i;
CREATE TABLE side (k int PRIMARY KEY, c int);
INSERT INTO side SELECT i, i % 30 FROM generate_series(0, 2999) i;
VACUUM ANALYZE;

CREATE FUNCTION query(n int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT (ARRAY[
  'SELECT count(*), sum(v) FROM fact, day WHERE d = day.k AND y = 0',
  'SELECT count(*), sum(v) FROM fact, day, side WHERE d = day.k AND y = 0 AND s = side.k AND c = 7',
  'SELECT count(*), sum(v) FROM fact, side WHERE s = side.k AND c < 3 AND v = 5',
  'SELECT count(*), sum(v) FROM fact WHERE s IN (SELECT k FROM side WHERE c = 4) AND d > 300',
  'SELECT count(*), sum(v) FROM fact LEFT JOIN side ON s = side.k AND c = 1, day WHERE d = day.k AND y < 1'
  ])[1 + n % 5]
$$;

-- The same rows with ssdpar as without, in one snapshot.
CREATE FUNCTION check_rows(n int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE mine text; cores text;
BEGIN
  EXECUTE format('SELECT q::text FROM (%s) q', query(n)) INTO mine;
  SET LOCAL ssdpar.enabled = off;
  EXECUTE format('SELECT q::text FROM (%s) q', query(n)) INTO cores;
  SET LOCAL ssdpar.enabled = on;
  IF mine IS DISTINCT FROM cores THEN
    RAISE EXCEPTION 'query % gave % in place of %', n, mine, cores;
  END IF;
  RETURN true;
END $$;

-- Does planning the query look at a dimension?  A look that takes too long is
-- given up, which happens on a busy machine.
CREATE FUNCTION looked(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  FOR try IN 1 .. 10 LOOP
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    EXIT WHEN jsonb_path_exists(plan, 'strict $.**."Rows Measured"');
  END LOOP;
  RETURN jsonb_path_exists(plan, 'strict $.**."Rows Measured"');
END $$;
SQL

my $all = 'SELECT bool_and(check_rows(n)) FROM generate_series(0, 4) n';
my $explain = $node->safe_psql('postgres', 'SELECT query(1)');
$explain = "EXPLAIN $explain;\n";

# (standard output, standard error) of psql, which goes on after errors.
sub psql
{
	my ($script, $server) = @_;
	my ($rc, $out, $err) = ($server // $node)->psql('postgres', $script,
		on_error_stop => 0);

	return ($out, $err);
}

is($node->safe_psql('postgres', $all), 't', 'the same rows, alone');
is( $node->safe_psql('postgres',
		'SELECT bool_and(looked(query(n))) FROM generate_series(0, 4) n'),
	't',
	'and planning each looks at a dimension');

# While others write.

my $scripts = PostgreSQL::Test::Utils::tempdir();
my $nscripts = 0;

sub pgbench
{
	my ($clients, %script) = @_;
	my @command = ('pgbench', '-n', '-c', $clients, '-T', 4,
		'--random-seed', $seed, '-d', $node->connstr('postgres'));
	my $err = '';

	foreach my $name (sort keys %script)
	{
		append_to_file("$scripts/$name.sql", $script{$name});
		push @command, '-f', "$scripts/$name.sql";
	}
	return (IPC::Run::start(\@command, '<', \undef, '>', '/dev/null',
			'2>', \$err), \$err);
}

my ($rows, $rows_err) = pgbench(1,
	update => "\\set r random(0, 19)\n"
	  . "UPDATE fact SET v = v + 1, s = (s + 1) % 3000 WHERE id % 20 = :r;\n",
	replace => "\\set r random(0, 19)\nBEGIN;\n"
	  . "DELETE FROM fact WHERE id % 20 = :r;\n"
	  . "INSERT INTO fact SELECT i, i % 730, i % 3000, i % 100, ''"
	  . " FROM generate_series(20 + :r, 40000, 20) i;\nCOMMIT;\n");
# one client, so that no two of these wait for each other
my ($tables, $tables_err) = pgbench(1,
	vacuum => "VACUUM fact;\n",
	analyze => "ANALYZE;\n",
	truncate => "BEGIN;\nTRUNCATE side;\nINSERT INTO side SELECT i, i % 30"
	  . " FROM generate_series(0, 2999) i;\nCOMMIT;\n",
	empty => "TRUNCATE side;\nINSERT INTO side SELECT i, i % 30"
	  . " FROM generate_series(0, 2999) i;\n",
	rewrite => "ALTER TABLE side ALTER c TYPE bigint;\n"
	  . "ALTER TABLE side ALTER c TYPE int;\n",
	column => "ALTER TABLE side ADD x int DEFAULT 5;\n"
	  . "ALTER TABLE side DROP x;\n",
	index => "DROP INDEX fact_d;\nCREATE INDEX fact_d ON fact (d);\n",
	reindex => "REINDEX INDEX CONCURRENTLY fact_s;\n",
	full => "VACUUM FULL side;\n");
my ($reads, $reads_err) = pgbench(2,
	read => "\\set n random(0, 4)\nBEGIN ISOLATION LEVEL REPEATABLE READ;\n"
	  . "SELECT check_rows(:n);\nCOMMIT;\n");
ok($rows->finish, 'rows are written') or diag($$rows_err);
ok($tables->finish, 'tables and indexes are changed') or diag($$tables_err);
ok($reads->finish, 'and the same rows are read meanwhile')
  or diag($$reads_err);

# Prepared statements, with changes before they are executed.

my ($out, $err) = psql(<<'SQL');
\set ON_ERROR_STOP 1
SET plan_cache_mode = force_generic_plan;
PREPARE q AS SELECT count(*) FROM fact, side WHERE s = side.k AND c = 7;
PREPARE core AS SELECT count(*) FROM fact, side WHERE s = side.k AND c = 7 AND true;
SET ssdpar.enabled = off;
EXECUTE core;
SET ssdpar.enabled = on;
EXECUTE q;
\! psql -X -q -d postgres -c 'DROP INDEX fact_s'
EXECUTE q;
\! psql -X -q -d postgres -c 'ALTER TABLE side ALTER c TYPE bigint'
EXECUTE q;
\! psql -X -q -d postgres -c 'TRUNCATE side'
EXECUTE q;
\! psql -X -q -d postgres -c 'INSERT INTO side SELECT i, i % 30 FROM generate_series(0, 2999) i' -c 'CREATE INDEX fact_s ON fact (s)'
EXECUTE q;
SQL
is($err, '', 'a prepared statement sees what was changed');
like($out, qr/^(\d+)\n\1\n\1\n\1\n0\n\1$/, 'and has its rows');

# Waiting for locks, which a look itself does not.

($out, $err) = psql(<<"SQL");
\\set VERBOSITY terse
BEGIN;
LOCK TABLE side IN EXCLUSIVE MODE;
\\! psql -X -q -d postgres -c "SET lock_timeout = '20s'" -c "SELECT 'looked ' || looked(query(1))" -At
COMMIT;
BEGIN;
LOCK TABLE side IN ACCESS EXCLUSIVE MODE;
\\! psql -X -q -d postgres -c "SET lock_timeout = '100ms'" -c "SELECT looked(query(1))" 2>&1 | head -1
COMMIT;
SQL
like($out, qr/^looked true$/m, 'a lock that readers share is not waited for');
like($out, qr/^ERROR:  canceling statement due to lock timeout$/m,
	'lock_timeout where the server alone would wait too');

# Broken off at any time: by the clock, by others.  A statement is planned within
# a few milliseconds, so where all end first, others are tried.  The last time may
# end its own RESET.

my $timeouts = 0;
my $errors = 0;
foreach (1 .. 10)
{
	($out, $err) = psql(join('',
			map { "SET statement_timeout = $_;\n$explain" }
			  (1 .. 10) x 3, map { 1 + int rand 60 } 1 .. 20)
		  . "RESET statement_timeout;\n" x 3 . "$all;\n");
	$timeouts += () = $err =~ /ERROR:  canceling statement due to statement timeout/g;
	$errors += () = $err =~ /^(?:psql:.*)?(?:ERROR|WARNING|FATAL)/mg;
	note("$timeouts of 50 statements timed out");
	last if $timeouts > 0;
}
cmp_ok($timeouts, '>', 0, 'statements time out while they are planned');
is($errors, $timeouts, 'with no other error');
like($out, qr/^t$/m, 'and the session goes on');

# From a file, because a script passed as an argument is written only when psql
# is waited for.
sub script_started
{
	my ($server, $script, $out, $err) = @_;
	my $file = "$scripts/" . ++$nscripts . '.sql';

	append_to_file($file, $script);
	return IPC::Run::start(
		[ 'psql', '-X', '-q', '-At', '-d', $server->connstr('postgres'),
			'-f', $file ],
		'<', \undef, '>', $out, '2>', $err);
}

# Statements that are planned, interrupted so often by that function, which may
# come to the last ones, too.
sub interrupted
{
	my ($function, $most) = @_;
	my ($out, $err) = ('', '');
	my $victim = script_started($node, "SET application_name = 'victim';\n"
		  . $explain x 60 . "SELECT 'went on';\n" x 3, \$out, \$err);

	$node->safe_psql('postgres', <<"SQL");
DO \$\$
DECLARE done int := 0; tried int := 0;
BEGIN
  WHILE done < $most AND tried < 300 LOOP
    PERFORM pg_stat_clear_snapshot();
    done := done + (SELECT count($function(pid)) FROM pg_stat_activity
                     WHERE application_name = 'victim' AND state = 'active');
    tried := tried + 1;
    PERFORM pg_sleep(random() * 0.02);
  END LOOP;
END \$\$;
SQL
	$victim->finish;
	return ($out, $err);
}

my $cancelled = 0;
$errors = 0;
foreach (1 .. 10)
{
	($out, $err) = interrupted('pg_cancel_backend', 20);
	$cancelled += () = $err =~ /canceling statement due to user request/g;
	$errors += () = $err =~ /(?:ERROR|WARNING|FATAL)/g;
	note("$cancelled of 60 statements were cancelled");
	last if $cancelled > 0;
}
cmp_ok($cancelled, '>', 0, 'statements are cancelled while they are planned');
is($errors, $cancelled, 'with no other error');
like($out, qr/^went on$/m, 'and the session goes on');
foreach (1 .. 3)
{
	# on a busy machine, the session may have ended first
	foreach (1 .. 10)
	{
		usleep(rand 50_000);
		($out, $err) = interrupted('pg_terminate_backend', 1);
		last if $err;
	}
	like($err, qr/terminating connection due to administrator command/,
		'a session is terminated while it plans');
}
is($node->safe_psql('postgres', $all), 't', 'the same rows afterwards');

# In read-only contexts, and while planning is part of another operation.

($out, $err) = psql(<<"SQL");
SET default_transaction_read_only = on;
SELECT 'looked ' || looked(query(1));
$all;
SQL
is($err, '', 'a read-only transaction');
is($out, "looked true\nt", 'looks as any');
my $parallel =
  $node->pg_version < 16 ? 'force_parallel_mode' : 'debug_parallel_query';
($out, $err) = psql(<<"SQL");
CREATE FUNCTION within(n int) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS \$\$
DECLARE found text;
BEGIN
  EXECUTE format('SELECT q::text FROM (%s) q', query(n)) INTO found;
  RETURN found;
END \$\$;
CREATE TEMP TABLE core AS SELECT set_config('ssdpar.enabled', 'off', false), n, within(n)
  FROM generate_series(0, 4) n;
SET ssdpar.enabled = on;
SET $parallel = on;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT bool_and(x = core.within) FROM core,
  (SELECT id % 5 AS n, min(within(id % 5)) AS x FROM fact WHERE id BETWEEN 1001 AND 1010 GROUP BY 1) f
 WHERE f.n = core.n;
SQL
is($err, '', 'functions in parallel workers plan');
is($out, 't', 'and find the same rows');

# Statistics and indexes that are of no use, or not there.  Without a distribution
# of the fact's keys there is no look, and of few rows no star scan to show it.

sub same_rows
{
	my ($name, $setup, $looks) = @_;

	my ($out, $err) = psql("BEGIN;\n$setup;\n"
		  . "SELECT looked(query(1));\n$all;\nROLLBACK;\n");
	is($err, '', "$name: no error");
	is($out, "$looks\nt", "$name: does planning look, and the same rows");
	return;
}

same_rows('no statistics', 'DELETE FROM pg_statistic'
	  . " WHERE starelid IN ('fact'::regclass, 'day'::regclass)", 'f');
same_rows('a million times too many', 'UPDATE pg_class'
	  . ' SET reltuples = reltuples * 1e6'
	  . " WHERE relname IN ('fact', 'day', 'side', 'fact_d', 'day_pkey')", 't');
same_rows('a million times too few', 'UPDATE pg_class'
	  . ' SET reltuples = 1, relpages = 1000000'
	  . " WHERE relname IN ('fact', 'day', 'side', 'fact_d', 'day_pkey')", 'f');
same_rows('never vacuumed nor analyzed', 'UPDATE pg_class'
	  . ' SET reltuples = -1, relpages = 0, relallvisible = 0'
	  . " WHERE relname IN ('fact', 'day', 'side')", 't');

($out, $err) = psql('CREATE UNIQUE INDEX CONCURRENTLY broken ON fact (s)');
like($err, qr/could not create unique index/, 'an index cannot be built');
same_rows('an invalid index', 'DROP INDEX fact_s', 't');

# It waits for an older transaction.
$node->safe_psql('postgres', 'DROP INDEX broken');
($out, $err) = psql(<<'SQL');
BEGIN;
INSERT INTO fact SELECT;
\! psql -X -q -d postgres -c 'CREATE INDEX CONCURRENTLY built ON fact (d, s)' > /dev/null 2>&1 &
\! for i in $(seq 100); do [ "$(psql -X -At -d postgres -c "SELECT count(*) FROM pg_index WHERE indexrelid = to_regclass('built')")" = 1 ] && break; sleep 0.05; done
\! psql -X -At -d postgres -c "SELECT 'not valid' FROM pg_index WHERE indexrelid = 'built'::regclass AND NOT indisvalid" -c 'SELECT looked(query(1))' -c 'SELECT bool_and(check_rows(n)) FROM generate_series(0, 4) n'
ROLLBACK;
SQL
is($out, "not valid\nt\nt", 'an index that is being built');
$node->poll_query_until('postgres',
	"SELECT indisvalid FROM pg_index WHERE indexrelid = 'built'::regclass")
  or die 'the index was not built';

# On a standby, which follows the primary meanwhile.

$node->backup('copy');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'copy', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', 'SELECT looked(query(1))'),
	't', 'a standby looks');
is($standby->safe_psql('postgres', $all), 't', 'and has the same rows');
sub start_changes
{
	return script_started(
		$node,
		join('', map {
				"UPDATE fact SET v = v + 1, s = (s + 1) % 3000 WHERE id % 20 = $_;\n"
				  . "VACUUM fact;\nTRUNCATE side;\n"
				  . "INSERT INTO side SELECT i, i % 30 FROM generate_series(0, 2999) i;\n"
			} 1 .. 19),
		'/dev/null', '/dev/null');
}

# Most of the first statement's time goes into looks.  What counts is a
# session's first error: the server itself terminates one that is signalled once
# more before it has rolled back, or while it is idle in a transaction.  Nor does
# a connection count that is refused: an error makes no session.
# On a busy machine the changes may be over before a statement is planned.
my ($terminated, $others) = ('', '');
$cancelled = 0;
my $tried = 0;
my $changes = start_changes();
while ($tried++ < 12 || ($cancelled == 0 && $tried <= 60))
{
	if (!$changes->pumpable)
	{
		$changes->finish;
		$changes = start_changes();
	}
	($out, $err) = psql(<<"SQL", $standby);
SET default_transaction_isolation = 'repeatable read';
SELECT count(looked(query(1))) FROM generate_series(0, 300);
SELECT check_rows($tried);
SQL
	my ($severity) = $err =~ /(ERROR|FATAL):  .* conflict with recovery/;
	$cancelled++ if ($severity // '') eq 'ERROR';
	$terminated .= "$out\n$err"
	  if ($severity // '') eq 'FATAL' && $err !~ /^psql: error: connection to server/;
	$others .= join '', grep { !/conflict with recovery/ }
	  $err =~ /^.*(?:ERROR|WARNING|FATAL).*\n?/mg;
}
$changes->finish;
note("$cancelled statements were cancelled");
cmp_ok($cancelled, '>', 0, 'a standby that follows cancels statements');
is($terminated, '', 'and terminates no session that looks');
is($others, '', 'with no other error');
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $all), 't', 'and the same rows in the end');

foreach my $server ($standby, $node)
{
	$server->stop;
	unlike(slurp_file($server->logfile), qr/TRAP|PANIC|WARNING:.*leak/,
		$server->name . ' has nothing to complain of');
}
done_testing();
