-- The advisor: each rule speaks where its harm was put in, and is silent where
-- it was not, or was fixed by the rule's own statement.  Tables are made and
-- used; what this server has no say in (devices, the server's counters,
-- settings that need a restart) is put into the evidence that the rules go by.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
CREATE SCHEMA advise;
SET search_path = advise, public;

-- without a profile there is nothing to go by; the server is idle
RESET client_min_messages;
SELECT count(*) >= 0 AS asked FROM ssdpar.advise();
SET client_min_messages = warning;

-- 1,000 pages a second one at a time, 16 times that with 16 outstanding; in
-- long requests as much, however many are outstanding
SELECT invent_device('1000 * depth * (8192.0 / size) ^ (0.8 + 0.2 * (depth > 1)::int)',
                     4096, 4e-6);
SELECT add_point('write', pattern, 8192, 1, 500)
  FROM unnest('{random,sequential}'::text[]) pattern;

-- a server that leaves nothing to wish for, whose objects of 64 kB are large
CREATE FUNCTION tuned() RETURNS jsonb LANGUAGE sql AS $$
SELECT '{"counted_seconds": 864000, "pages_read": 100000, "read_seconds": null,
  "temporary_bytes": 0, "in_recovery": false, "preloaded": false,
  "standbys": 0, "dumps": 0, "set_by": {}, "checkpoints_timed": 100,
  "checkpoints_requested": 10, "checkpoint_pages": 100000,
  "checkpoint_sync_seconds": 1, "cleaner_stops": 0, "vacuum_bytes": 1e6,
  "wal_bytes": 1e9, "wal_full_pages": 1000, "wal_writes": 100000,
  "places": [
    {"place": "WAL", "tablespace": 0, "device": "8:1", "disk": "sda",
     "total_bytes": 1e12, "free_bytes": 5e11, "read_ahead_kb": 4096,
     "physical_block": 4096, "stripe": 0, "partition_start": 1048576,
     "discard_limit": 1e9},
    {"place": "pg_default", "tablespace": 1663, "device": "8:1", "disk": "sda",
     "total_bytes": 1e12, "free_bytes": 5e11, "read_ahead_kb": 4096,
     "physical_block": 4096, "stripe": 0, "partition_start": 1048576,
     "discard_limit": 1e9}]}'::jsonb || jsonb_build_object('settings', '{
  "checkpoint_timeout": "1800", "wal_compression": "lz4",
  "checkpoint_completion_target": "0.9", "checkpoint_flush_after": "32",
  "max_wal_size": "4096", "bgwriter_lru_maxpages": "100",
  "autovacuum_vacuum_cost_delay": "2", "temp_tablespaces": "",
  "effective_io_concurrency": "16", "maintenance_io_concurrency": "16",
  "io_combine_limit": "32", "io_max_combine_limit": "32",
  "commit_delay": "0", "synchronous_commit": "on",
  "io_method": "worker", "io_workers": "16",
  "max_parallel_workers_per_gather": "1",
  "max_parallel_maintenance_workers": "1", "autovacuum_max_workers": "3",
  "ssdpar.write_protection": "-1"}'::jsonb)
$$;

-- what is said of a server that is so, but for some evidence
CREATE FUNCTION aged(seen ssdpar.evidence, age float8) RETURNS ssdpar.evidence
LANGUAGE plpgsql STABLE AS $$
BEGIN
  seen.indexes := ARRAY(SELECT jsonb_populate_record(i, jsonb_build_object('age_seconds', age))
                          FROM unnest(seen.indexes) i);
  RETURN seen;
END $$;
CREATE FUNCTION said(changed jsonb DEFAULT '{}', settings jsonb DEFAULT '{}',
                     index_age float8 DEFAULT 864000)
RETURNS TABLE (rule text, object text, sure text, fix text, undo text)
LANGUAGE sql AS $$
SELECT a.rule, a.object, a.sure, a.fix, a.undo
  FROM ssdpar.advise_by(jsonb_populate_record(
       aged(ssdpar.gather_evidence(65536), index_age),
       tuned() || jsonb_build_object('settings', tuned() -> 'settings' || $2)
       || $1)) a
$$;
-- What has been done so far is to be counted: before VACUUM, which counts anew,
-- and before the counters are asked for.
CREATE FUNCTION counted() RETURNS void LANGUAGE sql AS
  'SELECT pg_stat_force_next_flush()';

