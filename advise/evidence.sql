--
-- The advisor's evidence: the input of its rules in addition to the catalogs.
-- It is one row, so that a rule is a query of it and can be tried with other
-- evidence.  Counters that this server does not have, or does not show to this
-- role, are null, and a rule without its evidence returns nothing.
--
CREATE TYPE ssdpar.place AS (
    place           text,
    -- 0: the WAL
    tablespace      oid,
    device          text,
    disk            text,
    file_system     text,
    total_bytes     bigint,
    free_bytes      bigint,
    available_bytes bigint,
    read_ahead_kb   bigint,
    physical_block  bigint,
    stripe          bigint,
    partition_start bigint,
    discard_limit   bigint);
COMMENT ON TYPE ssdpar.place IS 'location of a tablespace or the WAL, and what the kernel reports about the device';

CREATE FUNCTION ssdpar.storage_place(tablespace oid) RETURNS ssdpar.place
    STRICT VOLATILE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_storage_place';
COMMENT ON FUNCTION ssdpar.storage_place(oid) IS
    'location of a tablespace (0: the WAL); null if it is not visible, and for roles that are not members of pg_read_all_stats';

-- A file system in memory is lost when the machine restarts.  It is suitable only
-- for temporary files, and it has no device to spare.
CREATE FUNCTION ssdpar.lasts(place ssdpar.place) RETURNS boolean
    IMMUTABLE PARALLEL SAFE
    LANGUAGE SQL AS $$
SELECT coalesce(place.file_system NOT IN ('tmpfs', 'ramfs'), true)
$$;
COMMENT ON FUNCTION ssdpar.lasts(ssdpar.place) IS
    'whether data there survives a restart of the machine';

-- Space that the server may still use.  Some file systems reserve a part of the
-- free space for root.
CREATE FUNCTION ssdpar.room(place ssdpar.place) RETURNS bigint
    IMMUTABLE PARALLEL SAFE
    LANGUAGE SQL AS $$
SELECT coalesce(place.available_bytes, place.free_bytes)
$$;
COMMENT ON FUNCTION ssdpar.room(ssdpar.place) IS
    'bytes that the server can still write there';

-- Seconds per page of 8 kB or per byte, from the device's profile.  Null if the
-- profile has no such point.
CREATE TYPE ssdpar.price AS (
    tablespace      oid,
    name            text,
    page            double precision,
    depth           integer,
    page_at_depth   double precision,
    byte            double precision,
    written_page    double precision,
    written_byte    double precision,
    drift           double precision,
    cores           double precision);
COMMENT ON TYPE ssdpar.price IS 'seconds to read and write in a calibrated tablespace: page and written_page one at a time, page_at_depth with depth requests outstanding, byte and written_byte in long requests';

CREATE FUNCTION ssdpar.device_prices() RETURNS SETOF ssdpar.price
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT t.oid, s.tablespace::text,
       1 / ssdpar.profile_iops(s.tablespace, 'random', 8192, 1),
       s.saturation_depth,
       1 / ssdpar.profile_iops(s.tablespace, 'random', 8192,
                               s.saturation_depth),
       1 / (262144 * ssdpar.profile_iops(s.tablespace, 'sequential', 262144,
                                         1)),
       written.page, written.byte, s.drift, d.cores
  FROM ssdpar.device_summary s
  JOIN ssdpar.device d ON d.tablespace = s.tablespace
  JOIN pg_tablespace t ON t.spcname = s.tablespace
 CROSS JOIN LATERAL (
       SELECT 1 / max(p.iops) FILTER (WHERE p.pattern = 'random' AND
                                            p.request_size = 8192 AND
                                            p.queue_depth = 1) AS page,
              1 / max(p.bytes_per_second) AS byte
         FROM ssdpar.device_profile p
        WHERE p.tablespace = s.tablespace AND p.operation = 'write') written
 WHERE s.problem IS NULL AND s.saturation_depth IS NOT NULL
$$;
COMMENT ON FUNCTION ssdpar.device_prices() IS
    'seconds to read and write in each calibrated tablespace';

