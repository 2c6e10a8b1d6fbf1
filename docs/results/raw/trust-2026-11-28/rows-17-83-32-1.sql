-- error: seed 8300032, case 4733, after 4734 queries and 57 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300032 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300032, case 4733, after 4734 queries and 57 s 
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
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d2 (u int4, k text, x int4, g int4, t text) PARTITION BY LIST (g);
CREATE TABLE d2_0 PARTITION OF d2 FOR VALUES IN (0, 1);
CREATE TABLE d2_1 (gone int, t text, u int4, x int4, g int4, k text);
ALTER TABLE d2_1 DROP gone;
ALTER TABLE d2 ATTACH PARTITION d2_1 FOR VALUES IN (2);
CREATE TABLE d2_2 PARTITION OF d2 DEFAULT;
INSERT INTO d2 (u, k, x, g, t) SELECT i, 't' || ((i * 7 + 2) % 24), (least((i * 1 + 42) % 10, (i * 13) % 2))::int4, least((i * 7919 + 43) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ANALYZE d2, d2_0, d2_1, d2_2;
CREATE TABLE d3_t (gone int, u int4, k bool, x int4, g int4, t text, lost text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (((i * 7919 + 6) % 24) % 2 = 0) END, ((i * 31 + 32) % 10)::int4, (i * 7 + 34) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d3_t DROP gone, DROP lost;
UPDATE d3_t SET x = x WHERE u % 5 = 0;
DELETE FROM d3_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE INDEX ON d3_t (u);
CREATE FOREIGN TABLE d3 (u int4, k bool, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd3_t');
ANALYZE d3_t;
CREATE TABLE d4 (u int4, k small, x int4, g int4, t text);
INSERT INTO d4 (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (i)::int4::small END, ((i * 31 + 11) % 10)::int4, least((i * 31 + 44) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
CREATE TABLE d4_t AS SELECT u FROM d4 WHERE x < 7;
ALTER TABLE d4 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d4 TO reader USING (plain(g) <> 1) WITH CHECK (true);
CREATE TABLE f0 (u int4, k0 small, k1 int8, k2 varchar(9), k3 bool, k4 int8, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, ((i * 7 + 33) % 92)::int4::small, (least((i * 7 + 42) % 272, (i * 13) % 54))::int8, ('t' || ((i * 1 + 21) % 42))::varchar(9), (((i * 1 + 29) % 22) % 2 = 0), ((i * 31 + 14) % 2)::int8, CASE WHEN i % 3 <> 0 THEN (least((i * 1 + 17) % 10, (i * 13) % 2))::int4 END, (i * 7919 + 34) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f0 (k0) WHERE (g < 4);
CREATE INDEX ON f0 (k2);
CREATE INDEX ON f0 (k4) WHERE (g < 4);
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 int8, k1 int8, k2 text, k3 bool, k4 small, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN ((i * 7 + 35) % 47)::int8 END, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 47) % 119)::int8 END, 't' || ((i * 31 + 1) % 42), (((i * 7 + 41) % 122) % 2 = 0), ((i * 31 + 12) % 2)::int4::small, CASE WHEN i % 29 <> 0 THEN (least((i * 31 + 22) % 10, (i * 13) % 2))::int4 END, (i * 1 + 3) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 100) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2, x);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT f1.g, generate_series(1, f1.g % 3) FROM f0 f1 CROSS JOIN LATERAL (SELECT * FROM d2 d2 WHERE f1.k2 = d2.k) l3 RIGHT JOIN d3 d4 ON f1.k3 = d4.k AND true AND raises(d4.x::int) BETWEEN 2 AND 8 WHERE true AND f1.k0 BETWEEN 4 AND 3;
ROLLBACK;
--   with ssdpar: P0001 no sevens; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 8300032: 5113 queries, 2 findings, 85 a second
verdicts: another of its errors 1, core's plans differ 46, error 2, same 5064, same error 189, with rows 2848
errors: 22P02 invalid input syntax for type integer: "bad" 60, 22012 division by zero 33, 23514 value for domain few violates check constraint "few_ch 32, P0001 no sevens 24, 0A000 nondeterministic collations are not supported for LIKE 12, 0A000 FOR SHARE cannot be applied to the nullable side of an 6, 0A000 FOR SHARE is not allowed with GROUP BY clause 5, 55000 cannot update view "f0" 5, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 4, 0A000 FOR SHARE is not allowed with DISTINCT clause 2, 55000 cannot delete from view "f0" 2, 42809 cannot lock rows in materialized view "d1" 1
plans: plans 631, Ssdpar 147, SsdparStarScan 136, by bitmap 42, sequentially 94, by workers 18, of array keys 33, joined 20, SsdparStarKeys 56, SsdparShardKeys 0, SsdparPartition 10, SsdparIndexJoin 1, Rows Measured 40, Nested Loop 265, Index Scan 135, Bitmap Heap Scan 30, SubPlan 161, Gather 137, Append 415, Gone Over: after 0
