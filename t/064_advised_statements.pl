# 064_advised_statements.pl
#	The advisor's statements can be executed and solve the problem, and
#	`undo` restores the previous state and nothing else, for any names,
#	options and settings.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

sub make_node
{
	my $node = PostgreSQL::Test::Cluster->new('advised');

	$node->init;
	$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
autovacuum = off
END
	$node->start;
	$node->safe_psql('postgres', <<'END');
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE one LOCATION '';
CREATE TABLESPACE two LOCATION '';
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('1000 * depth * (8192.0 / size) ^ 0.5', 16384, 4e-6);
-- what is said with this put into the evidence; objects of 64 kB are large
CREATE FUNCTION aged(seen ssdpar.evidence) RETURNS ssdpar.evidence
LANGUAGE plpgsql STABLE AS $$
BEGIN
  seen.indexes := ARRAY(SELECT jsonb_populate_record(i, '{"age_seconds": 864000}')
                          FROM unnest(seen.indexes) i);
  RETURN seen;
END $$;
CREATE FUNCTION said(changed jsonb DEFAULT '{}') RETURNS SETOF ssdpar.advice
LANGUAGE sql AS $$
SELECT * FROM ssdpar.advise_by(jsonb_populate_record(
       aged(ssdpar.gather_evidence(65536)), changed))
$$;
END
	return $node;
}

