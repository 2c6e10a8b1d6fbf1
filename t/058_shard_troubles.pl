# 058_shard_troubles.pl
#	A shard that is down, slow, restarted during a query, without ssdpar or
#	with an older version, with another collation, row-level security, or
#	concurrent inserts; transactions that are prepared or read-only: with
#	keys sent as a list, a range or a filter, the result is the same as
#	without.
#
# The shard is a separate server.  SSDPAR_OTHER_SERVER=PREFIX makes it use
# another version's programs, with ssdpar installed there.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my @other = $ENV{SSDPAR_OTHER_SERVER}
  ? (install_path => $ENV{SSDPAR_OTHER_SERVER}) : ();
my $here = PostgreSQL::Test::Cluster->new('here');
my $shard = PostgreSQL::Test::Cluster->new('shard', @other);

$here->init;
$here->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.shard_keys = 100000
ssdpar.star_access = sequential
max_prepared_transactions = 5
max_parallel_workers_per_gather = 0
autovacuum = off
client_min_messages = warning
CONF
$here->start;
my $there = $here->safe_psql('postgres', <<'SQL');
SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'
SQL
plan skip_all => 'postgres_fdw is not installed' unless $there;
$shard->init(extra => [ '--locale=C', '--encoding=UTF8' ]);
$shard->append_conf('postgresql.conf', "autovacuum = off\n");
$shard->start;
$shard->safe_psql('postgres', <<'SQL');
CREATE TABLE far (f_n int, f_key int, f_text text);
INSERT INTO far SELECT i, nullif(i * 7 % 1000, 5), chr(65 + i % 50)
  FROM generate_series(1, 5000) i;
CREATE INDEX ON far (f_key);
CREATE VIEW slow AS SELECT * FROM far WHERE pg_sleep(0.2) IS NOT NULL;
CREATE ROLE restricted;
CREATE TABLE policed AS SELECT * FROM far;
GRANT SELECT ON policed, far TO restricted;
ALTER TABLE policed ENABLE ROW LEVEL SECURITY;
CREATE POLICY third ON policed USING (f_n % 3 = 0);
ANALYZE;
SQL

my ($host, $port) = ($shard->host, $shard->port);
$here->safe_psql('postgres', <<"SQL");
CREATE EXTENSION ssdpar;
CREATE EXTENSION postgres_fdw;
CREATE SERVER shard FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
  host '$host', port '$port', dbname 'postgres', fetch_size '50',
  async_capable 'true');
CREATE SERVER restricted FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
  host '$host', port '$port', dbname 'postgres', options '-crole=restricted');
SQL
$here->safe_psql('postgres', <<'SQL');
CREATE USER MAPPING FOR CURRENT_USER SERVER shard;
CREATE USER MAPPING FOR CURRENT_USER SERVER restricted;
CREATE FOREIGN TABLE far (f_n int, f_key int, f_text text) SERVER shard;
CREATE FOREIGN TABLE slow (f_n int, f_key int, f_text text) SERVER shard;
CREATE FOREIGN TABLE policed (f_n int, f_key int, f_text text)
  SERVER restricted;
CREATE TABLE parts (f_n int, f_key int, f_text text) PARTITION BY RANGE (f_n);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (10000) TO (20000);
INSERT INTO parts SELECT 10000 + i, i, 'here' FROM generate_series(0, 999) i;
ALTER TABLE parts ATTACH PARTITION far DEFAULT;
CREATE TABLE dim (d_key int PRIMARY KEY, d_v int, d_text text);
INSERT INTO dim SELECT i, i % 10, chr(65 + i % 50) FROM generate_series(0, 999) i;
ANALYZE dim, far, policed;
SQL

# How keys are sent, with the settings for it; "off" sends none.
my %sent = (
	off => 'SET ssdpar.enabled = off;',
	list => '',
	more => 'SET ssdpar.shard_keys = 3;');

# The result of a script, as rows and SQLSTATE of the last error, without keys
# and with each way of sending them.
sub outcomes
{
	my ($script) = @_;
	my %outcome;

	foreach my $way (sort keys %sent)
	{
		my ($rc, $out, $err) = $here->psql('postgres',
			"\\set VERBOSITY sqlstate\n$sent{$way}\n$script",
			on_error_stop => 0);
		my @states = $err =~ /ERROR:\s+(\w{5})/g;

		$outcome{$way} = join ' ', $out =~ /(\S+)/g, @states;
	}
	return \%outcome;
}

