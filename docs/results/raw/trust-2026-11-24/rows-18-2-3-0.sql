-- error: seed 200003, case 264, after 265 queries and 18 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 200003 --queries 1000000 --seconds 60.0 --findings 3 --wide --joins --company 2
error: seed 200003, case 264, after 265 queries and 18 s 
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
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE SCHEMA fz; SET search_path = fz, public;
CREATE TABLE d0 (u int4, x int4, g int4, t text);
INSERT INTO d0 (u, x, g, t) SELECT i, (least((i * 7919 + 12) % 10, (i * 13) % 2))::int4, least((i * 7919 + 12) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 0;
ALTER TABLE d0 ADD k int8 DEFAULT (7)::int8;
INSERT INTO d0 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int8 END, (least((i * 7919 + 12) % 10, (i * 13) % 2))::int4, least((i * 7919 + 12) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 1;
CREATE INDEX ON d0 (k);
CREATE INDEX ON d0 (u);
CREATE INDEX ON d0 (x DESC, u, u);
CREATE INDEX ON d0 (k);
CREATE INDEX ON d0 (u);
ANALYZE d0;
CREATE TABLE d2_t (u int4, k colour, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (enum_range(NULL::colour))[1 + (i)::int % 5] END, (least((i * 7919 + 34) % 10, (i * 13) % 2))::int4, (i * 1 + 25) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d2_t SET x = x WHERE u % 5 = 0;
DELETE FROM d2_t WHERE u % 13 = 4;
CREATE VIEW d2 WITH (security_barrier) AS SELECT * FROM d2_t WHERE plain(x) < 9;
DO $$ BEGIN CREATE INDEX ON d2_t USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2_t;
CREATE TABLE d3 (u int4, k bool, g int4, x int4 GENERATED ALWAYS AS (u * 1 % 10) STORED);
DO $$ BEGIN EXECUTE 'ALTER TABLE d3 ADD t text GENERATED ALWAYS AS ((u % 9)::text) ' || CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END; END $$;
INSERT INTO d3 (u, k, g) SELECT i, CASE WHEN i % 11 <> 0 THEN ((i) % 2 = 0) END, (i * 7919 + 2) % 5 FROM generate_series(1, 0) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3 (k); END $$;
DO $$ BEGIN CREATE INDEX ON d3 (lower(t)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d3 USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
CREATE INDEX ON d3 (g, x);
CREATE INDEX ON d3 (u);
ANALYZE d3;
CREATE TABLE f1 (u int4, k0 int4, k1 inet, k2 colour, k3 bool, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ((i * 31 + 11) % 47)::int4, CASE WHEN i % 11 <> 0 THEN ('10.0.0.' || (least((i * 1 + 40) % 42, (i * 13) % 8)) % 250)::inet END, (enum_range(NULL::colour))[1 + (least((i * 1 + 9) % 47, (i * 13) % 9))::int % 5], CASE WHEN i % 3 <> 0 THEN ((least((i * 1 + 7) % 2, (i * 13) % 1)) % 2 = 0) END, ((i * 1 + 35) % 10)::int4, least((i * 31 + 19) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, (SELECT string_agg(md5((i * j)::text), '') FROM generate_series(1, 90) j) FROM generate_series(1, 300) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k3, x);
DO $$ BEGIN CREATE INDEX ON f1 USING hash (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON f1 USING gist ((point(x, g))); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
CREATE INDEX ON f1 (t, u);
CREATE INDEX ON f1 (g DESC);
CREATE INDEX ON f1 (k3);
CREATE INDEX ON f1 (k2, k1 DESC);
CREATE INDEX ON f1 (k0, g);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar';  -- and the profile of invent_device.sql
BEGIN;
SET LOCAL jit = 'off'; SET LOCAL max_parallel_workers_per_gather = '0'; SET LOCAL enable_hashjoin = 'off'; SET LOCAL enable_mergejoin = 'off'; SET LOCAL enable_seqscan = 'off'; SET LOCAL enable_material = 'off'; SET LOCAL enable_memoize = 'off'; SET LOCAL work_mem = '1GB'; SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.prefetch_min_size = '0'; SET LOCAL ssdpar.prefetch = 'local'; SET LOCAL ssdpar.subqueries = '4'; SET LOCAL ssdpar.partition = 'auto'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.io_concurrency = '0'; SET LOCAL ssdpar.prefetch_bitmap_scans = 'off'; SET LOCAL ssdpar.prefetch_index_scans = 'on'; SET LOCAL ssdpar.index_join = 'off'; SET LOCAL ssdpar.cost_model = 'on'; SET LOCAL ssdpar.prefetch_window = '1MB'; SET LOCAL ssdpar.estimate_share = '2'; SET LOCAL ssdpar.estimate_budget = '50ms'; SET LOCAL ROLE reader; UPDATE d0 SET u = -u WHERE u % 7 = 2; UPDATE f1 SET k3 = NULL WHERE u % 7 = 1; INSERT INTO d3 SELECT * FROM d3 WHERE u % 7 = 1 ON CONFLICT DO NOTHING; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE q AS SELECT f1.u, sum(f1.x) OVER (ORDER BY f1.u RANGE BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), percent_rank() OVER (ORDER BY f1.x) FROM d2 f1 WHERE true AND EXISTS (SELECT FROM d2 j2 WHERE j2.u = f1.u); EXECUTE q ; EXECUTE q ;
ROLLBACK;
--   with ssdpar: 428C9 cannot insert a non-DEFAULT value into column "x"; calls 0, written 
--   without:     40001 could not serialize access due to concurrent update; calls 0, written 

seed 200003: 582 queries, 1 findings, 10 a second
verdicts: an error less 1, core's plans differ 4, error 1, same 576, same error 31, with rows 258
errors: 428C9 column "x" can only be updated to DEFAULT 10, 428C9 cannot insert a non-DEFAULT value into column "x" 8, 22P02 invalid input syntax for type integer: "bad" 6, 23514 value for domain few violates check constraint "few_ch 3, 22012 division by zero 3, 0A000 FOR SHARE cannot be applied to the nullable side of an 1, 57014 canceling statement due to statement timeout 1
plans: plans 575, SsdparStarScan 70, SsdparPartition 1, SsdparIndexJoin 4, Nested Loop 494, Index Scan 359, Bitmap Heap Scan 57, SubPlan 145, Gather 127, Append 374, Gone Over: after 0
company: uncommitted 191, daemon 200, rewritten 177, vacuum 194