# The only advice on an object: one of its columns.
sub said
{
	my ($node, $column, $where, $changed) = @_;

	return $node->safe_psql('postgres',
		"SELECT $column FROM said('" . ($changed // '{}') . "') WHERE $where");
}

# Each line is one statement, because some cannot run in a transaction.
sub run_lines
{
	my ($node, $lines) = @_;

	$node->safe_psql('postgres', $_) foreach split /\n/, $lines;
	return;
}

# New names for tables and indexes are unused, and not too long.
sub test_free_names
{
	my ($node) = @_;
	my $long = 'ä' x 30 . 'xyz';
	my $columns = 'a bool, b bigint, c bool, d bigint, e bool, f bigint';
	my $tables = "SELECT string_agg(oid::regclass::text, ',' ORDER BY oid)"
	  . " FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'n'::regnamespace";

	$node->safe_psql('postgres', "CREATE SCHEMA n;" . join('', map { <<"END" }
CREATE TABLE n."$_" ($columns);
INSERT INTO n."$_" SELECT true, i, true, i, true, i FROM generate_series(1, 5000) i;
END
			$long, 'sales') . <<'END');
CREATE TABLE n.sales_compact (mine int);
CREATE TABLE n.log (at date, pad text);
INSERT INTO n.log SELECT '2026-01-01'::date + i / 1000, repeat('x', 100)
  FROM generate_series(1, 20000) i;
DELETE FROM n.log WHERE at < '2026-01-09';
CREATE TYPE n.log_by_at AS (mine int);
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE;
END
	my $before = $node->safe_psql('postgres', $tables);

	foreach my $table ("n.\"$long\"", 'n.sales', 'n.log')
	{
		my $where = "object = 'table $table' AND fix ~ '^CREATE TABLE'";
		my ($fix, $undo) =
		  map { said($node, $_, $where) } ('fix', 'undo');

		run_lines($node, $fix);
		isnt($node->safe_psql('postgres', $tables),
			$before, "$table: a table is made");
		run_lines($node, $undo);
		is($node->safe_psql('postgres', $tables),
			$before, "$table: no other is dropped");
	}
	$node->safe_psql('postgres', 'DROP SCHEMA n CASCADE');
	return;
}

# Places with a separate device each, one of them in memory.
my $places = <<'END';
"places": [
 {"place": "WAL", "tablespace": 0, "device": "8:1", "disk": "sda",
  "total_bytes": 1e12, "free_bytes": 5e11},
 {"place": "pg_default", "tablespace": 1663, "device": "8:1", "disk": "sda",
  "total_bytes": 1e12, "free_bytes": 5e10},
 {"place": "memory", "tablespace": 1, "device": "0:24",
  "file_system": "tmpfs", "total_bytes": 1e12, "free_bytes": 9e11}]
END

# A tablespace in memory is used for temporary files only.
sub test_memory
{
	my ($node) = @_;
	my $evidence = '{"counted_seconds": 864000, "pages_read": 100000,'
	  . ' "read_seconds": 500, "temporary_bytes": 1e9, "wal_bytes": 1e9,'
	  . " $places}";
	my $full = $evidence =~ s/9e11/1/r;

	$node->safe_psql('postgres', <<'END');
CREATE TABLE parts (k int, pad text) PARTITION BY LIST (k);
CREATE TABLE parts_hot PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_cold PARTITION OF parts FOR VALUES IN (2);
INSERT INTO parts SELECT i % 2 + 1, repeat('x', 100) FROM generate_series(1, 4000) i;
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE;
SELECT pg_stat_reset_single_table_counters('parts_cold'::regclass);
END
	is(said($node, 'fix', "fix ~ 'memory'", $evidence),
		"ALTER SYSTEM SET temp_tablespaces = 'memory'",
		'in memory: temporary files only');
	is( said(
			$node, 'fix', "fix ~ 'memory'",
			$evidence =~ s/(9e11)/$1, "available_bytes": 1e9/r),
		'', 'kept for root: no room');
	is(said($node, 'object', "rule = 'full device' AND object ~ 'memory'",
			$full),
		'', 'in memory: no device to keep free');
	$node->safe_psql('postgres', 'DROP TABLE parts');
	return;
}

# A tablespace may have any name, even that of the WAL's place.
sub test_tablespace_named_wal
{
	my ($node) = @_;
	my $evidence = '{"pages_read": 100000, "read_seconds": 500,'
	  . ' "temporary_bytes": 1e9, "wal_bytes": 1e9,'
	  . " $places}";

	# the WAL is elsewhere, "WAL" is a tablespace on disk
	$evidence =~ s/"device": "8:1", "disk": "sda"/"device": "8:16"/;
	$evidence =~ s/"memory"/"WAL"/;
	$evidence =~ s/tmpfs/ext4/;
	is(said($node, 'fix', "rule ~ '^mixed'", $evidence),
		q(ALTER SYSTEM SET temp_tablespaces = 'WAL'),
		'a place for temporary files, and no WAL beside reads');
	is( said(
			$node, 'fix', "rule ~ '^mixed'",
			$evidence =~ s/"0:24"/"8:1", "disk": "sda"/r),
		'', 'no WAL beside reads');
	return;
}

# Where the tables are, including partitioned ones.
sub places_of_tables
{
	my ($node) = @_;

	return $node->safe_psql('postgres',
		"SELECT string_agg(concat_ws(' ', c.oid::regclass, t.spcname), ','"
		  . ' ORDER BY c.oid) FROM pg_class c'
		  . ' LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace'
		  . " WHERE relkind IN ('r', 'p')"
		  . " AND relnamespace <> 'pg_catalog'::regnamespace");
}

# Places of the evidence: names of tablespaces, and their disks.
sub put_at
{
	my ($node, %disk) = @_;

	return $node->safe_psql('postgres',
		"SELECT jsonb_build_object('counted_seconds', 864000, 'places',"
		  . " jsonb_agg(jsonb_build_object('place', t.spcname, 'tablespace',"
		  . " t.oid, 'device', d.disk, 'disk', d.disk, 'total_bytes', 1e12,"
		  . " 'free_bytes', CASE d.disk WHEN 'full' THEN 1e9 ELSE 9e11 END)))"
		  . ' FROM pg_tablespace t JOIN (VALUES '
		  . join(', ', map { "('$_', '$disk{$_}')" } sort keys %disk)
		  . ') AS d (place, disk) ON d.place = t.spcname');
}

# Undo moves back to a full device only what was moved from it.
sub test_full_device
{
	my ($node) = @_;
	my $where = "rule = 'full device'";
	my $before;

	$node->safe_psql('postgres', <<'END');
CREATE SCHEMA n;
CREATE TABLE n.here (id int) TABLESPACE one;
CREATE TABLE n."Here too" (id int) PARTITION BY LIST (id) TABLESPACE one;
CREATE TABLE n.default_place (id int);
CREATE TABLE n.elsewhere (id int) TABLESPACE two;
END
	$before = places_of_tables($node);
	foreach my $disk ([ 'one', 'two' ], [ 'one', 'pg_default' ],
		[ 'pg_default', 'one' ])
	{
		my $at = put_at($node, $disk->[0] => 'full', $disk->[1] => 'empty');
		my ($fix, $undo) =
		  map { said($node, $_, $where, $at) } ('fix', 'undo');

		run_lines($node, $fix);
		isnt(places_of_tables($node), $before, "full $disk->[0]: moved");
		run_lines($node, $undo);
		is(places_of_tables($node), $before,
			"from $disk->[1] no other is moved back");
	}
	$node->safe_psql('postgres', 'DROP SCHEMA n CASCADE');
	like(said($node, 'fix', $where,
			put_at($node, one => 'full', two => 'empty')),
		qr/^SELECT name/, 'nor is what is not there moved');
	return;
}

# Numeric options, as the server accepts them.
sub test_options
{
	my ($node) = @_;

	foreach my $value ('70.0', '0x46', '7e1')
	{
		$node->safe_psql('postgres', <<"END");
DROP TABLE IF EXISTS filled;
CREATE TABLE filled (id int PRIMARY KEY, pad text) WITH (fillfactor = '$value');
INSERT INTO filled SELECT i, repeat('x', 100) FROM generate_series(1, 2000) i;
ALTER TABLESPACE pg_default SET (effective_io_concurrency = '0x2',
                                 maintenance_io_concurrency = '2.0');
VACUUM ANALYZE;
END
		is($node->safe_psql('postgres', 'SELECT fill_factor'
				  . " FROM ssdpar.seen_tables(65536) WHERE table_name = 'filled'"),
			'70', "fillfactor = '$value' is 70");
	}
	is(said($node, 'undo', "rule = 'many for small I/O' AND undo ~ 'TABLESPACE' ORDER BY object",
			'{"pages_read": 100000}'),
		join("\n",
			map { "ALTER TABLESPACE pg_default SET (${_}_io_concurrency = 2)" }
			  ('effective', 'maintenance')),
		'those of a tablespace');
	$node->safe_psql('postgres', <<'END');
ALTER TABLESPACE pg_default RESET (effective_io_concurrency, maintenance_io_concurrency);
DROP TABLE filled;
END
	return;
}

# Waits until new sessions have it.
sub reload_settings
{
	my ($node) = @_;
	my $last = $node->safe_psql('postgres', 'SELECT pg_conf_load_time()');

	$node->reload;
	$node->poll_query_until('postgres',
		"SELECT pg_conf_load_time() > '$last'")
	  or die 'the server does not reload its settings';
	return;
}

# The value of a setting, and the file that contains it.
sub setting_of
{
	my ($node, $setting) = @_;

	reload_settings($node);
	return $node->safe_psql('postgres',
		"SELECT setting, sourcefile FROM pg_settings WHERE name = '$setting'");
}

# Undo restores the original source of a setting.
sub test_undone_settings
{
	my ($node) = @_;
	my %evidence = (
		wal_compression => '{"wal_bytes": 1e9, "wal_full_pages": 100000}',
		commit_delay => '{"wal_bytes": 1e6, "wal_writes": 1000000}',
		temp_tablespaces => '{"pages_read": 100000, "read_seconds": 500,'
		  . " \"temporary_bytes\": 1e9, $places}");

	foreach my $by ('a configuration file', 'ALTER SYSTEM')
	{
		foreach my $setting (sort keys %evidence)
		{
			my $where = "fix ~ '$setting'";
			my $before = setting_of($node, $setting);
			my ($fix, $undo) =
			  map { said($node, $_, $where, $evidence{$setting}) }
			  ('fix', 'undo');

			run_lines($node, $fix);
			isnt(setting_of($node, $setting), $before, "$fix: done");
			run_lines($node, $undo);
			is(setting_of($node, $setting), $before, "by $by: $undo");
			isnt(said($node, 'fix', $where, $evidence{$setting}),
				'', 'which is said again');
			$node->safe_psql('postgres', "ALTER SYSTEM SET $setting = "
				  . ($setting eq 'wal_compression' ? 'off'
					: $setting eq 'commit_delay' ? '0' : "''"));
		}
	}
	$node->safe_psql('postgres', 'ALTER SYSTEM RESET ALL');
	reload_settings($node);
	return;
}

# A setting is changed where it was set, and not if only the asking session has
# set it.
sub test_places_of_settings
{
	my ($node) = @_;
	my $setting = 'max_parallel_workers_per_gather';
	my $where = "fix ~ '$setting'";
	my $evidence = '{"pages_read": 100000}';
	my $said = "SELECT fix FROM said('$evidence') WHERE $where";
	my $role = $node->safe_psql('postgres',
		'SELECT quote_ident(session_user)');
	my @nearer = ('ALTER ROLE ALL', 'ALTER DATABASE postgres',
		"ALTER ROLE $role", "ALTER ROLE $role IN DATABASE postgres");
	my ($out, $err) = ('', '');

	is($node->safe_psql('postgres', "SET $setting = 0; $said"),
		'', 'set by the session: not said');
	{
		local $ENV{PGOPTIONS} = "-c $setting=0";
		is($node->safe_psql('postgres', $said), '',
			'nor if by the connection');
		local $ENV{PGAPPNAME} = 'of no rule';
		$node->psql('postgres', 'SELECT count(*) FROM ssdpar.advise()',
			stderr => \$err);
		like(
			$err,
			qr/NOTICE:  ssdpar: this session was given settings .*\nDETAIL:  The advice leaves out $setting, because /,
			'which is said, and of no other');
	}
	$node->psql('postgres', 'SELECT count(*) FROM ssdpar.advise()',
		stderr => \$err);
	unlike($err, qr/as it connected/, 'nothing hidden: nothing said');
	foreach my $by ('ALTER SYSTEM', @nearer)
	{
		$node->safe_psql('postgres', "$by SET $setting = 0");
		reload_settings($node);
		is($node->safe_psql('postgres', "SET $setting = 1; $said"),
			"$by SET $setting = '2'",
			"$by: fixed there");
		is(said($node, 'undo', $where, $evidence),
			"$by SET $setting = '0'", "$by: undone there");
		run_lines($node, said($node, 'fix', $where, $evidence));
		reload_settings($node);
		is(said($node, 'fix', $where, $evidence),
			'', "$by: and not said again");
	}
	$node->safe_psql('postgres', "$_ RESET $setting")
	  foreach 'ALTER SYSTEM', @nearer;
	$node->safe_psql('postgres',
		'ALTER DATABASE postgres SET track_counts = off');
	$node->psql('postgres', 'SELECT count(*) FROM ssdpar.advise()',
		stdout => \$out, stderr => \$err);
	like($err, qr/NOTICE:  ssdpar: track_counts is off/,
		'what is not counted is said');
	$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET track_counts');
	$node->restart;
	return;
}

# No ALTER can change settings of the command line.
sub test_command_line
{
	my ($node) = @_;

	is($node->safe_psql('postgres', 'SELECT set_by'
			  . " FROM ssdpar.settings_begun_with() WHERE name = 'cluster_name'"),
		'command line', 'what the command line sets is known');
	like(said($node, 'fix', "fix ~ 'max_wal_size'",
			'{"checkpoints_requested": 200, "checkpoints_timed": 1,'
			  . ' "checkpoint_pages": 1000000, "wal_bytes": 1e12,'
			  . ' "set_by": {"max_wal_size": "command line"}}'),
		qr/^# its command line .* -c max_wal_size='\d+MB'$/,
		'and is fixed there');
	return;
}

# A dropped index is recreated as it was.
sub test_dropped_indexes
{
	my ($node) = @_;
	my $indexes = 'SELECT pg_get_indexdef(c.oid), t.spcname,'
	  . " obj_description(c.oid, 'pg_class'),"
	  . ' (SELECT array_agg(nullif(a.attstattarget, -1) ORDER BY attnum)'
	  . ' FROM pg_attribute a WHERE a.attrelid = c.oid) FROM pg_class c'
	  . ' LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace'
	  . " WHERE c.relname ~ '^indexed' AND c.relkind = 'i' ORDER BY relname";
	my $evidence = '{"counted_seconds": 864000}';
	my ($before, $fix, $undo);

	$node->safe_psql('postgres', <<'END');
CREATE TABLE indexed (id int PRIMARY KEY, a int, b int, c text);
INSERT INTO indexed SELECT i, i % 1000, i, i FROM generate_series(1, 20000) i;
CREATE INDEX indexed_a_b ON indexed (a, b);
CREATE INDEX "indexed A" ON indexed (a) WITH (fillfactor = 80) TABLESPACE one;
COMMENT ON INDEX "indexed A" IS 'it''s a';
CREATE INDEX indexed_b ON indexed (lower(c), b) TABLESPACE two WHERE b > 7 AND c <> ' WHERE ';
ALTER INDEX indexed_b ALTER COLUMN 1 SET STATISTICS 500;
COMMENT ON INDEX indexed_b IS E'two\nlines';
CREATE INDEX indexed_c ON indexed (c);
VACUUM ANALYZE indexed;
SET enable_seqscan = off;
SELECT count(*) FROM indexed WHERE id < 10;
UPDATE indexed SET b = b + 1 WHERE id <= 5000;
SELECT pg_stat_force_next_flush();
END
	$before = $node->safe_psql('postgres', $indexes);
	($fix, $undo) = map {
		$node->safe_psql('postgres',
			"SELECT string_agg($_, E';\n' ORDER BY object)"
			  . " FROM said('$evidence') WHERE fix ~ '^DROP INDEX'")
	} ('fix', 'undo');
	$node->safe_psql('postgres', $fix);
	is( $node->safe_psql('postgres', "SELECT string_agg(relname, ' ' ORDER BY relname)"
			  . " FROM pg_class WHERE relname ~ '^indexed' AND relkind = 'i'"),
		'indexed_pkey', 'indexes dropped');
	$node->safe_psql('postgres', $undo);
	is($node->safe_psql('postgres', $indexes), $before, 'and made again');
	unlike($undo, qr/CREATE INDEX (?!CONCURRENTLY)/, 'without a lock');
	$node->safe_psql('postgres', 'DROP TABLE indexed');
	return;
}

# A btree replaced by BRIN is restored; one with included columns is left
# alone.
sub test_grown_index
{
	my ($node) = @_;
	my $indexes = 'SELECT relname FROM pg_class'
	  . " WHERE relname ~ '^grown' AND relkind = 'i' ORDER BY 1";
	my $where = "rule = 'hot and cold data' AND object ~ 'grown'";
	my ($before, $fix, $undo);

	$node->safe_psql('postgres', <<'END');
CREATE TABLE grown (at timestamptz, too timestamptz, v int, pad text);
INSERT INTO grown SELECT t, t, i % 100, repeat('x', 100)
  FROM generate_series(1, 20000) i,
       LATERAL (SELECT '2026-01-01'::timestamptz + i * interval '1 s') x (t);
CREATE INDEX grown_at ON grown (at);
CREATE INDEX grown_too ON grown (too) INCLUDE (v);
CREATE TYPE grown_at_brin AS (mine int);
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE grown;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM grown WHERE at < '2026-01-01 04:00';
SELECT sum(v) FROM grown WHERE too < '2026-01-01 04:00';
SELECT pg_stat_force_next_flush();
END
	is(said($node, 'object', $where),
		'index public.grown_at', 'only the one without other columns');
	$before = $node->safe_psql('postgres', $indexes);
	($fix, $undo) = map { said($node, $_, $where) } ('fix', 'undo');
	run_lines($node, $fix);
	isnt($node->safe_psql('postgres', $indexes), $before, 'BRIN in its place');
	run_lines($node, $undo);
	is($node->safe_psql('postgres', $indexes), $before, 'and the btree again');
	$node->safe_psql('postgres', 'DROP TABLE grown; DROP TYPE grown_at_brin');
	return;
}

# The copy of a table does not include rows of its children.
sub test_inherited_rows
{
	my ($node) = @_;

	$node->safe_psql('postgres', <<'END');
CREATE TABLE parent (a bool, b bigint, c bool, d bigint, e bool, f bigint);
CREATE TABLE child () INHERITS (parent);
INSERT INTO parent SELECT true, i, true, i, true, i FROM generate_series(1, 5000) i;
INSERT INTO child TABLE parent;
VACUUM ANALYZE parent;
END
	run_lines($node, said($node, 'fix', "object = 'table public.parent'"));
	is($node->safe_psql('postgres', 'SELECT count(*) FROM parent_compact'),
		5000, 'the rows of the table alone are copied');
	$node->safe_psql('postgres', 'DROP TABLE parent CASCADE;'
		  . ' DROP TABLE parent_compact');
	return;
}

# An unused partition is moved away from the device of used ones, and then left
# alone.
sub test_cold_partition
{
	my ($node) = @_;
	my $where = "object = 'table public.parts_1' AND fix ~ 'SET TABLESPACE'";
	my $at = put_at($node, pg_default => 'sda', one => 'sdb', two => 'sdc');

	$node->safe_psql('postgres', <<'END');
CREATE TABLE parts (k int, pad text) PARTITION BY LIST (k);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1) TABLESPACE one;
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2) TABLESPACE one;
CREATE TABLE parts_3 PARTITION OF parts FOR VALUES IN (3) TABLESPACE two;
INSERT INTO parts SELECT i % 3 + 1, repeat('x', 100) FROM generate_series(1, 6000) i;
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE parts;
SELECT pg_stat_reset_single_table_counters('parts_1'::regclass);
END
	is(said($node, 'fix', $where, $at),
		'ALTER TABLE public.parts_1 SET TABLESPACE pg_default',
		'a cold partition moves to where no other is used');
	is(said($node, 'undo', $where, $at),
		'ALTER TABLE public.parts_1 SET TABLESPACE one', 'from where it was');
	run_lines($node, said($node, 'fix', $where, $at));
	$node->safe_psql('postgres', <<'END');
SELECT pg_stat_reset_single_table_counters('parts_1'::regclass);
END
	is(said($node, 'fix', $where, $at), '', 'and stays there');
	$node->safe_psql('postgres', 'DROP TABLE parts');
	return;
}

