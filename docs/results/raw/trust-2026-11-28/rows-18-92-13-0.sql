-- error: seed 9200013, case 2564, after 2565 queries and 23 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 9200013 --queries 1000000 --seconds 60.0 --findings 3
error: seed 9200013, case 2564, after 2565 queries and 23 s 
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
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d4_t (u int4, k small, x int4, g int4, t text);
INSERT INTO d4_t (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int4::small END, ((i * 31 + 36) % 10)::int4, (i * 1 + 32) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d4_t SET x = x WHERE u % 5 = 0;
DELETE FROM d4_t WHERE u % 13 = 4;
CREATE INDEX ON d4_t (x);
CREATE VIEW d4 WITH (security_barrier) AS SELECT * FROM d4_t WHERE g < 4;
ANALYZE d4_t;
CREATE TABLE f0 (u int4, k0 uuid, k1 int2, k2 int4, k3 float8, k4 int2, x int4, g int4, t text, pad text) PARTITION BY RANGE (x);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE f0_1 (gone int, t text, k2 int4, pad text, x int4, k3 float8, g int4, k0 uuid, u int4, k4 int2, k1 int2);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE f0_2 PARTITION OF f0 DEFAULT;
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, md5(((i * 7 + 22) % 272)::text)::uuid, ((i * 7 + 10) % 122)::int2, ((i * 7919 + 20) % 272)::int4, (CASE ((i * 1 + 0) % 2) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 1 + 0) % 2) / 2.0 END)::float8, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 40) % 92)::int2 END, CASE WHEN i % 11 <> 0 THEN ((i * 31 + 5) % 10)::int4 END, least((i * 1 + 21) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f0 (k0, x);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (k2 DESC);
CREATE INDEX ON f0 (k3, x);
CREATE INDEX ON f0 (k4);
ANALYZE f0, f0_0, f0_1, f0_2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL cpu_tuple_cost = '10'; SET LOCAL ssdpar.star_access = 'bitmap'; SELECT f3.k4::int, f3.x::int FROM f0 f3 JOIN (VALUES (md5((18)::text)::uuid), (md5((12)::text)::uuid), (md5((1)::text)::uuid)) d4 (k) ON f3.k0 = d4.k WHERE true AND EXISTS (SELECT FROM (SELECT u, k, x, g, t FROM d4 s6 WHERE (s6.k <= s6.x OR s6.u <= s6.k) AND (s6.t::text::int) IS NOT NULL GROUP BY u, k, x, g, t) d5 WHERE f3.k4 = d5.k AND d5.g IN (4, 9, 1, 2)) AND true AND f3.t = ANY (ARRAY['t' || (18), 't' || (3)]);
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 9200013: 6921 queries, 1 findings, 115 a second
verdicts: core's nodes raise it 1, core's plans differ 60, error 1, same 6858, same error 218, stopped 1, with rows 3974
errors: 22P02 invalid input syntax for type integer: "bad" 82, 23514 value for domain few violates check constraint "few_ch 42, 22012 division by zero 42, P0001 no sevens 32, 0A000 FOR SHARE is not allowed with DISTINCT clause 5, 0A000 FOR SHARE is not allowed with GROUP BY clause 3, 55000 cannot update view "f1" 3, 55000 cannot update view "f0" 3, 55000 cannot delete from view "f1" 2, 0A000 FOR SHARE cannot be applied to the nullable side of an 2, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 1, 22P02 invalid input syntax for type integer: "t46" 1
plans: plans 856, Ssdpar 240, SsdparStarScan 229, by bitmap 84, sequentially 145, by workers 18, of array keys 60, joined 19, SsdparStarKeys 92, SsdparShardKeys 0, SsdparPartition 13, SsdparIndexJoin 0, Rows Measured 60, Nested Loop 413, Index Scan 249, Bitmap Heap Scan 69, SubPlan 260, Gather 181, Append 490, Gone Over: after 0
