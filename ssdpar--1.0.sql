/*
 * ssdpar--1.0.sql: the objects of the extension, except for the advisor.
 *
 * The Makefile appends the files of advise/ and installs the result,
 * built/ssdpar--1.0.sql.
 */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION ssdpar" to load this file. \quit

-- All names and operators below are the server's, regardless of objects that
-- users created in other schemas.
SET LOCAL search_path = pg_catalog, pg_temp;

-- A schema that already existed keeps its owner and its objects.  The owner
-- could replace our functions, and a function there that matches a call better
-- would be called instead of ours, also by superusers.
DO $$
DECLARE
    schema record;
    problem text;
BEGIN
    SELECT n.oid, n.nspowner, n.nspacl, r.rolname, r.rolsuper INTO schema
      FROM pg_catalog.pg_namespace n
      JOIN pg_catalog.pg_roles r ON r.oid = n.nspowner
     WHERE n.nspname = 'ssdpar';
    IF NOT schema.rolsuper AND schema.rolname <> current_user THEN
        problem := format('belongs to role "%s"', schema.rolname);
    ELSIF EXISTS (SELECT FROM pg_catalog.pg_depend
                   WHERE refclassid = 'pg_namespace'::regclass AND
                         refobjid = schema.oid AND
                         classid <> 'pg_extension'::regclass) THEN
        problem := 'has objects that are not the extension''s';
    ELSIF EXISTS (SELECT FROM aclexplode(schema.nspacl) a
                   WHERE a.privilege_type = 'CREATE' AND
                         a.grantee <> schema.nspowner) THEN
        problem := 'lets others create objects in it';
    END IF;
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'schema "ssdpar" %', problem
            USING ERRCODE = 'insufficient_privilege',
                  HINT = 'Drop the schema, then try again.';
    END IF;
END $$;

GRANT USAGE ON SCHEMA ssdpar TO PUBLIC;

--
-- Device profiles belong to the server: a file in the data directory contains
-- those of all tablespaces, for all databases, and these views show it.
-- identity is compared to find out whether the device is still the same.
--
CREATE FUNCTION ssdpar.stored_profiles()
    RETURNS TABLE (tablespace name, profile json)
    STRICT VOLATILE PARALLEL RESTRICTED ROWS 2
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_stored_profiles';
COMMENT ON FUNCTION ssdpar.stored_profiles() IS
    'the profile of each calibrated tablespace, as a document like that of ssdpar.profile_document()';

CREATE VIEW ssdpar.device AS
SELECT p.tablespace, d.identity, d.disk, d.model, d.size_bytes, d.rotational,
       d.file_system, d.read_ahead_kb, r.file_size AS scratch_bytes, r.seconds,
       r.engine_version, r.server_version, r.version AS document_version,
       r.measured_at AS calibrated_at,
       m.cores, m.cost_unit_seconds, m.page_hit_seconds, m.page_copy_seconds,
       m.page_fill_seconds, m.page_stream_seconds
  FROM ssdpar.stored_profiles() p,
       json_to_record(p.profile)
           AS r(version integer, engine_version text, server_version text,
                measured_at timestamptz, file_size bigint,
                seconds double precision, device json, machine json),
       json_to_record(r.device)
           AS d(identity text, disk text, model text, size_bytes bigint,
                rotational boolean, file_system text, read_ahead_kb integer),
       json_to_record(r.machine)
           AS m(cores double precision, cost_unit_seconds double precision,
                page_hit_seconds double precision,
                page_copy_seconds double precision,
                page_fill_seconds double precision,
                page_stream_seconds double precision);

COMMENT ON VIEW ssdpar.device IS 'the device under each calibrated tablespace';
COMMENT ON COLUMN ssdpar.device.tablespace IS 'name of the tablespace';
COMMENT ON COLUMN ssdpar.device.identity IS 'model, serial number, size and file system in one line; differs on another device or machine';
COMMENT ON COLUMN ssdpar.device.disk IS 'name of the whole disk in the kernel; null if none is visible';
COMMENT ON COLUMN ssdpar.device.model IS 'model that the device reports; null if it reports none';
COMMENT ON COLUMN ssdpar.device.size_bytes IS 'size of the whole disk, bytes';
COMMENT ON COLUMN ssdpar.device.rotational IS 'whether the kernel regards it as a rotating disk (often wrong for virtual disks)';
COMMENT ON COLUMN ssdpar.device.file_system IS 'type of the file system';
COMMENT ON COLUMN ssdpar.device.read_ahead_kb IS 'the kernel''s read-ahead at calibration, kB';
COMMENT ON COLUMN ssdpar.device.scratch_bytes IS 'size of the scratch file, bytes';
COMMENT ON COLUMN ssdpar.device.seconds IS 'how long the calibration took, seconds';
COMMENT ON COLUMN ssdpar.device.engine_version IS 'version of the measuring engine';
COMMENT ON COLUMN ssdpar.device.server_version IS 'version of the server that stored the profile';
COMMENT ON COLUMN ssdpar.device.document_version IS 'version of the JSON document that the profile came in';
COMMENT ON COLUMN ssdpar.device.calibrated_at IS 'when the calibration ended';
COMMENT ON COLUMN ssdpar.device.cores IS 'CPUs that a server process may use; null, like the next five, if only the device was measured';
COMMENT ON COLUMN ssdpar.device.cost_unit_seconds IS 'CPU time of planner cost 1, with the cpu_* settings at calibration, seconds';
COMMENT ON COLUMN ssdpar.device.page_hit_seconds IS 'CPU time of a page found in shared buffers, seconds';
COMMENT ON COLUMN ssdpar.device.page_copy_seconds IS 'CPU time of a page taken from the page cache, seconds';
COMMENT ON COLUMN ssdpar.device.page_fill_seconds IS 'CPU time of a page read alone from the device through the page cache, seconds';
COMMENT ON COLUMN ssdpar.device.page_stream_seconds IS 'the same of a page in a long sequential read, seconds';

