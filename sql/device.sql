-- Device profile: calibration, its views, what the planner sees of them.
-- Nothing measured is printed: only whether it is there and makes sense.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all

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
SELECT ssdpar.store_profile('pg_default', '{}');
SELECT ssdpar.forget_profile('pg_default');
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
SELECT ssdpar.forget_profile('pg_global');
RESET client_min_messages;

-- the planner sees what the table has, and follows it
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 4) > 0 AS seen;
SELECT change_points($$jsonb_build_object('iops', 1000 * queue_depth)$$);
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1) AS at_1,
       ssdpar.profile_iops('pg_default', 'random', 8192, 2)::numeric(10,3) AS at_2,
       ssdpar.profile_iops('pg_default', 'sequential', 8192, 64) AS at_64,
       ssdpar.profile_iops('pg_default', 'random', 524288, 1) AS larger;
SELECT ssdpar.profile_iops('pg_default', 'zigzag', 8192, 1);
SELECT ssdpar.profile_iops('pg_default', 'random', 0, 1);
SELECT ssdpar.profile_iops('nosuch', 'random', 8192, 1);

-- a change is the server's, and not undone with a transaction
BEGIN;
SELECT change_points($$'{"iops": 77}'$$);
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SAVEPOINT a;
SELECT ssdpar.forget_profile('pg_default');
SELECT ssdpar.profile_problem('pg_default');
ROLLBACK TO a;
SELECT ssdpar.profile_problem('pg_default');
ROLLBACK;
SELECT ssdpar.forget_profile('pg_default');
SELECT invent_device('1000 * depth', 128, 4e-6);
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);

-- what was exported can be imported, but for who may not
-- in full, whatever digits the session shows
SELECT change_profile('{"machine": {"cost_unit_seconds": 0.30000000000000004}}');
SET extra_float_digits = 0;
SET timezone = 'Asia/Tokyo';
SELECT ssdpar.profile_document('pg_default') #>> '{machine,cost_unit_seconds}' AS seconds,
       ssdpar.profile_document('pg_default') ->> 'measured_at' AS measured_at;
RESET extra_float_digits;
RESET timezone;

CREATE TEMP TABLE before AS TABLE ssdpar.device;
CREATE TEMP TABLE points_before AS TABLE ssdpar.device_profile;
SELECT ssdpar.profile_document('pg_default') AS document \gset

-- several streams are kept, and nothing is planned by them
SELECT ssdpar.profile_iops('pg_default', 'sequential', 262144, 8) AS one,
       ssdpar.profile_iops('pg_default', 'random', 262144, 8) AS random \gset
SELECT add_point('read', 'streams', 262144, n, n) FROM unnest('{1,4}'::int[]) n;
SELECT ssdpar.profile_document('pg_default') AS with_streams \gset
SELECT ssdpar.store_profile('pg_default', :'with_streams');
SELECT pattern, request_size, queue_depth, bytes_per_second FROM ssdpar.device_profile
 WHERE pattern = 'streams' ORDER BY queue_depth;
SELECT json_array_length(:'with_streams'::json -> 'points') =
       (SELECT count(*) FROM points_before) AS apart,
       (SELECT peak_bytes_per_second = (SELECT max(bytes_per_second) FROM points_before
                                         WHERE operation = 'read')
          FROM ssdpar.device_summary) AS same_peak;
SELECT ssdpar.profile_iops('pg_default', 'sequential', 262144, 8) = :one AND
       ssdpar.profile_iops('pg_default', 'random', 262144, 8) = :random AS as_before;
SELECT ssdpar.forget_profile('pg_default');
SELECT ssdpar.profile_document('pg_default') IS NULL AS gone;
SELECT ssdpar.store_profile('pg_default', :'document');
SELECT count(*) FROM (TABLE before EXCEPT TABLE ssdpar.device) x;
SELECT count(*) FROM (TABLE points_before EXCEPT TABLE ssdpar.device_profile) x;
SET ROLE regress_ssdpar_user;
SELECT ssdpar.store_profile('pg_default', :'document');
SELECT ssdpar.forget_profile('pg_default');
RESET ROLE;
BEGIN READ ONLY;
SELECT ssdpar.store_profile('pg_default', :'document');
SELECT ssdpar.forget_profile('pg_default');
ROLLBACK;
SET ROLE regress_ssdpar_files;
SELECT ssdpar.store_profile('pg_default', :'document');
RESET ROLE;
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
SELECT cores IS NOT NULL AS processors,
       (SELECT count(*) FROM ssdpar.device_profile p
         WHERE p.tablespace = d.tablespace AND operation = 'write') AS writes
  FROM ssdpar.device d WHERE tablespace = 'pg_global';
