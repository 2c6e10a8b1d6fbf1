-- error: seed 8300027, case 3357, after 3358 queries and 24 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300027 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300027, case 3357, after 3358 queries and 24 s 
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
CREATE TABLE d0 (u int4, k small, x int4, g int4, t text) PARTITION BY HASH (u);
CREATE TABLE d0_0 PARTITION OF d0 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE d0_1 (gone int, k small, x int4, u int4, t text, g int4);
ALTER TABLE d0_1 DROP gone;
ALTER TABLE d0 ATTACH PARTITION d0_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE d0_2 PARTITION OF d0 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO d0 (u, k, x, g, t) SELECT i, (least((i * 7 + 49) % 54, (i * 13) % 10))::int4::small, CASE WHEN i % 11 <> 0 THEN ((i * 31 + 40) % 10)::int4 END, least((i * 31 + 5) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
ANALYZE d0, d0_0, d0_1, d0_2;
CREATE TABLE d2_t (u int4, k int2, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, ((i * 1 + 34) % 60)::int2, ((i * 31 + 37) % 10)::int4, (i * 7919 + 43) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE INDEX ON d2_t (g, x);
CREATE FOREIGN TABLE d2 (u int4, k int2, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd2_t');
ANALYZE d2_t;
CREATE TABLE d3 (u int4, k bool, x int4, g int4, t text) PARTITION BY HASH (u);
CREATE TABLE d3_0 PARTITION OF d3 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE d3_1 (gone int, u int4, t text, g int4, k bool, x int4);
ALTER TABLE d3_1 DROP gone;
ALTER TABLE d3 ATTACH PARTITION d3_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE d3_2 PARTITION OF d3 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO d3 (u, k, x, g, t) SELECT i, (((i * 31 + 17) % 90) % 2 = 0), ((i * 7 + 47) % 10)::int4, (i * 31 + 45) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
CREATE INDEX ON d3 (k);
CREATE TABLE d4 (u int4, k text COLLATE german, x int4, g int4, t text) PARTITION BY RANGE (x);
CREATE TABLE d4_0 PARTITION OF d4 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE d4_1 (gone int, u int4, g int4, k text COLLATE german, x int4, t text);
ALTER TABLE d4_1 DROP gone;
ALTER TABLE d4 ATTACH PARTITION d4_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE d4_2 PARTITION OF d4 DEFAULT;
INSERT INTO d4 (u, k, x, g, t) SELECT i, 'ä' || ((i * 31 + 41) % 1), CASE WHEN i % 11 <> 0 THEN ((i * 31 + 17) % 10)::int4 END, (i * 7 + 27) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
CREATE INDEX ON d4 (k);
ANALYZE d4, d4_0, d4_1, d4_2;
CREATE TABLE f0 (gone int, u int4, k0 small, k1 date, k2 int2, k3 bool, k4 text COLLATE german, x int4, g int4, t text, pad text, lost text);
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, ((i * 7 + 48) % 92)::int4::small, CASE WHEN i % 3 <> 0 THEN date '2020-01-01' + ((i * 7 + 22) % 272)::int END, (least((i * 1 + 31) % 42, (i * 13) % 8))::int2, (((i * 7 + 17) % 272) % 2 = 0), 'ä' || (least((i * 1 + 30) % 2, (i * 13) % 1)), (least((i * 31 + 47) % 10, (i * 13) % 2))::int4, least((i * 7919 + 1) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 100) i WHERE true;
ALTER TABLE f0 DROP gone, DROP lost;
CREATE INDEX ON f0 (k0);
CREATE INDEX ON f0 (k2);
CREATE INDEX ON f0 (k3, x);
ANALYZE f0;
CREATE TABLE f1 (gone int, u int4, k0 small, k1 date, k2 int2, k3 bool, k4 text COLLATE german, x int4, g int4, t text, pad text, lost text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 0) % 92)::int4::small END, CASE WHEN i % 3 <> 0 THEN date '2020-01-01' + ((i * 1 + 27) % 92)::int END, CASE WHEN i % 29 <> 0 THEN ((i * 7 + 29) % 54)::int2 END, (((i * 31 + 33) % 92) % 2 = 0), 'ä' || ((i * 1 + 49) % 3), ((i * 31 + 42) % 10)::int4, least((i * 31 + 32) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
ALTER TABLE f1 DROP gone, DROP lost;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0) WHERE (g < 4);
CREATE INDEX ON f1 (k3) WHERE (g < 4);
CREATE INDEX ON f1 (k4);
CREATE INDEX ON f1 (u);
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.subqueries = '2'; SELECT f1.k4, f1.k0, f1.k1 FROM f0 f1 JOIN d0 d2 ON f1.k0 = d2.k JOIN d3 d3 ON f1.k3 = d3.k AND true AND d3.u = 8, d3 d4 WHERE true AND d4.x = (10 / (f1.k0 - 5));
ROLLBACK;
--   with ssdpar: 22012 division by zero; calls 0, written 
--   without:     72 rows ['ä0', '8', None], ['ä0', '8', None], ['ä0', '8', None], ['ä0', '8', None], ['ä0', '8', None]; calls 0, written 0 

seed 8300027: 7035 queries, 1 findings, 117 a second
verdicts: an error less 3, core raises it too 1, core's nodes call it 2, core's nodes raise it 1, core's plans differ 54, error 1, same 6972, same error 214, stopped 1, with rows 3928
errors: 22P02 invalid input syntax for type integer: "bad" 90, 22012 division by zero 30, 23514 value for domain few violates check constraint "few_ch 30, P0001 no sevens 29, 0A000 nondeterministic collations are not supported for LIKE 8, 55000 cannot update view "f0" 7, 0A000 FOR SHARE cannot be applied to the nullable side of an 6, 55000 cannot update view "f1" 5, 42809 cannot lock rows in materialized view "d1" 3, 0A000 DECLARE SCROLL CURSOR ... FOR UPDATE/SHARE is not supp 2, 0A000 FOR SHARE is not allowed with DISTINCT clause 2, 0A000 FOR SHARE is not allowed with GROUP BY clause 1
plans: plans 873, Ssdpar 187, SsdparStarScan 172, by bitmap 51, sequentially 121, by workers 26, of array keys 45, joined 29, SsdparStarKeys 56, SsdparShardKeys 0, SsdparPartition 15, SsdparIndexJoin 1, Rows Measured 59, Nested Loop 379, Index Scan 208, Bitmap Heap Scan 51, SubPlan 225, Gather 190, Append 517, Gone Over: after 0
