# 005_loading.pl
#	The library works however it is loaded: by shared_preload_libraries,
#	session_preload_libraries, LOAD, or only CREATE EXTENSION.
#
# This only tests that it loads and responds.  Its effect on plans is tested in
# 001_plans.pl and 006_core_suite.pl.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $settings_query =
  "SELECT count(*) FROM pg_settings WHERE name LIKE 'ssdpar.%'";

# The result of psql, which first runs $prologue in the same session.
sub run_sql
{
	my ($node, $prologue, $sql) = @_;
	my ($stdout, $stderr);
	my $code = $node->psql(
		'postgres', "$prologue$sql",
		stdout => \$stdout,
		stderr => \$stderr);

	return ($code, $stdout, $stderr);
}

# All conditions for a session that has the library.
sub check_session
{
	my ($node, $how, $prologue) = @_;
	my ($code, $stdout, $stderr);

	($code, $stdout) = run_sql($node, $prologue, $settings_query);
	cmp_ok($stdout, '>=', 3, "$how: its settings are visible");

	($code, $stdout) = run_sql($node, $prologue, 'SHOW ssdpar.enabled');
	is($stdout, 'on', "$how: it is on");

	($code, $stdout, $stderr) =
	  run_sql($node, $prologue, 'SET ssdpar.no_such_setting = 1');
	isnt($code, 0, "$how: a misspelt setting is refused");
	like(
		$stderr,
		qr/invalid configuration parameter name "ssdpar.no_such_setting"/,
		"$how: with the reason");

	($code, $stdout, $stderr) = run_sql($node, $prologue,
		'SET ssdpar.subqueries = 2; EXPLAIN (SETTINGS, VERBOSE) '
		  . 'SELECT count(*) FROM pg_class a JOIN pg_class b USING (oid)');
	is($code, 0, "$how: EXPLAIN works");
	like($stdout, qr/Settings: .*ssdpar\.subqueries = '2'/,
		"$how: and shows a setting that was changed");

	($code, $stdout) = run_sql($node, $prologue,
		'SELECT count(*) FROM pg_class a JOIN pg_class b USING (oid)');
	cmp_ok($stdout, '>', 100, "$how: a query gives its rows");
}

# A server without any preload: the starting point of the others.
sub check_no_library
{
	my ($node) = @_;

	is($node->safe_psql('postgres', $settings_query),
		'0', 'a server without the library has none of its settings');
}

sub check_extension
{
	my ($node, $how) = @_;

	$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
	is( $node->safe_psql(
			'postgres',
			"SELECT extversion FROM pg_extension WHERE extname = 'ssdpar'"),
		slurp_file('ssdpar.control') =~ /default_version = '(.*)'/ ? $1 : '?',
		"$how: CREATE EXTENSION works");
	is( $node->safe_psql(
			'postgres',
			"SELECT has_schema_privilege('public', 'ssdpar', 'USAGE')"),
		't',
		"$how: everybody may use its schema");
	$node->safe_psql('postgres', 'DROP EXTENSION ssdpar');
	is( $node->safe_psql(
			'postgres',
			"SELECT count(*) FROM pg_namespace n JOIN pg_class c"
			  . " ON relnamespace = n.oid WHERE nspname = 'ssdpar'"),
		'0',
		"$how: DROP EXTENSION leaves nothing");
	$node->safe_psql('postgres', 'DROP SCHEMA IF EXISTS ssdpar CASCADE');
}

my $node = PostgreSQL::Test::Cluster->new('loading');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;

check_no_library($node);
check_extension($node, 'no preload');
check_session($node, 'LOAD', "LOAD 'ssdpar'; ");

foreach my $way ('session_preload_libraries', 'shared_preload_libraries')
{
	$node->append_conf('postgresql.conf', "$way = 'ssdpar'\n");
	$node->restart;
	check_session($node, $way, '');
	check_extension($node, $way);
	# Loading the same library twice changes nothing.
	check_session($node, "$way and LOAD", "LOAD 'ssdpar'; ");
	$node->append_conf('postgresql.conf', "$way = ''\n");
}

# A setting in the file, before the library is loaded.
$node->append_conf('postgresql.conf', "ssdpar.subqueries = 7\n");
$node->restart;
my ($code, $stdout) =
  run_sql($node, "LOAD 'ssdpar'; ", 'SHOW ssdpar.subqueries');
is($stdout, '7', 'LOAD takes over what postgresql.conf says');

# A setting of an older version.
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.auto_calibrate = on
CONF
$node->restart;
like(
	slurp_file($node->logfile),
	qr/WARNING:  invalid configuration parameter name "ssdpar.auto_calibrate", removing it/,
	'a setting that went is said when the server starts');
check_session($node, 'with a setting that went', '');

unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal/,
	'nothing crashed');
$node->stop;
done_testing();
