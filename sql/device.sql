-- Device profile: calibration, its tables, what the planner sees of them.
-- Nothing measured is printed: only whether it is there and makes sense.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;

-- before any calibration
SELECT ssdpar.profile_problem('pg_default');
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SELECT ssdpar.profile_problem('nosuch');

-- arguments
SELECT * FROM ssdpar.calibrate('nosuch');
SELECT * FROM ssdpar.calibrate(NULL);
SELECT * FROM ssdpar.calibrate('pg_default', seconds => 0);
SELECT * FROM ssdpar.calibrate('pg_default', seconds => 'NaN');
SELECT * FROM ssdpar.calibrate('pg_default', file_size_mb => 2048);
SELECT * FROM ssdpar.calibrate('pg_default', file_size_mb => -5);
SELECT * FROM ssdpar.calibrate('pg_default', file_size_mb => -2147483648);
SELECT * FROM ssdpar.calibrate('pg_default', sizes_kb => '{6}');
SELECT * FROM ssdpar.calibrate('pg_default', sizes_kb => '{8,NULL}');
SELECT * FROM ssdpar.calibrate('pg_default', sizes_kb => '{-1}');
SELECT * FROM ssdpar.calibrate('pg_default', sizes_kb => '{8,2147483647}');
SELECT * FROM ssdpar.calibrate('pg_default', sizes_kb => '{-2147483648}');
SELECT * FROM ssdpar.calibrate('pg_default', sizes_kb => '{}');
SELECT * FROM ssdpar.calibrate('pg_default', depths => '{{1,2}}');
SELECT * FROM ssdpar.calibrate('pg_default', depths => '{4,1}');

-- privileges
CREATE ROLE regress_ssdpar_user;
CREATE ROLE regress_ssdpar_files IN ROLE pg_write_server_files;
SET ROLE regress_ssdpar_user;
SELECT * FROM ssdpar.calibrate('pg_default');
INSERT INTO ssdpar.device_profile VALUES
    ('pg_default', 'read', 'random', 8192, 1, 1, 8192, 1, 1, 0, 1);
DELETE FROM ssdpar.device;
SELECT count(*) FROM ssdpar.device_summary;

-- a read-only transaction
RESET ROLE;
BEGIN READ ONLY;
SELECT * FROM ssdpar.calibrate('pg_default');
ROLLBACK;

-- a very short calibration, by a member of pg_write_server_files
SET ROLE regress_ssdpar_files;
SELECT tablespace, file_system <> '' AS file_system, peak_iops > 0 AS iops,
       peak_bytes_per_second > 0 AS bandwidth, saturation_depth IN (1, 4) AS depth,
       random_ratio_at_1 > 0 AS at_1,
       random_ratio_at_saturation > 0 AS at_saturation,
       confidence BETWEEN 0 AND 1 AS confidence,
       confidence_word IN ('good', 'fair', 'poor') AS word,
       age >= '0' AND age < '1 hour' AS age, problem
  FROM ssdpar.calibrate('pg_default', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8,256}', depths => '{1,4}');
RESET ROLE;
SELECT identity <> '' AS identity, scratch_bytes, seconds > 0 AS seconds,
       engine_version, server_version = current_setting('server_version') AS server,
       calibrated_at IS NOT NULL AS calibrated
  FROM ssdpar.device WHERE tablespace = 'pg_default';
SELECT operation, pattern, request_size, queue_depth, passes > 0 AS visited,
       iops > 0 AS iops,
       abs(bytes_per_second / (iops * request_size) - 1) < 0.01 AS bytes,
       latency_p50 <= latency_p99 AS latency
  FROM ssdpar.device_profile WHERE tablespace = 'pg_default'
 ORDER BY 1, 2, 3, 4;

-- a first look: fewer points and visits, which is said
SET client_min_messages = warning;
SELECT confidence_word <> '' AS word, left(advice, 22) AS advice
  FROM ssdpar.calibrate('pg_global', seconds => 2, quick => true);
SELECT scratch_bytes / 1048576 AS mb
  FROM ssdpar.device WHERE tablespace = 'pg_global';
SELECT array_agg(DISTINCT request_size) AS sizes,
       array_agg(DISTINCT queue_depth) AS depths
  FROM ssdpar.device_profile WHERE tablespace = 'pg_global';
