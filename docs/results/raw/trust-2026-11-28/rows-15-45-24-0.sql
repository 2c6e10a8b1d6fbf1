-- error: seed 4500024, case 1228, after 1229 queries and 12 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 4500024 --queries 1000000 --seconds 60.0 --findings 3
error: seed 4500024, case 1228, after 1229 queries and 12 s 
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
CREATE TABLE d0 (u int4, k small, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, ((i * 7 + 34) % 40)::int4::small, (least((i * 7919 + 14) % 10, (i * 13) % 2))::int4, (i * 1 + 45) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
UPDATE d0 SET x = x WHERE u % 5 = 0;
DELETE FROM d0 WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE INDEX ON d0 (u);
ANALYZE d0;
CREATE TABLE d1 (u int4, k bytea, x int4, g int4, t text) PARTITION BY RANGE (x);
CREATE TABLE d1_0 PARTITION OF d1 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE d1_1 (gone int, k bytea, t text, u int4, x int4, g int4);
ALTER TABLE d1_1 DROP gone;
ALTER TABLE d1 ATTACH PARTITION d1_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE d1_2 PARTITION OF d1 DEFAULT;
INSERT INTO d1 (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN decode(lpad(((i * 7 + 1) % 12)::text, 6, '0'), 'hex') END, (least((i * 7919 + 39) % 10, (i * 13) % 2))::int4, least((i * 7 + 11) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
CREATE INDEX ON d1 (g, x);
ANALYZE d1, d1_0, d1_1, d1_2;
CREATE TABLE d4 (u int4, k numeric, x int4, g int4, t text) PARTITION BY LIST (g);
CREATE TABLE d4_0 PARTITION OF d4 FOR VALUES IN (0, 1);
CREATE TABLE d4_1 (gone int, t text, k numeric, u int4, x int4, g int4);
ALTER TABLE d4_1 DROP gone;
ALTER TABLE d4 ATTACH PARTITION d4_1 FOR VALUES IN (2);
CREATE TABLE d4_2 PARTITION OF d4 DEFAULT;
INSERT INTO d4 (u, k, x, g, t) SELECT i, (CASE WHEN (least((i * 31 + 42) % 1, (i * 13) % 1)) % 2 = 0 THEN (least((i * 31 + 42) % 1, (i * 13) % 1))::numeric ELSE (least((i * 31 + 42) % 1, (i * 13) % 1))::numeric(9,2) END), CASE WHEN i % 29 <> 0 THEN (least((i * 1 + 43) % 10, (i * 13) % 2))::int4 END, least((i * 7 + 8) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON d4 (k);
ANALYZE d4, d4_0, d4_1, d4_2;
CREATE TABLE f2 (u int4, k0 small, k1 bytea, k2 small, k3 float4, k4 numeric, x int4, g int4, t text, pad text);
INSERT INTO f2 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN (least((i * 31 + 37) % 22, (i * 13) % 4))::int4::small END, CASE WHEN i % 29 <> 0 THEN decode(lpad(((i * 7 + 14) % 14)::text, 6, '0'), 'hex') END, CASE WHEN i % 11 <> 0 THEN ((i * 1 + 28) % 122)::int4::small END, ((least((i * 1 + 49) % 122, (i * 13) % 24)) / 2.0)::float4, (least((i * 1 + 39) % 2, (i * 13) % 1))::numeric, (least((i * 1 + 4) % 10, (i * 13) % 2))::int4, (i * 7919 + 37) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 0) i WHERE true;
UPDATE f2 SET x = x WHERE u % 5 = 0;
DELETE FROM f2 WHERE u % 13 = 4;
ANALYZE f2;
CREATE TABLE target (a int, b int);
INSERT INTO target SELECT i, i % 7 FROM generate_series(1, 30) i;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; WITH gone AS (DELETE FROM target WHERE a < 20 AND EXISTS (WITH c1 AS NOT MATERIALIZED (SELECT * FROM d1 s2 WHERE (s2.u::int::few) IS NOT NULL AND s2.g <= s2.g OFFSET 0) SELECT d4.t, sum(f3.k2) FROM f2 f3 JOIN c1 d4 ON f3.k1 = d4.k RIGHT JOIN d0 d5 ON f3.k0 = d5.k, d0 d6 WHERE true AND d4.k::text LIKE '%3' AND d6.x = d4.x GROUP BY d4.t ORDER BY 1, 2) RETURNING a) UPDATE target SET b = b + 1 WHERE a > 20; SELECT * FROM target;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     30 rows ['1', '1'], ['2', '2'], ['3', '3'], ['4', '4'], ['5', '5']; calls 0, written 0 

seed 4500024: 5077 queries, 1 findings, 85 a second
verdicts: core's plans differ 48, error 1, same 5027, same error 185, stopped 1, with rows 2934
errors: 22P02 invalid input syntax for type integer: "bad" 49, 23514 value for domain few violates check constraint "few_ch 40, 22012 division by zero 29, P0001 no sevens 24, 0A000 FOR SHARE cannot be applied to the nullable side of an 5, 42809 cannot change materialized view "f0" 5, 55000 cannot update view "f1" 4, 0A000 nondeterministic collations are not supported for LIKE 4, 0A000 FOR SHARE is not allowed with DISTINCT clause 3, 55000 cannot update view "f0" 3, 22P02 invalid input syntax for type integer: "t0" 3, 55000 cannot delete from view "f1" 3
plans: plans 629, Ssdpar 138, SsdparStarScan 131, by bitmap 49, sequentially 82, by workers 17, of array keys 31, joined 15, SsdparStarKeys 33, SsdparShardKeys 0, SsdparPartition 8, SsdparIndexJoin 0, Rows Measured 33, Nested Loop 258, Index Scan 154, Bitmap Heap Scan 36, SubPlan 167, Gather 136, Append 386, Gone Over: after 0