CREATE VIEW ssdpar.device_profile AS
SELECT p.tablespace, x.*
  FROM ssdpar.stored_profiles() p,
       LATERAL (VALUES (p.profile -> 'points'), (p.profile -> 'streams'))
           AS kind(points),
       json_to_recordset(kind.points)
           AS x(operation text, pattern text, request_size integer,
                queue_depth integer, iops double precision,
                bytes_per_second double precision,
                latency_p50 double precision, latency_p99 double precision,
                spread double precision, passes integer);

COMMENT ON VIEW ssdpar.device_profile IS 'measured points, one row each: the median of its passes';
COMMENT ON COLUMN ssdpar.device_profile.tablespace IS 'name of the tablespace';
COMMENT ON COLUMN ssdpar.device_profile.operation IS 'read or write';
COMMENT ON COLUMN ssdpar.device_profile.pattern IS 'random; sequential: one stream of consecutive requests; streams: several such streams with one outstanding request each';
COMMENT ON COLUMN ssdpar.device_profile.request_size IS 'size of each request, bytes';
COMMENT ON COLUMN ssdpar.device_profile.queue_depth IS 'requests outstanding at any time';
COMMENT ON COLUMN ssdpar.device_profile.iops IS 'requests completed per second';
COMMENT ON COLUMN ssdpar.device_profile.bytes_per_second IS 'bytes transferred per second';
COMMENT ON COLUMN ssdpar.device_profile.latency_p50 IS 'median latency of a request, microseconds';
COMMENT ON COLUMN ssdpar.device_profile.latency_p99 IS '99th percentile of the latency of a request, microseconds';
COMMENT ON COLUMN ssdpar.device_profile.spread IS '(largest - smallest) / median of the passes'' iops; 0 if all passes agree';
COMMENT ON COLUMN ssdpar.device_profile.passes IS 'how often the point was measured';

GRANT SELECT ON ssdpar.device, ssdpar.device_profile TO PUBLIC;
--
-- What the planner sees of a profile.
--
CREATE FUNCTION ssdpar.profile_problem(tablespace name) RETURNS text
    STRICT STABLE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_profile_problem';
COMMENT ON FUNCTION ssdpar.profile_problem(name) IS
    'why the planner cannot use the profile of this tablespace; null if it can';

CREATE FUNCTION ssdpar.profile_iops(tablespace name, pattern text,
                                    request_size integer,
                                    queue_depth double precision)
    RETURNS double precision
    STRICT STABLE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_profile_iops';
COMMENT ON FUNCTION ssdpar.profile_iops(name, text, integer, double precision) IS
    'reads per second that the planner expects, interpolated; null without a usable profile';

CREATE FUNCTION ssdpar.profile_drift(tablespace name)
    RETURNS double precision
    STRICT VOLATILE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_profile_drift';
COMMENT ON FUNCTION ssdpar.profile_drift(name) IS
    'recent duration of reads divided by the duration in the profile; null if too few were measured since the profile was stored';

