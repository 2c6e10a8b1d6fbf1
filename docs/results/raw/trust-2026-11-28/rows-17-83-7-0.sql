-- error: seed 8300007, case 347, after 348 queries and 23 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300007 --queries 1000000 --seconds 60.0 --findings 3 --joins --index-joins --stale
error: seed 8300007, case 347, after 348 queries and 23 s 
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
CREATE FUNCTION counted_sql(v int) RETURNS int VOLATILE
  LANGUAGE sql AS $$SELECT v + 0 * nextval('calls')::int$$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0 (u int4, k int2, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN (least((i * 7919 + 25) % 1, (i * 13) % 1))::int2 END, (least((i * 31 + 19) % 10, (i * 13) % 2))::int4, (i * 7919 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
UPDATE d0 SET x = x WHERE u % 5 = 0;
DELETE FROM d0 WHERE u % 13 = 4;
CREATE INDEX ON d0 (t);
CREATE INDEX ON d0 (g DESC, t, u);
CREATE INDEX ON d0 (x);
CREATE INDEX ON d0 (k);
CREATE INDEX ON d0 (u, g DESC);
ANALYZE d0;
CREATE TABLE d1 (u int4, k float8, x int4, g int4, t text);
INSERT INTO d1 (u, k, x, g, t) SELECT i, (CASE (i) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE (i) / 2.0 END)::float8, ((i * 31 + 5) % 10)::int4, (i * 7 + 30) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1 (k); END $$;
CREATE INDEX ON d1 (t, g DESC);
CREATE INDEX ON d1 (g DESC);
CREATE INDEX ON d1 (k, g, x);
ANALYZE d1;
CREATE TABLE f1 (u int4, k0 int8, k1 float4, k2 colour, k3 int8, k4 uuid, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, ((i * 1 + 38) % 2)::int8, (((i * 7919 + 32) % 119) / 2.0)::float4, CASE WHEN i % 3 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 31 + 30) % 5)::int % 5] END, ((i * 31 + 31) % 2)::int8, md5(((i * 1 + 23) % 5)::text)::uuid, CASE WHEN i % 3 <> 0 THEN ((i * 31 + 28) % 10)::int4 END, (i * 7 + 26) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2, x);
CREATE INDEX ON f1 (u);
CREATE INDEX ON f1 (t, k4);
CREATE INDEX ON f1 (g, u);
CREATE INDEX ON f1 (x, k0 DESC);
CREATE INDEX ON f1 (k4, g, x);
CREATE INDEX ON f1 (k3, g DESC);
CREATE INDEX ON f1 (k2 DESC, t, u);
CREATE INDEX ON f1 (k0, u);
CREATE INDEX ON f1 (u);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('CASE WHEN pattern = ''random'' AND depth = 1 THEN 100 ELSE depth * 2e4 END', 128, 5e-6);
SET jit = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SET enable_bitmapscan = off;
SET enable_seqscan = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.estimate_budget = '0'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.estimate_budget = '0'; SELECT count(DISTINCT j4.k3) FROM (SELECT * FROM (SELECT * FROM d0 s2 WHERE true AND s2.g <= counted_sql(s2.x::int)) s3 WHERE true) f1 JOIN f1 j4 ON j4.k0 = f1.k JOIN d1 j5 ON j5.u = j4.u AND j4.t = j5.t AND true AND (j5.x::int::few) IN (5, 9, 1, 2) WHERE true;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     1 rows ['0']; calls 0, written 0 

seed 8300007: 596 queries, 1 findings, 10 a second
verdicts: core's plans differ 2, error 1, same 591, same error 12, stopped 2, with rows 305
errors: 22P02 invalid input syntax for type integer: "bad" 4, 0A000 FOR SHARE cannot be applied to the nullable side of an 3, 23514 value for domain few violates check constraint "few_ch 3, P0001 no sevens 2, 22012 division by zero 1
plans: plans 579, Ssdpar 134, SsdparStarScan 0, by bitmap 0, sequentially 0, by workers 0, of array keys 0, joined 0, SsdparStarKeys 0, SsdparShardKeys 0, SsdparPartition 0, SsdparIndexJoin 134, Rows Measured 0, Nested Loop 503, Index Scan 534, Bitmap Heap Scan 3, SubPlan 156, Gather 111, Append 51, Gone Over: after 49
