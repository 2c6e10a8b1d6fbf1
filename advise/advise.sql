--
-- All rules.
--
-- How the advisor works:
--
-- - The evidence is one row of type ssdpar.evidence.  Only
--   ssdpar.evidence_of_writing() differs between server versions.  sql/advise.sql
--   tries each rule with invented evidence (jsonb_populate_record()), so it
--   tests the same on every version.
-- - A rule returns rows of type ssdpar.advice.  Missing evidence (no profile, no
--   privilege, no such counter) is null and makes the rule's condition null, so
--   the rule returns nothing.  After its fix has run, it must return nothing
--   either, because the fix changes what the rule checks or the statistics are
--   reset.
-- - "undo" reverts the fix and nothing else.  New objects get an unused name
--   (ssdpar.free_name()), indexes are recreated with tablespace and comment
--   (ssdpar.index_text()), and a setting is changed where it was set
--   (ssdpar.set_text(), ssdpar.unset_text()).
-- - Rules read tables and indexes from the evidence, not from pg_class, and
--   consider the largest 1000 (200 for sizes by statistics).  pg_stats is read
--   for one table at a time (ssdpar.column_statistics()), because conditions of
--   a join do not get into a view with a security barrier.
-- - The advisor waits for no lock, calls no user function, and runs in read-only
--   transactions and on standbys.
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
    -- only one fix of an index is useful, because each one drops or rebuilds it
    SELECT *, CASE WHEN object ~ '^index ' THEN '' ELSE fix END AS deed
      FROM said
     -- null: the table of an index is locked or was dropped
     WHERE undo IS NOT NULL
), surest AS (
    -- two rules can advise the same fix; "certain" comes first, and dropping an
    -- index before rebuilding it
    SELECT DISTINCT ON (object, deed) *
      FROM of_one
     ORDER BY object, deed, fix ~ '^REINDEX', sure, place
)
SELECT rule, object, seen, costs, sure, fix, undo, bytes, seconds
  FROM surest
 ORDER BY place, seconds DESC NULLS LAST, bytes DESC NULLS LAST, object, fix
$$;
COMMENT ON FUNCTION ssdpar.advise_by(ssdpar.evidence) IS
    'advice of all rules for the catalogs and this evidence';

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
    -- the source of a rule contains the names of the settings that it uses
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
            USING DETAIL = 'The advice contains no times, and nothing that requires a profile.',
                  HINT = 'Run SELECT * FROM ssdpar.calibrate(''pg_default'', writes => true).';
    END IF;
    IF evidence.settings ->> 'track_counts' = 'off' THEN
        RAISE NOTICE 'ssdpar: track_counts is off'
            USING DETAIL = 'The advice does not consider how tables and indexes are used.',
                  HINT = 'Set it to on, and ask again after a week.';
    END IF;
    IF NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
        RAISE NOTICE 'ssdpar: only a part can be seen by role "%"', current_user
            USING DETAIL = 'The advice leaves out devices, free space, and tables that the role may not read.',
                  HINT = 'Ask as a superuser, or as a member of pg_read_all_stats and pg_read_all_data.';
    END IF;
    IF hidden IS NOT NULL THEN
        RAISE NOTICE 'ssdpar: this session was given settings as it connected'
            USING DETAIL = format('The advice leaves out %s, because these settings hide the server''s values.', hidden),
                  HINT = 'Ask also in a session without PGOPTIONS or the like.';
    END IF;
    IF evidence.in_recovery THEN
        RAISE NOTICE 'ssdpar: this is a standby'
            USING DETAIL = 'The advice leaves out what only the primary can change.',
                  HINT = 'Ask also on the primary.';
    END IF;
    RETURN QUERY SELECT * FROM ssdpar.advise_by(evidence);
END $$;
COMMENT ON FUNCTION ssdpar.advise() IS
    'advice on how to spare the device: evidence, costs, fix, and undo; changes nothing';