--
-- Summary.  "random" means reads of 8 kB, "sequential" reads of 256 kB.  A
-- column is null if it needs a point that was not measured.
--
CREATE VIEW ssdpar.device_summary AS
SELECT d.tablespace, d.model, d.file_system, d.read_ahead_kb,
       peak.peak_iops, peak.peak_bytes_per_second,
       saturation.depth AS saturation_depth,
       one.ratio AS random_ratio_at_1,
       saturated.ratio AS random_ratio_at_saturation,
       peak.confidence,
       CASE WHEN peak.confidence >= 0.85 THEN 'good'
            WHEN peak.confidence >= 0.65 THEN 'fair'
            WHEN peak.confidence IS NOT NULL THEN 'poor' END
           AS confidence_word,
       clock_timestamp() - d.calibrated_at AS age,
       ssdpar.profile_problem(d.tablespace) AS problem,
       lately.drift,
       CASE WHEN lately.drift NOT BETWEEN 0.5 AND 2
            THEN format('reads take %s times as long as the profile says: '
                        'run SELECT * FROM ssdpar.calibrate(%L)',
                        round(lately.drift::numeric, 2), d.tablespace)
            WHEN peak.passes < 3 OR d.seconds < 0.25 * peak.points
            THEN format('measured in a hurry: run '
                        'SELECT * FROM ssdpar.calibrate(%L) when there is time',
                        d.tablespace) END
           AS advice
  FROM ssdpar.device d
 CROSS JOIN LATERAL ssdpar.profile_drift(d.tablespace) AS lately(drift)
 CROSS JOIN LATERAL (
       SELECT count(*) AS points,
              percentile_disc(0.5) WITHIN GROUP (ORDER BY p.passes) AS passes,
              max(p.iops) FILTER (WHERE p.pattern = 'random' AND
                                        p.request_size = 8192) AS peak_iops,
              max(p.bytes_per_second) AS peak_bytes_per_second,
              CASE WHEN count(*) > 0 THEN
                   greatest(0, 1 - percentile_cont(0.5)
                                   WITHIN GROUP (ORDER BY p.spread))
              END AS confidence
         FROM ssdpar.device_profile p
        WHERE p.tablespace = d.tablespace AND p.operation = 'read' AND
              p.pattern <> 'streams') peak
 CROSS JOIN LATERAL (
       SELECT min(p.queue_depth) AS depth
         FROM ssdpar.device_profile p
        WHERE p.tablespace = d.tablespace AND p.operation = 'read' AND
              p.pattern = 'random' AND p.request_size = 8192 AND
              p.iops >= 0.9 * peak.peak_iops) saturation
 CROSS JOIN LATERAL (
       SELECT max(p.bytes_per_second) FILTER (WHERE p.pattern = 'random') /
              nullif(max(p.bytes_per_second)
                     FILTER (WHERE p.pattern = 'sequential'), 0) AS ratio
         FROM ssdpar.device_profile p
        WHERE p.tablespace = d.tablespace AND p.operation = 'read' AND
              p.queue_depth = 1 AND
              (p.pattern, p.request_size) IN
              (('random', 8192), ('sequential', 262144))) one
 CROSS JOIN LATERAL (
       SELECT max(p.bytes_per_second) FILTER (WHERE p.pattern = 'random') /
              nullif(max(p.bytes_per_second)
                     FILTER (WHERE p.pattern = 'sequential'), 0) AS ratio
         FROM ssdpar.device_profile p
        WHERE p.tablespace = d.tablespace AND p.operation = 'read' AND
              p.queue_depth = saturation.depth AND
              (p.pattern, p.request_size) IN
              (('random', 8192), ('sequential', 262144))) saturated;

COMMENT ON VIEW ssdpar.device_summary IS 'each calibrated tablespace in one row; random means 8 kB, sequential 256 kB reads';
COMMENT ON COLUMN ssdpar.device_summary.tablespace IS 'name of the tablespace';
COMMENT ON COLUMN ssdpar.device_summary.model IS 'model that the device reports; null if it reports none';
COMMENT ON COLUMN ssdpar.device_summary.file_system IS 'type of the file system';
COMMENT ON COLUMN ssdpar.device_summary.read_ahead_kb IS 'the kernel''s read-ahead at calibration, kB';
COMMENT ON COLUMN ssdpar.device_summary.peak_iops IS 'highest number of 8 kB random reads per second at any depth';
COMMENT ON COLUMN ssdpar.device_summary.peak_bytes_per_second IS 'highest throughput of any reads, bytes per second';
COMMENT ON COLUMN ssdpar.device_summary.saturation_depth IS 'smallest queue depth with at least 90 % of peak_iops';
COMMENT ON COLUMN ssdpar.device_summary.random_ratio_at_1 IS 'bandwidth of 8 kB random reads / of 256 kB sequential reads, queue depth 1';
COMMENT ON COLUMN ssdpar.device_summary.random_ratio_at_saturation IS 'bandwidth of 8 kB random reads / of 256 kB sequential reads, both at saturation_depth';
COMMENT ON COLUMN ssdpar.device_summary.confidence IS '1 - median spread of the points'' passes; 1 if all passes agree';
COMMENT ON COLUMN ssdpar.device_summary.confidence_word IS 'good (confidence at least 0.85), fair (0.65) or poor';
COMMENT ON COLUMN ssdpar.device_summary.age IS 'time since the calibration';
COMMENT ON COLUMN ssdpar.device_summary.problem IS 'why the planner cannot use the profile; null if it can';
COMMENT ON COLUMN ssdpar.device_summary.drift IS 'recent time that queries waited for reads / time that the profile predicts for these reads; null until ten were measured, and if ssdpar is not in shared_preload_libraries';
COMMENT ON COLUMN ssdpar.device_summary.advice IS 'what to do if the profile no longer fits (drift below 0.5 or above 2) or was measured too quickly; otherwise null';

