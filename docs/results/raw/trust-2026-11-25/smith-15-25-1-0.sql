-- seed 2500001: cannot advance OID counter anymore
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
CREATE TABLE d0 (u int4, k jsonb, g int4, x int4 GENERATED ALWAYS AS (u * 1 % 10) STORED);
DO $$ BEGIN EXECUTE 'ALTER TABLE d0 ADD t text GENERATED ALWAYS AS ((u % 9)::text) ' || CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END; END $$;
INSERT INTO d0 (u, k, g) SELECT i, to_jsonb((i)::int), least((i * 7 + 33) % 5, (i * 13) % 1) FROM generate_series(1, 1) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE INDEX ON d0 (x);
ANALYZE d0;
CREATE TABLE target (a int, b int);
INSERT INTO target SELECT i, i % 7 FROM generate_series(1, 30) i;
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
  subq_0.c3 as c0, 
  sample_0.g as c1, 
  subq_0.c2 as c2, 
  subq_0.c5 as c3, 
  subq_0.c8 as c4, 
  
    pg_catalog.min(
      cast(cast(null as timetz) as timetz)) over (partition by subq_0.c4 order by subq_0.c7) as c5, 
  sample_0.t as c6
from 
  fz.d0 as sample_0 tablesample bernoulli (4.7) ,
  lateral (select  
        ref_0.saturation_depth as c0, 
        sample_0.t as c1, 
        ref_0.confidence as c2, 
        sample_0.k as c3, 
        (select a from fz.target limit 1 offset 2)
           as c4, 
        pg_catalog.pg_stop_making_pinned_objects() as c5, 
        sample_0.u as c6, 
        sample_0.k as c7, 
        ref_0.drift as c8
      from 
        ssdpar.device_summary as ref_0
      where ref_0.peak_iops is not NULL) as subq_0
where cast(nullif(pg_catalog.make_date(
      cast(sample_0.g as int4),
      cast(subq_0.c0 as int4),
      cast(subq_0.c6 as int4)),
    cast(null as date)) as date) = pg_catalog.transaction_timestamp();
