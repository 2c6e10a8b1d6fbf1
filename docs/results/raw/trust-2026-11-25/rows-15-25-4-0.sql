-- error: seed 2500004, case 368, after 369 queries and 28 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 2500004 --queries 1000000 --seconds 60.0 --findings 3 --wide --joins --index-joins
error: seed 2500004, case 368, after 369 queries and 28 s 
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
CREATE SCHEMA fz; SET search_path = fz, public;
CREATE TABLE d1 (u int4, k int8, x int4, g int4, t text);
INSERT INTO d1 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int8 END, (least((i * 1 + 6) % 10, (i * 13) % 2))::int4, (i * 1 + 15) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE INDEX ON d1 (x);
CREATE INDEX ON d1 (g);
CREATE INDEX ON d1 (x, u DESC);
CREATE INDEX ON d1 (k, u DESC);
CREATE INDEX ON d1 (u, g, x);
ANALYZE d1;
CREATE TABLE d2 (u int4, k text COLLATE german, x int4, g int4, t text) PARTITION BY LIST (g);
CREATE TABLE d2_0 PARTITION OF d2 FOR VALUES IN (0, 1);
CREATE TABLE d2_1 (gone int, u int4, g int4, t text, x int4, k text COLLATE german);
ALTER TABLE d2_1 DROP gone;
ALTER TABLE d2 ATTACH PARTITION d2_1 FOR VALUES IN (2);
CREATE TABLE d2_2 PARTITION OF d2 DEFAULT;
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN 'ä' || (i) END, CASE WHEN i % 29 <> 0 THEN (least((i * 31 + 28) % 10, (i * 13) % 2))::int4 END, (i * 31 + 11) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE INDEX ON d2_1 USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2_1 (lower(t)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
CREATE INDEX ON d2 (t, g, x);
CREATE INDEX ON d2 (x);
CREATE INDEX ON d2 (k DESC, x, u);
CREATE INDEX ON d2 (u);
ANALYZE d2, d2_0, d2_1, d2_2;
CREATE TABLE d4_t (u int4, k int4, x int4, g int4, t text);
INSERT INTO d4_t (u, k, x, g, t) SELECT i, (i)::int4, CASE WHEN i % 29 <> 0 THEN ((i * 1 + 13) % 10)::int4 END, (i * 1 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
UPDATE d4_t SET x = x WHERE u % 5 = 0;
DELETE FROM d4_t WHERE u % 13 = 4;
CREATE VIEW d4 WITH (security_barrier) AS SELECT * FROM d4_t WHERE u > 0;
DO $$ BEGIN CREATE INDEX ON d4_t USING gist ((point(x, g))); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d4_t;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar';  -- and the profile of invent_device.sql
BEGIN;
SET LOCAL enable_indexscan = 'off'; SET LOCAL enable_seqscan = 'off'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT o1.x, y.n FROM d4 o1 LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE f2.k > 3) AS n FROM (SELECT * FROM d4 s3 WHERE true AND s3.u = 1) f2 JOIN d2 j4 ON f2.u = j4.u JOIN d1 j5 ON j4.u = j5.u AND f2.x = j5.g WHERE true AND f2.x = o1.k) y ON true WHERE o1.u < 20;
ROLLBACK;
--   with ssdpar: XX000 could not devise a query plan for the given query; calls 0, written 
--   without:     17 rows ['0', '0'], ['1', '0'], ['1', '0'], ['2', '0'], ['2', '0']; calls 0, written 0 

seed 2500004: 601 queries, 1 findings, 10 a second
verdicts: core raises it too 1, core's nodes raise it 1, core's plans differ 5, error 1, same 593, same error 49, with rows 291
errors: 428C9 column "x" can only be updated to DEFAULT 19, 428C9 cannot insert a non-DEFAULT value into column "x" 9, 22P02 invalid input syntax for type integer: "bad" 5, P0001 no sevens 5, 22012 division by zero 5, 23514 value for domain few violates check constraint "few_ch 4, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 1, 57014 canceling statement due to statement timeout 1, XX000 could not devise a query plan for the given query 1, 0A000 FOR SHARE is not allowed with DISTINCT clause 1, 0A000 DECLARE SCROLL CURSOR ... FOR UPDATE/SHARE is not supp 1
plans: plans 591, SsdparStarScan 0, SsdparPartition 0, SsdparIndexJoin 59, Nested Loop 534, Index Scan 509, Bitmap Heap Scan 1, SubPlan 146, Gather 163, Append 250, Gone Over: after 0
