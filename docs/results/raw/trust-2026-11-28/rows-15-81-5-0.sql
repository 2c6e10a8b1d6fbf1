-- error: seed 8100005, case 7475, after 7476 queries and 54 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100005 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8100005, case 7475, after 7476 queries and 54 s 
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
CREATE TABLE d0 (u int4, k int2, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN (least((i * 1 + 11) % 12, (i * 13) % 2))::int2 END, ((i * 7919 + 7) % 10)::int4, least((i * 7 + 12) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
UPDATE d0 SET x = x WHERE u % 5 = 0;
DELETE FROM d0 WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE INDEX ON d0 (u);
ANALYZE d0;
CREATE TABLE d3 (gone int, u int4, k int8, x int4, g int4, t text, lost text);
INSERT INTO d3 (u, k, x, g, t) SELECT i, (least((i * 31 + 10) % 90, (i * 13) % 18))::int8, ((i * 7 + 15) % 10)::int4, (i * 7 + 22) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
ALTER TABLE d3 DROP gone, DROP lost;
UPDATE d3 SET x = x WHERE u % 5 = 0;
DELETE FROM d3 WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3 (k); END $$;
ANALYZE d3;
CREATE TABLE f1 (u int4, k0 int2, k1 bool, k2 numeric, k3 int8, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 46) % 8)::int2 END, (((i * 31 + 8) % 22) % 2 = 0), (least((i * 31 + 36) % 2, (i * 13) % 1))::numeric, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 28) % 92)::int8 END, (least((i * 31 + 48) % 10, (i * 13) % 2))::int4, (i * 31 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2) WHERE (g < 4);
CREATE INDEX ON f1 (k3 DESC);
CREATE INDEX ON f1 (u);
ANALYZE f1;
CREATE TABLE f2 (u int4, k0 int2, k1 bool, k2 numeric, k3 int8, x int4, g int4, t text, pad text);
INSERT INTO f2 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 7 + 41) % 38)::int2 END, (((i * 7919 + 20) % 42) % 2 = 0), (least((i * 31 + 45) % 2, (i * 13) % 1))::numeric, CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 1) % 272)::int8 END, ((i * 1 + 22) % 10)::int4, least((i * 7 + 1) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f2 (k0) WHERE (g < 4);
CREATE INDEX ON f2 (k1) WHERE (g < 4);
CREATE INDEX ON f2 (k2 DESC);
CREATE INDEX ON f2 (k3);
ANALYZE f2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT count(*) FILTER (WHERE d3.u > 3), count(*) FROM f2 f1 RIGHT JOIN d3 d3 ON f1.k3 = d3.k JOIN (SELECT u, k, x, g, t FROM d0 s5 WHERE (10 / (s5.u - 5)) <= s5.g AND s5.x <= (s5.k::int::few) GROUP BY u, k, x, g, t) d4 ON f1.k0 = d4.k;
ROLLBACK;
--   with ssdpar: 22012 division by zero; calls 0, written 
--   without:     1 rows ['0', '0']; calls 0, written 0 

seed 8100005: 8166 queries, 1 findings, 136 a second
verdicts: another of its errors 1, core's nodes call it 1, core's nodes raise it 4, core's plans differ 53, error 1, same 8106, same error 259, with rows 4517
errors: 22P02 invalid input syntax for type integer: "bad" 93, 23514 value for domain few violates check constraint "few_ch 43, 22012 division by zero 39, P0001 no sevens 33, 0A000 nondeterministic collations are not supported for LIKE 18, 0A000 FOR SHARE cannot be applied to the nullable side of an 13, 0A000 FOR SHARE is not allowed with GROUP BY clause 8, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 5, 55000 cannot update view "f1" 3, 42809 cannot change materialized view "f0" 2, 42809 cannot change materialized view "f1" 2, 22P02 invalid input syntax for type integer: "t0" 1
plans: plans 993, Ssdpar 267, SsdparStarScan 257, by bitmap 88, sequentially 169, by workers 25, of array keys 70, joined 21, SsdparStarKeys 86, SsdparShardKeys 0, SsdparPartition 10, SsdparIndexJoin 0, Rows Measured 51, Nested Loop 487, Index Scan 259, Bitmap Heap Scan 51, SubPlan 277, Gather 177, Append 588, Gone Over: after 0
