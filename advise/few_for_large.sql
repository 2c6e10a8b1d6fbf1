--
-- Rule 9, "use few threads to do big I/O": a large request keeps the whole device
-- busy, and several of them interfere.  The rule reads the measured points,
-- because in the planner's view of the profile (ssdpar.profile_iops()) throughput
-- never decreases with depth.  Each process reads at a different position, like
-- the pattern "streams".  If the profile has no streams, one stream with as many
-- outstanding requests is used instead.
--
CREATE FUNCTION ssdpar.advise_few_for_large(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH point AS (
    SELECT p.tablespace::text AS name, p.request_size, p.queue_depth,
           p.pattern, p.bytes_per_second, p.spread,
           first_value(p.queue_depth) OVER best AS best_depth,
           first_value(p.bytes_per_second) OVER best AS best_rate,
           first_value(p.spread) OVER best AS best_spread
      FROM ssdpar.device_profile p
      JOIN unnest(evidence.prices) u ON u.name = p.tablespace
     WHERE p.operation = 'read' AND p.request_size >= 262144 AND
           p.pattern = CASE WHEN EXISTS (
               SELECT FROM ssdpar.device_profile s
                WHERE s.tablespace = p.tablespace AND s.pattern = 'streams')
           THEN 'streams' ELSE 'sequential' END
    WINDOW best AS (PARTITION BY p.tablespace, p.request_size
                    ORDER BY p.bytes_per_second DESC, p.queue_depth)
), many (object, setting, processes, undo, sure, leaders) AS (
    SELECT 'setting ' || s.setting, s.setting,
           (evidence.settings ->> s.setting)::integer + 1,
           ssdpar.unset_text(evidence, s.setting,
                             evidence.settings ->> s.setting),
           'possible', 1
      FROM (VALUES ('max_parallel_maintenance_workers'),
                   ('max_parallel_workers_per_gather')) AS s (setting)
    UNION ALL
    SELECT 'pg_dump', NULL, evidence.dumps::integer,
           format(E'# the next time\npg_dump --jobs=%s', evidence.dumps),
           'likely', 0
), slowed AS (
    SELECT DISTINCT ON (m.object) m.*, p.*
      FROM many m
      JOIN point p ON p.queue_depth = (
           SELECT min(x.queue_depth) FROM point x
            WHERE x.name = p.name AND x.request_size = p.request_size AND
                  x.queue_depth >= m.processes)
     WHERE m.processes > p.best_depth AND
           p.bytes_per_second <= 0.9 * p.best_rate AND
           -- more than the passes of a point differed
           1 - p.bytes_per_second / p.best_rate >
           greatest(p.spread, p.best_spread)
     ORDER BY m.object, p.bytes_per_second / p.best_rate, p.name,
              p.request_size
)
SELECT 'few for large I/O', s.object,
       format('%s processes at once, tablespace %s is fastest with %s',
              s.processes, s.name, s.best_depth),
       format('1 GB by %s kB takes %s, with %s at once %s',
              s.request_size / 1024,
              ssdpar.time_text(1073741824 / s.bytes_per_second),
              s.best_depth, ssdpar.time_text(1073741824 / s.best_rate)),
       s.sure,
       coalesce(ssdpar.set_text(evidence, s.setting,
                                greatest(s.best_depth - s.leaders, 0)::text),
                format(E'# the next time\npg_dump --jobs=%s',
                       s.best_depth)), s.undo,
       NULL::bigint, NULL::double precision
  FROM slowed s
 WHERE evidence.pages_read * 8192 >= 16 * evidence.large_bytes
$$;
COMMENT ON FUNCTION ssdpar.advise_few_for_large(ssdpar.evidence) IS
    'rule of ssdpar.advise(): processes that read large pieces at once';
