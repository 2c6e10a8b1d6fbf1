# 040_roles.pl
#	Who may do what: every cell of the table in SECURITY.md is tried.  Planning
#	reads no table for a role that may not read it, and the extension is not
#	made in a schema that somebody else has prepared.
#
# The table is read from the document, so that document and test agree.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A role has a right if its statement ends without an error, or with this one.
my $reached = qr/42704/;
my $document = '{"format": "ssdpar-probe", "version": 1, "engine_version": "1",'
  . ' "measured_at": "2026-01-01", "seconds": 1, "file_size": 1,'
  . ' "device": {"identity": "any device"}, "points": []}';
my %statement = (
	'read `ssdpar.device`' => 'SELECT * FROM ssdpar.device',
	'read `ssdpar.device_profile`' => 'SELECT * FROM ssdpar.device_profile',
	'read `ssdpar.device_summary`' => 'SELECT * FROM ssdpar.device_summary',
	'`ssdpar.store_profile()`' =>
	  "SELECT ssdpar.store_profile('pg_global', '$document')",
	# the tablespace does not exist, which is checked after the right
	'`ssdpar.calibrate()`' => "SELECT ssdpar.calibrate('no such place')",
	'`ssdpar.forget_profile()`' =>
	  "SELECT ssdpar.forget_profile('pg_global')",
	'`ssdpar.stored_profiles()`' => 'SELECT * FROM ssdpar.stored_profiles()',
	'`ssdpar.profile_document()`' =>
	  "SELECT ssdpar.profile_document('pg_default')",
	'read `ssdpar.pg_stat_progress_calibrate`' =>
	  'SELECT * FROM ssdpar.pg_stat_progress_calibrate',
	'read `ssdpar.server_link`' =>
	  "SELECT 1 / count(latency_seconds) FROM ssdpar.server_link",
	'all databases in `ssdpar.stored_links()`' =>
	  'SELECT 1 / count(*) FROM ssdpar.stored_links()',
	'`ssdpar.server_address()`' => "SELECT ssdpar.server_address('far')",
	'`ssdpar.store_link()`' => "SELECT ssdpar.store_link('far', 0.1, 1e6)",
	'`ssdpar.store_shard()`' => "SELECT ssdpar.store_shard('far', 1e6, NULL)",
	'`ssdpar.forget_link()`' => "SELECT ssdpar.forget_link('far')",
	# there is no user mapping, which is checked after the right
	'`ssdpar.calibrate_server()`' => "SELECT ssdpar.calibrate_server('far')",
	'`ssdpar.in_key_filter()`' =>
	  'SELECT ssdpar.in_key_filter(NULL, 1)',
	'`ssdpar.profile_problem()`' =>
	  "SELECT ssdpar.profile_problem('pg_default')",
	'`ssdpar.profile_iops()`' =>
	  "SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1)",
	'`ssdpar.profile_drift()`' =>
	  "SELECT ssdpar.profile_drift('pg_default')",
	'`ssdpar.suggest_settings()`' =>
	  'SELECT * FROM ssdpar.suggest_settings()',
	'`ssdpar.suggest_for()`' =>
	  "SELECT * FROM ssdpar.suggest_for('pg_default', 0)",
	'`ssdpar.advise()`' =>
	  'SET client_min_messages = warning; SELECT * FROM ssdpar.advise()',
	'`ssdpar.advise_by()` and the rules that it asks' =>
	  'SELECT * FROM ssdpar.advise_by(ssdpar.gather_evidence())',
	'free space and devices in `ssdpar.storage_place()`' =>
	  'SELECT 1 / count(place) FROM ssdpar.storage_place(0)',
	'the own database in `ssdpar.pg_stat_ssdpar`' =>
	  'SELECT 1 / count(*) FROM ssdpar.pg_stat_ssdpar'
	  . ' WHERE datname = current_database()',
	'all databases in `ssdpar.pg_stat_ssdpar`' =>
	  'SELECT 1 / count(*) FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL',
	'all databases in `ssdpar.prefetch_counters()`' =>
	  'SELECT 1 / count(*) FROM ssdpar.prefetch_counters()'
	  . ' WHERE datid IS NULL',
	'`ssdpar.stat_reset()`' => 'SELECT ssdpar.stat_reset()',
	'`ssdpar.daemon_status()`' => 'SELECT * FROM ssdpar.daemon_status()',
	'set `ssdpar.enabled` and what else changes plans' =>
	  'SET ssdpar.enabled = off; SET ssdpar.star_access = bitmap',
	'set where the daemon is, by `SET`' =>
	  "SET ssdpar.daemon_socket = '/tmp/mine'",
	'make objects in the schema `ssdpar`' => 'CREATE TABLE ssdpar.mine ()',
	'EXPLAIN a query of a table it may not read' =>
	  'EXPLAIN SELECT * FROM role_sale JOIN role_day'
	  . " ON s_day = d_date WHERE d_year = 2016",);
