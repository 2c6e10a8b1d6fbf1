# 027_shared_subplans.pl
#	Plans whose scans share a SubPlan: partitions and UNION ALL arms with
#	the same subquery in their filters refer to one PlanState for it.  A
#	tree walk reaches that PlanState once per reference, but must handle
#	its scan only once.
#
# Compares rows with ssdpar on and off, for each way to load a library; in one
# of them, each statement is also canceled repeatedly.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $partitions = 500;

my $tables = <<'END';
CREATE TABLE big (k int, pad text);
INSERT INTO big SELECT i, repeat('x', 1000) FROM generate_series(1, 60000) i;
CREATE TABLE pt (k int) PARTITION BY RANGE (k);
CREATE TABLE pt1 PARTITION OF pt FOR VALUES FROM (0) TO (10);
CREATE TABLE pt2 PARTITION OF pt FOR VALUES FROM (10) TO (1000000);
INSERT INTO pt SELECT generate_series(1, 20);
INSERT INTO pt VALUES (700000), (700001);
CREATE TABLE many (k int) PARTITION BY HASH (k);
DO $$ BEGIN
  FOR i IN 0 .. PARTITIONS - 1 LOOP
    EXECUTE format('CREATE TABLE many%s PARTITION OF many
                    FOR VALUES WITH (MODULUS PARTITIONS, REMAINDER %s)', i, i);
  END LOOP;
END $$;
INSERT INTO many SELECT generate_series(59990, 60009);
CREATE VIEW missing AS SELECT k FROM pt WHERE k NOT IN (SELECT k FROM big);
CREATE FUNCTION count_missing() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  one int;
  answer bigint := 0;
BEGIN
  FOR one IN SELECT k FROM pt WHERE k NOT IN (SELECT k FROM big) LOOP
    answer := answer + (SELECT count(*) FROM pt
                         WHERE k = one AND k NOT IN (SELECT k FROM big));
  END LOOP;
  RETURN answer;
END $$;
CREATE FUNCTION count_despite_error() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    PERFORM 1 / (k - 700001) FROM pt WHERE k NOT IN (SELECT k FROM big);
  EXCEPTION WHEN division_by_zero THEN
    NULL;
  END;
  RETURN count_missing();
END $$;
CREATE EXTENSION postgres_fdw;
CREATE SERVER loopback FOREIGN DATA WRAPPER postgres_fdw
  OPTIONS (host 'HOST', port 'PORT', dbname 'postgres');
CREATE USER MAPPING FOR CURRENT_USER SERVER loopback;
CREATE FOREIGN TABLE far_missing (k int) SERVER loopback
  OPTIONS (table_name 'missing');
CREATE FOREIGN TABLE far_pt (k int) SERVER loopback OPTIONS (table_name 'pt');
VACUUM ANALYZE;
END

my %statements = (
	'partitions' => 'SELECT count(*) FROM pt WHERE k NOT IN (SELECT k FROM big)',
	'a filter above the shared scan' =>
	  'SELECT count(*) FROM pt WHERE k NOT IN (SELECT k FROM big WHERE k > 3)',
	'partitions, counted' => 'EXPLAIN (ANALYZE, COSTS off, TIMING off,
  SUMMARY off, BUFFERS off) SELECT * FROM pt WHERE k NOT IN (SELECT k FROM big)',
	'UNION ALL' => 'SELECT count(*) FROM (SELECT k FROM pt1 UNION ALL
  SELECT k FROM pt2 UNION ALL SELECT k FROM pt1) u
  WHERE k NOT IN (SELECT k FROM big)',
	'nested' => 'SELECT count(*) FROM pt WHERE k NOT IN
  (SELECT k FROM pt WHERE k NOT IN (SELECT k FROM big WHERE k > 3))',
	'correlated' => 'SELECT count(*) FROM pt WHERE k < 3 AND
  EXISTS (SELECT FROM big WHERE big.k % 30000 = pt.k OFFSET 0)',
	'a CTE' => 'WITH c AS MATERIALIZED (SELECT k FROM big WHERE k < 20)
  SELECT count(*) FROM pt WHERE k NOT IN (SELECT k FROM c)
  AND k NOT IN (SELECT k FROM c WHERE k > 7)',
	'an InitPlan' => 'SELECT count(*) FROM pt
  WHERE k < (SELECT max(k) FROM big) AND k NOT IN (SELECT k FROM big)',
	"$partitions partitions" =>
	  'SELECT count(*) FROM many WHERE k NOT IN (SELECT k FROM big)',
	'a cursor' => 'BEGIN;
  DECLARE c SCROLL CURSOR FOR SELECT k FROM pt
    WHERE k NOT IN (SELECT k FROM big) ORDER BY k;
  FETCH 1 FROM c; FETCH 1 FROM c; FETCH BACKWARD 1 FROM c; FETCH FIRST FROM c;
  SAVEPOINT s; SELECT count_despite_error(); ROLLBACK TO s;
  FETCH ALL FROM c;
  COMMIT',
	'a held cursor' => 'BEGIN;
  DECLARE c CURSOR WITH HOLD FOR SELECT k FROM pt
    WHERE k NOT IN (SELECT k FROM big) ORDER BY k;
  FETCH 1 FROM c;
  COMMIT;
  FETCH ALL FROM c;
  CLOSE c',
	'PL/pgSQL' => 'SELECT count_missing(), count_missing()',
	'an error in PL/pgSQL' => 'SELECT count_despite_error()',
	'prepared' => 'PREPARE p(int) AS SELECT count(*) FROM pt
    WHERE k > $1 AND k NOT IN (SELECT k FROM big);'
	  . 'EXECUTE p(3);' x 8 . 'DEALLOCATE p',
	'changed while it is read' => 'BEGIN;
  UPDATE pt SET k = k WHERE k NOT IN (SELECT k FROM big) RETURNING k;
  DELETE FROM many WHERE k NOT IN (SELECT k FROM big);
  ROLLBACK',
	'switched between fetches' => 'BEGIN;
  DECLARE c CURSOR FOR SELECT k FROM pt
    WHERE k NOT IN (SELECT k FROM big) ORDER BY k;
  SET LOCAL ssdpar.enabled = off;
  FETCH 1 FROM c;
  SET LOCAL ssdpar.enabled = on;
  FETCH 1 FROM c;
  SET LOCAL ssdpar.enabled = off;
  COMMIT',
	'workers' => "SET min_parallel_table_scan_size = 0;
  SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
  SELECT count(*) FROM pt WHERE k NOT IN (SELECT k FROM big);
  SELECT count(*) FROM many WHERE k NOT IN (SELECT k FROM big);
  RESET ALL",
	'postgres_fdw, the far plan' => 'SELECT count(*) FROM far_missing',
	'postgres_fdw, the near one' => 'SELECT count(*) FROM
  (SELECT k FROM far_pt UNION ALL SELECT k FROM pt) u
  WHERE k NOT IN (SELECT k FROM big)',
);

