-- error: seed 3200002, case 1080, after 1081 queries and 8 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 3200002 --queries 1000000 --seconds 60.0 --findings 3
error: seed 3200002, case 1080, after 1081 queries and 8 s 
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
CREATE TABLE d0_a (u int4, k int2, x int4, g int4, t text);
INSERT INTO d0_a (u, k, x, g, t) SELECT i, ((i * 7 + 3) % 54)::int2, (least((i * 31 + 16) % 10, (i * 13) % 2))::int4, least((i * 7919 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 3 = 0;
CREATE TABLE d0_b (u int4, k int2, x int4, g int4, t text);
INSERT INTO d0_b (u, k, x, g, t) SELECT i, ((i * 7 + 3) % 54)::int2, (least((i * 31 + 16) % 10, (i * 13) % 2))::int4, least((i * 7919 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 3 > 0;
CREATE VIEW d0 AS SELECT * FROM d0_a UNION ALL SELECT * FROM d0_b;
ANALYZE d0_a, d0_b;
CREATE TABLE d2 (u int4, k text COLLATE any_case, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (CASE WHEN ((i * 7919 + 0) % 90) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 0) % 90)::int / 2), CASE WHEN i % 29 <> 0 THEN (least((i * 1 + 42) % 10, (i * 13) % 2))::int4 END, (i * 7919 + 48) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
CREATE INDEX ON d2 (u);
ANALYZE d2;
CREATE TABLE f0 (gone int, u int4, k0 int8, k1 bool, k2 text COLLATE any_case, x int4, g int4, t text, pad text, lost text);
INSERT INTO f0 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 11 <> 0 THEN ((i * 1 + 28) % 92)::int8 END, CASE WHEN i % 11 <> 0 THEN (((i * 1 + 15) % 38) % 2 = 0) END, CASE WHEN i % 3 <> 0 THEN (CASE WHEN ((i * 1 + 48) % 119) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 1 + 48) % 119)::int / 2) END, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 46) % 10)::int4 END, least((i * 1 + 10) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 0) i WHERE true;
ALTER TABLE f0 DROP gone, DROP lost;
UPDATE f0 SET x = x WHERE u % 5 = 0;
DELETE FROM f0 WHERE u % 13 = 4;
CREATE INDEX ON f0 (k0 DESC);
CREATE INDEX ON f0 (k1, x);
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 int2, k1 bool, k2 text COLLATE any_case, x int4, g int4, t text, pad text) PARTITION BY LIST (g);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES IN (0, 1);
CREATE TABLE f1_1 (gone int, k1 bool, pad text, u int4, k2 text COLLATE any_case, t text, g int4, x int4, k0 int2);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES IN (2);
CREATE TABLE f1_2 PARTITION OF f1 DEFAULT PARTITION BY HASH (u);
CREATE TABLE f1_20 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f1_21 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, (least((i * 7 + 10) % 92, (i * 13) % 18))::int2, (((i * 7919 + 46) % 17) % 2 = 0), (CASE WHEN ((i * 7919 + 9) % 47) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 9) % 47)::int / 2), ((i * 31 + 17) % 10)::int4, least((i * 1 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f1 (k0, x);
CREATE INDEX ON f1 (k1, x);
CREATE INDEX ON f1 (u);
ANALYZE f1, f1_0, f1_1, f1_2, f1_20, f1_21;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT f1.k1, count(DISTINCT f1.g) FROM f0 f1 CROSS JOIN LATERAL (SELECT * FROM d0 d5 WHERE f1.k0 = d5.k AND (d5.t::text::int) = 7 AND d5.x = 1) l6, d0 d9 WHERE f1.k2 IN (SELECT d2.k FROM d2 d2 WHERE true AND d2.x < 0) AND d9.x = f1.g GROUP BY f1.k1;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 3200002: 6401 queries, 1 findings, 107 a second
verdicts: another of its errors 1, core's nodes call it 3, core's nodes raise it 3, core's plans differ 52, error 1, same 6340, same error 236, stopped 1, with rows 3724
errors: 22P02 invalid input syntax for type integer: "bad" 87, 22012 division by zero 40, 23514 value for domain few violates check constraint "few_ch 40, P0001 no sevens 26, 0A000 nondeterministic collations are not supported for LIKE 12, 42809 cannot change materialized view "f1" 10, 0A000 FOR SHARE cannot be applied to the nullable side of an 6, 42809 cannot change materialized view "f0" 6, 0A000 FOR SHARE is not allowed with GROUP BY clause 5, 55000 cannot update view "f1" 3, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 2, 55000 cannot delete from view "f1" 1
plans: plans 783, Ssdpar 223, SsdparStarScan 208, by bitmap 64, sequentially 144, by workers 22, of array keys 56, joined 20, SsdparStarKeys 57, SsdparShardKeys 0, SsdparPartition 15, SsdparIndexJoin 0, Rows Measured 44, Nested Loop 334, Index Scan 202, Bitmap Heap Scan 57, SubPlan 215, Gather 154, Append 459, Gone Over: after 0
