# 059_managed_service.pl
#	What works without a superuser and without preloading, as on a managed
#	service: tests docs/howto/hosting.md.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('managed');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nfsync = off\n");
$node->start;

# The provider's part.
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE ROLE keeper LOGIN IN ROLE pg_write_server_files;
CREATE ROLE app LOGIN;
CREATE SCHEMA shop AUTHORIZATION app;
SQL

# The result of a role's session: exit code, rows, messages.
sub session_of
{
	my ($role, $sql) = @_;
	my ($out, $err);
	my $code = $node->psql(
		'postgres',
		"SET search_path = shop;\n$sql",
		extra_params => [ '-U', $role ],
		stdout => \$out,
		stderr => \$err);

	return ($code, $out, $err);
}

sub rows_of
{
	my ($role, $sql) = @_;
	my ($code, $out, $err) = session_of($role, $sql);

	is($code, 0, "$role may") or diag($err);
	return $out;
}

rows_of('app', <<'SQL');
CREATE TABLE dimension AS
  SELECT i AS k, i % 100 AS c FROM generate_series(1, 5000) i;
ALTER TABLE dimension ADD PRIMARY KEY (k);
CREATE TABLE fact AS
  SELECT i % 5000 + 1 AS k, i AS v, repeat('x', 100) AS pad
    FROM generate_series(1, 100000) i ORDER BY hashint4(i);
CREATE INDEX ON fact (k);
ANALYZE dimension, fact;
SQL

# ----- profiles by a privileged role, by measuring or from a file

my ($code, $out, $err) =
  session_of('app', "SELECT ssdpar.calibrate('pg_default')");
isnt($code, 0, 'an ordinary role may not calibrate');
like($err, qr/permission denied.*pg_write_server_files/s,
	'... and is told who may');
like(
	rows_of('keeper',
		'SET client_min_messages = error;'
		  . "SELECT tablespace FROM ssdpar.calibrate('pg_default',"
		  . ' quick => true, seconds => 1, file_size_mb => 16)'),
	qr/pg_default/, 'no superuser is needed to calibrate');
my $document = rows_of('app', "SELECT ssdpar.profile_document('pg_default')");
like($document, qr/^\{/, 'anybody may take the profile elsewhere');
rows_of('keeper', "SELECT ssdpar.store_profile('pg_default', \$d\$$document\$d\$)");

# A device that changes plans.
$node->safe_psql('postgres', <<'SQL');
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 128, 1e-8);
SQL

# ----- any function of the extension loads the library into a session

($code, $out, $err) = session_of('app', "LOAD 'ssdpar'");
isnt($code, 0, 'an ordinary role may not LOAD');
my $load = "SELECT ssdpar.profile_problem('pg_default');\n";
my $force = <<'SQL';
SET ssdpar.cost_model_min_size = 0;
SET ssdpar.prefetch_min_size = 0;
SET ssdpar.star_access = bitmap;
SQL
my $query =
  'SELECT count(*), sum(v) FROM fact JOIN dimension USING (k) WHERE c = 7';

my $plain = rows_of('app', $query);
is(rows_of('app', $load . $force . $query),
	"\n$plain", 'the same rows with the library');
my $plan = rows_of('app', "$load$force EXPLAIN (ANALYZE, COSTS OFF) $query");
like($plan, qr/SsdparStarScan/, '... by a star scan');
like($plan, qr/Read Ahead: (server|read stream)/,
	'... that reads ahead without a daemon');
like(rows_of('app', "$load$force EXPLAIN (VERBOSE) $query"),
	qr/ssdpar Predicted Time/, '... with a prediction');
unlike(rows_of('app', "EXPLAIN (COSTS OFF) $query"),
	qr/Ssdpar/, 'a session that has not called one is as without');
is(rows_of('app', "$load$force SET ssdpar.subqueries = 2; $query"),
	"\n$plain", 'the same rows when a split is asked for');

# ----- features that need preloading say so, or do not exist

like(rows_of('app', 'SELECT problem FROM ssdpar.daemon_status()'),
	qr/./, 'no daemon: daemon_status() says why');
is(rows_of('app', "SELECT drift IS NULL FROM ssdpar.device_summary"),
	't', 'drift is not known');
rows_of('app', 'SELECT count(*) FROM ssdpar.advise()');
rows_of('app', 'SELECT count(*) FROM ssdpar.pg_stat_ssdpar');

# ----- the provider may grant more

$node->safe_psql('postgres',
	'GRANT SET ON PARAMETER session_preload_libraries TO app');
rows_of('app', "ALTER ROLE app SET session_preload_libraries = 'ssdpar'");
like(rows_of('app', "$force EXPLAIN (COSTS OFF) $query"),
	qr/SsdparStarScan/, 'a role preloads it for all of its sessions');

$node->stop;
done_testing();