# The answer of a session, and whether it survived.
sub answer
{
	my ($node, $prologue, $sql) = @_;
	my ($out, $err);
	my $code = $node->psql(
		'postgres', "$prologue;\n$sql;\nSELECT 'alive';",
		stdout => \$out,
		stderr => \$err,
		on_error_stop => 0);

	$out //= '';
	$out =~ s/^ *ssdpar .*\n//mg;    # added by EXPLAIN
	return $out =~ /^alive$/m ? $out : "the session ended: $err";
}

# Cancels each statement at several points in its first milliseconds.
sub cancelled
{
	my ($sql) = @_;

	# the timeout may end its own reset
	my $reset = "ROLLBACK;\nSET statement_timeout = 0;\n" x 3;

	return join('',
		map { "SET statement_timeout = $_;\n$sql;\n$reset"
			  . "CLOSE ALL;\nDEALLOCATE ALL;\n" } (1, 5, 25))
	  . 'SELECT count_missing()';
}

sub test_loaded
{
	my ($node, $how, $prologue) = @_;

	foreach my $name (sort keys %statements)
	{
		my $sql = $statements{$name};

		is( answer($node, $prologue, $sql),
			answer($node, "$prologue; SET ssdpar.enabled = off", $sql),
			"$how: $name");
	}
	return;
}

sub test_cancelled
{
	my ($node, $how, $prologue) = @_;

	foreach my $name (sort keys %statements)
	{
		like(
			answer($node, $prologue, cancelled($statements{$name})),
			qr/^2\nalive\z/m,
			"$how: $name, cancelled");
	}
	return;
}

# local_preload_libraries searches only that folder.
sub can_be_plugin
{
	my $libraries = qx{@{[ $ENV{PG_CONFIG} || 'pg_config' ]} --pkglibdir};

	chomp $libraries;
	return -e "$libraries/plugins/ssdpar.so";
}

my $node = PostgreSQL::Test::Cluster->new('subplans');
my @host;

$node->init;
# Compiling the filters of 500 partitions would take 45 s per query.
$node->append_conf('postgresql.conf', <<'END');
jit = off
ssdpar.daemon_autostart = off
autovacuum = off
max_worker_processes = 16
END
$node->start;
$tables =~ s/PARTITIONS/$partitions/g;
$tables =~ s/HOST/$node->host/e;
$tables =~ s/PORT/$node->port/e;
$node->safe_psql('postgres', $tables);

test_loaded($node, 'LOAD', "LOAD 'ssdpar'");
foreach my $how (qw(session_preload_libraries shared_preload_libraries))
{
	$node->append_conf('postgresql.conf', "$how = 'ssdpar'");
	$node->restart;
	test_loaded($node, $how, '');
	test_cancelled($node, $how, '') if $how =~ /^shared/;
	$node->append_conf('postgresql.conf', "$how = ''");
}
SKIP:
{
	skip 'ssdpar.so is not in the server\'s folder of plugins', 1
	  unless can_be_plugin();
	$node->append_conf('postgresql.conf',
		"local_preload_libraries = 'ssdpar'");
	$node->restart;
	test_loaded($node, 'local_preload_libraries', '');
}
unlike(slurp_file($node->logfile),
	qr/was terminated by signal|TRAP/, 'nothing crashed');
$node->stop;
done_testing();
