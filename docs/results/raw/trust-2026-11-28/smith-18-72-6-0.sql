-- seed 7200006: invalid INTERVAL typmod: 0x2
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
CREATE TABLE d1 (u int4, k numeric, x int4, g int4, t text) PARTITION BY RANGE (x);
CREATE TABLE d1_0 PARTITION OF d1 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE d1_1 (gone int, u int4, g int4, k numeric, t text, x int4);
ALTER TABLE d1_1 DROP gone;
ALTER TABLE d1 ATTACH PARTITION d1_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE d1_2 PARTITION OF d1 DEFAULT PARTITION BY HASH (u);
CREATE TABLE d1_20 PARTITION OF d1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE d1_21 PARTITION OF d1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO d1 (u, k, x, g, t) SELECT i, (CASE WHEN (i) % 2 = 0 THEN (i)::numeric ELSE (i)::numeric(9,2) END), CASE WHEN i % 11 <> 0 THEN ((i * 1 + 38) % 10)::int4 END, least((i * 31 + 41) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE INDEX ON d1 (k);
DO $$ BEGIN CREATE INDEX ON d1 USING hash (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d1 (u) INCLUDE (x, g); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d1_1 USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d1_1 USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d1, d1_0, d1_1, d1_2, d1_20, d1_21;
CREATE TABLE d2_a (u int4, k int4range, x int4, g int4, t text);
INSERT INTO d2_a (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN int4range(((i * 31 + 47) % 40)::int4, ((i * 31 + 47) % 40)::int4 + 3) END, ((i * 1 + 19) % 10)::int4, (i * 7919 + 15) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 3 = 0;
CREATE INDEX ON d2_a (k);
CREATE TABLE d2_b (u int4, k int4range, x int4, g int4, t text);
INSERT INTO d2_b (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN int4range(((i * 31 + 47) % 40)::int4, ((i * 31 + 47) % 40)::int4 + 3) END, ((i * 1 + 19) % 10)::int4, (i * 7919 + 15) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 3 > 0;
CREATE INDEX ON d2_b (k);
CREATE VIEW d2 AS SELECT * FROM d2_a UNION ALL SELECT * FROM d2_b;
DO $$ BEGIN CREATE INDEX ON d2_a (g) WHERE x IS NULL; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2_a (lower(t)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2_a, d2_b;
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
  ref_0.k as c0, 
  ref_0.x as c1, 
  pg_catalog.int8multirange() as c2, 
  ref_0.k as c3, 
  ref_0.u as c4, 
  case when ((select u from fz.d1_2 limit 1 offset 6)
           >= cast(null as int8)) 
      and (false) then pg_catalog.lastval() else pg_catalog.lastval() end
     as c5, 
  ref_0.k as c6, 
  cast(nullif(ref_0.g,
    ref_0.g) as int4) as c7, 
  pg_catalog.shell_in(
    cast(pg_catalog.intervaltypmodout(
      cast(ref_0.g as int4)) as cstring)) as c8, 
  pg_catalog.txid_current_if_assigned() as c9, 
  ref_0.g as c10, 
  pg_catalog.numeric_mul(
    cast(case when ref_0.x is not NULL then (select k from fz.d1 limit 1 offset 4)
         else (select k from fz.d1 limit 1 offset 4)
         end
       as "numeric"),
    cast(cast(null as "numeric") as "numeric")) as c11, 
  ref_0.u as c12, 
  case when (
          pg_catalog.bit_or(
            cast(cast(null as int8) as int8)) over (partition by ref_0.x order by ref_0.x) >= pg_catalog.int2mod(
          cast(cast(null as int2) as int2),
          cast(cast(null as int2) as int2))) 
      and (ref_0.u is not NULL) then ref_0.x else ref_0.x end
     as c13, 
  ref_0.t as c14, 
  ref_0.g as c15, 
  60 as c16
from 
  fz.d2 as ref_0
where cast(coalesce(cast(null as oid),
    pg_catalog.pg_my_temp_schema()) as oid) = case when true then pg_catalog.pg_my_temp_schema() else pg_catalog.pg_my_temp_schema() end;
