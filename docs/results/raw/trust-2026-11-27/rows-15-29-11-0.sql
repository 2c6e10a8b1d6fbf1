-- rows: seed 2900011, case 135, after 136 queries and 15 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 2900011 --queries 1000000 --seconds 60.0 --findings 3 --wide --joins --company 2
rows: seed 2900011, case 135, after 136 queries and 15 s 
-- not a second time
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
CREATE FUNCTION coin(n int) RETURNS bool VOLATILE
  LANGUAGE plpgsql AS $$
BEGIN RETURN hashint8(nextval('coins')) % n = 0; END $$;
CREATE SCHEMA fz; SET search_path = fz, public;
CREATE TABLE d2_t (u int4, k int4range, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, int4range((i)::int4, (i)::int4 + 3), CASE WHEN i % 29 <> 0 THEN ((i * 7 + 8) % 10)::int4 END, least((i * 1 + 37) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
UPDATE d2_t SET x = x WHERE u % 5 = 0;
DELETE FROM d2_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE VIEW d2 WITH (security_barrier) AS SELECT * FROM d2_t WHERE u > 0;
DO $$ BEGIN CREATE INDEX ON d2_t USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2_t;
CREATE TABLE d3 (u int4, x int4, g int4, t text);
INSERT INTO d3 (u, x, g, t) SELECT i, (least((i * 7919 + 6) % 10, (i * 13) % 2))::int4, (i * 1 + 4) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE i % 2 = 0;
ALTER TABLE d3 ADD k int4 DEFAULT (0)::int4;
INSERT INTO d3 (u, k, x, g, t) SELECT i, (i)::int4, (least((i * 7919 + 6) % 10, (i * 13) % 2))::int4, (i * 1 + 4) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE i % 2 = 1;
DO $$ BEGIN CREATE INDEX ON d3 USING hash (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d3 (lower(t)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
CREATE INDEX ON d3 (g, t);
CREATE INDEX ON d3 (x);
CREATE INDEX ON d3 (k);
CREATE INDEX ON d3 (u);
ANALYZE d3;
CREATE TABLE f0 (gone int, u int4, k0 colour, k1 int2, k2 int4range, k3 int4, x int4, g int4, t text, pad text, lost text);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (enum_range(NULL::colour))[1 + ((i * 7 + 33) % 272)::int % 5], ((i * 7919 + 11) % 152)::int2, CASE WHEN i % 11 <> 0 THEN int4range((least((i * 31 + 39) % 38, (i * 13) % 7))::int4, (least((i * 31 + 39) % 38, (i * 13) % 7))::int4 + 3) END, ((i * 7919 + 30) % 902)::int4, ((i * 7919 + 36) % 10)::int4, (i * 31 + 34) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 3000) i WHERE true;
ALTER TABLE f0 DROP gone, DROP lost;
UPDATE f0 SET x = x WHERE u % 5 = 0;
DELETE FROM f0 WHERE u % 13 = 4;
CREATE INDEX ON f0 (k0) WHERE (g < 4);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (k2);
CREATE INDEX ON f0 (k3 DESC);
CREATE INDEX ON f0 (u);
CREATE INDEX ON f0 (t DESC, g, u);
CREATE INDEX ON f0 (g, g, x);
CREATE INDEX ON f0 (x, g);
CREATE INDEX ON f0 (k3 DESC);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (k0, k3 DESC);
CREATE INDEX ON f0 (u DESC, x, u);
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 colour, k1 int8, k2 int4range, k3 int4, x int4, g int4, t text, pad text) PARTITION BY RANGE (k3);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES FROM (MINVALUE) TO (2);
CREATE TABLE f1_1 PARTITION OF f1 FOR VALUES FROM (2) TO (3);
CREATE TABLE f1_2 PARTITION OF f1 FOR VALUES FROM (3) TO (7);
CREATE TABLE f1_3 PARTITION OF f1 FOR VALUES FROM (7) TO (8);
CREATE TABLE f1_4 PARTITION OF f1 FOR VALUES FROM (8) TO (30);
CREATE TABLE f1_rest PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (enum_range(NULL::colour))[1 + (least((i * 7 + 5) % 92, (i * 13) % 18))::int % 5], (least((i * 31 + 26) % 302, (i * 13) % 60))::int8, CASE WHEN i % 29 <> 0 THEN int4range(((i * 1 + 33) % 14)::int4, ((i * 1 + 33) % 14)::int4 + 3) END, ((i * 7 + 8) % 302)::int4, ((i * 7919 + 21) % 10)::int4, (i * 7919 + 44) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k3);
DO $$ BEGIN CREATE INDEX ON f1 USING gist ((point(x, g))); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON f1 USING brin (u); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
CREATE INDEX ON f1 (t, k1);
CREATE INDEX ON f1 (x, u);
CREATE INDEX ON f1 (k2 DESC, t, u);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k0 DESC);
ANALYZE f1, f1_0, f1_1, f1_2, f1_3, f1_4, f1_rest;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
SET jit = off;
BEGIN;
SET LOCAL jit = 'off'; SET LOCAL enable_mergejoin = 'off'; SET LOCAL max_parallel_workers_per_gather = '0'; SET LOCAL enable_hashjoin = 'off'; SET LOCAL enable_mergejoin = 'off'; SET LOCAL enable_seqscan = 'off'; SET LOCAL enable_material = 'off'; SET LOCAL enable_memoize = 'off'; SET LOCAL enable_hashjoin = 'off'; SET LOCAL enable_mergejoin = 'off'; SET LOCAL enable_bitmapscan = 'off'; SET LOCAL enable_memoize = 'off'; SET LOCAL enable_material = 'off'; SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.prefetch_min_size = '0'; SET LOCAL ssdpar.prefetch = 'auto'; SET LOCAL ssdpar.subqueries = '0'; SET LOCAL ssdpar.partition = 'fact'; SET LOCAL ssdpar.residency = 'auto'; SET LOCAL ssdpar.io_concurrency = '7'; SET LOCAL ssdpar.prefetch_bitmap_scans = 'on'; SET LOCAL ssdpar.prefetch_index_scans = 'off'; SET LOCAL ssdpar.index_join = 'on'; SET LOCAL ssdpar.cost_model = 'on'; SET LOCAL ssdpar.prefetch_window = '32MB'; SET LOCAL ssdpar.estimate_share = '100'; SET LOCAL ssdpar.estimate_budget = '5ms'; SET LOCAL ssdpar.star_scan = 'off'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.star_access = 'auto'; SET LOCAL ssdpar.cost_model = 'on'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.subqueries = '0'; SET LOCAL ssdpar.star_scan = 'off'; SET LOCAL ssdpar.index_join = 'on'; SET LOCAL ssdpar.shard_keys = '10'; SET LOCAL ssdpar.jit = 'auto'; SET LOCAL ROLE reader; UPDATE f1 SET u = -u WHERE u % 3 = 1; UPDATE f0 SET k3 = k3 WHERE u % 11 = 2; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE q AS SELECT f1.u, j3.x, j3.g FROM d3 f1 RIGHT JOIN (SELECT * FROM f1 s4 WHERE coalesce(s4.g, 3) BETWEEN 3 AND 5 AND coin(2) AND s4.k1 IS NOT NULL) j3 ON f1.g = j3.k1 AND f1.x = j3.x WHERE true AND NOT EXISTS (SELECT FROM d2 j2 WHERE f1.g = j2.u) AND f1.x IN (SELECT j5.u FROM d2 j5); EXECUTE q ; EXECUTE q ;
ROLLBACK;
--   with ssdpar: 120 rows ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['11', '1', '4']; calls 360, written 0 
--   without:     180 rows ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4']; calls 480, written 0 
--   without:     150 rows ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['5', '1', '4']; calls 480, written 0 
--   without:     160 rows ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4']; calls 660, written 0 
--   without:     150 rows ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['5', '1', '4']; calls 74, written 0 
--   without:     160 rows ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['1', '1', '4'], ['5', '1', '4']; calls 660, written 0 

seed 2900011: 615 queries, 1 findings, 10 a second
verdicts: an error less 1, core's plans differ 5, rows 1, same 601, same error 29, stopped 7, with rows 307
errors: 428C9 column "x" can only be updated to DEFAULT 11, 428C9 cannot insert a non-DEFAULT value into column "x" 9, 22P02 invalid input syntax for type integer: "bad" 2, P0001 no sevens 2, 22012 division by zero 2, 23514 value for domain few violates check constraint "few_ch 2, 0A000 FOR SHARE cannot be applied to the nullable side of an 1
plans: plans 600, Ssdpar 104, SsdparStarScan 68, by bitmap 27, sequentially 41, by workers 11, of array keys 20, joined 4, SsdparStarKeys 21, SsdparShardKeys 28, SsdparPartition 2, SsdparIndexJoin 14, Rows Measured 139, Nested Loop 510, Index Scan 472, Bitmap Heap Scan 68, SubPlan 150, Gather 247, Append 330, Gone Over: after 0
company: uncommitted 157, daemon 138, rewritten 136, vacuum 149
