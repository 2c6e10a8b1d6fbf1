# 062_upgrade.pl
#	ssdpar across version changes: SQL objects of another version than the
#	library's, pg_upgrade (to the same version of the server), and logical
#	replication to and from servers with and without it.
#
# Dumps and copied profiles are in 037_cluster_profile.pl.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $conf = <<'CONF';
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
ssdpar.cost_model_min_size = 0
autovacuum = off
CONF

sub make_node
{
	my ($name, $with, @init) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(@init);
	$node->append_conf('postgresql.conf', $conf) if $with;
	return $node;
}

sub make_profile
{
	my ($node) = @_;

	$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
	$node->safe_psql('postgres', slurp_file('test/invent_device.sql')
		  . "SELECT invent_device('depth * 10000', 128, 4e-6);"
		  . 'DROP FUNCTION invent_device');
	return;
}

my $star = <<'SQL';
CREATE TABLE day (k int PRIMARY KEY, w int);
CREATE TABLE fact (id int PRIMARY KEY, d int, v int);
SQL
my $rows = <<'SQL';
INSERT INTO day SELECT i, i / 7 FROM generate_series(0, 199) i;
INSERT INTO fact SELECT i, i % 200, i FROM generate_series(1, 20000) i;
SQL
my $query = 'SELECT count(*), sum(v), min(w) FROM fact, day'
  . ' WHERE d = k AND w < 5';
my $forced = 'SET ssdpar.star_access = sequential;';

sub is_star_scanned
{
	my ($node, $name) = @_;

	like($node->safe_psql('postgres', "$forced EXPLAIN $query"),
		qr/SsdparStarScan/, "$name: a star scan");
	is($node->safe_psql('postgres', "$forced $query"),
		$node->safe_psql('postgres', "SET ssdpar.enabled = off; $query"),
		"$name: the rows of core");
	return;
}

# --- SQL objects of another version: each function of the library that returns
# rows, declared with one column less, one more, and another type

my $node = make_node('old', 1);
$node->start;
make_profile($node);
my @declared = split /\n/, $node->safe_psql('postgres', <<'SQL');
SELECT p.proname, p.prosrc, p.proretset,
       array_to_string(ARRAY(
         SELECT format_type(t, NULL) FROM unnest(p.proargtypes) t), ', '),
       coalesce((SELECT string_agg(format_type(t, NULL), ',' ORDER BY n)
                   FROM unnest(p.proallargtypes, p.proargmodes)
                        WITH ORDINALITY a (t, mode, n) WHERE mode IN ('o', 't')),
                (SELECT string_agg(format_type(atttypid, NULL), ',' ORDER BY attnum)
                   FROM pg_attribute a JOIN pg_type r ON r.typrelid = a.attrelid
                  WHERE r.oid = p.prorettype AND attnum > 0))
  FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid
       AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
  JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ssdpar'
 WHERE p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'c') AND
       p.prorettype IN (SELECT oid FROM pg_type
                         WHERE typtype IN ('c', 'p') AND typname <> 'trigger'
                               AND typname <> 'void') AND
       p.proname <> 'calibrate'
 ORDER BY 1
SQL
my %argument = (
	'' => '',
	name => "'pg_default'",
	'name, double precision' => "'pg_default', 0",
	oid => "1663",
	text => "'host=far'");
$node->safe_psql('postgres', 'CREATE SCHEMA former');
cmp_ok(scalar(@declared), '>=', 7, 'functions that return rows');

