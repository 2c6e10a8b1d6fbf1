-- error: seed 8300024, case 2865, after 2866 queries and 33 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300024 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300024, case 2865, after 2866 queries and 33 s 
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
CREATE TABLE d3 (u int4, k int2, x int4, g int4, t text);
INSERT INTO d3 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 30) % 90)::int2 END, ((i * 31 + 33) % 10)::int4, least((i * 1 + 41) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d3 SET x = x WHERE u % 5 = 0;
DELETE FROM d3 WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3 (k); END $$;
ANALYZE d3;
CREATE TABLE f0 (u int4, k0 numeric, k1 small, k2 float8, k3 int8, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f0_1 (gone int, k0 numeric, k1 small, u int4, g int4, x int4, k3 int8, t text, k2 float8, pad text);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f0_2 PARTITION OF f0 FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY HASH (u);
CREATE TABLE f0_20 PARTITION OF f0_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f0_21 PARTITION OF f0_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (CASE WHEN (least((i * 1 + 42) % 8, (i * 13) % 1)) % 2 = 0 THEN (least((i * 1 + 42) % 8, (i * 13) % 1))::numeric ELSE (least((i * 1 + 42) % 8, (i * 13) % 1))::numeric(9,2) END), CASE WHEN i % 11 <> 0 THEN ((i * 1 + 10) % 272)::int4::small END, (CASE ((i * 1 + 36) % 2) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 1 + 36) % 2) / 2.0 END)::float8, (least((i * 7 + 27) % 119, (i * 13) % 23))::int8, (least((i * 7 + 43) % 10, (i * 13) % 2))::int4, (i * 31 + 17) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 200) i WHERE true;
CREATE INDEX ON f0 (k0);
CREATE INDEX ON f0 (k1, x);
CREATE INDEX ON f0 (k2);
CREATE INDEX ON f0 (k3 DESC);
CREATE INDEX ON f0 (u);
ANALYZE f0, f0_0, f0_1, f0_2, f0_20, f0_21;
CREATE TABLE f1 (u int4, k0 numeric, k1 small, k2 float8, k3 int2, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 7 + 28) % 38) % 2 = 0 THEN ((i * 7 + 28) % 38)::numeric ELSE ((i * 7 + 28) % 38)::numeric(9,2) END) END, (least((i * 31 + 34) % 92, (i * 13) % 18))::int4::small, (CASE (least((i * 7919 + 26) % 2, (i * 13) % 1)) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE (least((i * 7919 + 26) % 2, (i * 13) % 1)) / 2.0 END)::float8, ((i * 1 + 37) % 272)::int2, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 4) % 10)::int4 END, least((i * 1 + 33) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 100) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k3 DESC);
CREATE INDEX ON f1 (u);
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT f1.u, sum(f1.x) OVER (PARTITION BY f1.x) AS w FROM f0 f1 WHERE f1.x = (SELECT min(q6.x)::int FROM (SELECT * FROM (SELECT * FROM d3 s7 WHERE s7.g IN (7, 1, 1, 2)) s8 WHERE true) q6 WHERE q6.g IN (SELECT (q9.x::int::few) FROM f1 q9 WHERE NOT (q9.k0 = (CASE WHEN (30) % 2 = 0 THEN (30)::numeric ELSE (30)::numeric(9,2) END))) AND q6.x < f1.u) ORDER BY 1, 2;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 8300024: 4981 queries, 1 findings, 83 a second
verdicts: another of its errors 2, core's nodes raise it 1, core's plans differ 39, error 1, same 4937, same error 181, stopped 1, with rows 2863
errors: 22P02 invalid input syntax for type integer: "bad" 51, 23514 value for domain few violates check constraint "few_ch 39, 22012 division by zero 32, P0001 no sevens 12, 0A000 nondeterministic collations are not supported for LIKE 11, 55000 cannot update view "f1" 9, 0A000 FOR SHARE cannot be applied to the nullable side of an 8, 55000 cannot delete from view "f1" 6, 55000 cannot update view "f0" 3, 0A000 FOR SHARE is not allowed with DISTINCT clause 3, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 2, 55000 cannot delete from view "f0" 2
plans: plans 611, Ssdpar 137, SsdparStarScan 130, by bitmap 43, sequentially 87, by workers 15, of array keys 37, joined 16, SsdparStarKeys 48, SsdparShardKeys 0, SsdparPartition 6, SsdparIndexJoin 1, Rows Measured 37, Nested Loop 266, Index Scan 142, Bitmap Heap Scan 23, SubPlan 159, Gather 129, Append 369, Gone Over: after 0
