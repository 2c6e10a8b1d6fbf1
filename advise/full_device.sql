--
-- Rule 7, "avoid full SSD usage": if the fraction A of a device is in use, the
-- device processes 1 / (1 - A) blocks to get an empty one, and moves A / (1 - A)
-- pages for each written page (paper, Figure 5).  The device's own reserve is not
-- visible.
--

-- Statements that move each table back which ALTER TABLE ALL IN TABLESPACE moves.
-- The other tablespace may already contain tables that must stay there.  Null if
-- there are no tables.
CREATE FUNCTION ssdpar.move_back_text(tablespace oid) RETURNS text
    STRICT STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT string_agg(format('ALTER TABLE %I.%I SET TABLESPACE %I', n.nspname,
                         c.relname, t.spcname), E';\n'
                  ORDER BY c.relpages DESC, c.oid)
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_database d ON d.datname = current_database()
  JOIN pg_tablespace t ON t.oid = tablespace
 WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND
       c.reltablespace = CASE WHEN tablespace = d.dattablespace THEN 0
                              ELSE tablespace END
$$;
COMMENT ON FUNCTION ssdpar.move_back_text(oid) IS
    'statements that move this database''s tables of a tablespace back to it; null if there is none';

CREATE FUNCTION ssdpar.advise_full_device(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH full_one AS (
    SELECT DISTINCT ON (l.device) l.*,
           1 - l.free_bytes::double precision / l.total_bytes AS used
      FROM unnest(evidence.places) l
     WHERE l.total_bytes > 0 AND l.free_bytes < 0.15 * l.total_bytes AND
           ssdpar.lasts(l)
     ORDER BY l.device, l.tablespace = 0, l.place = 'pg_global', l.place
), room AS (
    SELECT f.*,
           (SELECT o.place
              FROM unnest(evidence.places) o
             WHERE o.tablespace <> 0 AND o.place <> 'pg_global' AND
                   ssdpar.lasts(o) AND o.device <> f.device AND
                   ssdpar.room(o) >= 0.5 * o.total_bytes
             ORDER BY ssdpar.room(o) DESC, o.place LIMIT 1) AS other,
           ssdpar.move_back_text(f.tablespace) AS back
      FROM full_one f
)
SELECT 'full device', format('device %s (%s)', r.device, r.place),
       format('%s %% of %s in use%s', round((100 * r.used)::numeric, 1),
              pg_size_pretty(r.total_bytes),
              CASE WHEN r.discard_limit = 0
                   THEN ', and the device is never told what is free' END),
       concat_ws(', ',
                 format('up to %s pages moved in the device for each one '
                        'written', round((r.used / greatest(1 - r.used, 0.01))
                                         ::numeric, 1)),
                 ssdpar.time_text(r.used / greatest(1 - r.used, 0.01) *
                                  p.written_byte * 1073741824) ||
                 ' more for each GB'),
       CASE WHEN r.used >= 0.95 THEN 'likely' ELSE 'possible' END,
       CASE WHEN r.other IS NOT NULL AND r.back IS NOT NULL
            THEN format('ALTER TABLE ALL IN TABLESPACE %I SET TABLESPACE %I',
                        r.place, r.other)
            ELSE 'SELECT name, pg_size_pretty(bytes::bigint) '
                 'FROM ssdpar.seen_tables(0) ORDER BY bytes DESC LIMIT 20 '
                 '-- what to drop or move' END,
       CASE WHEN r.other IS NOT NULL AND r.back IS NOT NULL THEN r.back
            ELSE '-- nothing to undo' END,
       r.total_bytes - r.free_bytes, NULL::double precision
  FROM room r
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = r.tablespace
$$;
COMMENT ON FUNCTION ssdpar.advise_full_device(ssdpar.evidence) IS
    'rule of ssdpar.advise(): file systems with little room left';