foreach my $line (@declared)
{
	my ($name, $symbol, $set, $types, $columns) = split /\|/, $line;
	my @columns = split /,/, $columns;
	my $last = $columns[-1] eq 'text' ? 'bigint' : 'text';

	foreach my $case (
		# a single column is not a row
		(@columns > 2
			? [ 'a column less', @columns[ 0 .. $#columns - 1 ] ]
			: ()),
		[ 'a column more', @columns, 'text' ],
		[ 'another type', @columns[ 0 .. $#columns - 1 ], $last ])
	{
		my ($what, @other) = @$case;
		my $result = join ', ', map { "OUT c$_ $other[$_]" } 0 .. $#other;
		my ($out, $err);

		$node->psql(
			'postgres', "CREATE FUNCTION former.$name("
			  . join(', ', grep { $_ ne '' } $types, $result)
			  . ') RETURNS ' . ($set eq 't' ? 'SETOF ' : '') . 'record'
			  . " VOLATILE LANGUAGE C AS 'ssdpar', '$symbol';\n"
			  . "SELECT * FROM former.$name($argument{$types});\n"
			  . "DROP FUNCTION former.$name",
			stdout => \$out, stderr => \$err, on_error_stop => 0);
		like($err, qr/ssdpar\.$name\(\) has other columns here than /,
			"$name(): $what");
	}
}
is($node->safe_psql('postgres', 'SELECT count(*) FROM ssdpar.device'),
	'1', 'and the server goes on');

# --- a function that this library does not have, as in a newer script

my ($out, $err);
$node->psql(
	'postgres', "SET check_function_bodies = off; CREATE FUNCTION"
	  . " former.newer() RETURNS int LANGUAGE C AS 'ssdpar', 'ssdpar_sql_newer';"
	  . ' SELECT former.newer()',
	stdout => \$out, stderr => \$err, on_error_stop => 0);
like($err, qr/could not find function "ssdpar_sql_newer"/,
	'a newer script with an older library');

# --- pg_upgrade

$node->safe_psql('postgres', 'DROP SCHEMA former CASCADE');
$node->safe_psql('postgres', $star . $rows . 'ANALYZE');
is_star_scanned($node, 'before pg_upgrade');
my $expected = $node->safe_psql('postgres', $query);
my $profile =
  $node->safe_psql('postgres', "SELECT ssdpar.profile_document('pg_default')");
$node->stop;

my $new = make_node('new', 1);
my $bin = $node->config_data('--bindir');
my $place = PostgreSQL::Test::Utils::tempdir();
command_ok(
	[
		'sh', '-c', "cd '$place' && exec pg_upgrade -d '"
		  . $node->data_dir . "' -D '" . $new->data_dir
		  . "' -b '$bin' -B '$bin' -s '$place' -p " . $node->port
		  . ' -P ' . $new->port
	],
	'pg_upgrade');
$new->start;
is($new->safe_psql('postgres', "SELECT ssdpar.profile_problem('pg_default')"),
	'the tablespace has not been calibrated', 'the profile stays behind');
is_star_scanned($new, 'after pg_upgrade');
is($new->safe_psql('postgres', $query), $expected, 'the same rows');
$new->safe_psql('postgres',
	"SELECT ssdpar.store_profile('pg_default', \$\$$profile\$\$)");
is($new->safe_psql('postgres', "SELECT ssdpar.profile_problem('pg_default')"),
	'', 'a document takes it along');
$new->safe_psql('postgres', "SELECT ssdpar.forget_profile('pg_default')");
$new->stop;
system_or_bail('cp', $node->data_dir . '/ssdpar.profile', $new->data_dir);
$new->start;
is($new->safe_psql('postgres', "SELECT ssdpar.profile_problem('pg_default')"),
	'', 'and so does the file');
$new->stop;

# --- logical replication, both ways between servers with ssdpar and without

foreach my $with (1, 0)
{
	my $publisher =
	  make_node("publisher$with", $with, allows_streaming => 'logical');
	my $subscriber = make_node("subscriber$with", !$with);

	$_->start foreach ($publisher, $subscriber);
	make_profile($with ? $publisher : $subscriber);
	$_->safe_psql('postgres', $star) foreach ($publisher, $subscriber);
	$publisher->safe_psql('postgres', $rows
		  . 'CREATE PUBLICATION all_of_it FOR ALL TABLES');
	$subscriber->safe_psql('postgres',
		"CREATE SUBSCRIPTION all_of_it CONNECTION 'host="
		  . $publisher->host . ' port=' . $publisher->port
		  . " dbname=postgres' PUBLICATION all_of_it");
	$subscriber->wait_for_subscription_sync($publisher, 'all_of_it');
	$publisher->safe_psql('postgres', 'UPDATE fact SET v = v + 1 WHERE d = 3;'
		  . 'DELETE FROM fact WHERE d = 4; UPDATE day SET w = 1 WHERE k = 190');
	$publisher->wait_for_catchup('all_of_it');
	my $name = ($with ? 'from' : 'to') . ' a server with ssdpar';
	is($subscriber->safe_psql('postgres', $query),
		$publisher->safe_psql('postgres', $query), "replicated $name");
	is_star_scanned($with ? $publisher : $subscriber, $name);
	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION all_of_it');
	$_->stop foreach ($subscriber, $publisher);
}

done_testing();
