-- calls: seed 8200042, case 80, after 81 queries and 9 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200042 --queries 1000000 --seconds 60.0 --findings 3 --wide --scale 20 --schema-queries 50
calls: seed 8200042, case 80, after 81 queries and 9 s 
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
CREATE FUNCTION counted_quietly(v int) RETURNS int
  VOLATILE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('calls'); RETURN v; END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0_t (u int4, k int8, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 26) % 180)::int8 END, CASE WHEN i % 11 <> 0 THEN (least((i * 31 + 28) % 10, (i * 13) % 2))::int4 END, (i * 31 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0_t (k); END $$;
CREATE VIEW d0 AS SELECT * FROM d0_t WHERE g < 4;
ANALYZE d0_t;
CREATE TABLE d1 (u int4, k int4, x int4, g int4, t text) PARTITION BY RANGE (x);
CREATE TABLE d1_0 PARTITION OF d1 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE d1_1 (gone int, x int4, u int4, g int4, t text, k int4);
ALTER TABLE d1_1 DROP gone;
ALTER TABLE d1 ATTACH PARTITION d1_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE d1_2 PARTITION OF d1 DEFAULT;
INSERT INTO d1 (u, k, x, g, t) SELECT i, ((i * 7919 + 21) % 60)::int4, ((i * 7 + 19) % 10)::int4, least((i * 7919 + 0) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ANALYZE d1, d1_0, d1_1, d1_2;
CREATE TABLE d2 (u int4, x int4, g int4, t text);
INSERT INTO d2 (u, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 20) % 10)::int4 END, (i * 7 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 0;
ALTER TABLE d2 ADD k text DEFAULT 't' || (1);
INSERT INTO d2 (u, k, x, g, t) SELECT i, 't' || (i), CASE WHEN i % 11 <> 0 THEN ((i * 7 + 20) % 10)::int4 END, (i * 7 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 1;
CREATE INDEX ON d2 (k);
DO $$ BEGIN CREATE INDEX ON d2 USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2 (u) WHERE x > 2; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2;
CREATE TABLE f0 (u int4, k0 int8, k1 int4, k2 text, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 32) % 392)::int8 END, ((i * 31 + 9) % 22)::int4, 't' || ((i * 7919 + 22) % 92), ((i * 1 + 4) % 10)::int4, least((i * 7 + 3) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 60000) i WHERE true;
CREATE INDEX ON f0 (k0) WHERE (g < 4);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (u);
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 int8, k1 int4, k2 text, x int4, g int4, t text, pad text) PARTITION BY LIST (k1);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES IN (0, 3);
CREATE TABLE f1_1 PARTITION OF f1 FOR VALUES IN (1, NULL);
CREATE TABLE f1_2 PARTITION OF f1 FOR VALUES IN (2);
CREATE TABLE f1_3 PARTITION OF f1 FOR VALUES IN (4, 9, 12);
CREATE TABLE f1_rest PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, (least((i * 1 + 15) % 392, (i * 13) % 78))::int8, (least((i * 7919 + 8) % 22, (i * 13) % 4))::int4, 't' || ((i * 1 + 9) % 272), CASE WHEN i % 29 <> 0 THEN ((i * 1 + 7) % 10)::int4 END, least((i * 7 + 11) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 40000) i WHERE true;
CREATE INDEX ON f1 (k0, x);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2);
ANALYZE f1, f1_0, f1_1, f1_2, f1_3, f1_rest;
CREATE TABLE f2 (gone int, u int4, k0 small, k1 int8, k2 name, x int4, g int4, t text, pad text, lost text);
INSERT INTO f2 (u, k0, k1, k2, x, g, t, pad) SELECT i, (least((i * 7919 + 31) % 392, (i * 13) % 78))::int4::small, CASE WHEN i % 3 <> 0 THEN ((i * 31 + 7) % 22)::int8 END, CASE WHEN i % 29 <> 0 THEN ('t' || ((i * 7 + 34) % 92))::name END, (least((i * 7919 + 18) % 10, (i * 13) % 2))::int4, (i * 7919 + 13) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 4000) i WHERE true;
ALTER TABLE f2 DROP gone, DROP lost;
UPDATE f2 SET x = x WHERE u % 5 = 0;
DELETE FROM f2 WHERE u % 13 = 4;
CREATE INDEX ON f2 (k0, x);
CREATE INDEX ON f2 (k2) WHERE (g < 4);
CREATE TABLE f2_t AS SELECT u FROM f2 WHERE x < 7;
ALTER TABLE f2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON f2 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
DO $$ BEGIN CREATE INDEX ON f2 USING hash (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f2, f2_t;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('CASE WHEN pattern = ''sequential'' OR size > 8192 THEN 20 WHEN depth = 1 THEN 100 ELSE depth * 2e5 END', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ROLE reader; PREPARE q (int) AS (SELECT f1.x, f1.g FROM f2 f1 INTERSECT ALL SELECT f3.x, d8.g FROM f1 f3 JOIN d2 d4 ON f3.k2 = d4.k JOIN d1 d6 ON f3.k1 = d6.k JOIN d2 d7 ON d6.u = d7.u JOIN d0 d8 ON f3.k0 = d8.k WHERE f3.x IS NULL AND d4.u <= 10 AND d7.x < $1 AND d7.g < 4) INTERSECT (SELECT f9.x, d10.g FROM f0 f9 JOIN d0 d10 ON f9.k0 = d10.k); EXECUTE q (1); EXECUTE q (2); EXECUTE q (3); EXECUTE q (4); EXECUTE q (1); EXECUTE q (2); EXECUTE q (4);
ROLLBACK;
--   with ssdpar: 0 rows ; calls 18460, written 0 
--   without:     0 rows ; calls 14768, written 0 
--   without:     0 rows ; calls 11076, written 0 

seed 8200042: 401 queries, 1 findings, 7 a second
verdicts: calls 1, core's plans differ 1, same 396, same error 10, stopped 3, with rows 270
errors: 22P02 invalid input syntax for type integer: "bad" 6, P0001 no sevens 2, 42883 operator does not exist: integer[] = integer 1, 23514 value for domain few violates check constraint "few_ch 1
plans: plans 395, Ssdpar 179, SsdparStarScan 169, by bitmap 68, sequentially 102, by workers 50, of array keys 32, joined 41, SsdparStarKeys 71, SsdparShardKeys 10, SsdparPartition 4, SsdparIndexJoin 5, Rows Measured 88, Nested Loop 193, Index Scan 168, Bitmap Heap Scan 46, SubPlan 45, Gather 171, Append 230, Gone Over: after 0