SELECT advice IS NULL AS none
  FROM ssdpar.calibrate('pg_global', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8}', depths => '{1}', quick => NULL);
DELETE FROM ssdpar.device WHERE tablespace = 'pg_global';
RESET client_min_messages;

-- the planner sees what the table has, and follows it
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 4) > 0 AS seen;
UPDATE ssdpar.device_profile SET iops = 1000 * queue_depth;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1) AS at_1,
       ssdpar.profile_iops('pg_default', 'random', 8192, 2)::numeric(10,3) AS at_2,
       ssdpar.profile_iops('pg_default', 'sequential', 8192, 64) AS at_64,
       ssdpar.profile_iops('pg_default', 'random', 524288, 1) AS larger;
BEGIN;
UPDATE ssdpar.device_profile SET iops = 77;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
ROLLBACK;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SELECT ssdpar.profile_iops('pg_default', 'zigzag', 8192, 1);
SELECT ssdpar.profile_iops('pg_default', 'random', 0, 1);
SELECT ssdpar.profile_iops('nosuch', 'random', 8192, 1);

-- subtransactions take back what they changed
BEGIN;
UPDATE ssdpar.device_profile SET iops = 77;
SAVEPOINT a;
DELETE FROM ssdpar.device;
SELECT ssdpar.profile_problem('pg_default');
ROLLBACK TO a;
SAVEPOINT b;
SAVEPOINT c;
UPDATE ssdpar.device_profile SET iops = 78;
RELEASE c;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
RELEASE b;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SAVEPOINT d;
UPDATE ssdpar.device_profile SET iops = 79;
ROLLBACK TO d;
SELECT DISTINCT iops FROM ssdpar.device_profile;
COMMIT;
\c -
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
UPDATE ssdpar.device_profile SET iops = 1000;

-- a transaction prepared for later cannot hold any
BEGIN;
UPDATE ssdpar.device_profile SET iops = 77;
PREPARE TRANSACTION 'regress_ssdpar';
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);

-- what was exported can be imported, but for who may not
CREATE TEMP TABLE before AS TABLE ssdpar.device;
CREATE TEMP TABLE points_before AS TABLE ssdpar.device_profile;
SELECT ssdpar.profile_document('pg_default') AS document \gset
-- in full, whatever digits the session shows
BEGIN;
UPDATE ssdpar.device SET cost_unit_seconds = 0.1::float8 + 0.2::float8;
SET LOCAL extra_float_digits = 0;
SELECT ssdpar.profile_document('pg_default') #>> '{machine,cost_unit_seconds}' AS seconds;
ROLLBACK;

-- several streams are kept, and nothing is planned by them
SELECT ssdpar.profile_iops('pg_default', 'sequential', 262144, 8) AS one,
       ssdpar.profile_iops('pg_default', 'random', 262144, 8) AS random \gset
BEGIN;
INSERT INTO ssdpar.device_profile
SELECT tablespace, operation, 'streams', 262144, n, n, n * 262144.0, 1, 1, 0, 3
  FROM ssdpar.device_profile p, unnest('{1,4}'::int[]) n
 WHERE (pattern, request_size, queue_depth, operation) = ('random', 8192, 1, 'read');
SELECT ssdpar.profile_document('pg_default') AS with_streams \gset
SELECT ssdpar.store_profile('pg_default', :'with_streams');
SELECT pattern, request_size, queue_depth, bytes_per_second FROM ssdpar.device_profile
 WHERE pattern = 'streams' ORDER BY queue_depth;
SELECT json_array_length(:'with_streams'::json -> 'points') =
       (SELECT count(*) FROM points_before) AS apart,
       (SELECT peak_bytes_per_second = (SELECT max(bytes_per_second) FROM points_before
                                         WHERE operation = 'read')
          FROM ssdpar.device_summary) AS same_peak;
COMMIT;
SELECT ssdpar.profile_iops('pg_default', 'sequential', 262144, 8) = :one AND
       ssdpar.profile_iops('pg_default', 'random', 262144, 8) = :random AS as_before;
