-- error: seed 8100035, case 3487, after 3488 queries and 25 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100035 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8100035, case 3487, after 3488 queries and 25 s 
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
CREATE FUNCTION raises(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF v = 7 THEN RAISE EXCEPTION 'no sevens'; END IF;
  RETURN v;
END $$;
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0_t (u int4, k timestamp, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, timestamp '2020-01-01 00:00' + ((i * 31 + 8) % 1) * interval '1 day', ((i * 1 + 37) % 10)::int4, (i * 31 + 17) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
UPDATE d0_t SET x = x WHERE u % 5 = 0;
DELETE FROM d0_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0_t (k); END $$;
CREATE VIEW d0 WITH (security_barrier) AS SELECT * FROM d0_t WHERE plain(x) < 9;
ANALYZE d0_t;
CREATE TABLE d1_t (u int4, k int2, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, (i)::int2, ((i * 1 + 3) % 10)::int4, (i * 7919 + 3) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE VIEW d1 AS SELECT * FROM d1_t WHERE g < 4;
ANALYZE d1_t;
CREATE TABLE d2 (u int4, k int4, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, ((i * 1 + 12) % 40)::int4, (least((i * 7919 + 26) % 10, (i * 13) % 2))::int4, (i * 1 + 17) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
ANALYZE d2;
CREATE TABLE f1_t (u int4, k0 timestamp, k1 int2, k2 int8, x int4, g int4, t text, pad text);
INSERT INTO f1_t (u, k0, k1, k2, x, g, t, pad) SELECT i, timestamp '2020-01-01 00:00' + ((i * 7 + 1) % 3) * interval '1 day', (least((i * 7919 + 14) % 22, (i * 13) % 4))::int2, ((i * 1 + 20) % 22)::int8, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 6) % 10)::int4 END, least((i * 31 + 30) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 200) i WHERE true;
CREATE INDEX ON f1_t (k0);
CREATE INDEX ON f1_t (k2 DESC);
CREATE VIEW f1 AS SELECT * FROM f1_t WHERE u > 0;
ANALYZE f1_t;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT d7.k, d2.u, count(DISTINCT d2.k) FROM f1 f1 JOIN d1 d2 ON f1.k1 = d2.k JOIN d2 d7 ON f1.k2 = d7.k JOIN (SELECT * FROM d0 s9 WHERE true AND s9.g <= raises(s9.u::int)) d8 ON f1.k0 = d8.k WHERE NOT (f1.g <= (35)::int4) AND true AND (10 / (d2.k - 5)) IN (8, 4, 1, 2) GROUP BY CUBE (d7.k, d2.u);
ROLLBACK;
--   with ssdpar: 22012 division by zero; calls 0, written 
--   without:     1 rows [None, None, '0']; calls 0, written 0 

seed 8100035: 8029 queries, 1 findings, 134 a second
verdicts: an error less 1, another of its errors 2, core's nodes raise it 1, core's plans differ 50, error 1, same 7974, same error 283, with rows 4576
errors: 22P02 invalid input syntax for type integer: "bad" 97, 23514 value for domain few violates check constraint "few_ch 44, 22012 division by zero 36, P0001 no sevens 34, 42809 cannot change materialized view "f0" 11, 55000 cannot update view "f1" 8, 0A000 FOR SHARE is not allowed with GROUP BY clause 7, 55000 cannot update view "f0" 7, 0A000 FOR SHARE cannot be applied to the nullable side of an 7, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 5, 22P02 invalid input syntax for type integer: "t0" 3, 55000 cannot update view "f2" 3
plans: plans 989, Ssdpar 196, SsdparStarScan 189, by bitmap 68, sequentially 121, by workers 17, of array keys 43, joined 26, SsdparStarKeys 59, SsdparShardKeys 0, SsdparPartition 7, SsdparIndexJoin 0, Rows Measured 62, Nested Loop 370, Index Scan 211, Bitmap Heap Scan 57, SubPlan 257, Gather 186, Append 607, Gone Over: after 0