SELECT ssdpar.profile_document('pg_global') AS global \gset
SELECT ssdpar.store_profile('pg_global', pg_temp.as_of_probe(identity))
  FROM ssdpar.device WHERE tablespace = 'pg_global';
TABLE pg_temp.kept;
SELECT ssdpar.store_profile('pg_global', pg_temp.as_of_probe('another one'));
TABLE pg_temp.kept;
SELECT ssdpar.store_profile('pg_global', :'global');
SELECT change_profile('{"device": {"identity": "any device"}}', 'pg_global');
SELECT ssdpar.store_profile('pg_global', pg_temp.as_of_probe('any device'));
TABLE pg_temp.kept;
SELECT ssdpar.store_profile('pg_global', :'global');
SELECT change_profile('{"device": {"identity": "another one"}}', 'pg_global');
SELECT problem IS NULL AS usable
  FROM ssdpar.calibrate('pg_global', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8}', depths => '{1}');
SELECT operation, pattern, request_size FROM ssdpar.device_profile
 WHERE tablespace = 'pg_global' ORDER BY 1, 2, 3;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_ssdpar LOCATION '';
SELECT tablespace, problem IS NULL AS usable
  FROM ssdpar.calibrate('regress_ssdpar', seconds => 0.3, file_size_mb => 16,
                        sizes_kb => '{8}', depths => '{1}');
SELECT ssdpar.profile_problem('regress_ssdpar') IS NULL AS usable;
ALTER TABLESPACE regress_ssdpar RENAME TO regress_ssdpar_2;
SELECT ssdpar.profile_problem('regress_ssdpar_2') IS NULL AS usable;
SELECT ssdpar.store_profile('nosuch', :'global');
SELECT ssdpar.forget_profile('nosuch');
SELECT ssdpar.forget_profile('pg_global');
DROP TABLESPACE regress_ssdpar_2;
SELECT tablespace FROM ssdpar.device;
SELECT DISTINCT tablespace FROM ssdpar.device_profile;
RESET client_min_messages;

-- a profile without points goes where its document goes
SELECT change_points(NULL);
SELECT ssdpar.store_profile('pg_default', ssdpar.profile_document('pg_default'));
SELECT count(*) AS points FROM ssdpar.device_profile;
SELECT ssdpar.store_profile('pg_default', :'document');

-- the extension stays meanwhile
BEGIN;
SELECT FROM ssdpar.calibrate('pg_default', seconds => 0.1, file_size_mb => 16,
  sizes_kb => '{8}', depths => '{1}');
SELECT mode FROM pg_locks
  WHERE locktype = 'object' AND classid = 'pg_extension'::regclass AND pid = pg_backend_pid();
ROLLBACK;

SELECT ssdpar.store_profile('pg_default', :'document');