my %role = (
	'any role' => 'anybody',
	'member of stats' => 'stats_member',
	'member of files' => 'files_member',
	'superuser' => 'boss',);

sub make_node
{
	my $node = PostgreSQL::Test::Cluster->new('roles');

	$node->init;
	$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.residency = cold
ssdpar.prefetch = off
ssdpar.cost_model_min_size = '1MB'
max_parallel_workers_per_gather = 0
autovacuum = off
END
	$node->start;
	$node->safe_psql('postgres', <<'END');
CREATE ROLE anybody;
CREATE ROLE stats_member;
GRANT pg_read_all_stats TO stats_member;
CREATE ROLE files_member;
GRANT pg_write_server_files TO files_member;
CREATE ROLE boss SUPERUSER;
END
	return $node;
}

# The SQLSTATE of the first error, or ''.
sub error_of
{
	my ($node, $who, $sql) = @_;
	my ($out, $err) = ('', '');

	$node->psql(
		'postgres',
		"\\set VERBOSITY sqlstate\nBEGIN;\nSET SESSION AUTHORIZATION $who;\n"
		  . "$sql;\nROLLBACK;",
		stdout => \$out,
		stderr => \$err,
		on_error_stop => 1);
	return $err =~ /ERROR:\s+(\w{5})/ ? $1 : $err;
}

# Rows of the table: a list of [what, {column => yes or no}].
sub table_of
{
	my ($text) = @_;
	my ($header, @rows) = grep { /^\|/ && !/^\|---/ } split /\n/,
	  ($text =~ /## Who may do what\n(.*)/s)[0];
	my ($nothing, @columns) = cells($header);

	return map {
		my ($what, @values) = cells($_);
		my %cell;
		@cell{@columns} = @values;
		[ $what, \%cell ]
	} @rows;
}

sub cells
{
	my ($line) = @_;
	my (undef, @cells) = split /\s*\|\s*/, $line;

	return @cells;
}

sub make_tables
{
	my ($node) = @_;

	$node->safe_psql('postgres', <<'END');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
CREATE TABLE role_day (d_date date PRIMARY KEY, d_year int);
INSERT INTO role_day SELECT d, extract(year FROM d)
  FROM generate_series('1900-01-01'::timestamp, '2099-12-31', '1 day') d;
CREATE TABLE role_sale (s_id int, s_day date, s_pad text);
INSERT INTO role_sale SELECT i, '2015-01-01'::date + i % 1826,
    repeat('x', 100) FROM generate_series(1, 100000) i (i);
CREATE INDEX ON role_sale (s_day);
VACUUM ANALYZE role_day, role_sale;
CREATE EXTENSION postgres_fdw;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'far');
GRANT USAGE ON FOREIGN SERVER far TO PUBLIC;
SELECT ssdpar.store_link('far', 0.1, 1e6);
-- Scans are counted before the session ends, not some time after.
SELECT pg_stat_force_next_flush();
END
	return;
}

sub test_cells
{
	my ($node) = @_;
	my %untried = %statement;

	foreach my $row (table_of(slurp_file('SECURITY.md')))
	{
		my ($what, $cell) = @$row;
		my $sql = delete $untried{$what};

		ok(defined $sql, "$what: can be tried") or next;
		foreach my $column (sort keys %role)
		{
			my $error = error_of($node, $role{$column}, $sql);

			is($error eq '' || $error =~ $reached ? 'yes' : 'no',
				$cell->{$column}, "$column: $what")
			  or diag("SQLSTATE: $error");
			like($error, qr/42501|22012|55P02/, "$column: $what: why not")
			  if $cell->{$column} eq 'no';
		}
	}
	is(join(', ', keys %untried), '', 'the document has every one');
	return;
}

# Objects that the document lists as part of others.
my %part_of = (
	calibrations_running => 'pg_stat_progress_calibrate',
	(map { $_ => 'calibrate_server' }
		  qw(time_fetching measure_link ask_shard link_hint)),
	(map { $_ => 'advise_by' } qw(column_statistics counting_began
		  device_prices evidence_of_writing file_age free_name gather_evidence
		  index_definition index_text lasts move_back_text option_number read_ahead_byte
		  recovery_ended room
		  row_padding seen_indexes seen_tables set_text settings_begun_with
		  time_text unset_text)),);

