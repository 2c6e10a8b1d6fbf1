-- error: seed 8200010, case 2606, after 2607 queries and 23 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200010 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200010, case 2606, after 2607 queries and 23 s 
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
CREATE FUNCTION quiet(v int) RETURNS int IMMUTABLE LEAKPROOF
  PARALLEL SAFE LANGUAGE plpgsql AS $$BEGIN RETURN v; END $$;
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0 (u int4, k small, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (least((i * 7919 + 39) % 1, (i * 13) % 1))::int4::small END, ((i * 31 + 14) % 10)::int4, (i * 1 + 48) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
UPDATE d0 SET x = x WHERE u % 5 = 0;
DELETE FROM d0 WHERE u % 13 = 4;
CREATE TABLE d0_t AS SELECT u FROM d0 WHERE x < 7;
ALTER TABLE d0 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d0 TO reader USING (plain(g) <> 1) WITH CHECK (true);
ANALYZE d0, d0_t;
CREATE TABLE d1 (gone int, u int4, k uuid, x int4, g int4, t text, lost text);
INSERT INTO d1 (u, k, x, g, t) SELECT i, md5(((i * 31 + 35) % 40)::text)::uuid, ((i * 7 + 39) % 10)::int4, (i * 1 + 24) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d1 DROP gone, DROP lost;
CREATE TABLE d1_t AS SELECT u FROM d1 WHERE x < 7;
ALTER TABLE d1 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d1 TO reader USING (u IN (SELECT u FROM d1_t)) WITH CHECK (true);
ANALYZE d1, d1_t;
CREATE TABLE d2 (u int4, k bytea, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, decode(lpad((i)::text, 6, '0'), 'hex'), (least((i * 7 + 45) % 10, (i * 13) % 2))::int4, (i * 31 + 3) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (quiet(x) < 8) WITH CHECK (true);
ANALYZE d2, d2_t;
CREATE TABLE f0 (u int4, k0 small, k1 uuid, k2 bytea, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f0_1 (gone int, g int4, u int4, x int4, k1 uuid, t text, k0 small, pad text, k2 bytea);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f0_2 PARTITION OF f0 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO f0 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 7 + 13) % 2)::int4::small END, md5((least((i * 7919 + 17) % 42, (i * 13) % 8))::text)::uuid, CASE WHEN i % 29 <> 0 THEN decode(lpad(((i * 7 + 38) % 2)::text, 6, '0'), 'hex') END, CASE WHEN i % 3 <> 0 THEN ((i * 31 + 16) % 10)::int4 END, least((i * 7919 + 8) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f0 (k0 DESC);
CREATE INDEX ON f0 (k1, x);
CREATE INDEX ON f0 (k2);
CREATE TABLE f1 (u int4, k0 small, k1 uuid, k2 bytea, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 7 + 10) % 2)::int4::small, md5(((i * 1 + 18) % 122)::text)::uuid, decode(lpad((least((i * 1 + 46) % 2, (i * 13) % 1))::text, 6, '0'), 'hex'), (least((i * 7 + 49) % 10, (i * 13) % 2))::int4, least((i * 7 + 24) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 100) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
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
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT count(*) FROM (SELECT f1.u FROM f0 f1 JOIN d0 d2 ON f1.k0 = d2.k WHERE true AND f1.k1 IN (SELECT d3.k FROM (SELECT DISTINCT ON (u) * FROM d1 s4 WHERE (s4.t::text::int) IS NOT NULL ORDER BY u, k, x, g, t) d3) AND f1.k2 IN (SELECT d5.k FROM d2 d5)) few;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     1 rows ['0']; calls 0, written 0 

seed 8200010: 8347 queries, 2 findings, 139 a second
verdicts: an error less 1, another of its errors 1, core's nodes call it 2, core's nodes raise it 1, core's plans differ 63, error 2, same 8277, same error 271, with rows 4827
errors: 22P02 invalid input syntax for type integer: "bad" 109, P0001 no sevens 51, 22012 division by zero 42, 23514 value for domain few violates check constraint "few_ch 39, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 6, 0A000 FOR SHARE cannot be applied to the nullable side of an 5, 55000 cannot delete from view "f0" 4, 55000 cannot update view "f0" 4, 0A000 FOR SHARE is not allowed with GROUP BY clause 3, 0A000 FOR SHARE is not allowed with DISTINCT clause 3, 0A000 FOR SHARE is not allowed with UNION/INTERSECT/EXCEPT 2, 42501 new row violates row-level security policy for table " 2
plans: plans 1033, Ssdpar 280, SsdparStarScan 268, by bitmap 100, sequentially 168, by workers 34, of array keys 52, joined 30, SsdparStarKeys 91, SsdparShardKeys 0, SsdparPartition 12, SsdparIndexJoin 0, Rows Measured 62, Nested Loop 454, Index Scan 297, Bitmap Heap Scan 92, SubPlan 271, Gather 249, Append 631, Gone Over: after 0
