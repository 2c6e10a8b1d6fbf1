-- error: seed 8100010, case 5085, after 5086 queries and 60 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100010 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8100010, case 5085, after 5086 queries and 60 s 
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
CREATE FUNCTION raises(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF v = 7 THEN RAISE EXCEPTION 'no sevens'; END IF;
  RETURN v;
END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d2_t (u int4, k float8, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, (CASE (i) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE (i) / 2.0 END)::float8, CASE WHEN i % 11 <> 0 THEN (least((i * 31 + 16) % 10, (i * 13) % 2))::int4 END, (i * 1 + 22) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d2_t SET x = x WHERE u % 5 = 0;
DELETE FROM d2_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE VIEW d2 WITH (security_barrier) AS SELECT * FROM d2_t WHERE x <> 5;
ANALYZE d2_t;
CREATE TABLE d3 (u int4, k bytea, x int4, g int4, t text);
CREATE TABLE d3_1 (more int) INHERITS (d3);
INSERT INTO d3 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN decode(lpad((least((i * 7919 + 13) % 90, (i * 13) % 18))::text, 6, '0'), 'hex') END, ((i * 1 + 10) % 10)::int4, least((i * 1 + 41) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 0;
INSERT INTO d3_1 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN decode(lpad((least((i * 7919 + 13) % 90, (i * 13) % 18))::text, 6, '0'), 'hex') END, ((i * 1 + 10) % 10)::int4, least((i * 1 + 41) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 1;
CREATE TABLE f1_t (u int4, k0 varchar(9), k1 colour, k2 float8, k3 bytea, x int4, g int4, t text, pad text);
INSERT INTO f1_t (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ('t' || ((i * 31 + 48) % 2))::varchar(9), (enum_range(NULL::colour))[1 + ((i * 7919 + 43) % 92)::int % 5], (CASE ((i * 7 + 40) % 92) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 7 + 40) % 92) / 2.0 END)::float8, CASE WHEN i % 3 <> 0 THEN decode(lpad((least((i * 7919 + 14) % 119, (i * 13) % 23))::text, 6, '0'), 'hex') END, ((i * 31 + 42) % 10)::int4, least((i * 31 + 49) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1_t (k1);
CREATE INDEX ON f1_t (k3);
CREATE VIEW f1 WITH (security_barrier) AS SELECT * FROM f1_t WHERE x <> 5;
ANALYZE f1_t;
CREATE TABLE f2 (u int4, k0 text, k1 colour, k2 float8, k3 bytea, x int4, g int4, t text, pad text) PARTITION BY LIST (g);
CREATE TABLE f2_0 PARTITION OF f2 FOR VALUES IN (0, 1);
CREATE TABLE f2_1 (gone int, k0 text, t text, k3 bytea, k1 colour, pad text, g int4, k2 float8, x int4, u int4);
ALTER TABLE f2_1 DROP gone;
ALTER TABLE f2 ATTACH PARTITION f2_1 FOR VALUES IN (2);
CREATE TABLE f2_2 PARTITION OF f2 DEFAULT;
INSERT INTO f2 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 11 <> 0 THEN 't' || ((i * 1 + 8) % 2) END, (enum_range(NULL::colour))[1 + (least((i * 31 + 34) % 272, (i * 13) % 54))::int % 5], (CASE ((i * 7919 + 14) % 119) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 7919 + 14) % 119) / 2.0 END)::float8, CASE WHEN i % 3 <> 0 THEN decode(lpad(((i * 7 + 33) % 92)::text, 6, '0'), 'hex') END, ((i * 31 + 17) % 10)::int4, (i * 7919 + 9) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f2 (k0 DESC);
CREATE INDEX ON f2 (k3);
ANALYZE f2, f2_0, f2_1, f2_2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL jit = 'off'; SET LOCAL geqo_threshold = '2'; SET LOCAL parallel_setup_cost = '0'; SET LOCAL parallel_tuple_cost = '0'; SET LOCAL min_parallel_table_scan_size = '0'; SET LOCAL min_parallel_index_scan_size = '0'; SET LOCAL max_parallel_workers_per_gather = '1'; SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.prefetch_min_size = '0'; SET LOCAL ssdpar.prefetch = 'daemon'; SET LOCAL ssdpar.subqueries = '2'; SET LOCAL ssdpar.partition = 'dimension'; SET LOCAL ssdpar.residency = 'hot'; SET LOCAL ssdpar.io_concurrency = '0'; SET LOCAL ssdpar.prefetch_bitmap_scans = 'off'; SET LOCAL ssdpar.prefetch_index_scans = 'off'; SET LOCAL ssdpar.index_join = 'on'; SET LOCAL ssdpar.cost_model = 'off'; SET LOCAL ssdpar.prefetch_window = '32MB'; SET LOCAL ssdpar.estimate_share = '100'; SET LOCAL ssdpar.estimate_budget = '0'; SET LOCAL ROLE reader; SELECT count(*) FROM (SELECT f1.u FROM f2 f1 JOIN d3 d2 ON f1.k3 = d2.k AND EXISTS (SELECT q3.g FROM f1 q3 WHERE q3.k2 IS DISTINCT FROM (CASE (3) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE (3) / 2.0 END)::float8 AND (q3.t::text::int) > 3) AND d2.x NOT IN (SELECT raises(q5.x::int) FROM d3 q5 WHERE true AND q5.g < d2.x) WHERE f1.g > 0 LIMIT 7) few;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     1 rows ['7']; calls 0, written 0 
--   without:     P0001 no sevens; calls 0, written 

seed 8100010: 5111 queries, 1 findings, 85 a second
verdicts: core raises it too 1, core's nodes call it 1, core's nodes raise it 1, core's plans differ 31, error 1, same 5075, same error 182, stopped 1, with rows 2877
errors: 22P02 invalid input syntax for type integer: "bad" 57, 22012 division by zero 42, P0001 no sevens 32, 23514 value for domain few violates check constraint "few_ch 24, 0A000 nondeterministic collations are not supported for LIKE 10, 0A000 FOR SHARE cannot be applied to the nullable side of an 8, 0A000 FOR SHARE is not allowed with DISTINCT clause 4, 0A000 FOR SHARE is not allowed with GROUP BY clause 2, 0A000 DECLARE SCROLL CURSOR ... FOR UPDATE/SHARE is not supp 1, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 1, 42809 cannot lock rows in materialized view "d2" 1, 42P01 relation "d0" does not exist 1
plans: plans 631, Ssdpar 161, SsdparStarScan 152, by bitmap 57, sequentially 95, by workers 20, of array keys 39, joined 21, SsdparStarKeys 47, SsdparShardKeys 0, SsdparPartition 9, SsdparIndexJoin 0, Rows Measured 37, Nested Loop 275, Index Scan 158, Bitmap Heap Scan 38, SubPlan 166, Gather 139, Append 401, Gone Over: after 0
