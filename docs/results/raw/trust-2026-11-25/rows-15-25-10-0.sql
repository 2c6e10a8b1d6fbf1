-- error: seed 2500010, case 773, after 774 queries and 25 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 2500010 --queries 1000000 --seconds 60.0 --findings 3 --wide --company 2
error: seed 2500010, case 773, after 774 queries and 25 s 
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
CREATE TABLE d1 (u int4, x int4, g int4, t text);
INSERT INTO d1 (u, x, g, t) SELECT i, ((i * 7919 + 15) % 10)::int4, (i * 7919 + 14) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 2 = 0;
ALTER TABLE d1 ADD k int8 DEFAULT (7)::int8;
INSERT INTO d1 (u, k, x, g, t) SELECT i, ((i * 1 + 16) % 24)::int8, ((i * 7919 + 15) % 10)::int4, (i * 7919 + 14) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 2 = 1;
CREATE INDEX ON d1 (u);
DO $$ BEGIN CREATE INDEX ON d1 USING gin ((ARRAY[x, g])); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d1 (x NULLS FIRST, g DESC); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d1;
CREATE TABLE d2 (u int4, k colour, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + ((i * 31 + 11) % 24)::int % 5], ((i * 31 + 33) % 10)::int4, (i * 7919 + 49) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
CREATE INDEX ON d2 (x);
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (u IN (SELECT u FROM d2_t)) WITH CHECK (true);
DO $$ BEGIN CREATE INDEX ON d2_t USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2, d2_t;
CREATE TABLE d3_t (u int4, k char(8), x int4, g int4, t text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN ('t' || (i))::char(8) END, ((i * 31 + 7) % 10)::int4, (i * 7919 + 48) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE MATERIALIZED VIEW d3 AS SELECT * FROM d3_t;
DO $$ BEGIN CREATE INDEX ON d3 (u) INCLUDE (x, g); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d3 USING hash (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d3_t, d3;
CREATE TABLE f0 (u int4, k0 text, k1 int8, k2 colour, k3 char(8), x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, 't' || ((i * 1 + 15) % 2), ((i * 1 + 11) % 22)::int8, (enum_range(NULL::colour))[1 + (least((i * 7 + 1) % 54, (i * 13) % 10))::int % 5], CASE WHEN i % 11 <> 0 THEN ('t' || ((i * 7 + 45) % 54))::char(8) END, ((i * 7919 + 29) % 10)::int4, least((i * 1 + 16) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 100) i WHERE true;
UPDATE f0 SET x = x WHERE u % 5 = 0;
DELETE FROM f0 WHERE u % 13 = 4;
CREATE INDEX ON f0 (k0) WHERE (g < 4);
CREATE INDEX ON f0 (k2 DESC);
CREATE INDEX ON f0 (k3, x);
DO $$ BEGIN CREATE INDEX ON f0 ((x + g)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON f0 (g) WHERE x IS NULL; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 varchar(9), k1 int8, k2 colour, k3 char(8), x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 11 <> 0 THEN ('t' || (least((i * 1 + 46) % 2, (i * 13) % 1)))::varchar(9) END, ((i * 1 + 34) % 42)::int8, (enum_range(NULL::colour))[1 + ((i * 7919 + 48) % 42)::int % 5], ('t' || ((i * 7 + 32) % 42))::char(8), ((i * 7919 + 16) % 10)::int4, (i * 7919 + 3) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1 (k0) WHERE (g < 4);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k3);
DO $$ BEGIN CREATE INDEX ON f1 USING hash (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar';  -- and the profile of invent_device.sql
BEGIN;
SET LOCAL parallel_setup_cost = '0'; SET LOCAL parallel_tuple_cost = '0'; SET LOCAL min_parallel_table_scan_size = '0'; SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model = 'off'; SELECT min(d5.x) FROM f0 f1 JOIN d3 d5 ON f1.k3 = d5.k AND d5.x <= d5.x AND f1.g > (2)::int4 WHERE NOT EXISTS (SELECT FROM d1 d2 WHERE f1.k1 = d2.k AND (d2.t::text::int) IN (7, 8, 1, 2));
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     1 rows [None]; calls 0, written 0 

seed 2500010: 1180 queries, 1 findings, 20 a second
verdicts: core's nodes raise it 1, core's plans differ 10, error 1, same 1168, same error 52, with rows 659
errors: 22P02 invalid input syntax for type integer: "bad" 22, 22012 division by zero 12, 23514 value for domain few violates check constraint "few_ch 10, P0001 no sevens 7, 0A000 FOR SHARE cannot be applied to the nullable side of an 1, 0A000 FOR SHARE is not allowed with GROUP BY clause 1, 42883 operator does not exist: integer[] = integer 1
plans: plans 145, SsdparStarScan 27, SsdparPartition 6, SsdparIndexJoin 1, Nested Loop 69, Index Scan 39, Bitmap Heap Scan 11, SubPlan 34, Gather 47, Append 54, Gone Over: after 0
company: uncommitted 185, daemon 185, rewritten 176, vacuum 197