sub same
{
	my ($script, $expected, $name) = @_;
	my $outcome = outcomes($script);

	like($outcome->{off}, $expected, "$name: $outcome->{off}");
	is($outcome->{$_}, $outcome->{off}, "$name, $_")
	  foreach grep { $_ ne 'off' } sort keys %sent;
	return;
}

sub sent_as
{
	my ($script) = @_;
	my $plan = $here->safe_psql('postgres', <<"SQL");
$script
EXPLAIN (ANALYZE, VERBOSE, COSTS off, TIMING off, SUMMARY off)
  SELECT count(*), sum(f_n) FROM far JOIN dim ON f_key = d_key WHERE d_v = 3
SQL
	my ($as) = $plan =~ /Sent As: (\w+)/;

	return ($as // 'no keys') . ($plan =~ /in_key_filter/ ? ' and asked' : '');
}

my $count = 'SELECT count(*), sum(f_n) FROM %s JOIN dim ON f_key = d_key '
  . 'WHERE d_v = 3;';
my $far = sprintf($count, 'far');

# Without ssdpar on the shard.
is(sent_as($sent{list}), 'list', 'a shard without ssdpar gets a list');
is(sent_as($sent{more}), 'range', 'or a range');
same($far, qr/^500\|/, 'without ssdpar there');
$here->safe_psql('postgres',
	"ALTER SERVER shard OPTIONS (ADD extensions 'ssdpar')");
is(outcomes($far)->{$_}, '3F000', "it has not what its options say, $_")
  foreach 'list', 'more';
my $asked = <<'SQL';
SELECT device_bytes_per_second, cost_unit_seconds
  FROM ssdpar.calibrate_server('shard')
SQL
is($here->safe_psql('postgres', $asked), '|', 'it knows nothing of itself');
$shard->safe_psql('postgres', <<'SQL');
CREATE SCHEMA ssdpar;
CREATE TABLE ssdpar.device_profile (tablespace name, operation text,
  pattern text, bytes_per_second float8, queue_depth int);
CREATE FUNCTION ssdpar.fails(state text) RETURNS float8 LANGUAGE plpgsql
  AS $$BEGIN RAISE 'fails' USING ERRCODE = state; END$$;
SQL
foreach my $state (qw(42501 42804 42883 58P01))
{
	$shard->safe_psql('postgres', <<"SQL");
CREATE OR REPLACE VIEW ssdpar.device AS SELECT 'pg_default'::name AS tablespace,
  ssdpar.fails('$state') AS cost_unit_seconds
SQL
	is($here->safe_psql('postgres', $asked), '|', "it fails with $state there");
}
$shard->safe_psql('postgres', <<'SQL');
DROP VIEW ssdpar.device;
CREATE TABLE ssdpar.device (tablespace name, cost_unit_seconds float8);
INSERT INTO ssdpar.device VALUES ('pg_default');
INSERT INTO ssdpar.device_profile VALUES
  ('pg_default', 'read', 'sequential', 5e8, 1);
INSERT INTO ssdpar.device_profile VALUES
  ('pg_default', 'read', 'sequential', NULL, 2);
SQL
foreach my $number (qw(0 -1 NaN Infinity))
{
	$shard->safe_psql('postgres', <<"SQL");
UPDATE ssdpar.device SET cost_unit_seconds = '$number';
UPDATE ssdpar.device_profile SET bytes_per_second = '$number'
  WHERE queue_depth = 2
SQL
	is($here->safe_psql('postgres', $asked), '500000000|',
		"$number is not known");
}
$shard->safe_psql('postgres', 'DROP SCHEMA ssdpar CASCADE');
$shard->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
is($here->safe_psql('postgres', $asked), '|', 'not calibrated');
$shard->safe_psql('postgres', <<'SQL');
ALTER EXTENSION ssdpar DROP FUNCTION ssdpar.in_key_filter(bytea, "any");
ALTER FUNCTION ssdpar.in_key_filter(bytea, "any") RENAME TO not_yet;
SQL
is(outcomes($far)->{more}, '42883', 'an older ssdpar there: an error');
$shard->safe_psql('postgres', <<'SQL');
ALTER FUNCTION ssdpar.not_yet(bytea, "any") RENAME TO in_key_filter;
ALTER EXTENSION ssdpar ADD FUNCTION ssdpar.in_key_filter(bytea, "any");
\i test/invent_device.sql
SELECT invent_device('5e8 / size', 128, 5e-6);
SQL
is($here->safe_psql('postgres', $asked), '500000000|5e-06',
	'it tells what it knows');

# With it.
is(sent_as($sent{more}), 'filter and asked', 'a shard with ssdpar: a filter');
same($far, qr/^500\|/, 'with ssdpar there');
same(sprintf($count, 'parts'), qr/^600\|/, 'beside a local partition');
same(sprintf($count, 'policed'), qr/^16\d\|/, 'rows that a role may see');
same('SELECT count(*), min(f_text), max(f_text) FROM far JOIN dim ON '
	  . "f_key = d_key AND f_text = d_text WHERE d_v = 3 AND d_text > 'b';",
	qr/\|/, 'another collation');
same("BEGIN READ ONLY; $far COMMIT;", qr/^500\|/, 'read only');
same("BEGIN ISOLATION LEVEL SERIALIZABLE; $far COMMIT;", qr/^500\|/,
	'serializable');
same("BEGIN; $far PREPARE TRANSACTION 'one';", qr/^500\|\d+ 0A000$/,
	'two-phase commit');

# Rows are inserted there while a query runs, and removed again.
foreach my $way (sort keys %sent)
{
	my $session = $here->background_psql('postgres', on_error_stop => 0);
	my $rows;

	$session->query($sent{$way}) if $sent{$way};
	$session->query('BEGIN');
	$session->query('DECLARE c CURSOR FOR SELECT f_n FROM far JOIN dim '
		  . 'ON f_key = d_key WHERE d_v = 3');
	$session->query('FETCH 1 FROM c');
	$shard->safe_psql('postgres',
		'INSERT INTO far SELECT 6000, i, NULL FROM generate_series(0, 999) i');
	$rows = () = $session->query('FETCH ALL FROM c') =~ /\d+/g;
	is($rows, 499, "rows inserted meanwhile are not seen, $way");
	is($session->query('SELECT count(*) FROM far JOIN dim ON f_key = d_key '
			  . 'WHERE d_v = 3'), 500, "nor later in the transaction, $way");
	$session->query('COMMIT');
	is($session->query('SELECT count(*) FROM far JOIN dim ON f_key = d_key '
			  . 'WHERE d_v = 3'), 600, "but in the next one, $way");
	$shard->safe_psql('postgres', 'DELETE FROM far WHERE f_n = 6000');
	$session->quit;
}

# Slow: each row takes a fifth of a second there, of at least 500 rows.
same("SET statement_timeout = '1s'; "
	  . sprintf($count, 'slow') . " RESET statement_timeout; $far",
	qr/^500\|\d+ 57014$/, 'a slow shard');

# Restarted between two rows of a query: an error, and then right results.
foreach my $way (sort keys %sent)
{
	my $session = $here->background_psql('postgres', on_error_stop => 0);

	$session->query($sent{$way}) if $sent{$way};
	$session->query('BEGIN');
	$session->query('DECLARE c CURSOR FOR SELECT f_n FROM far JOIN dim '
		  . 'ON f_key = d_key WHERE d_v = 3');
	$session->query('FETCH 1 FROM c');
	# (the arguments of restart() differ between server versions)
	$shard->stop('immediate');
	$shard->start;
	$session->query('\set VERBOSITY sqlstate');
	my $rows = $session->query('FETCH ALL FROM c');
	unlike($rows, qr/\d/, "no rows of a shard that was restarted, $way");
	$session->query('ROLLBACK');
	is($session->query('SELECT count(*) FROM far JOIN dim ON f_key = d_key '
			  . 'WHERE d_v = 3'), 500, "and the next query is right, $way");
	$session->quit;
}

# Down.
$shard->stop('immediate');
same($far, qr/^08001$/, 'a shard that is down');
same("$far " . sprintf($count, 'parts_1'), qr/^100\|\d+ 08001$/,
	'which others do not need');
same('EXPLAIN (COSTS off, FORMAT json) SELECT 1 FROM far WHERE false;',
	qr/Result/, 'and no plan');
$shard->start;
same($far, qr/^500\|/, 'and up again');

$shard->stop;
$here->stop;
done_testing();