GRANT SELECT ON ssdpar.device_summary TO PUBLIC;

--
-- Whole profiles.  A change writes the server's file: other sessions see it at
-- once, a standby allows it, and a rollback does not undo it.
--
CREATE FUNCTION ssdpar.profile_document(tablespace name) RETURNS json
    STRICT VOLATILE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT p.profile FROM ssdpar.stored_profiles() p WHERE p.tablespace = $1;
$$;
COMMENT ON FUNCTION ssdpar.profile_document(name) IS
    'the profile of a tablespace as a document for ssdpar.store_profile(), here or on another server; null without a profile';

CREATE FUNCTION ssdpar.store_profile(tablespace name, profile json)
    RETURNS void
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_store_profile';
COMMENT ON FUNCTION ssdpar.store_profile(name, json) IS
    'replaces the profile of a tablespace by a document of ssdpar-probe --json or ssdpar.profile_document()';

CREATE FUNCTION ssdpar.forget_profile(tablespace name) RETURNS boolean
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_forget_profile';
COMMENT ON FUNCTION ssdpar.forget_profile(name) IS
    'removes the profile of a tablespace; false if there was none';

REVOKE ALL ON FUNCTION ssdpar.store_profile(name, json),
    ssdpar.forget_profile(name) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ssdpar.store_profile(name, json),
    ssdpar.forget_profile(name) TO pg_write_server_files;

CREATE FUNCTION ssdpar.calibrate(tablespace name DEFAULT 'pg_default',
                                 seconds double precision DEFAULT 45,
                                 file_size_mb integer DEFAULT 1024,
                                 writes boolean DEFAULT false,
                                 sizes_kb integer[] DEFAULT NULL,
                                 depths integer[] DEFAULT NULL,
                                 quick boolean DEFAULT false)
    RETURNS ssdpar.device_summary
    VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_calibrate';
COMMENT ON FUNCTION ssdpar.calibrate(name, double precision, integer, boolean, integer[], integer[], boolean) IS
    'measures the device under a tablespace and stores the profile';

CREATE FUNCTION ssdpar.calibrations_running()
    RETURNS TABLE (
        pid             integer,
        datid           oid,
        tablespace      name,
        phase           text,
        share           double precision,
        began_at        timestamptz)
    STRICT VOLATILE PARALLEL RESTRICTED ROWS 1
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_calibrations_running';
COMMENT ON FUNCTION ssdpar.calibrations_running() IS
    'rows of ssdpar.pg_stat_progress_calibrate';

CREATE VIEW ssdpar.pg_stat_progress_calibrate AS
SELECT r.pid, r.datid, d.datname, r.tablespace, r.phase, r.share, r.began_at
  FROM ssdpar.calibrations_running() r
  LEFT JOIN pg_catalog.pg_database d ON d.oid = r.datid;
GRANT SELECT ON ssdpar.pg_stat_progress_calibrate TO PUBLIC;

COMMENT ON VIEW ssdpar.pg_stat_progress_calibrate IS 'running calibrations, one row each; empty if ssdpar is not in shared_preload_libraries';
COMMENT ON COLUMN ssdpar.pg_stat_progress_calibrate.pid IS 'process ID of the calibrating session';
COMMENT ON COLUMN ssdpar.pg_stat_progress_calibrate.datid IS 'OID of the session''s database';
COMMENT ON COLUMN ssdpar.pg_stat_progress_calibrate.datname IS 'name of that database';
COMMENT ON COLUMN ssdpar.pg_stat_progress_calibrate.tablespace IS 'name of the tablespace; null if it was dropped';
COMMENT ON COLUMN ssdpar.pg_stat_progress_calibrate.phase IS 'beginning, writing the scratch file, measuring, measuring the processors, or keeping the profile';
COMMENT ON COLUMN ssdpar.pg_stat_progress_calibrate.share IS 'fraction of the phase that is complete, 0 to 1; null in the last two phases';
COMMENT ON COLUMN ssdpar.pg_stat_progress_calibrate.began_at IS 'when the calibration began';

