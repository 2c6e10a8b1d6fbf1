-- seed 2700000: cannot advance OID counter anymore
CREATE EXTENSION ssdpar;
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
            1, '1', '1', 1, '2026-01-01 00:00+00',
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
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
CREATE ROLE reader;
DO $$ BEGIN
  CREATE COLLATION german (provider = icu, locale = 'de');
  CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2',
                             deterministic = false);
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION german FROM "POSIX";
  CREATE COLLATION any_case FROM "C";
END $$;
CREATE TYPE colour AS ENUM ('red', 'green', 'blue', 'black', 'white');
CREATE DOMAIN small AS int4 CHECK (VALUE > -1000);
CREATE DOMAIN few AS int4 CHECK (VALUE <> 7);
CREATE DOMAIN word AS text CHECK (VALUE <> '');
CREATE TYPE pair AS (a int, b text);
CREATE SCHEMA fz; SET search_path = fz, public;
CREATE TABLE f2 (gone int, u int4, k0 small, k1 date, k2 int2, x int4, g int4, t text, pad text, lost text);
INSERT INTO f2 (u, k0, k1, k2, x, g, t, pad) SELECT i, (least((i * 7 + 29) % 152, (i * 13) % 30))::int4::small, CASE WHEN i % 3 <> 0 THEN date '2020-01-01' + ((i * 31 + 27) % 5)::int END, CASE WHEN i % 29 <> 0 THEN (least((i * 7 + 25) % 392, (i * 13) % 78))::int2 END, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 43) % 10)::int4 END, least((i * 31 + 17) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
ALTER TABLE f2 DROP gone, DROP lost;
UPDATE f2 SET x = x WHERE u % 5 = 0;
DELETE FROM f2 WHERE u % 13 = 4;
CREATE INDEX ON f2 (k0 DESC);
CREATE INDEX ON f2 (k1) WHERE (g < 4);
CREATE INDEX ON f2 (k2, x);
CREATE INDEX ON f2 (u);
DO $$ BEGIN CREATE INDEX ON f2 (u) INCLUDE (x, g); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
CREATE TEMP TABLE notes (v int);
SET ssdpar.star_access = 'bitmap';
SET ssdpar.cost_model_min_size = '0';
SET ssdpar.prefetch_min_size = '0';
SET ssdpar.residency = 'cold';
SET statement_timeout = '2s';
SET jit = 'off';
select  
  sample_0.pad as c0, 
  sample_0.k0 as c1, 
  sample_0.k2 as c2, 
  (select u from fz.d0_21 limit 1 offset 6)
     as c3, 
  sample_0.k2 as c4, 
  cast(coalesce(sample_0.k0,
    sample_0.k0) as public.small) as c5, 
  sample_0.g as c6, 
  sample_0.g as c7, 
  pg_catalog.gen_random_uuid() as c8, 
  sample_0.t as c9, 
  sample_0.pad as c10, 
  sample_0.k1 as c11, 
  sample_0.g as c12, 
  sample_0.k0 as c13, 
  sample_0.k0 as c14, 
  cast(coalesce(sample_0.pad,
    
      pg_catalog.max(
        cast(sample_0.pad as text)) over (partition by sample_0.t order by sample_0.u)) as text) as c15, 
  sample_0.g as c16, 
  sample_0.x as c17, 
  pg_catalog.pg_stop_making_pinned_objects() as c18, 
  sample_0.g as c19, 
  sample_0.pad as c20, 
  sample_0.pad as c21, 
  sample_0.k0 as c22, 
  sample_0.k1 as c23, 
  sample_0.k0 as c24, 
  sample_0.x as c25, 
  (select k0 from fz.f1_0 limit 1 offset 4)
     as c26
from 
  fz.f2 as sample_0 tablesample system (4.7) 
where sample_0.u is not NULL;
