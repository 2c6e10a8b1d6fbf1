--
-- All rules.
--
CREATE FUNCTION ssdpar.advise_by(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    LANGUAGE SQL AS $$
WITH said AS (
    SELECT 1 AS place, * FROM ssdpar.advise_updates_moved(evidence)
    UNION ALL SELECT 1, * FROM ssdpar.advise_full_pages(evidence)
    UNION ALL SELECT 2, * FROM ssdpar.advise_grown_index(evidence)
    UNION ALL SELECT 2, * FROM ssdpar.advise_cold_partition(evidence)
    UNION ALL SELECT 2, * FROM ssdpar.advise_deleted_rows(evidence)
    UNION ALL SELECT 3, * FROM ssdpar.advise_dead_rows(evidence)
    UNION ALL SELECT 3, * FROM ssdpar.advise_bloated_tables(evidence)
    UNION ALL SELECT 3, * FROM ssdpar.advise_padded_tables(evidence)
    UNION ALL SELECT 3, * FROM ssdpar.advise_redundant_indexes(evidence)
    UNION ALL SELECT 3, * FROM ssdpar.advise_unused_indexes(evidence)
    UNION ALL SELECT 3, * FROM ssdpar.advise_bloated_indexes(evidence)
    UNION ALL SELECT 4, * FROM ssdpar.advise_checkpoints(evidence)
    UNION ALL SELECT 4, * FROM ssdpar.advise_other_writers(evidence)
    UNION ALL SELECT 5, * FROM ssdpar.advise_mixed_io(evidence)
    UNION ALL SELECT 6, * FROM ssdpar.advise_read_ahead(evidence)
    UNION ALL SELECT 6, * FROM ssdpar.advise_combined_reads(evidence)
    UNION ALL SELECT 6, * FROM ssdpar.advise_alignment(evidence)
    UNION ALL SELECT 6, * FROM ssdpar.advise_small_wal_writes(evidence)
    UNION ALL SELECT 7, * FROM ssdpar.advise_full_device(evidence)
    UNION ALL SELECT 8, * FROM ssdpar.advise_concurrency(evidence)
    UNION ALL SELECT 8, * FROM ssdpar.advise_processes(evidence)
    UNION ALL SELECT 9, * FROM ssdpar.advise_few_for_large(evidence)
), of_one AS (
    -- of an index one thing can be done: each fix of it drops it or makes it
    -- anew
    SELECT *, CASE WHEN object ~ '^index ' THEN '' ELSE fix END AS deed
      FROM said
     -- null: the table of an index is locked, or has gone meanwhile
     WHERE undo IS NOT NULL
), surest AS (
    -- two rules can have a reason for the same; "certain" comes first.  What
    -- is to go is not to be made anew.
    SELECT DISTINCT ON (object, deed) *
      FROM of_one
     ORDER BY object, deed, fix ~ '^REINDEX', sure, place
)
SELECT rule, object, seen, costs, sure, fix, undo, bytes, seconds
  FROM surest
 ORDER BY place, seconds DESC NULLS LAST, bytes DESC NULLS LAST, object, fix
$$;
COMMENT ON FUNCTION ssdpar.advise_by(ssdpar.evidence) IS
    'what all rules say of the catalogs and this evidence';

CREATE FUNCTION ssdpar.advise(
        OUT rule text, OUT object text, OUT seen text, OUT costs text,
        OUT sure text, OUT fix text, OUT undo text, OUT bytes bigint,
        OUT seconds double precision)
    RETURNS SETOF record
    VOLATILE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    SET jit = off
    LANGUAGE plpgsql AS $$
DECLARE
    evidence CONSTANT ssdpar.evidence := ssdpar.gather_evidence();
    -- a rule that goes by a setting has its name in its text
    hidden CONSTANT text := (
        SELECT string_agg(s.name, ', ' ORDER BY s.name)
          FROM jsonb_each_text(evidence.settings) s (name, value)
         WHERE s.value IS NULL AND
               EXISTS (SELECT FROM pg_proc p
                        WHERE p.pronamespace = 'ssdpar'::regnamespace AND
                              p.proname ~ '^advise_' AND
                              strpos(p.prosrc, quote_literal(s.name)) > 0));
BEGIN
    IF cardinality(evidence.prices) = 0 THEN
        RAISE NOTICE 'ssdpar: no tablespace has a device profile that fits'
            USING DETAIL = 'Nothing is said of time, nor of what only the device can tell.',
                  HINT = 'Run SELECT * FROM ssdpar.calibrate(''pg_default'', writes => true).';
    END IF;
    IF evidence.settings ->> 'track_counts' = 'off' THEN
        RAISE NOTICE 'ssdpar: track_counts is off'
            USING DETAIL = 'Nothing is said of how tables and indexes are used.',
                  HINT = 'Set it to on, and ask again when the server has worked for a week.';
    END IF;
    IF NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
        RAISE NOTICE 'ssdpar: only a part can be seen by role "%"', current_user
            USING DETAIL = 'Nothing is said of devices, free space, and tables that it may not read.',
                  HINT = 'Ask as a superuser, or as a member of pg_read_all_stats and pg_read_all_data.';
    END IF;
    IF hidden IS NOT NULL THEN
        RAISE NOTICE 'ssdpar: this session was given settings as it connected'
            USING DETAIL = format('Nothing is said of %s, as what the server has is hidden by it.', hidden),
                  HINT = 'Ask in a session without PGOPTIONS or the like, too.';
    END IF;
    IF evidence.in_recovery THEN
        RAISE NOTICE 'ssdpar: this is a standby'
            USING DETAIL = 'Nothing is said of what only its primary can change.',
                  HINT = 'Ask there, too.';
    END IF;
    RETURN QUERY SELECT * FROM ssdpar.advise_by(evidence);
END $$;
COMMENT ON FUNCTION ssdpar.advise() IS
    'what could be kinder to the device: what was seen, what it costs, what fixes it, what undoes that; changes nothing';