CREATE TYPE ssdpar.evidence AS (
    -- smaller objects, and less waste, are not reported
    large_bytes     double precision,
    in_recovery     boolean,
    preloaded       boolean,
    standbys        bigint,
    dumps           bigint,
    settings        jsonb,
    -- the ALTER command that set each setting, or 'command line'
    set_by          jsonb,
    places          ssdpar.place[],
    prices          ssdpar.price[],
    tables          ssdpar.seen_table[],
    indexes         ssdpar.seen_index[],
    -- counters of this database, and for how long they have counted
    counted_seconds double precision,
    pages_read      double precision,
    read_seconds    double precision,
    temporary_bytes double precision,
    -- counters of the server
    checkpoints_timed double precision,
    checkpoints_requested double precision,
    checkpoint_pages double precision,
    checkpoint_sync_seconds double precision,
    cleaner_stops   double precision,
    vacuum_bytes    double precision,
    wal_bytes       double precision,
    wal_full_pages  double precision,
    wal_writes      double precision);
COMMENT ON TYPE ssdpar.evidence IS 'input of the advisor''s rules, in addition to the catalogs';

CREATE FUNCTION ssdpar.recovery_ended() RETURNS timestamptz
    STABLE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_recovery_ended';
COMMENT ON FUNCTION ssdpar.recovery_ended() IS
    'when this server was promoted or recovered from a backup; -infinity if never, null in recovery and if unknown';

-- The catalogs show when the counters of tables began only if they were reset.
-- All counters, including those of the server, are reset when the server is
-- initialized or recovers from a crash.  A standby counts little of its
-- primary's activity, and keeps its counters when it is promoted.
CREATE FUNCTION ssdpar.counting_began() RETURNS timestamptz
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT greatest(d.stats_reset, r.ended,
                least(b.stats_reset, w.stats_reset, a.stats_reset))
  FROM pg_stat_bgwriter b, pg_stat_wal w, pg_stat_archiver a,
       pg_stat_database d, ssdpar.recovery_ended() r (ended)
 WHERE d.datname = current_database() AND r.ended IS NOT NULL
$$;
COMMENT ON FUNCTION ssdpar.counting_began() IS
    'when this database''s counters began at the latest; null in recovery, and if the end of recovery is unknown';

-- PL/pgSQL plans a statement when it is first executed, so branches for other
-- server versions are never planned.
CREATE FUNCTION ssdpar.evidence_of_writing(known ssdpar.evidence)
    RETURNS ssdpar.evidence
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE plpgsql AS $$
DECLARE
    version CONSTANT integer := current_setting('server_version_num');
BEGIN
    IF version >= 170000 THEN
        SELECT num_timed, num_requested, buffers_written, sync_time / 1000
          INTO known.checkpoints_timed, known.checkpoints_requested,
               known.checkpoint_pages, known.checkpoint_sync_seconds
          FROM pg_stat_checkpointer;
    ELSE
        SELECT checkpoints_timed, checkpoints_req, buffers_checkpoint,
               checkpoint_sync_time / 1000
          INTO known.checkpoints_timed, known.checkpoints_requested,
               known.checkpoint_pages, known.checkpoint_sync_seconds
          FROM pg_stat_bgwriter;
    END IF;
    SELECT maxwritten_clean INTO known.cleaner_stops FROM pg_stat_bgwriter;
    SELECT wal_bytes, wal_fpi INTO known.wal_bytes, known.wal_full_pages
      FROM pg_stat_wal;
    IF version >= 180000 THEN
        SELECT sum(writes) INTO known.wal_writes
          FROM pg_stat_io WHERE object = 'wal';
        SELECT sum(write_bytes) INTO known.vacuum_bytes
          FROM pg_stat_io
         WHERE object = 'relation' AND backend_type = 'autovacuum worker';
    ELSE
        SELECT wal_write INTO known.wal_writes FROM pg_stat_wal;
    END IF;
    IF version BETWEEN 160000 AND 179999 THEN
        SELECT sum(writes * op_bytes) INTO known.vacuum_bytes
          FROM pg_stat_io
         WHERE object = 'relation' AND backend_type = 'autovacuum worker';
    END IF;
    RETURN known;
