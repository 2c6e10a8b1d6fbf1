--
-- Rule 3, "adopt compact data structures": tables.  Useless data is read and
-- written with the rest of its page.
--

-- Many more dead rows than autovacuum should have left.
CREATE FUNCTION ssdpar.advise_dead_rows(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH dying AS (
    SELECT t.*, t.bytes * t.dead / nullif(t.dead + t.live, 0) AS wasted
      FROM unnest(evidence.tables) t
     WHERE t.dead > 2 * (50 + 0.2 * t.live)
)
SELECT 'compact data', 'table ' || d.name,
       format('%s dead rows, %s live ones', d.dead, d.live),
       concat_ws(', ', format('about %s of %s',
                              pg_size_pretty(d.wasted::bigint),
                              pg_size_pretty(d.bytes::bigint)),
                 ssdpar.time_text(d.wasted * p.byte) || ' more a scan'),
       'certain', format('VACUUM (ANALYZE) %s', d.name),
       '-- nothing to undo', d.wasted::bigint, d.wasted * p.byte
  FROM dying d
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = d.tablespace
 WHERE d.wasted >= evidence.large_bytes AND NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_dead_rows(ssdpar.evidence) IS
    'rule of ssdpar.advise(): tables full of dead rows';

-- Tables that are much larger than their rows need.  A row has a line pointer of
-- 4 bytes, a header of 23 bytes with a bit for each column if one is null, the
-- columns by the statistics with their padding, and 4 bytes of padding at the
-- end.  A page holds whole rows, at least one.  Virtual generated columns take no
-- space.  To limit the time, only the 200 largest tables, whose padding is known,
-- are checked.
CREATE FUNCTION ssdpar.advise_bloated_tables(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH largest AS (
    SELECT t.*
      FROM unnest(evidence.tables) t
     WHERE t.bytes >= evidence.large_bytes AND t.rows IS NOT NULL AND
           t.padding IS NOT NULL
), filled AS (
    SELECT l.*,
           l.bytes - ceil(l.rows / greatest(1, floor(81.68 * l.fill_factor /
                                                     r.bytes))) * 8192
               AS wasted
      FROM largest l
     CROSS JOIN LATERAL (
           SELECT count(*) AS all,
                  count(*) FILTER (WHERE a.attisdropped OR
                                         a.attgenerated = 'v') AS absent
             FROM pg_attribute a
            WHERE a.attrelid = l.relation AND a.attnum > 0) c
     CROSS JOIN LATERAL (
           SELECT sum(s.width) AS width,
                  max(s.null_fraction) > 0 OR c.absent > 0 AS has_nulls
             FROM ssdpar.column_statistics(l.schema_name, l.table_name) s
           HAVING count(*) = c.all - c.absent) w
     CROSS JOIN LATERAL (
           SELECT 4 + ceil((23 + CASE WHEN w.has_nulls THEN ceil(c.all / 8.0)
                                      ELSE 0 END) / 8) * 8 +
                  w.width + l.padding + 4)
           AS r (bytes)
)
SELECT 'compact data', 'table ' || f.name,
       format('%s rows in %s', f.rows, pg_size_pretty(f.bytes::bigint)),
       concat_ws(', ', format('about %s empty',
                              pg_size_pretty(f.wasted::bigint)),
                 ssdpar.time_text(f.wasted * p.byte) || ' more a scan'),
       'likely', format('VACUUM (FULL, ANALYZE) %s', f.name),
       '-- nothing to undo; the table is locked while it is rewritten',
       f.wasted::bigint, f.wasted * p.byte
  FROM filled f
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = f.tablespace
 WHERE f.wasted >= evidence.large_bytes AND f.wasted >= 0.4 * f.bytes AND
       f.dead * 10 <= f.rows AND NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_bloated_tables(ssdpar.evidence) IS
    'rule of ssdpar.advise(): tables that are mostly empty pages';

CREATE FUNCTION ssdpar.advise_padded_tables(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH padded AS (
    SELECT t.*, t.padding * t.rows AS wasted
      FROM unnest(evidence.tables) t
     WHERE t.bytes >= evidence.large_bytes AND t.rows > 0
)
SELECT 'compact data', 'table ' || d.name,
       format('%s bytes of padding between the columns of a row of %s',
              round(d.padding), round(d.bytes / d.rows)),
       concat_ws(', ', format('about %s of %s',
                              pg_size_pretty(d.wasted::bigint),
                              pg_size_pretty(d.bytes::bigint)),
                 ssdpar.time_text(d.wasted * p.byte) || ' more a scan'),
       'possible',
       -- ONLY, because tables that inherit from it have other rows and columns
       format('CREATE TABLE %I.%I AS SELECT %s FROM ONLY %s', d.schema_name,
              copy,
              (SELECT string_agg(quote_ident(a.attname), ', '
                                 ORDER BY a.attlen < 0,
                                          position(a.attalign IN 'disc'),
                                          a.attnum)
                 FROM pg_attribute a
                WHERE a.attrelid = d.relation AND a.attnum > 0 AND
                      NOT a.attisdropped AND a.attgenerated <> 'v'), d.name),
       format('DROP TABLE %I.%I', d.schema_name, copy),
       d.wasted::bigint, d.wasted * p.byte
  FROM padded d
 CROSS JOIN ssdpar.free_name(d.relation, d.table_name || '_compact') copy
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = d.tablespace
 WHERE d.wasted >= evidence.large_bytes AND d.wasted * 8 >= d.bytes AND
       NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_padded_tables(ssdpar.evidence) IS
    'rule of ssdpar.advise(): tables whose column order wastes space';
