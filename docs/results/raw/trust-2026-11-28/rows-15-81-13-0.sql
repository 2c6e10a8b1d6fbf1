-- error: seed 8100013, case 2343, after 2344 queries and 22 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100013 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8100013, case 2343, after 2344 queries and 22 s 
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
CREATE TABLE d1_t (u int4, k text COLLATE german, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, 'ä' || ((i * 7919 + 43) % 90), (least((i * 31 + 49) % 10, (i * 13) % 2))::int4, (i * 7 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d1_t SET x = x WHERE u % 5 = 0;
DELETE FROM d1_t WHERE u % 13 = 4;
CREATE INDEX ON d1_t (u);
CREATE FOREIGN TABLE d1 (u int4, k text COLLATE german, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd1_t');
ANALYZE d1_t;
CREATE TABLE d3_t (gone int, u int4, k colour, x int4, g int4, t text, lost text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (i)::int % 5], CASE WHEN i % 11 <> 0 THEN ((i * 31 + 7) % 10)::int4 END, (i * 7 + 20) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d3_t DROP gone, DROP lost;
UPDATE d3_t SET x = x WHERE u % 5 = 0;
DELETE FROM d3_t WHERE u % 13 = 4;
CREATE INDEX ON d3_t (x);
CREATE VIEW d3 WITH (security_barrier) AS SELECT DISTINCT * FROM d3_t WHERE plain(x) < 9;
CREATE TABLE d4 (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d4 (u, k, x, g, t) SELECT i, md5((i)::text)::uuid, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 16) % 10)::int4 END, (i * 7 + 5) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
UPDATE d4 SET x = x WHERE u % 5 = 0;
DELETE FROM d4 WHERE u % 13 = 4;
ANALYZE d4;
CREATE TABLE f2 (u int4, k0 int2, k1 text COLLATE german, k2 float4, k3 colour, k4 uuid, x int4, g int4, t text, pad text);
INSERT INTO f2 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, (least((i * 1 + 46) % 272, (i * 13) % 54))::int2, 'ä' || ((i * 7 + 17) % 47), CASE WHEN i % 29 <> 0 THEN (((i * 7 + 2) % 119) / 2.0)::float4 END, (enum_range(NULL::colour))[1 + ((i * 7919 + 3) % 22)::int % 5], md5(((i * 7919 + 38) % 54)::text)::uuid, ((i * 1 + 21) % 10)::int4, least((i * 7 + 8) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
UPDATE f2 SET x = x WHERE u % 5 = 0;
DELETE FROM f2 WHERE u % 13 = 4;
CREATE INDEX ON f2 (k0);
CREATE INDEX ON f2 (k1);
CREATE INDEX ON f2 (k2);
CREATE INDEX ON f2 (k4 DESC);
ANALYZE f2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT o1.x, y.n FROM d1 o1 CROSS JOIN LATERAL (SELECT max(d3.u) AS n FROM f2 f2 JOIN d3 d3 ON f2.k3 = d3.k WHERE true AND d3.x <= (d3.t::text::int) AND EXISTS (SELECT FROM d4 d4 WHERE f2.k4 = d4.k) AND f2.g > 5) y WHERE o1.u < 20;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     17 rows ['0', None], ['0', None], ['0', None], ['0', None], ['0', None]; calls 0, written 0 

seed 8100013: 6994 queries, 1 findings, 117 a second
verdicts: an error less 3, another of its errors 1, core's nodes call it 1, core's plans differ 52, error 1, same 6935, same error 220, stopped 1, with rows 3990
errors: 22P02 invalid input syntax for type integer: "bad" 57, 23514 value for domain few violates check constraint "few_ch 48, 22012 division by zero 44, P0001 no sevens 32, 0A000 FOR SHARE cannot be applied to the nullable side of an 7, 0A000 nondeterministic collations are not supported for LIKE 7, 0A000 FOR SHARE is not allowed with GROUP BY clause 5, 42809 cannot change materialized view "f0" 5, 0A000 FOR SHARE is not allowed with DISTINCT clause 4, 0A000 DECLARE SCROLL CURSOR ... FOR UPDATE/SHARE is not supp 2, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 2, 22P02 invalid input syntax for type integer: "t0" 1
plans: plans 861, Ssdpar 207, SsdparStarScan 204, by bitmap 67, sequentially 137, by workers 29, of array keys 56, joined 26, SsdparStarKeys 51, SsdparShardKeys 0, SsdparPartition 3, SsdparIndexJoin 1, Rows Measured 36, Nested Loop 394, Index Scan 232, Bitmap Heap Scan 65, SubPlan 240, Gather 173, Append 486, Gone Over: after 0