--
-- Links to other servers, which determine the price of keys for foreign tables.
-- They are stored with the device profiles and identified by the address, so
-- they apply to all databases.
--
CREATE FUNCTION ssdpar.stored_links(of_address text DEFAULT NULL)
    RETURNS TABLE (
        address         text,
        latency_seconds double precision,
        bytes_per_second double precision,
        measured_at     timestamptz,
        device_bytes_per_second double precision,
        cost_unit_seconds double precision)
    VOLATILE PARALLEL RESTRICTED ROWS 1
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_known_links';
COMMENT ON FUNCTION ssdpar.stored_links(text) IS
    'the link to this address, or, for members of pg_read_all_stats, all links of all databases';

CREATE FUNCTION ssdpar.server_address(server name) RETURNS text
    STRICT STABLE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_server_address';
COMMENT ON FUNCTION ssdpar.server_address(name) IS
    'the address that identifies the link to a server of postgres_fdw; null for other servers, and if the server does not exist';

CREATE FUNCTION ssdpar.store_link(server name,
                                  latency_seconds double precision,
                                  bytes_per_second double precision)
    RETURNS void
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_store_link';
COMMENT ON FUNCTION ssdpar.store_link(name, double precision, double precision) IS
    'sets the link to a server of postgres_fdw: seconds per round trip, bytes per second';

CREATE FUNCTION ssdpar.store_shard(server name,
                                   device_bytes_per_second double precision,
                                   cost_unit_seconds double precision)
    RETURNS void
    VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_store_shard';
COMMENT ON FUNCTION ssdpar.store_shard(name, double precision, double precision) IS
    'sets what a server of postgres_fdw reads from its device, bytes per second, and the CPU time of planner cost 1 there, seconds; null: unknown';

CREATE FUNCTION ssdpar.forget_link(server name) RETURNS boolean
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_forget_link';
COMMENT ON FUNCTION ssdpar.forget_link(name) IS
    'removes the link to a server; false if it was not known';

REVOKE ALL ON FUNCTION
    ssdpar.store_link(name, double precision, double precision),
    ssdpar.store_shard(name, double precision, double precision),
    ssdpar.forget_link(name) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    ssdpar.store_link(name, double precision, double precision),
    ssdpar.store_shard(name, double precision, double precision),
    ssdpar.forget_link(name) TO pg_write_server_files;

CREATE VIEW ssdpar.server_link AS
SELECT s.srvname AS server, a.address, l.latency_seconds, l.bytes_per_second,
       l.measured_at, l.device_bytes_per_second, l.cost_unit_seconds
  FROM pg_catalog.pg_foreign_server s
 CROSS JOIN LATERAL ssdpar.server_address(s.srvname) AS a(address)
  LEFT JOIN LATERAL ssdpar.stored_links(a.address) l ON true
 WHERE a.address IS NOT NULL;
GRANT SELECT ON ssdpar.server_link TO PUBLIC;

COMMENT ON VIEW ssdpar.server_link IS 'the servers of postgres_fdw in this database, and the links to them';
COMMENT ON COLUMN ssdpar.server_link.server IS 'name of the server';
COMMENT ON COLUMN ssdpar.server_link.address IS 'address in the server''s options; all servers at one address share a link';
COMMENT ON COLUMN ssdpar.server_link.latency_seconds IS 'duration of a round trip that fetches one row, seconds; if it is null, 0.0002 is assumed';
COMMENT ON COLUMN ssdpar.server_link.bytes_per_second IS 'bandwidth, bytes per second; if it is null, 117 million is assumed';
COMMENT ON COLUMN ssdpar.server_link.measured_at IS 'when these were measured or set';
COMMENT ON COLUMN ssdpar.server_link.device_bytes_per_second IS 'throughput of a sequential reader there, bytes per second; null if unknown';
COMMENT ON COLUMN ssdpar.server_link.cost_unit_seconds IS 'CPU time of planner cost 1 there, seconds; null if unknown';

-- Shortest of three durations of fetching some values of a foreign table's only
-- column.
CREATE FUNCTION ssdpar.time_fetching(relation text, most integer,
                                     OUT seconds double precision,
                                     OUT fetched double precision,
                                     OUT bytes double precision)
    STRICT VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE plpgsql AS $$
DECLARE
    began timestamptz;
    length integer;