SELECT * FROM said();

--
-- 1: in-place updates
--
CREATE TABLE crowded (id int PRIMARY KEY, v int, pad text)
  WITH (autovacuum_enabled = off);
CREATE TABLE roomy (LIKE crowded INCLUDING ALL)
  WITH (autovacuum_enabled = off, fillfactor = 50);
INSERT INTO crowded SELECT i, 0, repeat('x', 100) FROM generate_series(1, 2000) i;
INSERT INTO roomy TABLE crowded;
SELECT counted() \g /dev/null
VACUUM ANALYZE crowded, roomy;
UPDATE crowded SET v = v + 1 WHERE id % 3 = 0;
UPDATE roomy SET v = v + 1 WHERE id % 3 = 0;
SELECT counted() \g /dev/null
-- that pages were full is certain where that is counted, from 16 on
SELECT rule, object, sure = CASE WHEN current_setting('server_version_num')::int
       >= 160000 THEN 'certain' ELSE 'likely' END AS sure, fix, undo FROM said();
SELECT fix FROM said() \gexec
VACUUM (FULL, ANALYZE) crowded;
SELECT * FROM said();
SELECT pg_stat_reset_single_table_counters('crowded'::regclass) IS NOT NULL AS reset;
UPDATE crowded SET v = v + 1 WHERE id % 40 = 0;
SELECT counted() \g /dev/null
SELECT n_tup_hot_upd > 0.9 * n_tup_upd AS hot FROM pg_stat_user_tables
 WHERE relname = 'crowded';
DROP TABLE crowded, roomy;

-- whole pages in the WAL, with checkpoints that come too soon
SELECT * FROM said('{"wal_full_pages": 100000}',
                   '{"checkpoint_timeout": "300", "wal_compression": "off"}');
SELECT * FROM said('{"wal_full_pages": 100000}');
SELECT * FROM said('{"wal_full_pages": 1000}',
                   '{"checkpoint_timeout": "300", "wal_compression": "off"}');

