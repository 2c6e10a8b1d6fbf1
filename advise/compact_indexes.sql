--
-- Rule 3, "adopt compact data structures": indexes.
--

-- Indexes that were written but never read since both the index and the counters
-- exist.  Other scans of the table show that queries were counted.  A standby may
-- read an index that the primary does not, and knows nothing about the primary.
CREATE FUNCTION ssdpar.advise_unused_indexes(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT 'compact data', 'index ' || u.name,
       format('not read for %s days, visited %s times by writes',
              floor(least(evidence.counted_seconds, u.age_seconds) / 86400),
              u.visits),
       concat_ws(', ', pg_size_pretty(u.bytes::bigint) || ' on the device',
                 format('up to %s of page visits',
                        ssdpar.time_text(u.visits * p.page))),
       CASE WHEN evidence.standbys = 0 THEN 'likely' ELSE 'possible' END,
       format('DROP INDEX CONCURRENTLY %s', u.name),
       ssdpar.index_text(u.relation), u.bytes::bigint, u.visits * p.page
  FROM unnest(evidence.indexes) u
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = u.tablespace
 WHERE u.droppable AND u.scans = 0 AND u.table_scans > 0 AND
       u.visits * 8192 >= evidence.large_bytes AND
       evidence.counted_seconds >= 7 * 86400 AND
       u.age_seconds >= 7 * 86400 AND NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_unused_indexes(ssdpar.evidence) IS
    'rule of ssdpar.advise(): indexes that no query reads';

-- Indexes whose columns are the first columns of another index of the same table.
-- An index that is read is not dropped in favor of an index that is never read,
-- which could be dropped instead.
CREATE FUNCTION ssdpar.advise_redundant_indexes(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH covered AS (
    SELECT i.*, o.name AS other, o.keys AS other_keys
      FROM unnest(evidence.indexes) i
      JOIN pg_index x ON x.indexrelid = i.relation
     CROSS JOIN LATERAL (
           SELECT y.indexrelid::regclass AS name, y.indnkeyatts AS keys
             FROM pg_index y
            WHERE y.indrelid = x.indrelid AND y.indexrelid <> x.indexrelid
                  AND y.indisvalid AND y.indexprs IS NULL AND
                  y.indpred IS NULL AND y.indnkeyatts >= x.indnkeyatts AND
                  starts_with(y.indkey::text || ' ', x.indkey::text || ' ')
                  AND starts_with(y.indclass::text || ' ',
                                  x.indclass::text || ' ') AND
                  starts_with(y.indcollation::text || ' ',
                              x.indcollation::text || ' ') AND
                  starts_with(y.indoption::text || ' ',
                              x.indoption::text || ' ') AND
                  -- of two that are equal, one is to stay
                  (y.indnkeyatts > x.indnkeyatts OR y.indisunique OR
                   y.indisreplident OR y.indisclustered OR
                   y.indexrelid < x.indexrelid) AND
                  (i.scans = 0 OR y.indisunique OR y.indisreplident OR
                   y.indisclustered OR
                   pg_stat_get_numscans(y.indexrelid) > 0)
            ORDER BY y.indnkeyatts, y.indexrelid LIMIT 1) o
     WHERE i.is_btree AND i.plain AND i.droppable AND
           x.indnatts = x.indnkeyatts
)
SELECT 'compact data', 'index ' || c.name,
       format('index %s begins with the same columns', c.other),
       concat_ws(', ', pg_size_pretty(c.bytes::bigint) || ' on the device',
                 ssdpar.time_text(c.bytes * p.byte) || ' to read it'),
       CASE WHEN c.other_keys = c.keys THEN 'certain' ELSE 'likely' END,
       format('DROP INDEX CONCURRENTLY %s', c.name),
       ssdpar.index_text(c.relation), c.bytes::bigint, c.bytes * p.byte
  FROM covered c
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = c.tablespace
 WHERE NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_redundant_indexes(ssdpar.evidence) IS
    'rule of ssdpar.advise(): indexes that another one can replace';

-- Btrees that are at least twice as large as their entries need.  An entry has a
-- header of 8 bytes, a line pointer of 4 bytes, the columns, and 4 bytes of
-- padding, and pages are filled up to the fillfactor.  Equal keys take less
-- space, so the result is a lower bound.
CREATE FUNCTION ssdpar.advise_bloated_indexes(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH largest AS (
    SELECT i.*
      FROM unnest(evidence.indexes) i
     WHERE i.is_btree AND i.plain AND i.rows IS NOT NULL
     ORDER BY i.bytes DESC LIMIT 200
), filled AS (
    SELECT l.*, x.indisexclusion,
           l.bytes - l.rows * (16 + w.width) * 100 / l.fill_factor AS wasted
      FROM largest l
      JOIN pg_index x ON x.indexrelid = l.relation
      JOIN pg_class c ON c.oid = x.indrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
     CROSS JOIN LATERAL (
           SELECT sum(s.width)
             FROM ssdpar.column_statistics(n.nspname, c.relname) s
             JOIN pg_attribute a ON a.attrelid = c.oid AND
                                    a.attname = s.column_name
            WHERE a.attnum = ANY (x.indkey)
           HAVING count(*) = x.indnatts) AS w (width)
)
SELECT 'compact data', 'index ' || f.name,
       format('%s entries in %s', f.rows, pg_size_pretty(f.bytes::bigint)),
       concat_ws(', ', format('about %s empty',
                              pg_size_pretty(f.wasted::bigint)),
                 ssdpar.time_text(f.wasted * p.byte) || ' to read it'),
       'likely',
       -- the index of an exclusion constraint cannot be rebuilt concurrently
       CASE WHEN f.indisexclusion THEN format('REINDEX INDEX %s', f.name)
            ELSE format('REINDEX INDEX CONCURRENTLY %s', f.name) END,
       CASE WHEN f.indisexclusion
            THEN '-- nothing to undo; the table is locked while it is rebuilt'
            ELSE '-- nothing to undo' END,
       f.wasted::bigint, f.wasted * p.byte
  FROM filled f
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = f.tablespace
 WHERE f.wasted >= evidence.large_bytes AND f.wasted * 2 >= f.bytes AND
       NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_bloated_indexes(ssdpar.evidence) IS
    'rule of ssdpar.advise(): indexes that are mostly empty pages';
