-- error: seed 4500005, case 2439, after 2440 queries and 59 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 4500005 --queries 1000000 --seconds 60.0 --findings 3
error: seed 4500005, case 2439, after 2440 queries and 59 s 
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
CREATE FUNCTION quiet(v int) RETURNS int IMMUTABLE LEAKPROOF
  PARALLEL SAFE LANGUAGE plpgsql AS $$BEGIN RETURN v; END $$;
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d1_a (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d1_a (u, k, x, g, t) SELECT i, md5(((i * 7919 + 18) % 1)::text)::uuid, (least((i * 7919 + 29) % 10, (i * 13) % 2))::int4, (i * 31 + 25) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 3 = 0;
CREATE INDEX ON d1_a (k);
CREATE TABLE d1_b (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d1_b (u, k, x, g, t) SELECT i, md5(((i * 7919 + 18) % 1)::text)::uuid, (least((i * 7919 + 29) % 10, (i * 13) % 2))::int4, (i * 31 + 25) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 3 > 0;
CREATE INDEX ON d1_b (k);
CREATE VIEW d1 AS SELECT * FROM d1_a UNION ALL SELECT * FROM d1_b;
ANALYZE d1_a, d1_b;
CREATE TABLE d2 (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, md5((i)::text)::uuid, (least((i * 7919 + 14) % 10, (i * 13) % 2))::int4, (i * 7 + 40) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (quiet(x) < 8) WITH CHECK (true);
ANALYZE d2, d2_t;
CREATE TABLE d3_t (u int4, k colour, x int4, g int4, t text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + ((i * 7 + 42) % 40)::int % 5], ((i * 31 + 47) % 10)::int4, (i * 1 + 33) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE VIEW d3 WITH (security_barrier) AS SELECT * FROM d3_t WHERE x <> 5;
ANALYZE d3_t;
CREATE TABLE d4_t (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d4_t (u, k, x, g, t) SELECT i, md5(((i * 7919 + 20) % 135)::text)::uuid, ((i * 1 + 39) % 10)::int4, (i * 7919 + 8) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d4_t SET x = x WHERE u % 5 = 0;
DELETE FROM d4_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d4_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d4_t (k); END $$;
CREATE VIEW d4 AS SELECT * FROM d4_t WHERE plain(x) < 9;
ANALYZE d4_t;
CREATE TABLE f0 (gone int, u int4, k0 date, k1 uuid, k2 uuid, k3 colour, k4 uuid, x int4, g int4, t text, pad text, lost text);
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN date '2020-01-01' + (least((i * 31 + 38) % 17, (i * 13) % 3))::int END, md5(((i * 31 + 29) % 2)::text)::uuid, md5(((i * 31 + 13) % 3)::text)::uuid, (enum_range(NULL::colour))[1 + ((i * 7919 + 35) % 22)::int % 5], CASE WHEN i % 29 <> 0 THEN md5((least((i * 31 + 19) % 47, (i * 13) % 9))::text)::uuid END, CASE WHEN i % 29 <> 0 THEN (least((i * 7 + 49) % 10, (i * 13) % 2))::int4 END, (i * 7919 + 3) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 300) i WHERE true;
ALTER TABLE f0 DROP gone, DROP lost;
CREATE INDEX ON f0 (k0);
CREATE INDEX ON f0 (k1, x);
CREATE INDEX ON f0 (k3) WHERE (g < 4);
CREATE INDEX ON f0 (k4 DESC);
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 timestamptz, k1 uuid, k2 uuid, k3 colour, k4 uuid, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f1_1 (gone int, k4 uuid, pad text, t text, x int4, k0 timestamptz, k2 uuid, k1 uuid, g int4, u int4, k3 colour);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f1_2 PARTITION OF f1 FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY HASH (u);
CREATE TABLE f1_20 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f1_21 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, timestamptz '2020-01-01 00:00' + (least((i * 31 + 43) % 14, (i * 13) % 2)) * interval '12 hours', md5(((i * 7919 + 47) % 2)::text)::uuid, md5(((i * 7919 + 14) % 5)::text)::uuid, CASE WHEN i % 29 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 1 + 29) % 122)::int % 5] END, CASE WHEN i % 29 <> 0 THEN md5(((i * 7 + 29) % 47)::text)::uuid END, ((i * 7919 + 29) % 10)::int4, (i * 1 + 23) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1 (k1, x);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k3) WHERE (g < 4);
ANALYZE f1, f1_0, f1_1, f1_2, f1_20, f1_21;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT f1.k0, f1.u FROM f0 f1 JOIN d3 d2 ON f1.k3 = d2.k AND true AND (d2.x::int::few) BETWEEN 1 AND 5 JOIN d1 d3 ON f1.k1 = d3.k CROSS JOIN LATERAL (SELECT * FROM d4 d6 WHERE f1.k4 = d6.k) l7 WHERE true AND f1.u IS NULL;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 4500005: 2440 queries, 1 findings, 38 a second
verdicts: core's nodes call it 1, core's plans differ 19, error 1, same 2419, same error 120, with rows 1360
errors: 22012 division by zero 25, 22P02 invalid input syntax for type integer: "bad" 24, 23514 value for domain few violates check constraint "few_ch 15, P0001 no sevens 12, 55000 cannot update view "f0" 12, 55000 cannot update view "f1" 10, 0A000 FOR SHARE cannot be applied to the nullable side of an 6, 42809 cannot change materialized view "f0" 5, 0A000 nondeterministic collations are not supported for LIKE 4, 55000 cannot delete from view "f0" 2, 0A000 FOR SHARE is not allowed with DISTINCT clause 2, 22P02 invalid input syntax for type integer: "t13" 1
plans: plans 294, Ssdpar 81, SsdparStarScan 79, by bitmap 33, sequentially 46, by workers 9, of array keys 24, joined 6, SsdparStarKeys 39, SsdparShardKeys 0, SsdparPartition 2, SsdparIndexJoin 0, Rows Measured 20, Nested Loop 126, Index Scan 61, Bitmap Heap Scan 15, SubPlan 76, Gather 68, Append 184, Gone Over: after 0