# A table that is as compact as possible is not bloated.
sub test_compact
{
	my ($node) = @_;
	my $where = "object ~ 'public.full_' AND fix ~ '^(VACUUM|REINDEX)'";

	$node->safe_psql('postgres', <<'END');
CREATE TABLE full_index (id int);
INSERT INTO full_index SELECT generate_series(1, 50000);
CREATE INDEX full_index_id ON full_index (id) WITH (fillfactor = 30);
CREATE TABLE full_page (v float8[]);
ALTER TABLE full_page ALTER v SET STORAGE PLAIN;
INSERT INTO full_page
  SELECT array_agg(i + random()) FROM generate_series(1, 100) i,
         generate_series(1, 520) GROUP BY i;
SELECT format('CREATE TABLE full_nulls (id int, %s)',
              string_agg('v' || i || ' bigint', ', ')),
       format('CREATE TABLE full_padded (%s)',
              string_agg(format('b%s bool DEFAULT true, v%1$s bigint DEFAULT 1',
                                i), ', ') FILTER (WHERE i <= 60))
  FROM generate_series(1, 500) i \gexec
INSERT INTO full_nulls SELECT generate_series(1, 5000);
INSERT INTO full_padded (v1) SELECT generate_series(1, 1000);
VACUUM ANALYZE;
END
	is(said($node, 'object', $where), '', 'what is compact is not bloated');
	$node->safe_psql('postgres', <<'END');
DELETE FROM full_nulls WHERE id % 4 > 0;
DELETE FROM full_index WHERE id % 4 > 0;
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE;
END
	is(said($node, 'fix', "$where ORDER BY object"), <<'END' =~ s/\n$//r,
REINDEX INDEX CONCURRENTLY public.full_index_id
VACUUM (FULL, ANALYZE) public.full_index
VACUUM (FULL, ANALYZE) public.full_nulls
END
		'what is bloated is');
	$node->safe_psql('postgres', <<'END');
DROP TABLE full_index, full_page, full_nulls, full_padded;
CREATE TABLE full_excluded (id int, EXCLUDE (id WITH =));
INSERT INTO full_excluded SELECT generate_series(1, 20000);
DELETE FROM full_excluded WHERE id % 10 > 0;
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE;
END
	run_lines($node,
		said($node, 'fix', "$where AND object ~ 'index.*full_excluded'"));
	is(said($node, 'fix', "$where AND object ~ 'index.*full_excluded'"),
		'', 'the index of an exclusion constraint can be made anew');
	$node->safe_psql('postgres', 'DROP TABLE full_excluded');
	return;
}

