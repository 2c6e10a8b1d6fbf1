--
-- Rule 5, "prefer not mixing write and read".  The rule requires a measurement
-- that reads take longer while others write: by ssdpar against the profile
-- (drift), or by the server's timing of reads against the time of a single page.
--
CREATE FUNCTION ssdpar.advise_mixed_io(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH slowed AS (
    SELECT p.name, here.device, coalesce(here.disk, here.device) AS disk,
           greatest(p.drift,
                    evidence.read_seconds /
                    nullif(evidence.pages_read * p.page, 0)) AS times,
           evidence.pages_read * p.page AS alone
      FROM pg_database d
      JOIN unnest(evidence.prices) p ON p.tablespace = d.dattablespace
      JOIN unnest(evidence.places) here ON here.tablespace = d.dattablespace
     WHERE d.datname = current_database() AND
           evidence.pages_read * 8192 >= 16 * evidence.large_bytes
), elsewhere AS (
    SELECT s.*, other.lasting, other.temporary,
           EXISTS (SELECT FROM unnest(evidence.places) w
                    WHERE w.tablespace = 0 AND
                          coalesce(w.disk, w.device) = s.disk) AS wal_here
      FROM slowed s
     CROSS JOIN LATERAL (
           SELECT (array_agg(o.place ORDER BY ssdpar.room(o) DESC, o.place)
                   FILTER (WHERE ssdpar.lasts(o)))[1] AS lasting,
                  (array_agg(o.place ORDER BY ssdpar.room(o) DESC, o.place))[1]
                      AS temporary
             FROM unnest(evidence.places) o
            WHERE o.tablespace <> 0 AND o.place <> 'pg_global' AND
                  coalesce(o.disk, o.device) <> s.disk AND
                  ssdpar.room(o) * 5 >= o.total_bytes) other
     WHERE s.times >= 1.5
), harm (object, what, bytes, fix, undo, applies) AS (
    SELECT 'setting ssdpar.write_protection', 'WAL', evidence.wal_bytes,
           ssdpar.set_text(evidence, 'ssdpar.write_protection', '0.25ms'),
           ssdpar.unset_text(evidence, 'ssdpar.write_protection', '-1'),
           evidence.preloaded AND e.wal_here AND
           (evidence.settings ->> 'ssdpar.write_protection')::float8 < 0
      FROM elsewhere e
    UNION ALL
    SELECT 'WAL', 'WAL', evidence.wal_bytes,
           format(E'# with the server stopped; DIR: where tablespace %I is\n'
                  'mv $PGDATA/pg_wal DIR/wal && ln -s DIR/wal $PGDATA/pg_wal',
                  e.lasting),
           E'# with the server stopped\n'
           'rm $PGDATA/pg_wal && mv DIR/wal $PGDATA/pg_wal',
           e.wal_here AND e.lasting IS NOT NULL
      FROM elsewhere e
    UNION ALL
    SELECT 'temporary files', 'temporary files', evidence.temporary_bytes,
           ssdpar.set_text(evidence, 'temp_tablespaces', e.temporary),
           ssdpar.unset_text(evidence, 'temp_tablespaces', ''),
           e.temporary IS NOT NULL AND
           -- ALTER SYSTEM writes an empty list like this
           evidence.settings ->> 'temp_tablespaces' IN ('', '""')
      FROM elsewhere e
)
SELECT 'mixed reads and writes', h.object,
       format('reads take %s times as long as alone, with %s of %s on '
              'device %s', round(e.times::numeric, 1),
              pg_size_pretty(h.bytes::bigint), h.what, e.device),
       ssdpar.time_text((e.times - 1) * e.alone) || ' of waiting for ' ||
       evidence.pages_read || ' pages',
       'likely', h.fix, h.undo, h.bytes::bigint, (e.times - 1) * e.alone
  FROM harm h, elsewhere e
 WHERE h.applies AND h.bytes >= 16 * evidence.large_bytes
$$;
COMMENT ON FUNCTION ssdpar.advise_mixed_io(ssdpar.evidence) IS
    'rule of ssdpar.advise(): reads that take longer because of writes on the same device';
