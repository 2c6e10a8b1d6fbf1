-- calls: seed 8200014, case 1461, after 1462 queries and 26 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200014 --queries 1000000 --seconds 60.0 --findings 3 --wide --company 2
calls: seed 8200014, case 1461, after 1462 queries and 26 s 
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
CREATE TABLE d0 (gone int, u int4, k int8, x int4, g int4, t text, lost text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN (i)::int8 END, (least((i * 1 + 25) % 10, (i * 13) % 2))::int4, (i * 7 + 2) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
ALTER TABLE d0 DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE TABLE d0_t AS SELECT u FROM d0 WHERE x < 7;
ALTER TABLE d0 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d0 TO reader USING (x % 3 > 0) WITH CHECK (true);
ANALYZE d0, d0_t;
CREATE TABLE d1_t (u int4, k jsonb, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, to_jsonb((i)::int), ((i * 1 + 21) % 10)::int4, (i * 1 + 0) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE true;
UPDATE d1_t SET x = x WHERE u % 5 = 0;
DELETE FROM d1_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1_t (k); END $$;
CREATE INDEX ON d1_t (u);
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE x <> 5;
DO $$ BEGIN CREATE INDEX ON d1_t USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d1_t;
CREATE TABLE d2 (u int4, k int2, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int2 END, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 13) % 10)::int4 END, (i * 1 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE true;
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
DO $$ BEGIN CREATE INDEX ON d2 (g) WHERE x IS NULL; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2 USING brin (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2_t USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2_t (u) WHERE x > 2; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2, d2_t;
CREATE TABLE f1 (u int4, k0 int4, k1 jsonb, k2 int2, x int4, g int4, t text, pad text) PARTITION BY LIST (k0);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES IN (0, 3);
CREATE TABLE f1_1 PARTITION OF f1 FOR VALUES IN (1, NULL);
CREATE TABLE f1_2 PARTITION OF f1 FOR VALUES IN (2);
CREATE TABLE f1_3 PARTITION OF f1 FOR VALUES IN (4, 9, 12);
CREATE TABLE f1_rest PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 31 + 40) % 47)::int4, to_jsonb(((i * 1 + 43) % 392)::int), ((i * 7919 + 4) % 152)::int2, ((i * 1 + 33) % 10)::int4, (i * 7 + 30) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 2000) i WHERE true;
CREATE INDEX ON f1 (k0) WHERE (g < 4);
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (u);
DO $$ BEGIN CREATE INDEX ON f1 USING brin (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f1, f1_0, f1_1, f1_2, f1_3, f1_rest;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('CASE WHEN pattern = ''sequential'' OR size > 8192 THEN 20 WHEN depth = 1 THEN 100 ELSE depth * 2e5 END', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.io_concurrency = '7'; SET LOCAL ssdpar.prefetch_bitmap_scans = 'off'; SET LOCAL ssdpar.prefetch_index_scans = 'on'; SET LOCAL ssdpar.index_join = 'on'; SET LOCAL ssdpar.cost_model = 'on'; SET LOCAL ssdpar.prefetch_window = '32MB'; SET LOCAL ssdpar.estimate_share = '100'; SET LOCAL ssdpar.estimate_budget = '50ms'; SET LOCAL ssdpar.subqueries = '0'; SET LOCAL ssdpar.shard_keys = '1'; SET LOCAL ROLE reader; SELECT d5.u, d5.k, d5.x, d5.g, d5.t, max(d5.g) FROM f1 f1 JOIN d0 d2 ON f1.k0 = d2.k JOIN d2 d3 ON f1.k2 = d3.k JOIN d1 d4 ON f1.k1 = d4.k JOIN d1 d5 ON d4.x = d5.u WHERE true AND d2.x IN (7, 0, 1) AND d4.g <= 1 AND d5.x IS NULL GROUP BY d5.u, d5.k, d5.x, d5.g, d5.t;
ROLLBACK;
--   with ssdpar: 0 rows ; calls 1, written 0 
--   without:     0 rows ; calls 0, written 0 

seed 8200014: 3601 queries, 1 findings, 60 a second
verdicts: an error less 1, calls 1, core's plans differ 24, same 3574, same error 52, stopped 1, with rows 2314
errors: 22P02 invalid input syntax for type integer: "bad" 16, 23514 value for domain few violates check constraint "few_ch 11, 22012 division by zero 10, 42883 operator does not exist: integer[] = integer 8, P0001 no sevens 7
plans: plans 3566, Ssdpar 1639, SsdparStarScan 1504, by bitmap 690, sequentially 817, by workers 406, of array keys 291, joined 416, SsdparStarKeys 660, SsdparShardKeys 131, SsdparPartition 52, SsdparIndexJoin 25, Rows Measured 487, Nested Loop 1685, Index Scan 1509, Bitmap Heap Scan 315, SubPlan 477, Gather 1600, Append 2112, Gone Over: after 0
company: daemon killed 46, uncommitted 190, daemon stopped 38, rewritten 181, vacuum 182