END $$;
COMMENT ON FUNCTION ssdpar.evidence_of_writing(ssdpar.evidence) IS
    'the evidence with the server''s counters of writes';

-- SET commands of this session do not affect other sessions, so they are
-- ignored.  A setting that was given when the session connected hides the value
-- of other sessions, so the result is null.  If both a database and a role set a
-- value, the most specific one is in force.
CREATE FUNCTION ssdpar.settings_begun_with()
    RETURNS TABLE (name text, value text, set_by text)
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH nearest AS (
    SELECT DISTINCT ON (split_part(c, '=', 1)) split_part(c, '=', 1) AS name,
           CASE WHEN r.rolname IS NOT NULL AND d.datname IS NOT NULL
                THEN format('ALTER ROLE %I IN DATABASE %I', r.rolname,
                            d.datname)
                WHEN r.rolname IS NOT NULL
                THEN format('ALTER ROLE %I', r.rolname)
                WHEN d.datname IS NOT NULL
                THEN format('ALTER DATABASE %I', d.datname)
                ELSE 'ALTER ROLE ALL' END AS set_by
      FROM pg_db_role_setting s
      LEFT JOIN pg_database d ON d.oid = s.setdatabase
      LEFT JOIN pg_roles r ON r.oid = s.setrole
     CROSS JOIN unnest(s.setconfig) c
     WHERE coalesce(d.datname = current_database(), true) AND
           coalesce(r.rolname = session_user, true)
     ORDER BY split_part(c, '=', 1), r.rolname IS NULL, d.datname IS NULL
)
SELECT s.name,
       CASE s.source WHEN 'client' THEN NULL
                     WHEN 'session' THEN s.reset_val
                     ELSE s.setting END,
       CASE WHEN s.sourcefile LIKE '%postgresql.auto.conf' THEN 'ALTER SYSTEM'
            WHEN s.source = 'command line' THEN s.source
            WHEN s.source IN ('global', 'database', 'user', 'database user',
                              'session') THEN n.set_by END
  FROM pg_settings s
  LEFT JOIN nearest n ON n.name = s.name
$$;
COMMENT ON FUNCTION ssdpar.settings_begun_with() IS
    'settings of a new session of this database and role, and what set them';

CREATE FUNCTION ssdpar.gather_evidence(
        large_bytes double precision DEFAULT 67108864,
        OUT known ssdpar.evidence)
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    LANGUAGE plpgsql AS $$
BEGIN
    known.large_bytes := large_bytes;
    known.in_recovery := pg_is_in_recovery();
    known.preloaded := (SELECT bool_or(scope = 'server')
                          FROM ssdpar.prefetch_counters());
    known.standbys := (SELECT count(*) FROM pg_stat_replication);
    known.dumps := (SELECT count(*) FROM pg_stat_activity
                     WHERE application_name IN ('pg_dump', 'pg_restore') AND
                           state = 'active');
    SELECT jsonb_object_agg(s.name, s.value),
           jsonb_object_agg(s.name, s.set_by) FILTER (WHERE s.set_by <> '')
      INTO known.settings, known.set_by
      FROM ssdpar.settings_begun_with() s;
    known.places := ARRAY(
        SELECT p
          FROM (SELECT 0::oid UNION ALL SELECT oid FROM pg_tablespace) t (oid)
         CROSS JOIN LATERAL (SELECT ssdpar.storage_place(t.oid)) l (p)
         WHERE p IS DISTINCT FROM NULL);
    known.prices := ARRAY(SELECT p FROM ssdpar.device_prices() p);
    known.tables := ARRAY(SELECT t FROM ssdpar.seen_tables(large_bytes) t);
    known.indexes := ARRAY(SELECT i FROM ssdpar.seen_indexes(large_bytes) i);
    known.counted_seconds := extract(epoch FROM clock_timestamp() -
                                                ssdpar.counting_began());
    SELECT blks_read, nullif(blk_read_time, 0) / 1000, temp_bytes
      INTO known.pages_read, known.read_seconds, known.temporary_bytes
      FROM pg_stat_database WHERE datname = current_database();
    known := ssdpar.evidence_of_writing(known);