# New objects must be added to the document.
sub test_objects
{
	my ($node) = @_;
	my ($table) = slurp_file('SECURITY.md') =~ /## Who may do what\n(.*)/s;
	my @objects = split /\n/, $node->safe_psql('postgres', <<'END');
SELECT DISTINCT coalesce(p.proname, c.relname)
  FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
  LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
  LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND
       c.oid = d.objid AND c.relkind <> 'c'
 WHERE d.deptype = 'e' AND e.extname = 'ssdpar' AND
       coalesce(p.proname, c.relname) !~ '^advise_'
END
	my @missing = grep {
		my $name = $part_of{$_} // $_;
		$table !~ /`ssdpar\.$name\b/
	} @objects;

	cmp_ok(scalar(@objects), '>', 30, 'objects');
	is(join(', ', @missing), '', 'the document has every object');
	return;
}

# Scans of the dimension by sessions that have ended.
sub scans
{
	my ($node) = @_;

	return $node->safe_psql('postgres',
		"SELECT pg_stat_get_numscans('role_day'::regclass)");
}

# Planning comes before the server looks whether the role may read the tables.
sub test_looks
{
	my ($node) = @_;
	my $query = $statement{'EXPLAIN a query of a table it may not read'};
	my $before = scans($node);

	is(error_of($node, 'anybody', $query), '42501', 'no right to read');
	is(scans($node), $before, 'planning has not looked at the dimension');
	is(error_of($node, 'boss', $query), '', 'a right to read');
	cmp_ok(scans($node), '>', $before, 'planning has looked at it');
	return;
}

# Another user has created the schema before.
sub test_prepared_schema
{
	my ($node) = @_;

	$node->safe_psql('postgres',
		'CREATE SCHEMA ssdpar AUTHORIZATION anybody');
	is(error_of($node, 'boss', 'CREATE EXTENSION ssdpar'),
		'42501', 'a schema of somebody else is refused');
	$node->safe_psql('postgres',
		'ALTER SCHEMA ssdpar OWNER TO boss; GRANT CREATE ON SCHEMA ssdpar TO anybody');
	is(error_of($node, 'boss', 'CREATE EXTENSION ssdpar'),
		'42501', 'one that others may create in is refused');
	$node->safe_psql('postgres', <<'END');
DROP SCHEMA ssdpar;
CREATE SCHEMA ssdpar;
CREATE FUNCTION ssdpar.profile_iops(name, text, int, int) RETURNS float8
  LANGUAGE plpgsql AS $$ BEGIN RAISE 'called in place of ours'; END $$;
END
	is(error_of($node, 'boss', 'CREATE EXTENSION ssdpar'),
		'42501', 'one with objects is refused');
	$node->safe_psql('postgres', <<'END');
DROP FUNCTION ssdpar.profile_iops;
CREATE FUNCTION public.never(bigint, int) RETURNS bool LANGUAGE plpgsql
  AS $$ BEGIN RAISE 'a foreign operator was called'; END $$;
CREATE OPERATOR public.> (LEFTARG = bigint, RIGHTARG = int,
                          FUNCTION = public.never);
END
	make_tables($node);
	pass('in an empty one the extension is made, foreign operators are not called');
	return;
}

# Names of the extension's functions that satisfy a condition.
sub functions
{
	my ($node, $condition) = @_;

	return $node->safe_psql('postgres', <<"END");
SELECT coalesce(string_agg(p.proname, ' ' ORDER BY p.proname), '')
  FROM pg_proc p
  JOIN pg_language l ON l.oid = p.prolang
  JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
  JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass
                     AND e.oid = d.refobjid
 WHERE d.deptype = 'e' AND e.extname = 'ssdpar' AND $condition
END
}

sub test_functions
{
	my ($node) = @_;

	is( functions(
			$node,
			"l.lanname IN ('sql', 'plpgsql') AND NOT "
			  . "coalesce(p.proconfig::text ~ 'search_path=pg_catalog', false)"
		),
		'lasts room',
		'functions in SQL have a search_path, but those two');
	is(functions($node, 'p.prosecdef'), '', 'none is SECURITY DEFINER');
	return;
}

my $node = make_node();

test_prepared_schema($node);
test_looks($node);
# so that there is something to see: nothing is in memory, and no daemon is there
$node->restart;
$node->safe_psql('postgres', 'SET ssdpar.prefetch = daemon;'
	  . ' SET ssdpar.prefetch_min_size = 0;'
	  . ' SET ssdpar.star_access = sequential;'
	  . ' SELECT count(md5(repeat(s_pad, 5))) FROM role_sale'
	  . ' JOIN role_day ON s_day = d_date WHERE d_year = 2016');
test_cells($node);
test_objects($node);
test_functions($node);
$node->stop;
done_testing();
