-- error: seed 8300003, case 1214, after 1215 queries and 35 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300003 --queries 1000000 --seconds 60.0 --findings 3 --wide --company 2
error: seed 8300003, case 1214, after 1215 queries and 35 s 
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
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d1_t (u int4, k int4, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, (least((i * 31 + 49) % 300, (i * 13) % 60))::int4, ((i * 31 + 3) % 10)::int4, (i * 7919 + 9) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE true;
UPDATE d1_t SET x = x WHERE u % 5 = 0;
DELETE FROM d1_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1_t (k); END $$;
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE g < 4;
DO $$ BEGIN CREATE INDEX ON d1_t (u) WHERE x > 2; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d1_t USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d1_t;
CREATE TABLE d2_t (u int4, k int2, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, ((i * 7919 + 3) % 300)::int2, ((i * 1 + 45) % 10)::int4, (i * 31 + 20) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE VIEW d2 WITH (security_barrier) AS SELECT * FROM d2_t WHERE x <> 5;
DO $$ BEGIN CREATE INDEX ON d2_t USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2_t USING brin (u); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2_t;
CREATE TABLE d3 (u int4, k text, x int4, g int4, t text);
INSERT INTO d3 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN 't' || (i) END, (least((i * 7 + 39) % 10, (i * 13) % 2))::int4, least((i * 31 + 0) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3 (k); END $$;
CREATE TABLE d3_t AS SELECT u FROM d3 WHERE x < 7;
ALTER TABLE d3 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d3 TO reader USING (u IN (SELECT u FROM d3_t)) WITH CHECK (true);
DO $$ BEGIN CREATE INDEX ON d3 (lower(t)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d3_t (x NULLS FIRST, g DESC); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d3_t (g) WHERE x IS NULL; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d3, d3_t;
CREATE TABLE f0 (u int4, k0 int4, k1 int4, k2 int2, k3 text, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ((i * 31 + 32) % 47)::int4, ((i * 7 + 2) % 392)::int4, ((i * 7 + 18) % 392)::int2, 't' || ((i * 7919 + 37) % 302), (least((i * 7919 + 8) % 10, (i * 13) % 2))::int4, (i * 7 + 19) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, (SELECT string_agg(md5((i * j)::text), '') FROM generate_series(1, 90) j) FROM generate_series(1, 3000) i WHERE true;
CREATE INDEX ON f0 (k0, x);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (k2);
CREATE INDEX ON f0 (k3) WHERE (g < 4);
DO $$ BEGIN CREATE INDEX ON f0 USING hash (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 small, k1 int8, k2 int2, k3 text, x int4, g int4, t text, pad text) PARTITION BY RANGE (k2);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES FROM (MINVALUE) TO (2);
CREATE TABLE f1_1 PARTITION OF f1 FOR VALUES FROM (2) TO (3);
CREATE TABLE f1_2 PARTITION OF f1 FOR VALUES FROM (3) TO (7);
CREATE TABLE f1_3 PARTITION OF f1 FOR VALUES FROM (7) TO (8);
CREATE TABLE f1_4 PARTITION OF f1 FOR VALUES FROM (8) TO (30);
CREATE TABLE f1_rest PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (least((i * 7 + 46) % 119, (i * 13) % 23))::int4::small, (least((i * 7919 + 41) % 392, (i * 13) % 78))::int8, CASE WHEN i % 11 <> 0 THEN ((i * 1 + 17) % 392)::int2 END, CASE WHEN i % 29 <> 0 THEN 't' || ((i * 7919 + 48) % 152) END, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 39) % 10)::int4 END, (i * 31 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2, x);
CREATE INDEX ON f1 (k3) WHERE (g < 4);
DO $$ BEGIN CREATE INDEX ON f1 USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON f1 USING brin (u); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f1, f1_0, f1_1, f1_2, f1_3, f1_4, f1_rest;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('CASE WHEN pattern = ''sequential'' OR size > 8192 THEN 20 WHEN depth = 1 THEN 100 ELSE depth * 2e5 END', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL join_collapse_limit = '1'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ROLE reader; SELECT count(*) FILTER (WHERE d9.u > 3) FROM f0 f1 JOIN d2 d8 ON f1.k2 = d8.k RIGHT JOIN (SELECT * FROM (SELECT u, k, x, g, t FROM d1 s10 WHERE num_nulls(s10.x, s10.t) = 0 GROUP BY u, k, x, g, t) s12 WHERE true) d9 ON f1.k1 = d9.k JOIN (SELECT * FROM (SELECT u, k, x, g, t FROM d3 s14 WHERE NOT EXISTS (SELECT q15.x FROM (SELECT * FROM (SELECT u, k, x, g, t FROM d1 s16 WHERE s16.k IN (4, 5, 1, 2) AND s16.k <= (10 / (s16.x - 5)) GROUP BY u, k, x, g, t) s17 WHERE raises(s17.x::int) BETWEEN 1 AND 4) q15) GROUP BY u, k, x, g, t) s21 WHERE true) d13 ON f1.k3 = d13.k WHERE f1.x > ALL (SELECT q4.u FROM d3 q4);
ROLLBACK;
--   with ssdpar: 22012 division by zero; calls 0, written 
--   without:     1 rows ['0']; calls 0, written 0 
--   without:     P0001 no sevens; calls 0, written 

seed 8300003: 1855 queries, 1 findings, 31 a second
verdicts: core's nodes call it 1, core's plans differ 18, error 1, same 1834, same error 33, stopped 1, with rows 1175
errors: 22P02 invalid input syntax for type integer: "bad" 10, 42883 operator does not exist: integer[] = integer 10, 22012 division by zero 6, 23514 value for domain few violates check constraint "few_ch 3, 55000 cannot update view "f3" 2, P0001 no sevens 2, 0A000 DECLARE SCROLL CURSOR ... FOR UPDATE/SHARE is not supp 1
plans: plans 1822, Ssdpar 838, SsdparStarScan 750, by bitmap 327, sequentially 427, by workers 202, of array keys 120, joined 219, SsdparStarKeys 290, SsdparShardKeys 89, SsdparPartition 25, SsdparIndexJoin 19, Rows Measured 236, Nested Loop 880, Index Scan 749, Bitmap Heap Scan 172, SubPlan 241, Gather 813, Append 960, Gone Over: after 0
company: uncommitted 188, daemon killed 67, daemon stopped 71, rewritten 171, vacuum 167