--
-- 2: hot and cold data
--
CREATE TABLE grown (at timestamptz, v int, pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO grown SELECT '2026-01-01'::timestamptz + i * interval '1 s', i % 100,
    repeat('x', 100) FROM generate_series(1, 20000) i;
CREATE INDEX grown_at ON grown (at);
SELECT counted() \g /dev/null
VACUUM ANALYZE grown;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM grown WHERE at < '2026-01-01 04:00';
SELECT counted() \g /dev/null
SELECT rule, object, sure, fix FROM said();
SELECT split_part(fix, E';\n', n) FROM said(), generate_series(1, 2) n \gexec
SELECT * FROM said();
-- not where rows come in any order, or single ones are looked for
UPDATE grown SET at = at WHERE v < 5;
CREATE INDEX grown_at ON grown (at);
ANALYZE grown;
SELECT count(*) FROM grown WHERE at < '2026-01-01 04:00';
SELECT counted() \g /dev/null
SELECT object FROM said() WHERE rule = 'hot and cold data';
DROP TABLE grown;

-- a partition that nothing touches
CREATE TABLE parts (k int, pad text) PARTITION BY LIST (k);
CREATE TABLE parts_hot PARTITION OF parts FOR VALUES IN (1)
  WITH (autovacuum_enabled = off);
CREATE TABLE parts_cold PARTITION OF parts FOR VALUES IN (2)
  WITH (autovacuum_enabled = off);
INSERT INTO parts SELECT i % 2 + 1, repeat('x', 100) FROM generate_series(1, 4000) i;
SELECT counted() \g /dev/null
VACUUM ANALYZE parts;
SELECT counted() \g /dev/null
SELECT pg_stat_reset_single_table_counters('parts_cold'::regclass) IS NOT NULL AS reset;
SELECT count(*) FROM parts WHERE k = 1;
SELECT counted() \g /dev/null
SELECT jsonb_set(tuned() #> '{places}', '{2}', '{"place": "archive",
  "tablespace": 1, "device": "8:16", "disk": "sdb", "total_bytes": 1e12,
  "free_bytes": 9e11}') AS places \gset
SELECT * FROM said(jsonb_build_object('places', :'places'::jsonb));
SELECT * FROM said();
SELECT * FROM said(jsonb_build_object('places', :'places'::jsonb,
                                      'counted_seconds', 3600));
SELECT count(*) FROM parts WHERE k = 2;
SELECT counted() \g /dev/null
SELECT * FROM said(jsonb_build_object('places', :'places'::jsonb));
DROP TABLE parts;

-- old rows that are deleted
CREATE TABLE log (at date, pad text) WITH (autovacuum_enabled = off);
INSERT INTO log SELECT '2026-01-01'::date + i / 1000, repeat('x', 100)
  FROM generate_series(1, 20000) i;
SELECT counted() \g /dev/null
VACUUM ANALYZE log;
DELETE FROM log WHERE at < '2026-01-09';
SELECT counted() \g /dev/null
VACUUM ANALYZE log;
SELECT counted() \g /dev/null
SELECT * FROM said() WHERE rule = 'hot and cold data';
SELECT pg_stat_reset_single_table_counters('log'::regclass) IS NOT NULL AS reset;
SELECT * FROM said() WHERE rule = 'hot and cold data';
DROP TABLE log;

--
-- 3: compact data
--
CREATE TABLE dead (id int, pad text) WITH (autovacuum_enabled = off);
INSERT INTO dead SELECT i, repeat('x', 100) FROM generate_series(1, 5000) i;
SELECT counted() \g /dev/null
VACUUM ANALYZE dead;
DELETE FROM dead WHERE id % 20 < 7;
SELECT counted() \g /dev/null
SELECT * FROM said();
SELECT fix FROM said() \gexec
SELECT counted() \g /dev/null
SELECT * FROM said();
DELETE FROM dead WHERE id % 10 <> 1;
SELECT counted() \g /dev/null
VACUUM ANALYZE dead;
SELECT counted() \g /dev/null
SELECT * FROM said();
SELECT fix FROM said() \gexec
SELECT counted() \g /dev/null
SELECT * FROM said();
DROP TABLE dead;

-- columns in a wasteful order: 48 bytes where 32 would do
CREATE TABLE padded (a bool, b bigint, c bool, d bigint, e bool, f bigint)
  WITH (autovacuum_enabled = off);
INSERT INTO padded SELECT true, i, true, i, true, i FROM generate_series(1, 5000) i;
SELECT counted() \g /dev/null
VACUUM ANALYZE padded;
SELECT ssdpar.row_padding('padded'::regclass);
SELECT * FROM said();

-- which is asked once a table, for all rules
SELECT count(*) AS tables FROM ssdpar.seen_tables(65536) \gset
BEGIN;
SET LOCAL track_functions = 'all';
SELECT count(*) FROM said();
SELECT pg_stat_get_xact_function_calls('ssdpar.row_padding(oid)'::regprocedure)
       = :tables AS once;
COMMIT;
SELECT fix FROM said() \gexec
DROP TABLE padded;
ALTER TABLE padded_compact SET (autovacuum_enabled = off);
SELECT counted() \g /dev/null
VACUUM ANALYZE padded_compact;
SELECT ssdpar.row_padding('padded_compact'::regclass);
SELECT * FROM said();
DROP TABLE padded_compact;

-- indexes that another one can stand in for
CREATE TABLE indexed (id int PRIMARY KEY, a int, b int, pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO indexed SELECT i, i % 1000, i, 'x' FROM generate_series(1, 20000) i;
CREATE INDEX indexed_a ON indexed (a);
CREATE INDEX indexed_a_b ON indexed (a, b);
CREATE INDEX indexed_a_again ON indexed (a);
CREATE INDEX indexed_some_a ON indexed (a) WHERE b > 0;
CREATE INDEX indexed_a_down ON indexed (a DESC);
SELECT counted() \g /dev/null
VACUUM ANALYZE indexed;
SELECT * FROM said();
-- whatever a backslash is in the session's strings (always itself from 19 on)
SELECT set_config('standard_conforming_strings', 'off', false)
 WHERE current_setting('server_version_num')::int < 190000 \g /dev/null
SELECT ssdpar.index_text('indexed_a'::regclass);
RESET standard_conforming_strings;
SELECT fix FROM said() \gexec
SELECT * FROM said();
DROP INDEX indexed_some_a, indexed_a_down;

-- one that is read is not given up for one that is not
CREATE INDEX indexed_a ON indexed (a);
SELECT counted() \g /dev/null
VACUUM ANALYZE indexed;
SELECT count(*) FROM indexed WHERE a = 7;
SELECT counted() \g /dev/null
SELECT idx_scan > 0 AS read FROM pg_stat_user_indexes
 WHERE indexrelname = 'indexed_a';
SELECT * FROM said();
DROP INDEX indexed_a;

-- one that writes keep up, and no query reads: not if it was made a moment ago,
-- or that is not known
SELECT count(*) FROM indexed WHERE id < 10;
UPDATE indexed SET b = b + 1 WHERE id <= 5000;
SELECT counted() \g /dev/null
SELECT object, index_age FROM unnest('{3600, null, 604800}'::float8[]) index_age,
  said('{}', '{}', index_age) WHERE object ~ '^index';
SELECT bool_and(age_seconds BETWEEN 0 AND 3600) AS made_now
  FROM unnest((ssdpar.gather_evidence(65536)).indexes) WHERE name ~ 'indexed';
SELECT object, sure, fix, undo FROM said() WHERE object ~ '^index';
SELECT sure FROM said('{"standbys": 1}') WHERE object ~ '^index';
SELECT * FROM said('{"counted_seconds": 3600}') WHERE object ~ '^index';
SELECT count(*) FROM indexed WHERE a = 7;
SELECT counted() \g /dev/null
SELECT * FROM said() WHERE object ~ '^index';

-- one that is mostly empty
DELETE FROM indexed WHERE id % 10 <> 1;
SELECT counted() \g /dev/null
VACUUM ANALYZE indexed;
SELECT object, sure, fix, undo FROM said() WHERE object ~ '^index'
 ORDER BY object COLLATE "C";
SELECT fix FROM said() WHERE object ~ '^index' \gexec
SELECT * FROM said() WHERE object ~ '^index';
DROP TABLE indexed;

--
-- 4: heavy writes
--
SELECT object, sure, fix, undo
  FROM said('{"checkpoint_pages": 1000000, "checkpoint_sync_seconds": 500,
              "cleaner_stops": 10000, "vacuum_bytes": 1e9}',
            '{"checkpoint_completion_target": "0.5",
              "checkpoint_flush_after": "0",
              "autovacuum_vacuum_cost_delay": "0"}');
SELECT object, sure, fix, undo
  FROM said('{"checkpoints_requested": 200, "wal_bytes": 1e12,
              "wal_writes": 1000000}');
-- fixed, the counters do not matter; nor do settings where little is written
SELECT * FROM said('{"checkpoint_pages": 1000000, "checkpoint_sync_seconds": 500,
                     "vacuum_bytes": 1e9}');
SELECT * FROM said('{"checkpoint_pages": 10, "vacuum_bytes": 1e5}',
                   '{"checkpoint_completion_target": "0.5",
                     "checkpoint_flush_after": "0",
                     "autovacuum_vacuum_cost_delay": "0"}');

--
-- 5: mixed reads and writes; 100,000 pages of 1 ms each
--
SELECT * FROM said(jsonb_build_object('places', :'places'::jsonb,
  'read_seconds', 500, 'temporary_bytes', 1e9, 'preloaded', true));
SELECT * FROM said('{"read_seconds": 500, "temporary_bytes": 1e9}');
SELECT * FROM said(jsonb_build_object('places', :'places'::jsonb,
  'read_seconds', 90, 'temporary_bytes', 1e9, 'preloaded', true));

--
-- 6: large I/O
--
SELECT jsonb_set(tuned() #> '{places}', '{1,read_ahead_kb}', '16') AS few,
       jsonb_set(tuned() #> '{places}', '{1,partition_start}', '32256') AS off \gset
SELECT * FROM said(jsonb_build_object('places', :'few'::jsonb));
-- without a disk, as in a container
SELECT fix FROM said(jsonb_build_object('places', :'few'::jsonb #- '{1,disk}'));
SELECT * FROM said(jsonb_build_object('places', :'off'::jsonb));
-- a page in eight is on one stripe more; of more stripes than a request has none
SELECT * FROM said(jsonb_build_object('places',
  jsonb_set(jsonb_set(:'places', '{1,partition_start}', '1052672'), '{1,stripe}', '65536')));
SELECT * FROM said(jsonb_build_object('places',
  jsonb_set(:'places', '{1,stripe}', '33553920')));
SELECT * FROM said('{}', '{"io_combine_limit": "1", "effective_io_concurrency": "1"}')
 WHERE rule = 'large I/O';
SELECT * FROM said('{"wal_writes": 1000000}');
SELECT * FROM said('{"wal_writes": 1000000}', '{"commit_delay": "100"}');

--
-- 7: full device
--
CREATE TABLE full_one (id int);
SELECT jsonb_set(:'places'::jsonb, '{1,free_bytes}', '5e10') AS full,
       jsonb_set(tuned() #> '{places}', '{1,free_bytes}', '1e10') AS fuller \gset
SELECT rule, object, sure, fix,
       undo ~ 'ALTER TABLE advise.full_one SET TABLESPACE pg_default' AS undo
  FROM said(jsonb_build_object('places', :'full'::jsonb));
SELECT * FROM said(jsonb_build_object('places', :'fuller'::jsonb));
SELECT * FROM said(jsonb_build_object('places', :'places'::jsonb));

--
-- 8: many for small I/O
--
SELECT * FROM said('{}', '{"effective_io_concurrency": "1",
  "maintenance_io_concurrency": "4", "io_workers": "3",
  "max_parallel_workers_per_gather": "0"}');
SELECT * FROM said('{}', '{"io_method": "sync"}');
-- nothing is read
SELECT * FROM said('{"pages_read": 100}', '{"effective_io_concurrency": "1"}');

--
-- 9: few for large I/O
--
SELECT * FROM said('{"dumps": 8}', '{"max_parallel_maintenance_workers": "8"}');
SELECT change_points($$jsonb_build_object('iops', iops * 0.2, 'bytes_per_second', bytes_per_second * 0.2)$$,
  $$queue_depth = 16 AND pattern = 'sequential' AND request_size = 262144$$);
SELECT * FROM said('{"dumps": 8}', '{"max_parallel_maintenance_workers": "8"}');
SELECT * FROM said('{"dumps": 4}', '{"max_parallel_maintenance_workers": "3"}');
-- where streams were measured they count: faster, then slower from two on
SELECT add_point('read', 'streams', 262144, n, 4000 + n)
  FROM unnest('{1,2,4,8}'::int[]) n;
SELECT * FROM said('{"dumps": 8}', '{"max_parallel_maintenance_workers": "8"}');
SELECT change_points($$jsonb_build_object('bytes_per_second', bytes_per_second / queue_depth)$$,
  $$pattern = 'streams'$$);
SELECT * FROM said('{"dumps": 4}', '{"max_parallel_maintenance_workers": "3"}');
SELECT * FROM said('{"dumps": 1}', '{"max_parallel_workers_per_gather": "0"}');
SELECT change_points(NULL, $$pattern = 'streams'$$);

-- on a standby, and for who may see little
SELECT * FROM said('{"in_recovery": true, "wal_full_pages": 100000,
                     "checkpoints_requested": 200, "wal_writes": 1000000}',
                   '{"checkpoint_timeout": "300", "wal_compression": "off",
                     "effective_io_concurrency": "1"}');
CREATE ROLE regress_ssdpar_user;
RESET client_min_messages;
SET ROLE regress_ssdpar_user;
SELECT ssdpar.storage_place(0) IS NULL AS hidden;
SELECT count(*) >= 0 AS asked FROM ssdpar.advise();
RESET ROLE;
-- what the asking session alone has set does not count
SET track_counts = off;
SELECT count(*) >= 0 AS asked FROM ssdpar.advise();
RESET track_counts;
BEGIN READ ONLY;
SELECT count(*) >= 0 AS asked FROM ssdpar.advise();
COMMIT;
SELECT (ssdpar.storage_place(0)).place, (ssdpar.storage_place(1663)).place,
       ssdpar.storage_place(4294967295) IS NULL AS none;
SELECT available_bytes BETWEEN 0 AND free_bytes AS available, free_bytes <= total_bytes AS free
  FROM ssdpar.storage_place(0);
SELECT ssdpar.time_text(s) FROM unnest('{0.001,2,100,7200}'::float8[]) s;

DROP ROLE regress_ssdpar_user;
SELECT ssdpar.forget_profile('pg_default');
SET client_min_messages = warning;
DROP SCHEMA advise CASCADE;
DROP FUNCTION IF EXISTS public.invent_device;