# Reordering columns is only advised if rows become shorter; NULL and dropped
# columns, and columns at the end of a row, do not matter.
sub test_padding
{
	my ($node) = @_;
	my $order = "object ~ 'public.order_' AND fix ~ '^CREATE TABLE'";

	$node->safe_psql('postgres', <<'END');
CREATE TABLE order_end (a bool, b bigint);
INSERT INTO order_end SELECT true, i FROM generate_series(1, 10000) i;
CREATE TABLE order_nulls
  (a bool, b bigint, c bool, d bigint, e bool, f bigint, g bool, h bigint);
INSERT INTO order_nulls SELECT true FROM generate_series(1, 10000) i;
CREATE TABLE order_dropped (LIKE order_nulls);
ALTER TABLE order_dropped DROP b, DROP d, DROP f;
INSERT INTO order_dropped
  SELECT true, true, true, true, i FROM generate_series(1, 10000) i;
CREATE TABLE order_texts (a bool, b bigint, c text, d bool, e bigint, f text);
INSERT INTO order_texts
  SELECT true, i, 'x' || i, true, i, 'y' || i FROM generate_series(1, 10000) i;
VACUUM order_texts;
END
	is(said($node, 'object', $order), '', 'not if nulls were never counted');
	$node->safe_psql('postgres', 'VACUUM ANALYZE');
	is(said($node, 'object', $order), 'table public.order_texts',
		'only where rows become shorter');
	run_lines($node, said($node, 'fix', $order));
	$node->safe_psql('postgres', 'VACUUM order_texts_compact');
	is($node->safe_psql('postgres',
			'SELECT pg_relation_size(\'order_texts_compact\') < 0.95 *'
			  . ' pg_relation_size(\'order_texts\')'),
		't', 'and they do');
	$node->safe_psql('postgres', 'DROP TABLE order_end, order_nulls,'
		  . ' order_dropped, order_texts, order_texts_compact');
	return;
}

