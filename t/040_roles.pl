# 040_roles.pl
#	Who may do what: every cell of the table in SECURITY.md is tried.  Planning
#	samples no table for a role that may not read it, and the extension is not
#	made in a schema that somebody else has prepared.
#
# The table is read from the document, so that neither can change alone.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A role has a right if its statement ends with no error, or with this one.
my $reached = qr/42704/;
my $document = '{"format": "ssdpar-probe", "version": 1, "engine_version": "1",'
  . ' "measured_at": "2026-01-01", "seconds": 1, "file_size": 1,'
  . ' "device": {"identity": "any device"}, "points": []}';
my %statement = (
	'read `ssdpar.device`' => 'SELECT * FROM ssdpar.device',
	'read `ssdpar.device_profile`' => 'SELECT * FROM ssdpar.device_profile',
	'read `ssdpar.device_summary`' => 'SELECT * FROM ssdpar.device_summary',
	'write `ssdpar.device`' =>
	  "UPDATE ssdpar.device SET model = 'x'; DELETE FROM ssdpar.device",
	'write `ssdpar.device_profile`' =>
	  'UPDATE ssdpar.device_profile SET iops = 1;'
	  . ' DELETE FROM ssdpar.device_profile',
	'`ssdpar.store_profile()`' =>
	  "SELECT ssdpar.store_profile('pg_default', '$document')",
	# no such tablespace: that is looked for after the right
	'`ssdpar.calibrate()`' => "SELECT ssdpar.calibrate('no such place')",
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
	  'SET ssdpar.enabled = off; SET ssdpar.star_access = bitmap;'
	  . ' SET ssdpar.estimate_budget = 0',
	'set where the daemon is' => "SET ssdpar.daemon_socket = '/tmp/mine'",
	'make objects in the schema `ssdpar`' => 'CREATE TABLE ssdpar.mine ()',
	'EXPLAIN a query of a table it may not read' =>
	  'EXPLAIN SELECT * FROM measured_sale JOIN measured_day'
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
ssdpar.estimate_share = 100
ssdpar.estimate_budget = '10s'
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

# '' or the SQLSTATE of the first error.
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

	# As many pages as measuring is worth the time of, and rows that the
	# statistics are wrong about.
	$node->safe_psql('postgres', <<'END');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
CREATE TABLE measured_day (d_date date PRIMARY KEY, d_year int);
INSERT INTO measured_day SELECT d, extract(year FROM d)
  FROM generate_series('1900-01-01'::timestamp, '2099-12-31', '1 day') d;
CREATE TABLE measured_sale (s_id int, s_day date, s_pad text);
INSERT INTO measured_sale SELECT i, '2015-01-01'::date + i % 1826,
    repeat('x', 100) FROM generate_series(1, 100000) i (i);
CREATE INDEX ON measured_sale (s_day);
VACUUM ANALYZE measured_day, measured_sale;
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

# How many statements of the database have been measured.
sub measured
{
	my ($node) = @_;

	return $node->safe_psql('postgres',
		"SELECT coalesce(sum(statements_measured), 0) FROM"
		  . ' ssdpar.pg_stat_ssdpar WHERE datname = current_database()');
}

# Planning comes before the server looks whether the role may read the tables.
sub test_sampling
{
	my ($node) = @_;
	my $query = $statement{'EXPLAIN a query of a table it may not read'};
	my $before = measured($node);

	is(error_of($node, 'anybody', $query), '42501', 'no right to read');
	is(measured($node), $before, 'nothing was measured');
	is(error_of($node, 'boss', $query), '', 'a right to read');
	cmp_ok(measured($node), '>', $before, 'something was measured');
	return;
}

# Somebody has made the schema before.
sub test_prepared_schema
{
	my ($node) = @_;

	$node->safe_psql('postgres',
		'CREATE SCHEMA ssdpar AUTHORIZATION anybody');
	is(error_of($node, 'boss', 'CREATE EXTENSION ssdpar'),
		'42501', 'a schema of somebody else is refused');
	$node->safe_psql('postgres', <<'END');
DROP SCHEMA ssdpar;
CREATE SCHEMA ssdpar;
CREATE FUNCTION ssdpar.never(bigint, int) RETURNS bool LANGUAGE plpgsql
  AS $$ BEGIN RAISE 'a foreign operator was called'; END $$;
CREATE OPERATOR ssdpar.> (LEFTARG = bigint, RIGHTARG = int,
                          FUNCTION = ssdpar.never);
END
	make_tables($node);
	pass('an operator that was there is not called');
	return;
}

my $node = make_node();

test_prepared_schema($node);
# first, so that there is something to see
test_sampling($node);
test_cells($node);
$node->stop;
done_testing();