DELETE FROM ssdpar.device;
SELECT ssdpar.profile_document('pg_default') IS NULL AS gone;
SELECT ssdpar.store_profile('pg_default', :'document');
SELECT count(*) FROM (TABLE before EXCEPT TABLE ssdpar.device) x;
SELECT count(*) FROM (TABLE points_before EXCEPT TABLE ssdpar.device_profile) x;
SET ROLE regress_ssdpar_user;
SELECT ssdpar.store_profile('pg_default', :'document');
UPDATE ssdpar.device SET identity = 'any device';
RESET ROLE;
BEGIN READ ONLY;
SELECT ssdpar.store_profile('pg_default', :'document');
ROLLBACK;
-- by rows as well
DELETE FROM ssdpar.device;
SET ROLE regress_ssdpar_files;
INSERT INTO ssdpar.device (tablespace) VALUES ('pg_default');
RESET ROLE;
INSERT INTO ssdpar.device TABLE before;
INSERT INTO ssdpar.device_profile TABLE points_before;
INSERT INTO ssdpar.device TABLE before;
INSERT INTO ssdpar.device_profile TABLE points_before;
SELECT ssdpar.profile_problem('pg_default');

-- writes on request; other tablespaces
SET client_min_messages = warning;
SELECT problem IS NULL AS usable
  FROM ssdpar.calibrate('pg_global', seconds => 0.3, file_size_mb => 16,
                        writes => true, sizes_kb => '{8}', depths => '{1}');
SELECT operation, pattern FROM ssdpar.device_profile
 WHERE tablespace = 'pg_global' ORDER BY 1, 2;
-- they stay when only reads are measured again, unless of another device
SELECT problem IS NULL AS usable
  FROM ssdpar.calibrate('pg_global', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8,16}', depths => '{1}');
SELECT operation, pattern, request_size FROM ssdpar.device_profile
 WHERE tablespace = 'pg_global' ORDER BY 1, 2, 3;
SELECT problem IS NULL AS usable
  FROM ssdpar.calibrate('pg_global', seconds => 0.3, file_size_mb => 16,
                        writes => true, sizes_kb => '{8,32}', depths => '{1}');
SELECT operation, pattern, request_size FROM ssdpar.device_profile
 WHERE tablespace = 'pg_global' ORDER BY 1, 2, 3;
-- so they do, and the CPU times, when a document is stored that has none
CREATE FUNCTION pg_temp.as_of_probe(identity text) RETURNS json LANGUAGE SQL AS $$
SELECT jsonb_set(jsonb_set(d - 'machine', '{device,identity}', to_jsonb($1)), '{points}',
         (SELECT jsonb_agg(p) FROM jsonb_array_elements(d -> 'points') p
           WHERE p ->> 'operation' = 'read'))::json
  FROM (SELECT ssdpar.profile_document('pg_global')::jsonb) x (d)
$$;
CREATE VIEW pg_temp.kept AS
SELECT cores IS NOT NULL AND cache_bytes IS NOT NULL AS processors,
       (SELECT count(*) FROM ssdpar.device_profile p
         WHERE p.tablespace = d.tablespace AND operation = 'write') AS writes
  FROM ssdpar.device d WHERE tablespace = 'pg_global';
BEGIN;
SELECT ssdpar.store_profile('pg_global', pg_temp.as_of_probe(identity))
  FROM ssdpar.device WHERE tablespace = 'pg_global';
TABLE pg_temp.kept;
SAVEPOINT a;
SELECT ssdpar.store_profile('pg_global', pg_temp.as_of_probe('another one'));
TABLE pg_temp.kept;
ROLLBACK TO a;
UPDATE ssdpar.device SET identity = 'any device' WHERE tablespace = 'pg_global';
SELECT ssdpar.store_profile('pg_global', pg_temp.as_of_probe('any device'));
TABLE pg_temp.kept;
ROLLBACK;
BEGIN;
UPDATE ssdpar.device SET identity = 'another one'
 WHERE tablespace = 'pg_global';
SELECT problem IS NULL AS usable
  FROM ssdpar.calibrate('pg_global', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8}', depths => '{1}');
SELECT operation, pattern, request_size FROM ssdpar.device_profile
 WHERE tablespace = 'pg_global' ORDER BY 1, 2, 3;
ROLLBACK;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_ssdpar LOCATION '';
SELECT tablespace, problem IS NULL AS usable
  FROM ssdpar.calibrate('regress_ssdpar', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8}', depths => '{1}');