# Virtual generated columns take no space, and none in a copy.
sub test_virtual_columns
{
	my ($node) = @_;
	my $where = "object = 'table public.computed'";
	my $computed = 'bigint GENERATED ALWAYS AS (a + 1) VIRTUAL';

	$node->safe_psql('postgres', <<"END");
CREATE TABLE computed (a int, v $computed, b int, w $computed, c int);
INSERT INTO computed (a, b, c)
  SELECT i, i, i FROM generate_series(1, 10000) i;
VACUUM ANALYZE computed;
END
	is(said($node, 'fix', $where), '', 'nothing between the columns');
	$node->safe_psql('postgres', <<'END');
DELETE FROM computed WHERE a % 4 > 0;
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE computed;
END
	is(said($node, 'fix', $where),
		'VACUUM (FULL, ANALYZE) public.computed', 'but it is bloated');
	$node->safe_psql('postgres', <<"END");
DROP TABLE computed;
CREATE TABLE computed (a bool, b bigint, v int GENERATED ALWAYS AS (1) VIRTUAL,
                       c bool, d bigint, e bool, f bigint);
INSERT INTO computed (a, b, c, d, e, f)
  SELECT true, i, true, i, true, i FROM generate_series(1, 10000) i;
VACUUM ANALYZE computed;
END
	is(said($node, 'fix', $where),
		'CREATE TABLE public.computed_compact AS SELECT b, d, f, a, c, e'
		  . ' FROM ONLY public.computed',
		'a copy is without it');
	$node->safe_psql('postgres', 'DROP TABLE computed');
	return;
}

