-- calls: seed 8200008, case 3631, after 3632 queries and 21 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200008 --queries 1000000 --seconds 60.0 --findings 3
calls: seed 8200008, case 3631, after 3632 queries and 21 s 
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
CREATE TABLE d2 (u int4, k numeric, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (CASE WHEN (i) % 2 = 0 THEN (i)::numeric ELSE (i)::numeric(9,2) END), ((i * 7919 + 39) % 10)::int4, (i * 31 + 32) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
ANALYZE d2;
CREATE TABLE d3 (u int4, k small, x int4, g int4, t text) PARTITION BY HASH (u);
CREATE TABLE d3_0 PARTITION OF d3 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE d3_1 (gone int, t text, x int4, u int4, k small, g int4);
ALTER TABLE d3_1 DROP gone;
ALTER TABLE d3 ATTACH PARTITION d3_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE d3_2 PARTITION OF d3 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO d3 (u, k, x, g, t) SELECT i, (i)::int4::small, CASE WHEN i % 29 <> 0 THEN (least((i * 7919 + 10) % 10, (i * 13) % 2))::int4 END, least((i * 7 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
CREATE INDEX ON d3 (k);
ANALYZE d3, d3_0, d3_1, d3_2;
CREATE TABLE d4_a (u int4, k text COLLATE german, x int4, g int4, t text);
INSERT INTO d4_a (u, k, x, g, t) SELECT i, 'ä' || ((i * 1 + 4) % 90), CASE WHEN i % 11 <> 0 THEN ((i * 31 + 11) % 10)::int4 END, (i * 7 + 7) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 3 = 0;
CREATE INDEX ON d4_a (u);
CREATE TABLE d4_b (u int4, k text COLLATE german, x int4, g int4, t text);
INSERT INTO d4_b (u, k, x, g, t) SELECT i, 'ä' || ((i * 1 + 4) % 90), CASE WHEN i % 11 <> 0 THEN ((i * 31 + 11) % 10)::int4 END, (i * 7 + 7) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 3 > 0;
CREATE INDEX ON d4_b (u);
CREATE VIEW d4 AS SELECT * FROM d4_a UNION ALL SELECT * FROM d4_b;
ANALYZE d4_a, d4_b;
CREATE TABLE f1 (gone int, u int4, k0 int2, k1 varchar(9), k2 numeric, k3 small, k4 text COLLATE german, x int4, g int4, t text, pad text, lost text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, ((i * 7 + 33) % 42)::int2, ('t' || (least((i * 1 + 29) % 42, (i * 13) % 8)))::varchar(9), CASE WHEN i % 3 <> 0 THEN (CASE WHEN (least((i * 7 + 21) % 47, (i * 13) % 9)) % 2 = 0 THEN (least((i * 7 + 21) % 47, (i * 13) % 9))::numeric ELSE (least((i * 7 + 21) % 47, (i * 13) % 9))::numeric(9,2) END) END, ((i * 31 + 25) % 2)::int4::small, CASE WHEN i % 29 <> 0 THEN 'ä' || (least((i * 1 + 28) % 92, (i * 13) % 18)) END, (least((i * 7 + 15) % 10, (i * 13) % 2))::int4, (i * 31 + 23) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 300) i WHERE true;
ALTER TABLE f1 DROP gone, DROP lost;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0, x);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2) WHERE (g < 4);
CREATE INDEX ON f1 (k4, x);
CREATE TABLE f1_t AS SELECT u FROM f1 WHERE x < 7;
ALTER TABLE f1 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON f1 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ROLE reader; SELECT d2.u::int, f1.k3::int FROM f1 f1 JOIN d3 d2 ON f1.k3 = d2.k AND d2.g BETWEEN 2 AND 9 WHERE d2.k <= f1.g AND f1.k0 <= (10 / (f1.g - 5)) UNION ALL SELECT d7.g::int, f3.k0::int FROM f1 f3 JOIN (VALUES ('t' || (21)), ('t' || (0)), ('t' || (0))) d4 (k) ON f3.k1 = d4.k JOIN d2 d7 ON f3.k2 = d7.k;
ROLLBACK;
--   with ssdpar: 58 rows ['0', '5'], ['0', '5'], ['0', '5'], ['0', '5'], ['0', '5']; calls 82, written 0 
--   without:     58 rows ['0', '5'], ['0', '5'], ['0', '5'], ['0', '5'], ['0', '5']; calls 554, written 0 
--   without:     58 rows ['0', '5'], ['0', '5'], ['0', '5'], ['0', '5'], ['0', '5']; calls 359, written 0 

seed 8200008: 10927 queries, 1 findings, 182 a second
verdicts: an error less 3, calls 1, core's plans differ 86, same 10837, same error 381, with rows 6354
errors: 22P02 invalid input syntax for type integer: "bad" 116, 22012 division by zero 85, 23514 value for domain few violates check constraint "few_ch 68, P0001 no sevens 52, 42809 cannot change materialized view "f0" 10, 0A000 FOR SHARE is not allowed with GROUP BY clause 7, 0A000 FOR SHARE is not allowed with DISTINCT clause 6, 0A000 FOR SHARE cannot be applied to the nullable side of an 6, 55000 cannot update view "f2" 5, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 4, 55000 cannot update view "f1" 4, 55000 cannot update view "f0" 2
plans: plans 1351, Ssdpar 352, SsdparStarScan 337, by bitmap 117, sequentially 220, by workers 39, of array keys 85, joined 46, SsdparStarKeys 110, SsdparShardKeys 0, SsdparPartition 16, SsdparIndexJoin 0, Rows Measured 99, Nested Loop 596, Index Scan 370, Bitmap Heap Scan 86, SubPlan 352, Gather 293, Append 785, Gone Over: after 0