SELECT ssdpar.profile_problem('regress_ssdpar') IS NULL AS usable;
ALTER TABLESPACE regress_ssdpar RENAME TO regress_ssdpar_2;
SELECT ssdpar.profile_problem('regress_ssdpar_2') IS NULL AS usable;
UPDATE ssdpar.device SET tablespace = 'regress_ssdpar_2'
 WHERE tablespace = 'pg_global';
UPDATE ssdpar.device SET tablespace = 'nosuch' WHERE tablespace = 'pg_global';
DELETE FROM ssdpar.device WHERE tablespace = 'regress_ssdpar_2';
UPDATE ssdpar.device SET tablespace = 'regress_ssdpar_2'
 WHERE tablespace = 'pg_global';
SELECT tablespace, count(*) FROM ssdpar.device JOIN ssdpar.device_profile
 USING (tablespace) GROUP BY tablespace ORDER BY tablespace;
DROP TABLESPACE regress_ssdpar_2;
SELECT tablespace FROM ssdpar.device;
SELECT DISTINCT tablespace FROM ssdpar.device_profile;
RESET client_min_messages;

-- a profile without points goes where its document goes
BEGIN;
DELETE FROM ssdpar.device_profile;
SELECT ssdpar.store_profile('pg_default', ssdpar.profile_document('pg_default'));
SELECT count(*) AS points FROM ssdpar.device_profile;
ROLLBACK;

-- the extension stays meanwhile
BEGIN;
SELECT FROM ssdpar.calibrate('pg_default', seconds => 0.1, file_size_mb => 16,
  sizes_kb => '{8}', depths => '{1}');
SELECT mode FROM pg_locks
  WHERE locktype = 'object' AND classid = 'pg_extension'::regclass AND pid = pg_backend_pid();
ROLLBACK;

-- nonsense is kept out
UPDATE ssdpar.device_profile SET iops = 0;
UPDATE ssdpar.device_profile SET iops = 'NaN';
UPDATE ssdpar.device_profile SET iops = 'Infinity';
UPDATE ssdpar.device_profile SET bytes_per_second = 1e-310;
UPDATE ssdpar.device_profile SET latency_p50 = 5e-324;
UPDATE ssdpar.device_profile SET latency_p99 = 1e300;
UPDATE ssdpar.device_profile SET spread = -1;
UPDATE ssdpar.device_profile SET queue_depth = 0;
UPDATE ssdpar.device_profile SET queue_depth = 4;
UPDATE ssdpar.device_profile SET operation = 'erase';
UPDATE ssdpar.device_profile SET pattern = 'zigzag';
UPDATE ssdpar.device_profile SET passes = NULL;
UPDATE ssdpar.device SET identity = '';
UPDATE ssdpar.device SET identity = repeat('x', 1000);
UPDATE ssdpar.device SET model = chr(233);
UPDATE ssdpar.device SET read_ahead_kb = -1;
UPDATE ssdpar.device SET calibrated_at = 'infinity';
SELECT ssdpar.store_profile('pg_default', '{"format": "else"}');
SELECT ssdpar.store_profile('pg_default',
    '{"format": "ssdpar-probe", "version": 2, "file_size": 1, "seconds": 1,
      "engine_version": "9", "measured_at": "2000-01-01T00:00:00Z",
      "device": {"identity": "x"}}');

-- nonsense that got in all the same: one warning a backend, and no profile
BEGIN;
DELETE FROM ssdpar.device_profile
 WHERE tablespace = 'pg_default' AND pattern = 'random' AND queue_depth = 4
   AND request_size = 8192;
SELECT tablespace, problem FROM ssdpar.device_summary ORDER BY 1;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
ROLLBACK;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
BEGIN;
UPDATE ssdpar.device_profile SET iops = 1e-12;
SELECT ssdpar.profile_problem('pg_default');
DELETE FROM ssdpar.device_profile WHERE queue_depth = 1;
UPDATE ssdpar.device_profile SET iops = 1000;
SELECT ssdpar.profile_problem('pg_default');
ROLLBACK;
SELECT ssdpar.profile_problem('pg_default');

