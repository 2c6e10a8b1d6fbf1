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

-- the planner sees what the table has, and follows it
SELECT abs(ssdpar.profile_iops('pg_default', 'random', 8192, 4) / iops - 1) < 1e-9
  FROM ssdpar.device_profile
 WHERE (operation, pattern, request_size, queue_depth) =
       ('read', 'random', 8192, 4);
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

-- a serializable transaction is bound to nothing by what the planner reads
\c -
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT ssdpar.profile_problem('pg_default');
SELECT relation::regclass FROM pg_locks
 WHERE mode = 'SIReadLock' AND pid = pg_backend_pid()
   AND relation IN ('ssdpar.device'::regclass, 'ssdpar.device_profile'::regclass);
COMMIT;

-- writes on request; other tablespaces
SET client_min_messages = warning;
SELECT problem IS NULL AS usable
  FROM ssdpar.calibrate('pg_global', seconds => 0.3, file_size_mb => 16,
                        writes => true, sizes_kb => '{8}', depths => '{1}');
SELECT operation, pattern FROM ssdpar.device_profile
 WHERE tablespace = 'pg_global' ORDER BY 1, 2;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_ssdpar LOCATION '';
SELECT tablespace, problem IS NULL AS usable
  FROM ssdpar.calibrate('regress_ssdpar', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8}', depths => '{1}');
SELECT ssdpar.profile_problem('regress_ssdpar') IS NULL AS usable;
ALTER TABLESPACE regress_ssdpar RENAME TO regress_ssdpar_2;
SELECT ssdpar.profile_problem('regress_ssdpar_2');
DROP TABLESPACE regress_ssdpar_2;
DELETE FROM ssdpar.device WHERE tablespace = 'regress_ssdpar';
RESET client_min_messages;

-- nonsense: the constraints keep it out
\set VERBOSITY terse
UPDATE ssdpar.device_profile SET iops = 0;
UPDATE ssdpar.device_profile SET iops = 'NaN';
UPDATE ssdpar.device_profile SET iops = 'Infinity';
SELECT ssdpar.store_profile('pg_default', '{"format": "else"}');
SELECT ssdpar.store_profile('pg_default',
    '{"format": "ssdpar-probe", "version": 2, "file_size": 1, "seconds": 1,
      "engine_version": "9", "measured_at": "2000-01-01T00:00:00Z",
      "device": {"identity": "x"}}');
\set VERBOSITY default

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
ALTER TABLE ssdpar.device_profile DROP CONSTRAINT device_profile_iops_check;
UPDATE ssdpar.device_profile SET iops = 'NaN';
SELECT ssdpar.profile_problem('pg_default');
UPDATE ssdpar.device_profile SET iops = -1;
SELECT ssdpar.profile_problem('pg_default');
UPDATE ssdpar.device_profile SET iops = 5e-324;
SELECT ssdpar.profile_problem('pg_default');
DELETE FROM ssdpar.device_profile WHERE queue_depth = 1;
UPDATE ssdpar.device_profile SET iops = 1000;
SELECT ssdpar.profile_problem('pg_default');
ROLLBACK;
SELECT ssdpar.profile_problem('pg_default');

-- the table goes and comes back within a session
TRUNCATE ssdpar.device_profile;
SELECT ssdpar.profile_problem('pg_default');
BEGIN;
DROP EXTENSION ssdpar;
CREATE TABLE ssdpar.device_profile (tablespace text);
CREATE FUNCTION pg_temp.problem(name) RETURNS text STRICT LANGUAGE C
    AS '$libdir/ssdpar', 'ssdpar_sql_profile_problem';
SELECT pg_temp.problem('pg_default');
DROP SCHEMA ssdpar CASCADE;
SELECT pg_temp.problem('pg_default');
CREATE EXTENSION ssdpar;
SELECT pg_temp.problem('pg_default');
ROLLBACK;
SELECT ssdpar.profile_problem('pg_default');

-- every column says what it is
SELECT c.relname, a.attname FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
 WHERE c.relnamespace = 'ssdpar'::regnamespace AND c.relkind IN ('r', 'v')
   AND c.relname LIKE 'device%'
   AND col_description(c.oid, a.attnum) IS NULL;

DELETE FROM ssdpar.device;
DROP ROLE regress_ssdpar_user;
DROP ROLE regress_ssdpar_files;
