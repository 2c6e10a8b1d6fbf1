-- error: seed 9200003, case 1280, after 1281 queries and 59 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 9200003 --queries 1000000 --seconds 60.0 --findings 3 --wide --company 2
error: seed 9200003, case 1280, after 1281 queries and 59 s 
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
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0 (u int4, k interval, x int4, g int4, t text) PARTITION BY LIST (x);
CREATE TABLE d0_n PARTITION OF d0 FOR VALUES IN (NULL, 0, 1);
CREATE TABLE d0_r PARTITION OF d0 DEFAULT PARTITION BY RANGE (u);
CREATE TABLE d0_r1 PARTITION OF d0_r FOR VALUES FROM (MINVALUE) TO (50);
CREATE TABLE d0_r2 PARTITION OF d0_r DEFAULT;
INSERT INTO d0 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (CASE WHEN (i) % 2 = 0 THEN (i) * interval '1 month' ELSE (i) * interval '30 days' END) END, ((i * 7919 + 39) % 10)::int4, (i * 31 + 20) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON d0 (k);
DO $$ BEGIN CREATE INDEX ON d0 (lower(t)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d0 USING brin (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d0, d0_n, d0_r, d0_r1, d0_r2;
CREATE TABLE d2 (u int4, k time, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (time '00:00' + (least((i * 7 + 29) % 40, (i * 13) % 8)) * interval '1 minute'), ((i * 7919 + 32) % 10)::int4, (i * 7919 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
UPDATE d2 SET x = x WHERE u % 5 = 0;
DELETE FROM d2 WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
CREATE INDEX ON d2 (g, x);
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (plain(g) <> 1) WITH CHECK (true);
DO $$ BEGIN CREATE INDEX ON d2_t ((x + g)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d2_t USING spgist (t); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d2, d2_t;
CREATE TABLE f1 (u int4, k0 interval, k1 uuid, k2 time, x int4, g int4, t text, pad text) PARTITION BY LIST (g);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES IN (0, 1);
CREATE TABLE f1_1 (gone int, t text, g int4, pad text, u int4, k2 time, k0 interval, x int4, k1 uuid);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES IN (2);
CREATE TABLE f1_2 PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 7 + 39) % 902) % 2 = 0 THEN ((i * 7 + 39) % 902) * interval '1 month' ELSE ((i * 7 + 39) % 902) * interval '30 days' END) END, md5(((i * 1 + 43) % 122)::text)::uuid, CASE WHEN i % 3 <> 0 THEN (time '00:00' + ((i * 1 + 42) % 42) * interval '1 minute') END, (least((i * 31 + 29) % 10, (i * 13) % 2))::int4, least((i * 7919 + 41) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f1 (k0) WHERE (g < 4);
CREATE INDEX ON f1 (k1 DESC);
CREATE INDEX ON f1 (k2, x);
DO $$ BEGIN CREATE INDEX ON f1_1 USING hash (x); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON f1_1 USING gin ((ARRAY[x, g])); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f1, f1_0, f1_1, f1_2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SELECT EXISTS (SELECT FROM f1 f1 JOIN d0 d3 ON f1.k0 = d3.k WHERE true AND f1.k2 IN (SELECT d2.k FROM d2 d2 WHERE (10 / (d2.u - 5)) < 1) AND (d3.t::text::int) < 9);
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     22012 division by zero; calls 0, written 
--   without:     1 rows ['t']; calls 0, written 0 

seed 9200003: 1330 queries, 1 findings, 22 a second
verdicts: core's plans differ 6, error 1, same 1321, same error 18, stopped 2, with rows 871
errors: P0001 no sevens 6, 22012 division by zero 5, 22P02 invalid input syntax for type integer: "bad" 4, 23514 value for domain few violates check constraint "few_ch 3, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 1
plans: plans 1321, Ssdpar 592, SsdparStarScan 561, by bitmap 233, sequentially 330, by workers 167, of array keys 121, joined 114, SsdparStarKeys 213, SsdparShardKeys 3, SsdparPartition 22, SsdparIndexJoin 9, Rows Measured 137, Nested Loop 632, Index Scan 561, Bitmap Heap Scan 114, SubPlan 187, Gather 602, Append 733, Gone Over: after 0
company: uncommitted 108, daemon killed 36, daemon stopped 37, rewritten 102, vacuum 112