-- the triggers' functions are of no other use
CREATE TABLE mine (a int);
CREATE TRIGGER mine BEFORE INSERT ON mine
  FOR EACH ROW EXECUTE FUNCTION ssdpar.device_changed();
INSERT INTO mine VALUES (1);
DROP TABLE mine;
SET ROLE regress_ssdpar_user;
CREATE TEMP TABLE theirs (a int);
CREATE TRIGGER theirs BEFORE INSERT ON theirs
  FOR EACH ROW EXECUTE FUNCTION ssdpar.device_changed();
RESET ROLE;

-- the extension goes and comes back, the profile stays
DROP EXTENSION ssdpar;
CREATE FUNCTION pg_temp.problem(name) RETURNS text STRICT LANGUAGE C
    AS '$libdir/ssdpar', 'ssdpar_sql_profile_problem';
SELECT pg_temp.problem('pg_default');
CREATE EXTENSION ssdpar;
SELECT ssdpar.profile_problem('pg_default');
DELETE FROM ssdpar.device;
SELECT ssdpar.profile_problem('pg_default');

-- what needs a point that was not measured is null
INSERT INTO ssdpar.device (tablespace, identity, read_ahead_kb, scratch_bytes, seconds,
    engine_version, server_version, document_version, calibrated_at)
  VALUES ('pg_default', 'any device', 128, 1073741824, 45, '1', '1', 1, '2026-01-01 00:00+00');
SELECT peak_iops, confidence, confidence_word FROM ssdpar.device_summary;

-- a view that has got a column more
BEGIN;
CREATE OR REPLACE VIEW ssdpar.device AS SELECT *, repeat('x', 9) AS more FROM ssdpar.stored_devices();
UPDATE ssdpar.device SET seconds = 46;
SELECT seconds, more FROM ssdpar.device;
ROLLBACK;

-- subtransactions leave nothing behind
BEGIN;
DO $$ BEGIN
  FOR n IN 1 .. 3000 LOOP
    BEGIN
      INSERT INTO ssdpar.device_profile VALUES ('pg_default', 'read', 'random', 8192, n, 1000, 8192000, 1000, 1000, 0, 3);
      IF n % 100 > 0 THEN
        RAISE division_by_zero;
      END IF;
    EXCEPTION WHEN division_by_zero THEN
      NULL;
    END;
  END LOOP;
END $$;
SELECT sum(total_bytes) < 1000000 AS little FROM pg_backend_memory_contexts
 WHERE name = 'TopTransactionContext' OR name LIKE 'ssdpar profile%';
SELECT count(*) FROM ssdpar.device_profile;
ROLLBACK;
DELETE FROM ssdpar.device;

-- every column says what it is
SELECT c.relname, a.attname FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
 WHERE c.relnamespace = 'ssdpar'::regnamespace AND c.relkind IN ('r', 'v')
   AND c.relname LIKE 'device%'
   AND col_description(c.oid, a.attnum) IS NULL;

DROP OWNED BY regress_ssdpar_user;
DROP ROLE regress_ssdpar_user;
DROP ROLE regress_ssdpar_files;

-- what it returns can be kept, and read by others
SET client_min_messages = warning;
CREATE TABLE calibrations AS
  SELECT ssdpar.calibrate('pg_default', seconds => 0.1, file_size_mb => 16,
                          sizes_kb => '{8}', depths => '{1}') AS result;
\c -
SELECT (result).tablespace, (result).peak_iops > 0 AS measured FROM calibrations;
SELECT count(result::text) FROM calibrations;
DROP TABLE calibrations;

-- points of a tablespace that is dropped go, with or without a device
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_ssdpar_gone LOCATION '';
BEGIN;
DELETE FROM ssdpar.device;
INSERT INTO ssdpar.device_profile SELECT 'regress_ssdpar_gone', operation, pattern, 8192, 1,
  1000, 8192000, 1000, 1000, 0, 3 FROM (VALUES ('read', 'random')) p (operation, pattern);
COMMIT;
DROP TABLESPACE regress_ssdpar_gone;
INSERT INTO ssdpar.device_profile VALUES ('pg_default', 'read', 'random', 8192, 1, 1000, 8192000, 1000, 1000, 0, 3);
DELETE FROM ssdpar.device_profile;
SELECT (pg_stat_file('ssdpar.profile', true)).size IS NULL AS gone;