-- nonsense is kept out, and the profile stays as it was
CREATE FUNCTION pg_temp.refused(path text, value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE what text; demand text;
BEGIN
  PERFORM ssdpar.store_profile('pg_default', (CASE WHEN value IS NULL
      THEN ssdpar.profile_document('pg_default')::jsonb #- path::text[]
      ELSE jsonb_set(ssdpar.profile_document('pg_default')::jsonb, path::text[], value::jsonb)
      END)::json);
  RETURN 'stored';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS what = MESSAGE_TEXT, demand = PG_EXCEPTION_DETAIL;
  RETURN sqlstate || ' ' || what || '. ' || demand;
END $$;
\pset format unaligned
SELECT path, left(value, 20) AS value, pg_temp.refused(path, value) FROM (VALUES
  ('{points,2,iops}', '0'), ('{points,2,iops}', '"NaN"'), ('{points,2,iops}', '1e400'),
  ('{points,2,iops}', NULL), ('{points,2,bytes_per_second}', '1e-310'),
  ('{points,2,latency_p50}', '-1'), ('{points,2,latency_p99}', '1e300'), ('{points,2,spread}', '-1'),
  ('{points,2,queue_depth}', '0'), ('{points,2,queue_depth}', '1.5'), ('{points,2}', (ssdpar.profile_document('pg_default') -> 'points' -> 1)::text),
  ('{points,2,request_size}', '2147483648'), ('{points,2,operation}', '"erase"'),
  ('{points,2,pattern}', '"zigzag"'), ('{points,2,pattern}', '1'), ('{points,2,passes}', 'null'),
  ('{points,2}', '7'), ('{points,2}', '[]'), ('{points}', '{}'), ('{points}', '3'), ('{streams}', '[[]]'),
  ('{device}', NULL), ('{device}', '[]'), ('{device,identity}', '""'), ('{device,identity}', '7'),
  ('{device,identity}', to_json(repeat('x', 1000))::text), ('{device,model}', to_json(chr(233))::text),
  ('{device,rotational}', '1'), ('{device,read_ahead_kb}', '-1'), ('{device,size_bytes}', '0.5'),
  ('{machine}', '7'), ('{machine,cores}', 'null'), ('{machine,cores}', '0.5'),
  ('{machine,cost_unit_seconds}', '2'), ('{machine,jit_load_seconds}', '1e-3'),
  ('{measured_at}', '"infinity"'), ('{measured_at}', '"yesterday noonish"'), ('{measured_at}', '5'),
  ('{seconds}', '0'), ('{file_size}', NULL), ('{engine_version}', NULL),
  ('{format}', '"else"'), ('{format}', NULL), ('{version}', '2'), ('{version}', '"1"')) x (path, value);
\pset format aligned
SELECT ssdpar.store_profile('pg_default', '[1]');
SELECT ssdpar.store_profile('pg_default', 'null');
SELECT count(*) FROM (TABLE before EXCEPT TABLE ssdpar.device) x;
SELECT count(*) FROM (TABLE points_before EXCEPT TABLE ssdpar.device_profile) x;
SELECT change_profile(jsonb_build_object('points', jsonb_agg((ssdpar.profile_document('pg_default') -> 'points' -> 0)::jsonb
    || jsonb_build_object('queue_depth', n)))) FROM generate_series(1, 2049) n;
-- nor does it become so large by what is kept of the same device
SELECT change_profile('{"device": {"identity": "disk 9"}}');
SELECT add_point('write', 'random', 8192, 1, 100);
SELECT change_profile(jsonb_build_object('points', jsonb_agg((ssdpar.profile_document('pg_default') -> 'points' -> 0)::jsonb
    || jsonb_build_object('queue_depth', n)))) FROM generate_series(1, 2048) n;
SELECT operation, count(*) > 1 AS several FROM ssdpar.device_profile GROUP BY 1 ORDER BY 1;
SELECT ssdpar.store_profile('pg_default', :'document');

-- what no plan can be made by: one warning a backend, and no profile
SELECT change_points(NULL, $$pattern = 'random' AND queue_depth = 4 AND request_size = 8192$$);
SELECT tablespace, problem FROM ssdpar.device_summary ORDER BY 1;
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SELECT ssdpar.store_profile('pg_default', :'document');
SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);
SELECT change_points($$'{"iops": 1e-12}'$$);
SELECT ssdpar.profile_problem('pg_default');
SELECT change_points($$'{"iops": 1000}'$$);
SELECT change_points(NULL, 'queue_depth = 1');
SELECT ssdpar.profile_problem('pg_default');
SELECT ssdpar.store_profile('pg_default', :'document');
SELECT ssdpar.profile_problem('pg_default');

-- the extension goes and comes back, the profile stays
DROP VIEW pg_temp.kept;
DROP EXTENSION ssdpar;
CREATE FUNCTION pg_temp.problem(name) RETURNS text STRICT LANGUAGE C
    AS '$libdir/ssdpar', 'ssdpar_sql_profile_problem';
SELECT pg_temp.problem('pg_default');
CREATE EXTENSION ssdpar;
SELECT ssdpar.profile_problem('pg_default');
SELECT ssdpar.forget_profile('pg_default');
SELECT ssdpar.profile_problem('pg_default');

-- what needs a point that was not measured is null
SELECT ssdpar.store_profile('pg_default', '{"format": "ssdpar-probe", "version": 1,
  "engine_version": "1", "measured_at": "2026-01-01T00:00:00Z", "file_size": 1, "seconds": 1,
  "device": {"identity": "any device"}}');
SELECT peak_iops, confidence, confidence_word FROM ssdpar.device_summary;
SELECT ssdpar.forget_profile('pg_default');

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

-- the profile of a tablespace that is dropped goes with the next change
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_ssdpar_gone LOCATION '';
SELECT ssdpar.store_profile('regress_ssdpar_gone', ssdpar.profile_document('pg_default'));
SELECT count(*) FROM ssdpar.device;
DROP TABLESPACE regress_ssdpar_gone;
SELECT count(*) FROM ssdpar.device;
SELECT ssdpar.forget_profile('pg_default');
SELECT (pg_stat_file('ssdpar.profile', true)).size IS NULL AS gone;
DROP FUNCTION invent_device, change_profile, change_points, add_point;
