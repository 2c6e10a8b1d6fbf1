--
-- Rule 1, "avoid in-place updating": a flash device cannot overwrite a page.  So
-- avoid pages that are written repeatedly: a page of each index for a row version
-- that moves to another page, and full pages in the WAL after each checkpoint.
--

-- An update whose page has no room for the new version (so that it is not HOT)
-- changes every index.  Room for two more rows in each page is a good start.
-- Since 16, a counter shows whether the page was full; before, this is likely.
CREATE FUNCTION ssdpar.advise_updates_moved(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH updated AS (
    SELECT t.*, t.updates - t.hot_updates AS moved,
           (t.updates - t.hot_updates) * t.indexes AS changed,
           CASE WHEN t.rows > 0 AND t.bytes > 0
                THEN greatest(50, least(90, 100 - ceil(t.bytes / 40.96 /
                                                       t.rows)))
                ELSE 90 END::integer AS wanted_factor
      FROM unnest(evidence.tables) t
), crowded AS (
    SELECT u.*,
           (SELECT (to_jsonb(s) ->> 'n_tup_newpage_upd')::double precision
              FROM pg_stat_all_tables s
             WHERE s.relid = u.relation) AS to_new_page
      FROM updated u
     WHERE u.moved * 2 > u.updates AND u.fill_factor - 5 > u.wanted_factor AND
           u.changed * 8192 >= evidence.large_bytes
)
SELECT 'in-place updates', 'table ' || c.name,
       format('%s updates, %s %% of them without a new index entry, '
              'fillfactor %s, %s indexes', c.updates,
              round(100 * c.hot_updates / c.updates), c.fill_factor,
              c.indexes),
       concat_ws(', ',
                 format('up to %s index pages changed, %s to write',
                        c.changed, pg_size_pretty((c.changed * 8192)::bigint)),
                 ssdpar.time_text(c.changed * p.page) ||
                 ' to read them one at a time'),
       CASE WHEN c.to_new_page IS NULL THEN 'likely' ELSE 'certain' END,
       format('ALTER TABLE %s SET (fillfactor = %s)', c.name,
              c.wanted_factor),
       CASE c.fill_factor
            WHEN 100 THEN format('ALTER TABLE %s RESET (fillfactor)', c.name)
            ELSE format('ALTER TABLE %s SET (fillfactor = %s)', c.name,
                        c.fill_factor) END,
       (c.changed * 8192)::bigint, c.changed * p.page
  FROM crowded c
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = c.tablespace
 WHERE coalesce(c.to_new_page * 2 > c.moved, true)
$$;
COMMENT ON FUNCTION ssdpar.advise_updates_moved(ssdpar.evidence) IS
    'rule of ssdpar.advise(): updates that find no room in their page';

-- The first change of a page after a checkpoint logs the whole page.
CREATE FUNCTION ssdpar.advise_full_pages(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH wal AS (
    SELECT least(evidence.wal_full_pages * 8192, evidence.wal_bytes)
               AS full_bytes,
           (SELECT min(p.written_byte) FROM unnest(evidence.prices) p)
               AS written_byte,
           evidence.settings ->> 'checkpoint_timeout' AS timeout,
           evidence.settings ->> 'wal_compression' AS compression
), harm AS (
    SELECT w.*,
           format('%s of %s of WAL are whole pages, %s checkpoints',
                  pg_size_pretty(w.full_bytes::bigint),
                  pg_size_pretty(evidence.wal_bytes::bigint),
                  evidence.checkpoints_timed + evidence.checkpoints_requested)
               AS seen,
           concat_ws(', ', pg_size_pretty(w.full_bytes::bigint) || ' written',
                     ssdpar.time_text(w.full_bytes * w.written_byte))
               AS costs
      FROM wal w
     WHERE w.full_bytes >= 16 * evidence.large_bytes AND
           w.full_bytes >= evidence.wal_bytes / 2 AND
           NOT evidence.in_recovery
)
SELECT 'in-place updates', 'setting ' || m.setting, h.seen, h.costs, m.sure,
       ssdpar.set_text(evidence, m.setting, m.value),
       ssdpar.unset_text(evidence, m.setting, m.now),
       h.full_bytes::bigint, h.full_bytes * h.written_byte
  FROM harm h
 CROSS JOIN LATERAL (
       VALUES ('checkpoint_timeout', h.timeout || 's', '30min', 'likely',
               h.timeout::integer < 1800 AND
               evidence.checkpoints_timed >= evidence.checkpoints_requested),
              ('wal_compression', h.compression, 'pglz', 'certain',
               h.compression = 'off'))
       AS m (setting, now, value, sure, applies)
 WHERE m.applies
$$;
COMMENT ON FUNCTION ssdpar.advise_full_pages(ssdpar.evidence) IS
    'rule of ssdpar.advise(): whole pages in the WAL';
