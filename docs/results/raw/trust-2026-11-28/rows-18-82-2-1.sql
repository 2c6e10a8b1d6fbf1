-- error: seed 8200002, case 5771, after 5772 queries and 31 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200002 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200002, case 5771, after 5772 queries and 31 s 
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
CREATE TABLE d0_t (u int4, k bool, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, ((i) % 2 = 0), ((i * 7 + 8) % 10)::int4, (i * 7 + 11) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE INDEX ON d0_t (x);
CREATE VIEW d0 WITH (security_barrier) AS SELECT * FROM d0_t WHERE u > 0;
ANALYZE d0_t;
CREATE TABLE d2_t (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN md5((i)::text)::uuid END, (least((i * 7 + 3) % 10, (i * 13) % 2))::int4, (i * 31 + 45) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE FOREIGN TABLE d2 (u int4, k uuid, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd2_t');
ANALYZE d2_t;
CREATE TABLE f1 (u int4, k0 bool, k1 int8, k2 uuid, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, (((i * 1 + 6) % 22) % 2 = 0), ((i * 7919 + 1) % 2)::int8, md5(((i * 1 + 22) % 22)::text)::uuid, (least((i * 7 + 37) % 10, (i * 13) % 2))::int4, least((i * 7 + 15) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f1 (k0);
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
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT DISTINCT ON (d2.k) d2.k FROM f1 f1 JOIN (SELECT * FROM (SELECT u, k, x, g, t FROM d0 s3 GROUP BY u, k, x, g, t) s4 WHERE (s4.x::int::few) BETWEEN 0 AND 1) d2 ON f1.k0 = d2.k WHERE true AND f1.u IN (9, 9, 1, 2) ORDER BY d2.k;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 8200002: 11628 queries, 2 findings, 194 a second
verdicts: an error less 1, core's nodes call it 1, core's nodes raise it 3, core's plans differ 83, error 2, same 11538, same error 365, with rows 6417
errors: 22P02 invalid input syntax for type integer: "bad" 114, 22012 division by zero 67, 23514 value for domain few violates check constraint "few_ch 64, P0001 no sevens 63, 0A000 FOR SHARE cannot be applied to the nullable side of an 16, 42809 cannot change materialized view "f1" 11, 0A000 FOR SHARE is not allowed with DISTINCT clause 7, 55000 cannot update view "f1" 6, 0A000 FOR SHARE is not allowed with GROUP BY clause 4, 55000 cannot delete from view "f1" 3, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 3, 0A000 DECLARE SCROLL CURSOR ... FOR UPDATE/SHARE is not supp 2
plans: plans 1439, Ssdpar 351, SsdparStarScan 335, by bitmap 120, sequentially 215, by workers 39, of array keys 83, joined 36, SsdparStarKeys 96, SsdparShardKeys 0, SsdparPartition 16, SsdparIndexJoin 0, Rows Measured 67, Nested Loop 640, Index Scan 380, Bitmap Heap Scan 112, SubPlan 352, Gather 289, Append 681, Gone Over: after 0