END $$;
COMMENT ON FUNCTION ssdpar.gather_evidence(double precision) IS
    'the evidence that this role may see; objects and waste below large_bytes do not count';

--
-- Result of a rule.  Commands for a shell begin with a comment "# ...", which
-- distinguishes them from SQL.
--
CREATE TYPE ssdpar.advice AS (
    rule            text,
    object          text,
    seen            text,
    costs           text,
    sure            text,
    fix             text,
    undo            text,
    bytes           bigint,
    seconds         double precision);
COMMENT ON TYPE ssdpar.advice IS 'a row of ssdpar.advise()';

CREATE FUNCTION ssdpar.time_text(seconds double precision) RETURNS text
    STRICT IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT CASE WHEN seconds >= 5400 THEN round(seconds::numeric / 3600, 1) || ' h'
            WHEN seconds >= 90 THEN round(seconds::numeric / 60, 1) || ' min'
            WHEN seconds >= 1 THEN round(seconds::numeric, 1) || ' s'
            ELSE round(seconds::numeric * 1000, 1) || ' ms' END
$$;
COMMENT ON FUNCTION ssdpar.time_text(double precision) IS
    'a duration in a readable unit';

-- One statement, because ALTER SYSTEM cannot be combined with others in one
-- query.  It changes a setting where it was set, because a change elsewhere would
-- have no effect.
CREATE FUNCTION ssdpar.set_text(evidence ssdpar.evidence, setting text,
                                value text) RETURNS text
    STRICT IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT CASE evidence.set_by ->> setting
            WHEN 'command line'
            THEN format('# its command line sets it: start the server with '
                        '-c %s=%L', setting, value)
            ELSE format('%s SET %s = %L',
                        coalesce(evidence.set_by ->> setting, 'ALTER SYSTEM'),
                        setting, value) END
$$;
COMMENT ON FUNCTION ssdpar.set_text(ssdpar.evidence, text, text) IS
    'the statement that changes a setting';

-- If no ALTER command had set the setting, the configuration file applies again.
CREATE FUNCTION ssdpar.unset_text(evidence ssdpar.evidence, setting text,
                                  value text) RETURNS text
    STRICT IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT CASE WHEN evidence.set_by ? setting
            THEN ssdpar.set_text(evidence, setting, value)
            ELSE format('ALTER SYSTEM RESET %s', setting) END
$$;
COMMENT ON FUNCTION ssdpar.unset_text(ssdpar.evidence, text, text) IS
    'the statement that reverts this';

-- A name for a new object in the schema of a relation, truncated to the maximum
-- length.  If the name is in use, the relation's OID is appended, so that two
-- relations do not get the same name.
CREATE FUNCTION ssdpar.free_name(relation oid, wished text) RETURNS text
    STRICT STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE plpgsql AS $$
DECLARE
    longest CONSTANT integer := current_setting('max_identifier_length');
    schema CONSTANT oid := (SELECT relnamespace FROM pg_class
                             WHERE oid = relation);
    start text := wished;
    number text := '';
    next bigint := relation::bigint;
BEGIN
    LOOP
        -- bytes, not characters
        WHILE octet_length(start || number) > longest LOOP
            start := left(start, -1);
        END LOOP;
        EXIT WHEN NOT EXISTS (
            SELECT FROM pg_class
             WHERE relname = start || number AND relnamespace = schema) AND
            -- a table has a type of its name
            NOT EXISTS (
            SELECT FROM pg_type
             WHERE typname = start || number AND typnamespace = schema);
        number := '_' || next;
        next := next + 1;
    END LOOP;
    RETURN start || number;
END $$;
COMMENT ON FUNCTION ssdpar.free_name(oid, text) IS
    'an unused name in the schema of that relation, the wished one if possible';