# An index that is to be dropped is not also to be rebuilt.
sub test_one_of_an_index
{
	my ($node) = @_;
	my $where = "object = 'index public.twice_a'";
	my $evidence = '{"counted_seconds": 864000}';

	$node->safe_psql('postgres', <<'END');
CREATE TABLE twice (id int PRIMARY KEY, a int);
INSERT INTO twice SELECT i, i FROM generate_series(1, 30000) i;
CREATE INDEX twice_a ON twice (a);
DELETE FROM twice WHERE id % 10 > 0;
SELECT pg_stat_force_next_flush();
VACUUM ANALYZE twice;
SET enable_seqscan = off;
SELECT count(*) FROM twice WHERE id = 10;
SELECT pg_stat_force_next_flush();
END
	is(said($node, 'fix', $where),
		'REINDEX INDEX CONCURRENTLY public.twice_a', 'a bloated index');
	is(said($node, 'fix', $where, $evidence),
		'DROP INDEX CONCURRENTLY public.twice_a', 'one that is unused, too');
	is(said($node, 'fix', $where,
			$evidence =~ s/}/, "standbys": 1}/r),
		'DROP INDEX CONCURRENTLY public.twice_a',
		'less sure, too, if a standby may read it');
	$node->safe_psql('postgres', 'DROP TABLE twice');
	return;
}

