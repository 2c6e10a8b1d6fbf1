-- calls: seed 8200021, case 8106, after 8107 queries and 42 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200021 --queries 1000000 --seconds 60.0 --findings 3
calls: seed 8200021, case 8106, after 8107 queries and 42 s 
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
CREATE TABLE d1 (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d1 (u, k, x, g, t) SELECT i, md5((i)::text)::uuid, CASE WHEN i % 29 <> 0 THEN ((i * 1 + 26) % 10)::int4 END, (i * 7919 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
UPDATE d1 SET x = x WHERE u % 5 = 0;
DELETE FROM d1 WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1 (k); END $$;
CREATE TABLE d1_t AS SELECT u FROM d1 WHERE x < 7;
ALTER TABLE d1 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d1 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
ANALYZE d1, d1_t;
CREATE TABLE f1 (gone int, u int4, k0 small, k1 uuid, k2 int8, x int4, g int4, t text, pad text, lost text);
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 20) % 122)::int4::small END, md5((least((i * 1 + 30) % 54, (i * 13) % 10))::text)::uuid, CASE WHEN i % 3 <> 0 THEN (least((i * 31 + 22) % 2, (i * 13) % 1))::int8 END, (least((i * 31 + 24) % 10, (i * 13) % 2))::int4, (i * 1 + 12) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
ALTER TABLE f1 DROP gone, DROP lost;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2 DESC);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ROLE reader; SELECT f1.k2::int, f1.k0::int FROM (SELECT * FROM (SELECT * FROM f1 s2) s3 WHERE s3.k2 > 3) f1 JOIN d1 d4 ON f1.k1 = d4.k ORDER BY 1, 2 LIMIT 11;
ROLLBACK;
--   with ssdpar: 0 rows ; calls 37, written 0 
--   without:     0 rows ; calls 0, written 0 

seed 8200021: 11172 queries, 2 findings, 186 a second
verdicts: calls 1, core's nodes call it 2, core's nodes raise it 1, core's plans differ 87, error 1, same 11080, same error 332, with rows 6211
errors: 22P02 invalid input syntax for type integer: "bad" 116, 23514 value for domain few violates check constraint "few_ch 62, 22012 division by zero 50, P0001 no sevens 46, 55000 cannot update view "f1" 13, 0A000 FOR SHARE is not allowed with GROUP BY clause 6, 0A000 FOR SHARE cannot be applied to the nullable side of an 6, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 5, 0A000 FOR SHARE is not allowed with DISTINCT clause 5, 22P02 invalid input syntax for type integer: "t1" 5, 55000 cannot delete from view "f1" 4, 55000 cannot delete from view "f0" 4
plans: plans 1381, Ssdpar 360, SsdparStarScan 341, by bitmap 119, sequentially 222, by workers 49, of array keys 71, joined 46, SsdparStarKeys 89, SsdparShardKeys 0, SsdparPartition 19, SsdparIndexJoin 0, Rows Measured 81, Nested Loop 609, Index Scan 362, Bitmap Heap Scan 95, SubPlan 323, Gather 299, Append 662, Gone Over: after 0
