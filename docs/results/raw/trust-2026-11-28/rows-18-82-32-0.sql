-- error: seed 8200032, case 3382, after 3383 queries and 20 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200032 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200032, case 3382, after 3383 queries and 20 s 
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
CREATE TABLE d0_t (u int4, k text COLLATE any_case, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (CASE WHEN (i) % 3 = 0 THEN 'T' ELSE 't' END || (i)::int / 2) END, ((i * 7 + 10) % 10)::int4, least((i * 7919 + 49) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d0_t SET x = x WHERE u % 5 = 0;
DELETE FROM d0_t WHERE u % 13 = 4;
CREATE VIEW d0 AS SELECT * FROM d0_t WHERE x <> 5;
ANALYZE d0_t;
CREATE TABLE d2_a (u int4, k float4, x int4, g int4, t text);
INSERT INTO d2_a (u, k, x, g, t) SELECT i, (((i * 1 + 30) % 40) / 2.0)::float4, ((i * 31 + 13) % 10)::int4, least((i * 7 + 7) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 3 = 0;
CREATE INDEX ON d2_a (k);
CREATE TABLE d2_b (u int4, k float4, x int4, g int4, t text);
INSERT INTO d2_b (u, k, x, g, t) SELECT i, (((i * 1 + 30) % 40) / 2.0)::float4, ((i * 31 + 13) % 10)::int4, least((i * 7 + 7) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 3 > 0;
CREATE INDEX ON d2_b (k);
CREATE VIEW d2 AS SELECT * FROM d2_a UNION ALL SELECT * FROM d2_b;
ANALYZE d2_a, d2_b;
CREATE TABLE d4 (u int4, k float4, x int4, g int4, t text);
INSERT INTO d4 (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i) / 2.0)::float4 END, CASE WHEN i % 11 <> 0 THEN (least((i * 7919 + 41) % 10, (i * 13) % 2))::int4 END, (i * 31 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
CREATE INDEX ON d4 (g, x);
ANALYZE d4;
CREATE TABLE f0 (u int4, k0 text COLLATE any_case, k1 uuid, k2 float8, k3 int2, k4 float4, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f0_1 (gone int, k3 int2, k2 float8, u int4, k0 text COLLATE any_case, k1 uuid, pad text, x int4, k4 float4, t text, g int4);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f0_2 PARTITION OF f0 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN (CASE WHEN ((i * 7 + 9) % 92) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7 + 9) % 92)::int / 2) END, CASE WHEN i % 29 <> 0 THEN md5((least((i * 1 + 22) % 47, (i * 13) % 9))::text)::uuid END, (CASE ((i * 31 + 47) % 54) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 31 + 47) % 54) / 2.0 END)::float8, CASE WHEN i % 3 <> 0 THEN (least((i * 7919 + 35) % 22, (i * 13) % 4))::int2 END, (((i * 7 + 36) % 14) / 2.0)::float4, CASE WHEN i % 11 <> 0 THEN ((i * 31 + 45) % 10)::int4 END, least((i * 7919 + 15) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f0 (k0);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (k2 DESC);
CREATE INDEX ON f0 (k3);
CREATE INDEX ON f0 (k4);
ANALYZE f0, f0_0, f0_1, f0_2;
CREATE TABLE f1 (u int4, k0 text COLLATE any_case, k1 uuid, k2 float4, k3 int2, k4 float4, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN (CASE WHEN (least((i * 31 + 14) % 47, (i * 13) % 9)) % 3 = 0 THEN 'T' ELSE 't' END || (least((i * 31 + 14) % 47, (i * 13) % 9))::int / 2) END, md5((least((i * 1 + 33) % 272, (i * 13) % 54))::text)::uuid, ((least((i * 31 + 37) % 42, (i * 13) % 8)) / 2.0)::float4, CASE WHEN i % 3 <> 0 THEN ((i * 31 + 46) % 54)::int2 END, CASE WHEN i % 29 <> 0 THEN ((least((i * 31 + 42) % 17, (i * 13) % 3)) / 2.0)::float4 END, (least((i * 31 + 16) % 10, (i * 13) % 2))::int4, (i * 31 + 37) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1 (k1, x);
CREATE INDEX ON f1 (k2) WHERE (g < 4);
CREATE INDEX ON f1 (k3 DESC);
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model = 'off'; SELECT d4.g, f1.u, d4.g, d4.x FROM f0 f1 JOIN d0 d4 ON f1.k0 = d4.k WHERE (10 / (f1.u - 5)) < 2 AND (NOT (f1.k2 IS DISTINCT FROM (CASE (37) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE (37) / 2.0 END)::float8) OR f1.u IN (8, 8, 1, 2)) AND d4.u IN (SELECT q5.x FROM d2 q5 WHERE true AND q5.g = 4);
ROLLBACK;
--   with ssdpar: 22012 division by zero; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 8200032: 7316 queries, 1 findings, 122 a second
verdicts: core's nodes call it 2, core's plans differ 61, error 1, same 7252, same error 256, with rows 4163
errors: 22P02 invalid input syntax for type integer: "bad" 61, 23514 value for domain few violates check constraint "few_ch 51, 22012 division by zero 51, P0001 no sevens 30, 55000 cannot update view "f0" 11, 0A000 FOR SHARE is not allowed with DISTINCT clause 8, 42809 cannot change materialized view "f2" 8, 0A000 FOR SHARE is not allowed with GROUP BY clause 7, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 4, 55000 cannot delete from view "f0" 4, 55000 cannot delete from view "f1" 4, 0A000 FOR SHARE cannot be applied to the nullable side of an 3
plans: plans 900, Ssdpar 222, SsdparStarScan 214, by bitmap 69, sequentially 145, by workers 27, of array keys 68, joined 29, SsdparStarKeys 71, SsdparShardKeys 0, SsdparPartition 8, SsdparIndexJoin 0, Rows Measured 38, Nested Loop 403, Index Scan 196, Bitmap Heap Scan 44, SubPlan 210, Gather 184, Append 514, Gone Over: after 0