# Shell commands begin with a comment that says so; everything else is SQL.
sub test_shell
{
	my ($node) = @_;
	my $evidence = '{"pages_read": 100000, "read_seconds": 500, "dumps": 8,'
	  . ' "preloaded": false, "temporary_bytes": 1e9, "wal_bytes": 1e9,'
	  . ' "places": [{"place": "WAL", "tablespace": 0, "device": "8:1",'
	  . ' "disk": "sda"}, {"place": "pg_default", "tablespace": 1663,'
	  . ' "device": "8:1", "disk": "sda", "read_ahead_kb": 16,'
	  . ' "partition_start": 32256}, {"place": "one", "tablespace": 1,'
	  . ' "device": "8:16", "disk": "sdb", "total_bytes": 1e12,'
	  . ' "free_bytes": 9e11}]}';
	my @texts;

	$node->safe_psql('postgres', <<'END');
SELECT add_point('read', 'streams', 262144, n, 4000.0 / n)
  FROM unnest('{1,2,4,8}'::int[]) n;
END
	@texts = split /\x1e/, $node->safe_psql('postgres', <<"END");
SELECT string_agg(t, E'\x1e' ORDER BY t)
  FROM said('$evidence'), unnest(ARRAY[fix, undo]) t
 WHERE t ~ '(echo|parted|pg_wal|pg_dump|nothing)' OR t !~ '^[A-Z]'
END
	foreach my $command ('echo 16 ', 'parted', 'mv', 'pg_dump --jobs=1$')
	{
		is(scalar(grep { /^$command/m } @texts), 1, "$command: in a shell");
	}
	is(join("\n", grep { !/^# [^\n]*(\n[a-z][^\n]*)?$/ && !/^-- / } @texts),
		'', 'which can be told');
	$node->safe_psql('postgres',
		"SELECT change_points(NULL, 'pattern = ''streams''')");
	return;
}

my $node = make_node();

test_free_names($node);
test_memory($node);
test_tablespace_named_wal($node);
test_full_device($node);
test_options($node);
test_undone_settings($node);
test_places_of_settings($node);
test_command_line($node);
test_dropped_indexes($node);
test_grown_index($node);
test_inherited_rows($node);
test_cold_partition($node);
test_compact($node);
test_padding($node);
test_virtual_columns($node) if $node->pg_version >= 18;
test_one_of_an_index($node);
test_shell($node);
$node->stop;
done_testing();
