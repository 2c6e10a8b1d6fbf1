-- error: seed 6200013, case 5182, after 5183 queries and 37 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 6200013 --queries 1000000 --seconds 60.0 --findings 3
error: seed 6200013, case 5182, after 5183 queries and 37 s 
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
CREATE TABLE d0_t (u int4, k float8, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, (CASE (i) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE (i) / 2.0 END)::float8, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 43) % 10)::int4 END, (i * 7 + 4) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
UPDATE d0_t SET x = x WHERE u % 5 = 0;
DELETE FROM d0_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0_t (k); END $$;
CREATE INDEX ON d0_t (g, x);
CREATE VIEW d0 WITH (security_barrier) AS SELECT * FROM d0_t WHERE g < 4;
ANALYZE d0_t;
CREATE TABLE d1_t (u int4, k colour, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (i)::int % 5], ((i * 7919 + 4) % 10)::int4, least((i * 7 + 45) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1_t (k); END $$;
CREATE VIEW d1 WITH (security_barrier) AS SELECT DISTINCT * FROM d1_t WHERE u > 0;
ANALYZE d1_t;
CREATE TABLE d2 (u int4, k small, x int4, g int4, t text) PARTITION BY RANGE (x);
CREATE TABLE d2_0 PARTITION OF d2 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE d2_1 (gone int, t text, x int4, g int4, u int4, k small);
ALTER TABLE d2_1 DROP gone;
ALTER TABLE d2 ATTACH PARTITION d2_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE d2_2 PARTITION OF d2 DEFAULT;
INSERT INTO d2 (u, k, x, g, t) SELECT i, (i)::int4::small, (least((i * 1 + 16) % 10, (i * 13) % 2))::int4, (i * 7 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON d2 (g, x);
ANALYZE d2, d2_0, d2_1, d2_2;
CREATE TABLE f1 (gone int, u int4, k0 float8, k1 colour, k2 small, x int4, g int4, t text, pad text, lost text);
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, (CASE ((i * 7 + 13) % 17) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 7 + 13) % 17) / 2.0 END)::float8, (enum_range(NULL::colour))[1 + ((i * 31 + 23) % 42)::int % 5], ((i * 7919 + 23) % 2)::int4::small, ((i * 31 + 8) % 10)::int4, least((i * 31 + 35) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 200) i WHERE true;
ALTER TABLE f1 DROP gone, DROP lost;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1 DESC);
CREATE INDEX ON f1 (k2) WHERE (g < 4);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model = 'off'; SELECT l4.t, sum(f1.g) FROM f1 f1 CROSS JOIN LATERAL (SELECT * FROM (SELECT * FROM d0 s3 WHERE true AND s3.g > (18)::int4) d2 WHERE f1.k0 = d2.k) l4 WHERE EXISTS (SELECT FROM d1 d5 WHERE f1.k1 = d5.k AND (d5.u::int::few) IN (9, 9, 1, 2)) GROUP BY CUBE (l4.t);
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     1 rows [None, None]; calls 0, written 0 

seed 6200013: 9905 queries, 2 findings, 165 a second
verdicts: an error less 3, another of its errors 1, core's nodes call it 1, core's nodes raise it 1, core's plans differ 64, error 2, same 9833, same error 365, with rows 5712
errors: 22P02 invalid input syntax for type integer: "bad" 109, 22012 division by zero 76, P0001 no sevens 59, 23514 value for domain few violates check constraint "few_ch 56, 0A000 FOR SHARE cannot be applied to the nullable side of an 14, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 8, 55000 cannot delete from view "f0" 8, 55000 cannot update view "f0" 7, 42809 cannot change materialized view "f2" 6, 0A000 FOR SHARE is not allowed with GROUP BY clause 5, 0A000 FOR SHARE is not allowed with DISTINCT clause 5, 42809 cannot change materialized view "f0" 4
plans: plans 1225, Ssdpar 306, SsdparStarScan 289, by bitmap 89, sequentially 200, by workers 24, of array keys 70, joined 26, SsdparStarKeys 95, SsdparShardKeys 0, SsdparPartition 18, SsdparIndexJoin 0, Rows Measured 69, Nested Loop 542, Index Scan 349, Bitmap Heap Scan 93, SubPlan 315, Gather 254, Append 657, Gone Over: after 0
