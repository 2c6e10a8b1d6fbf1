-- invent_device.sql: a device profile that nobody measured, for tests of what
-- is planned by one.
--
-- IOPS is an expression of pattern, size and depth: requests a second.  With
-- COST_UNIT_SECONDS the profile holds CPU times as well, without it only the
-- device.  What was known of the tablespace's device before is forgotten.
CREATE OR REPLACE FUNCTION invent_device(iops text, read_ahead_kb int,
                              cost_unit_seconds float8 DEFAULT NULL,
                              space name DEFAULT 'pg_default')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  points jsonb;
  machine jsonb;
BEGIN
  IF cost_unit_seconds IS NOT NULL THEN
    machine := jsonb_build_object('cores', 2,
        'cost_unit_seconds', cost_unit_seconds, 'page_hit_seconds', 1e-7,
        'page_copy_seconds', 2e-6, 'page_fill_seconds', 8e-6,
        'page_stream_seconds', 3e-6);
  END IF;
  EXECUTE format($f$
    SELECT jsonb_agg(jsonb_build_object('operation', 'read',
             'pattern', pattern, 'request_size', size, 'queue_depth', depth,
             'iops', iops, 'bytes_per_second', iops * size, 'latency_p50', 1,
             'latency_p99', 1, 'spread', 0.01, 'passes', 3))
      FROM unnest('{random,sequential}'::text[]) pattern,
           unnest('{8192,262144}'::int[]) size,
           unnest('{1,4,16}'::int[]) depth,
           LATERAL (SELECT (%s)::float8) x (iops) $f$, iops) INTO points;
  PERFORM ssdpar.forget_profile(space);
  PERFORM ssdpar.store_profile(space, json_build_object(
      'format', 'ssdpar-probe', 'version', 1, 'engine_version', '1',
      'measured_at', '2026-01-01T00:00:00Z', 'file_size', 1073741824,
      'seconds', 45, 'device', json_build_object('identity', 'any device',
      'read_ahead_kb', read_ahead_kb), 'machine', machine, 'points', points));
END $$;

-- Members of the document take the place of those that a profile has; within
-- an object only those that are named.
CREATE OR REPLACE FUNCTION change_profile(changes jsonb,
                                          space name DEFAULT 'pg_default')
RETURNS void LANGUAGE sql AS $$
SELECT ssdpar.store_profile(space, (d ||
         (SELECT jsonb_object_agg(key,
                   CASE WHEN jsonb_typeof(value) = 'object' AND
                             jsonb_typeof(d -> key) = 'object'
                        THEN (d -> key) || value ELSE value END)
            FROM jsonb_each(changes)))::json)
  FROM (SELECT ssdpar.profile_document(space)::jsonb) x (d)
 WHERE d IS NOT NULL
$$;

-- CHANGES is an expression, of the columns of ssdpar.device_profile, of a JSON
-- object with new members of the points of which ONES is true; null takes
-- these points away.
CREATE OR REPLACE FUNCTION change_points(changes text,
                                         ones text DEFAULT 'true',
                                         space name DEFAULT 'pg_default')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE points jsonb;
BEGIN
  EXECUTE format($f$
    SELECT coalesce(jsonb_agg(point) FILTER (WHERE point IS NOT NULL), '[]')
      FROM (SELECT to_jsonb(p) || CASE WHEN %s THEN (%s)::jsonb ELSE '{}' END
              FROM ssdpar.device_profile p WHERE tablespace = %L) x (point) $f$,
    ones, coalesce(changes, 'NULL'), space) INTO points;
  PERFORM change_profile(jsonb_build_object('points', points,
                                            'streams', '[]'::jsonb), space);
END $$;

-- Adds reads or writes.
CREATE OR REPLACE FUNCTION add_point(operation text, pattern text, size int,
                                     depth int, iops float8,
                                     space name DEFAULT 'pg_default')
RETURNS void LANGUAGE sql AS $$
SELECT change_profile(jsonb_build_object('points',
         (ssdpar.profile_document(space) -> 'points')::jsonb ||
         jsonb_build_object('operation', operation, 'pattern', pattern,
           'request_size', size, 'queue_depth', depth, 'iops', iops,
           'bytes_per_second', iops * size, 'latency_p50', 1,
           'latency_p99', 1, 'spread', 0.01, 'passes', 3)), space)
$$;
