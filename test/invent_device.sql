-- invent_device.sql: a device profile that nobody measured, for tests of what
-- is planned by one.
--
-- IOPS is an expression of pattern, size and depth: requests a second.  With
-- COST_UNIT_SECONDS the profile holds CPU times as well, without it only the
-- device.  What was known of pg_default's device before is forgotten.
CREATE FUNCTION invent_device(iops text, read_ahead_kb int,
                              cost_unit_seconds float8 DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE machine float8[];
BEGIN
  IF cost_unit_seconds IS NOT NULL THEN
    machine := ARRAY[1e-7, 2e-6, 8e-6, 3e-6];
  END IF;
  DELETE FROM ssdpar.device WHERE tablespace = 'pg_default';
  INSERT INTO ssdpar.device (tablespace, identity, read_ahead_kb, scratch_bytes,
      seconds, engine_version, server_version, document_version, calibrated_at,
      cores, cost_unit_seconds, page_hit_seconds, page_copy_seconds,
      page_fill_seconds, page_stream_seconds)
    VALUES ('pg_default', 'any device', invent_device.read_ahead_kb, 1073741824,
            45, '1', '1', 1, '2026-01-01 00:00+00',
            CASE WHEN machine IS NOT NULL THEN 2 END,
            invent_device.cost_unit_seconds,
            machine[1], machine[2], machine[3], machine[4]);
  EXECUTE format($f$
    INSERT INTO ssdpar.device_profile
      SELECT 'pg_default', 'read', pattern, size, depth, iops, iops * size,
             1, 1, 0.01, 3
        FROM unnest('{random,sequential}'::text[]) pattern,
             unnest('{8192,262144}'::int[]) size,
             unnest('{1,4,16}'::int[]) depth,
             LATERAL (SELECT (%s)::float8) x (iops) $f$, iops);
END $$;
