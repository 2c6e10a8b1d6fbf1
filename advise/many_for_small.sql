--
-- Rule 8, "use multiple threads to do small I/O": a device that gets one small
-- request at a time leaves most of its dies idle.  Only the number of outstanding
-- requests matters, not the number of processes.
--

-- A tablespace reads ahead too little.
CREATE FUNCTION ssdpar.advise_concurrency(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH now AS (
    SELECT p.*, s.setting, own.value IS NOT NULL AS is_own,
           coalesce(ssdpar.option_number(own.value),
                    (evidence.settings ->> s.setting)::integer) AS now,
           least(p.depth, 1000) AS wanted
      FROM unnest(evidence.prices) p
      JOIN pg_tablespace t ON t.oid = p.tablespace
     CROSS JOIN unnest('{effective_io_concurrency,maintenance_io_concurrency}'
                       ::text[]) AS s (setting)
      LEFT JOIN LATERAL (
           SELECT o.option_value
             FROM pg_options_to_table(t.spcoptions) o
            WHERE o.option_name = s.setting) AS own (value) ON true
), slow AS (
    SELECT n.*, 1 / ssdpar.profile_iops(n.name::name, 'random', 8192,
                                        greatest(n.now, 1)) AS page_now
      FROM now n
     WHERE n.now < n.wanted
)
SELECT 'many for small I/O', format('%s of tablespace %I', s.setting, s.name),
       format('%s outstanding, the device takes %s', s.now, s.depth),
       format('10,000 pages take %s, with %s outstanding %s',
              ssdpar.time_text(10000 * s.page_now), s.depth,
              ssdpar.time_text(10000 * s.page_at_depth)),
       'certain',
       format('ALTER TABLESPACE %I SET (%s = %s)', s.name, s.setting,
              s.wanted),
       CASE WHEN s.is_own
            THEN format('ALTER TABLESPACE %I SET (%s = %s)', s.name,
                        s.setting, s.now)
            ELSE format('ALTER TABLESPACE %I RESET (%s)', s.name,
                        s.setting) END,
       NULL::bigint, NULL::double precision
  FROM slow s
 WHERE s.page_now >= 1.25 * s.page_at_depth AND NOT evidence.in_recovery AND
       evidence.pages_read * 8192 >= 16 * evidence.large_bytes
$$;
COMMENT ON FUNCTION ssdpar.advise_concurrency(ssdpar.evidence) IS
    'rule of ssdpar.advise(): how far the server reads ahead';

-- Number of I/O workers (18), and of parallel workers of a query.
CREATE FUNCTION ssdpar.advise_processes(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH now (setting, now, value, outstanding, wanted, sure, applies, name) AS (
    SELECT 'io_workers', evidence.settings ->> 'io_workers',
           least(p.depth, 32)::text,
           (evidence.settings ->> 'io_workers')::integer, least(p.depth, 32),
           'certain', evidence.settings ->> 'io_method' = 'worker', p.name
      FROM unnest(evidence.prices) p
    UNION ALL
    SELECT 'io_method', 'sync', 'worker', 1, p.depth, 'certain',
           evidence.settings ->> 'io_method' = 'sync', p.name
      FROM unnest(evidence.prices) p
    UNION ALL
    SELECT 'max_parallel_workers_per_gather', '0',
           least(greatest(p.cores, 2), 4)::text, 1,
           least(greatest(p.cores, 2), 4)::integer, 'possible',
           (evidence.settings ->> 'max_parallel_workers_per_gather') = '0' AND
           p.cores >= 2 AND
           -- otherwise, rule 9 would advise to revert it
           NOT EXISTS (
               SELECT FROM ssdpar.device_profile one
                 JOIN ssdpar.device_profile many
                      USING (tablespace, operation, pattern, request_size)
                WHERE tablespace = p.name AND pattern = 'streams' AND
                      one.queue_depth = 1 AND
                      many.queue_depth BETWEEN 2 AND 8 AND
                      many.bytes_per_second <= 0.9 * one.bytes_per_second),
           p.name
      FROM unnest(evidence.prices) p
), slow AS (
    SELECT n.*,
           1 / ssdpar.profile_iops(n.name::name, 'random', 8192,
                                   n.outstanding) AS page_now,
           1 / ssdpar.profile_iops(n.name::name, 'random', 8192, n.wanted)
               AS page_then
      FROM now n
     WHERE n.applies AND n.outstanding < n.wanted
)
SELECT 'many for small I/O', 'setting ' || s.setting,
       format('it is %s', s.now),
       format('10,000 pages in tablespace %s take %s, with %s outstanding %s',
              s.name, ssdpar.time_text(10000 * s.page_now), s.wanted,
              ssdpar.time_text(10000 * s.page_then)),
       s.sure, ssdpar.set_text(evidence, s.setting, s.value),
       ssdpar.unset_text(evidence, s.setting, s.now),
       NULL::bigint, NULL::double precision
  FROM (SELECT DISTINCT ON (setting) * FROM slow
         WHERE page_now >= 1.25 * page_then
         ORDER BY setting, page_now / page_then DESC, name) s
 WHERE evidence.pages_read * 8192 >= 16 * evidence.large_bytes
$$;
COMMENT ON FUNCTION ssdpar.advise_processes(ssdpar.evidence) IS
    'rule of ssdpar.advise(): how many processes read';