BEGIN
    FOR i IN 1..3 LOOP
        began := clock_timestamp();
        fetched := 0;
        bytes := 0;
        FOR length IN EXECUTE format('SELECT octet_length(content) '
            'FROM pg_temp.%I LIMIT %s', relation, most) LOOP
            fetched := fetched + 1;
            bytes := bytes + length;
        END LOOP;
        seconds := least(seconds,
                         extract(epoch FROM clock_timestamp() - began));
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION ssdpar.time_fetching(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ssdpar.time_fetching(text, integer)
    TO pg_write_server_files;
COMMENT ON FUNCTION ssdpar.time_fetching(text, integer) IS
    'part of ssdpar.calibrate_server()';

-- Hint for an error of the other server or of the connection.
CREATE FUNCTION ssdpar.link_hint(server name, state text) RETURNS text
    STRICT STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT CASE
    WHEN $2 LIKE '08%' THEN format('Is the server up, and reached by the '
        'options of SERVER %I? Try SELECT on one of its foreign tables.', $1)
    WHEN $2 = '2F003' THEN format('Put a password into the user mapping for '
        'SERVER %I, or have a superuser calibrate it.', $1)
    WHEN $2 IN ('42704', '28000', '28P01') THEN format('Is there a user '
        'mapping for SERVER %I, of a role that may connect there?', $1)
    WHEN $2 = '42501' THEN format('This takes USAGE on SERVER %I, TEMPORARY '
        'on this database, and SELECT on pg_catalog.pg_rewrite there.', $1)
    WHEN $2 = '25006' THEN 'Calibrate in a transaction that may write, '
        'because temporary foreign tables are created.'
    ELSE format('Set the link with ssdpar.store_link(%L, '
        'latency_seconds, bytes_per_second).', $1) END
$$;
COMMENT ON FUNCTION ssdpar.link_hint(name, text) IS
    'part of ssdpar.calibrate_server()';

-- Measure through postgres_fdw, whose rules then determine who may connect as
-- which user.  The rules of views exist on every server, every role may read
-- them, and they are some megabytes of text.  The latency is the time of one
-- additional row if each row is fetched separately.
CREATE FUNCTION ssdpar.measure_link(server name,
                                    OUT latency_seconds double precision,
                                    OUT bytes_per_second double precision)
    STRICT VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE plpgsql AS $$
DECLARE
    few record;
    many record;
    most integer;
BEGIN
    EXECUTE format('CREATE FOREIGN TABLE pg_temp.ssdpar_rows (content text '
        'OPTIONS (column_name ''rulename'')) SERVER %I OPTIONS (schema_name '
        '''pg_catalog'', table_name ''pg_rewrite'', fetch_size ''1'', '
        'use_remote_estimate ''false'')', server);
    EXECUTE format('CREATE FOREIGN TABLE pg_temp.ssdpar_bytes (content text '
        'OPTIONS (column_name ''ev_action'')) SERVER %I OPTIONS (schema_name '
        '''pg_catalog'', table_name ''pg_rewrite'', fetch_size ''10000'', '
        'use_remote_estimate ''false'')', server);
    few := ssdpar.time_fetching('ssdpar_rows', 1);
    FOREACH most IN ARRAY '{11, 101}'::integer[] LOOP
        many := ssdpar.time_fetching('ssdpar_rows', most);
        EXIT WHEN many.seconds > 0.1;
    END LOOP;
    latency_seconds := greatest((many.seconds - few.seconds) /
        nullif(many.fetched - few.fetched, 0), 1e-6);
    -- three round trips transfer no rows
    FOREACH most IN ARRAY '{4, 16, 64, 100000}'::integer[] LOOP
        many := ssdpar.time_fetching('ssdpar_bytes', most);
        EXIT WHEN many.seconds > 0.5;
    END LOOP;
    bytes_per_second := many.bytes /
        greatest(many.seconds - 3 * latency_seconds, many.seconds / 10, 1e-6);
    DROP FOREIGN TABLE pg_temp.ssdpar_rows, pg_temp.ssdpar_bytes;
END $$;
REVOKE ALL ON FUNCTION ssdpar.measure_link(name) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ssdpar.measure_link(name) TO pg_write_server_files;
COMMENT ON FUNCTION ssdpar.measure_link(name) IS
    'part of ssdpar.calibrate_server()';

-- Data about the device and the CPUs of a server that has ssdpar, for the
-- tablespace pg_default or else for another one.  The result is null if the
-- server is not calibrated, has no ssdpar or another version, returns an
-- invalid number, or refuses access.
CREATE FUNCTION ssdpar.ask_shard(server name,
                                 OUT device_bytes_per_second double precision,
                                 OUT cost_unit_seconds double precision)
    STRICT VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE FOREIGN TABLE pg_temp.ssdpar_device ('
        'tablespace name, cost_unit_seconds double precision) SERVER %I '
        'OPTIONS (schema_name ''ssdpar'', table_name ''device'', '
        'use_remote_estimate ''false'')', server);
    EXECUTE format('CREATE FOREIGN TABLE pg_temp.ssdpar_points ('
        'tablespace name, operation text, pattern text, '
        'bytes_per_second double precision, queue_depth integer) SERVER %I '
        'OPTIONS (schema_name ''ssdpar'', table_name ''device_profile'', '
        'use_remote_estimate ''false'')', server);
    EXECUTE 'SELECT CASE WHEN d.cost_unit_seconds > 0 AND '
        'd.cost_unit_seconds < ''Infinity'' THEN d.cost_unit_seconds END, '
        '(SELECT max(p.bytes_per_second) FROM pg_temp.ssdpar_points p '
        'WHERE p.tablespace = d.tablespace AND p.operation = ''read'' AND '
        'p.pattern = ''sequential'' AND p.bytes_per_second > 0 AND '
        'p.bytes_per_second < ''Infinity'') '
        'FROM pg_temp.ssdpar_device d '
        'ORDER BY d.tablespace <> ''pg_default'', d.tablespace LIMIT 1'
        INTO cost_unit_seconds, device_bytes_per_second;
    DROP FOREIGN TABLE pg_temp.ssdpar_device, pg_temp.ssdpar_points;
EXCEPTION WHEN undefined_table OR undefined_column OR undefined_function
    OR undefined_file OR datatype_mismatch OR insufficient_privilege
    OR invalid_schema_name THEN
    NULL;
END $$;
REVOKE ALL ON FUNCTION ssdpar.ask_shard(name) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ssdpar.ask_shard(name) TO pg_write_server_files;
COMMENT ON FUNCTION ssdpar.ask_shard(name) IS
    'part of ssdpar.calibrate_server()';

CREATE FUNCTION ssdpar.calibrate_server(INOUT server name, OUT address text,
                                        OUT latency_seconds double precision,
                                        OUT bytes_per_second double precision,
                                        OUT device_bytes_per_second double precision,
                                        OUT cost_unit_seconds double precision)
    STRICT VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE plpgsql AS $$
DECLARE
    problem text;
    what text;
    more text;
BEGIN
    -- an error if there is no such server
    PERFORM has_server_privilege(server, 'USAGE');
    address := ssdpar.server_address(server);
    IF address IS NULL THEN
        RAISE EXCEPTION 'server "%" is not one of postgres_fdw', server
            USING ERRCODE = 'wrong_object_type',
                  DETAIL = 'ssdpar sends keys only to foreign tables of postgres_fdw.';
    END IF;
    IF NOT has_function_privilege(
           'ssdpar.store_link(name, double precision, double precision)',
           'EXECUTE') THEN
        RAISE EXCEPTION 'permission denied to calibrate a link'
            USING ERRCODE = 'insufficient_privilege',
                  DETAIL = 'The result applies to all databases of this server.',
                  HINT = 'Ask a superuser, or a member of pg_write_server_files.';
    END IF;
    IF pg_is_in_recovery() THEN
        RAISE EXCEPTION 'the link to server "%" cannot be calibrated on a standby', server
            USING ERRCODE = 'read_only_sql_transaction',
                  DETAIL = 'Measuring requires temporary foreign tables, which cannot be created here.',
                  HINT = format('Calibrate on the primary, and store here what ssdpar.server_link shows there: SELECT ssdpar.store_link(%L, latency_seconds, bytes_per_second).', server);
    END IF;
    BEGIN
        SELECT l.latency_seconds, l.bytes_per_second
          INTO latency_seconds, bytes_per_second
          FROM ssdpar.measure_link(server) l;
        SELECT s.device_bytes_per_second, s.cost_unit_seconds
          INTO device_bytes_per_second, cost_unit_seconds
          FROM ssdpar.ask_shard(server) s;
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS problem = RETURNED_SQLSTATE,
            what = MESSAGE_TEXT, more = PG_EXCEPTION_DETAIL;
        RAISE EXCEPTION 'could not calibrate the link to server "%": %',
            server, what
            USING ERRCODE = problem,
                  DETAIL = concat_ws(E'\n', nullif(more, ''),
                      'The stored link was not changed.'),
                  HINT = ssdpar.link_hint(server, problem);
    END;
    PERFORM ssdpar.store_link(server, latency_seconds, bytes_per_second);
    PERFORM ssdpar.store_shard(server, device_bytes_per_second,
                               cost_unit_seconds);
END $$;
COMMENT ON FUNCTION ssdpar.calibrate_server(name) IS
    'measures latency and bandwidth of the link to a server of postgres_fdw, asks the server for data about its device and CPUs, and stores both';

--
-- Filters with the keys of other servers' dimensions, for queries with too many
-- keys to list.
--
CREATE FUNCTION ssdpar.in_key_filter(filter bytea, key "any") RETURNS boolean
    STRICT IMMUTABLE PARALLEL SAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_in_key_filter';
COMMENT ON FUNCTION ssdpar.in_key_filter(bytea, "any") IS
    'whether a key may be in a key filter that another server sent with a query';

--
-- Settings for servers without the cost model.
--
CREATE FUNCTION ssdpar.suggest_for(tablespace name,
                                   in_memory double precision,
                                   OUT setting text, OUT "current" text,
                                   OUT suggested text, OUT command text,
                                   OUT reason text)
    RETURNS SETOF record
    STRICT VOLATILE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_suggest_for';
COMMENT ON FUNCTION ssdpar.suggest_for(name, double precision) IS
    'PostgreSQL''s own cost settings that fit a calibrated tablespace if that fraction of the pages is in memory';

CREATE FUNCTION ssdpar.suggest_settings(in_memory double precision DEFAULT 0,
                                        OUT tablespace name, OUT setting text,
                                        OUT "current" text,
                                        OUT suggested text, OUT command text,
                                        OUT reason text)
    RETURNS SETOF record
    STRICT VOLATILE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT d.tablespace, s.setting, s.current, s.suggested, s.command, s.reason
  FROM ssdpar.device d,
       LATERAL ssdpar.suggest_for(d.tablespace, $1) s
 WHERE ssdpar.profile_problem(d.tablespace) IS NULL
 ORDER BY d.tablespace, s.setting
$$;
COMMENT ON FUNCTION ssdpar.suggest_settings(double precision) IS
    'PostgreSQL''s own cost settings that fit each calibrated tablespace, with the reasons; in_memory is the fraction of pages assumed to be in the page cache';

--
-- Prefetching.
--
CREATE FUNCTION ssdpar.prefetch_counters(
        OUT datid oid, OUT requests bigint, OUT served bigint,
        OUT cached bigint, OUT stale bigint, OUT dropped bigint,
        OUT wasted bigint, OUT bytes bigint, OUT fallbacks bigint,
        OUT local_blocks bigint, OUT yields bigint,
        OUT yielded_microseconds bigint,
        OUT stats_reset timestamptz, OUT scope text)
    RETURNS SETOF record
    STRICT VOLATILE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_prefetch_counters';
COMMENT ON FUNCTION ssdpar.prefetch_counters() IS
    'rows of ssdpar.pg_stat_ssdpar';

CREATE VIEW ssdpar.pg_stat_ssdpar AS
SELECT c.datid, d.datname, c.requests, c.served, c.cached, c.stale, c.dropped,
       c.wasted, c.bytes, c.fallbacks, c.local_blocks,
       c.yields,
       c.yielded_microseconds / 1000.0::double precision AS yielded_time,
       c.stats_reset, c.scope
  FROM ssdpar.prefetch_counters() c
  LEFT JOIN pg_catalog.pg_database d ON d.oid = c.datid;
GRANT SELECT ON ssdpar.pg_stat_ssdpar TO PUBLIC;

COMMENT ON VIEW ssdpar.pg_stat_ssdpar IS 'what was prefetched: one row a database, and the total (datid null), for members of pg_read_all_stats; others see their database';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.datid IS 'OID of the database; null in the row of the total';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.datname IS 'its name; null if it was dropped';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.requests IS 'ranges of blocks sent to the daemon; each is counted in one of served, cached, stale, dropped';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.served IS 'read from the device';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.cached IS 'in the page cache before the daemon began to read';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.stale IS 'the file was gone or had become shorter';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.dropped IS 'canceled, no room in the daemon''s queue, or a failing device';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.wasted IS 'announced, but the scan ended before it read them';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.bytes IS 'bytes that the daemon requested from the device';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.fallbacks IS 'ranges not sent: no daemon, or its socket was full';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.local_blocks IS 'blocks that the server itself was asked to read ahead';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.yields IS 'times that a process began to read less ahead, as another waited for a write';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.yielded_time IS 'milliseconds for which they did, of all processes together';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.stats_reset IS 'when counting began; null if nothing has been counted';
COMMENT ON COLUMN ssdpar.pg_stat_ssdpar.scope IS 'server: all sessions since it started; session: only this one, because the library is not in shared_preload_libraries';

CREATE FUNCTION ssdpar.stat_reset() RETURNS void
    STRICT VOLATILE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_stat_reset';
REVOKE ALL ON FUNCTION ssdpar.stat_reset() FROM PUBLIC;
COMMENT ON FUNCTION ssdpar.stat_reset() IS
    'sets the counters of ssdpar.pg_stat_ssdpar to zero for all databases';

CREATE FUNCTION ssdpar.daemon_status(
        OUT pid integer, OUT method text, OUT depth integer,
        OUT outstanding integer, OUT queued integer, OUT sessions integer,
        OUT files integer, OUT restarts integer,
        OUT latency_p50 double precision, OUT latency_p99 double precision,
        OUT uptime double precision,
        OUT served bigint, OUT cached bigint, OUT stale bigint,
        OUT dropped bigint, OUT bytes_read bigint, OUT errors bigint,
        OUT short_reads bigint, OUT refused bigint, OUT socket text,
        OUT problem text)
    STRICT VOLATILE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_daemon_status';
COMMENT ON FUNCTION ssdpar.daemon_status() IS
    'status of the prefetch daemon: requests outstanding and queued, latencies in microseconds, uptime in seconds; or problem, if it does not answer within 200 ms';
