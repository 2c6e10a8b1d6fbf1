-- error: seed 4500010, case 2358, after 2359 queries and 58 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 4500010 --queries 1000000 --seconds 60.0 --findings 3
error: seed 4500010, case 2358, after 2359 queries and 58 s 
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
CREATE SEQUENCE calls; CREATE SEQUENCE coins;
CREATE FUNCTION counted_quietly(v int) RETURNS int
  VOLATILE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('calls'); RETURN v; END $$;
CREATE FUNCTION raises(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF v = 7 THEN RAISE EXCEPTION 'no sevens'; END IF;
  RETURN v;
END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0 (u int4, k float4, x int4, g int4, t text) PARTITION BY HASH (u);
CREATE TABLE d0_0 PARTITION OF d0 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE d0_1 (gone int, u int4, t text, x int4, k float4, g int4);
ALTER TABLE d0_1 DROP gone;
ALTER TABLE d0 ATTACH PARTITION d0_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE d0_2 PARTITION OF d0 FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY HASH (u);
CREATE TABLE d0_20 PARTITION OF d0_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE d0_21 PARTITION OF d0_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO d0 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN ((i) / 2.0)::float4 END, CASE WHEN i % 11 <> 0 THEN ((i * 31 + 31) % 10)::int4 END, (i * 7919 + 5) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE TABLE d2 (u int4, k colour, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (i)::int % 5], CASE WHEN i % 29 <> 0 THEN ((i * 7 + 31) % 10)::int4 END, least((i * 7 + 41) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
ANALYZE d2, d2_t;
CREATE TABLE f1_t (u int4, k0 float4, k1 uuid, k2 colour, x int4, g int4, t text, pad text);
INSERT INTO f1_t (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN (((i * 7919 + 30) % 42) / 2.0)::float4 END, CASE WHEN i % 11 <> 0 THEN md5((least((i * 7919 + 12) % 92, (i * 13) % 18))::text)::uuid END, (enum_range(NULL::colour))[1 + ((i * 1 + 1) % 119)::int % 5], (least((i * 7 + 37) % 10, (i * 13) % 2))::int4, (i * 7919 + 5) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 0) i WHERE true;
UPDATE f1_t SET x = x WHERE u % 5 = 0;
DELETE FROM f1_t WHERE u % 13 = 4;
CREATE INDEX ON f1_t (k0);
CREATE INDEX ON f1_t (k1);
CREATE VIEW f1 AS SELECT * FROM f1_t WHERE u > 0;
ANALYZE f1_t;
CREATE TABLE f2 (u int4, k0 float4, k1 uuid, k2 colour, x int4, g int4, t text, pad text) PARTITION BY LIST (g);
CREATE TABLE f2_0 PARTITION OF f2 FOR VALUES IN (0, 1);
CREATE TABLE f2_1 (gone int, u int4, k0 float4, t text, k2 colour, x int4, g int4, pad text, k1 uuid);
ALTER TABLE f2_1 DROP gone;
ALTER TABLE f2 ATTACH PARTITION f2_1 FOR VALUES IN (2);
CREATE TABLE f2_2 PARTITION OF f2 DEFAULT PARTITION BY HASH (u);
CREATE TABLE f2_20 PARTITION OF f2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f2_21 PARTITION OF f2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f2 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((least((i * 7919 + 33) % 122, (i * 13) % 24)) / 2.0)::float4 END, md5(((i * 31 + 12) % 47)::text)::uuid, (enum_range(NULL::colour))[1 + (least((i * 1 + 2) % 92, (i * 13) % 18))::int % 5], ((i * 1 + 44) % 10)::int4, (i * 7 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f2 (k0);
CREATE INDEX ON f2 (k2);
ANALYZE f2, f2_0, f2_1, f2_2, f2_20, f2_21;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ROLE reader; SELECT o1.x, y.n FROM d0 o1 CROSS JOIN LATERAL (SELECT sum(f2.x) AS n FROM f1 f2 JOIN d2 d3 ON f2.k2 = d3.k WHERE true AND true AND raises(d3.x::int) > 3) y WHERE o1.u < 20;
ROLLBACK;
--   with ssdpar: P0001 no sevens; calls 8, written 
--   without:     19 rows ['0', None], ['0', None], ['1', None], ['2', None], ['3', None]; calls 0, written 0 

seed 4500010: 2418 queries, 1 findings, 40 a second
verdicts: core raises it too 1, core's plans differ 20, error 1, same 2395, same error 89, stopped 1, with rows 1387
errors: 22P02 invalid input syntax for type integer: "bad" 26, 23514 value for domain few violates check constraint "few_ch 20, P0001 no sevens 17, 22012 division by zero 16, 0A000 FOR SHARE is not allowed with DISTINCT clause 4, 55000 cannot update view "f1" 2, 42501 new row violates row-level security policy for table " 2, 0A000 FOR SHARE cannot be applied to the nullable side of an 2, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 1, 0A000 FOR SHARE is not allowed with GROUP BY clause 1
plans: plans 299, Ssdpar 93, SsdparStarScan 91, by bitmap 37, sequentially 54, by workers 15, of array keys 17, joined 12, SsdparStarKeys 44, SsdparShardKeys 0, SsdparPartition 3, SsdparIndexJoin 0, Rows Measured 17, Nested Loop 123, Index Scan 76, Bitmap Heap Scan 16, SubPlan 82, Gather 78, Append 193, Gone Over: after 0
