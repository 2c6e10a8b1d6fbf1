-- seed 6300002: could not open server file "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
-- as it came: not a second time by itself
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
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE f1 (u int4, k0 int4, k1 int8, k2 int8, x int4, g int4, t text, pad text) PARTITION BY LIST (x);
CREATE TABLE f1_n PARTITION OF f1 FOR VALUES IN (NULL, 0, 1);
CREATE TABLE f1_r PARTITION OF f1 DEFAULT PARTITION BY RANGE (u);
CREATE TABLE f1_r1 PARTITION OF f1_r FOR VALUES FROM (MINVALUE) TO (50);
CREATE TABLE f1_r2 PARTITION OF f1_r DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 1 + 2) % 5)::int4, CASE WHEN i % 3 <> 0 THEN (least((i * 7 + 24) % 392, (i * 13) % 78))::int8 END, ((i * 1 + 12) % 302)::int8, ((i * 7919 + 21) % 10)::int4, (i * 1 + 18) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f1 (k0 DESC);
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2, x);
CREATE INDEX ON f1 (u);
DO $$ BEGIN CREATE INDEX ON f1 (x NULLS FIRST, g DESC); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON f1 USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f1, f1_n, f1_r, f1_r1, f1_r2;
CREATE TABLE f2 (u int4, k0 int4, k1 small, k2 int8, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f2_0 PARTITION OF f2 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f2_1 (gone int, x int4, k1 small, u int4, g int4, pad text, k0 int4, k2 int8, t text);
ALTER TABLE f2_1 DROP gone;
ALTER TABLE f2 ATTACH PARTITION f2_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f2_2 PARTITION OF f2 FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY HASH (u);
CREATE TABLE f2_20 PARTITION OF f2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f2_21 PARTITION OF f2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f2 (u, k0, k1, k2, x, g, t, pad) SELECT i, (least((i * 31 + 24) % 3, (i * 13) % 1))::int4, (least((i * 7919 + 33) % 302, (i * 13) % 60))::int4::small, ((i * 1 + 25) % 152)::int8, ((i * 7919 + 10) % 10)::int4, (i * 7919 + 14) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 200) i WHERE true;
CREATE INDEX ON f2 (k0, x);
CREATE INDEX ON f2 (k1, x);
CREATE INDEX ON f2 (k2);
ANALYZE f2, f2_0, f2_1, f2_2, f2_20, f2_21;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
SET ssdpar.star_access = 'bitmap';
SET ssdpar.cost_model_min_size = '0';
SET ssdpar.prefetch_min_size = '0';
SET ssdpar.residency = 'cold';
SET statement_timeout = '2s';
SET jit = 'off';
select  
  subq_0.c7 as c0, 
  subq_0.c2 as c1, 
  subq_0.c4 as c2, 
  subq_0.c7 as c3, 
  subq_0.c5 as c4, 
  48 as c5, 
  subq_0.c4 as c6
from 
  (select  
        
          pg_catalog.covar_pop(
            cast(cast(null as float8) as float8),
            cast((select yielded_time from ssdpar.pg_stat_ssdpar limit 1 offset 15)
               as float8)) over (partition by ref_0.k0,ref_0.u order by ref_1.k0) as c0, 
        pg_catalog.lastval() as c1, 
        cast(coalesce(ref_0.k1,
          case when (select began_at from ssdpar.pg_stat_progress_calibrate limit 1 offset 6)
                 < cast(null as timestamptz) then ref_0.k1 else ref_0.k1 end
            ) as public.small) as c2, 
        ref_0.k0 as c3, 
        ref_0.x as c4, 
        pg_catalog.lo_import(
          cast(ref_1.pad as text)) as c5, 
        ref_1.k0 as c6, 
        
          pg_catalog.stddev(
            cast((select pg_catalog.avg(u) from fz.f1)
               as "numeric")) over (partition by ref_1.t order by ref_0.g) as c7, 
        ref_0.g as c8, 
        ref_0.u as c9, 
        ref_1.k2 as c10
      from 
        fz.f2_20 as ref_0
          right join fz.f2_0 as ref_1
          on (ref_0.u < ref_0.x)
      where ref_1.t is not NULL
      limit 79) as subq_0
where true;
