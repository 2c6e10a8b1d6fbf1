-- error: seed 6300002, case 225, after 226 queries and 6 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 6300002 --queries 1000000 --seconds 60.0 --findings 3
error: seed 6300002, case 225, after 226 queries and 6 s 
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
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE FUNCTION joins(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql SET max_parallel_workers_per_gather = 0 AS $$
BEGIN
  RETURN (SELECT count(*) % 10 FROM f0 JOIN d0 ON f0.k0 = d0.k
          WHERE d0.g = v);
END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0_a (u int4, k float4, x int4, g int4, t text);
INSERT INTO d0_a (u, k, x, g, t) SELECT i, ((i) / 2.0)::float4, ((i * 7 + 23) % 10)::int4, least((i * 1 + 48) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 3 = 0;
CREATE INDEX ON d0_a (k);
CREATE TABLE d0_b (u int4, k float4, x int4, g int4, t text);
INSERT INTO d0_b (u, k, x, g, t) SELECT i, ((i) / 2.0)::float4, ((i * 7 + 23) % 10)::int4, least((i * 1 + 48) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 3 > 0;
CREATE INDEX ON d0_b (k);
CREATE VIEW d0 AS SELECT * FROM d0_a UNION ALL SELECT * FROM d0_b;
ANALYZE d0_a, d0_b;
CREATE TABLE d2 (gone int, u int4, k float4, x int4, g int4, t text, lost text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN ((i) / 2.0)::float4 END, ((i * 1 + 12) % 10)::int4, (i * 7919 + 18) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
ALTER TABLE d2 DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (u IN (SELECT u FROM d2_t)) WITH CHECK (true);
ANALYZE d2, d2_t;
CREATE TABLE d4_t (u int4, k text COLLATE german, x int4, g int4, t text);
INSERT INTO d4_t (u, k, x, g, t) SELECT i, 'ä' || ((i * 7 + 29) % 54), (least((i * 1 + 1) % 10, (i * 13) % 2))::int4, (i * 7 + 30) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d4_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d4_t (k); END $$;
CREATE INDEX ON d4_t (u);
CREATE VIEW d4 WITH (security_barrier) AS SELECT DISTINCT * FROM d4_t WHERE plain(x) < 9;
ANALYZE d4_t;
CREATE TABLE f0 (u int4, k0 float4, k1 colour, k2 float4, k3 int2, k4 text COLLATE german, x int4, g int4, t text, pad text) PARTITION BY RANGE (x);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE f0_1 (gone int, x int4, k4 text COLLATE german, pad text, k2 float4, u int4, g int4, k0 float4, k3 int2, k1 colour, t text);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE f0_2 PARTITION OF f0 DEFAULT;
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN (((i * 1 + 11) % 2) / 2.0)::float4 END, (enum_range(NULL::colour))[1 + ((i * 7919 + 36) % 22)::int % 5], (((i * 1 + 22) % 14) / 2.0)::float4, ((i * 31 + 9) % 2)::int2, CASE WHEN i % 29 <> 0 THEN 'ä' || (least((i * 31 + 5) % 119, (i * 13) % 23)) END, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 10) % 10)::int4 END, (i * 31 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 200) i WHERE true;
CREATE INDEX ON f0 (k0) WHERE (g < 4);
CREATE INDEX ON f0 (k1 DESC);
CREATE INDEX ON f0 (k2);
CREATE INDEX ON f0 (k3);
CREATE INDEX ON f0 (k4);
CREATE TABLE f1 (u int4, k0 float4, k1 colour, k2 float4, k3 int2, k4 text COLLATE german, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN (((i * 7 + 36) % 2) / 2.0)::float4 END, CASE WHEN i % 29 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 7919 + 23) % 22)::int % 5] END, CASE WHEN i % 29 <> 0 THEN ((least((i * 1 + 27) % 38, (i * 13) % 7)) / 2.0)::float4 END, ((i * 1 + 33) % 2)::int2, CASE WHEN i % 11 <> 0 THEN 'ä' || (least((i * 7 + 32) % 119, (i * 13) % 23)) END, CASE WHEN i % 11 <> 0 THEN (least((i * 1 + 5) % 10, (i * 13) % 2))::int4 END, (i * 31 + 2) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f1 (k0) WHERE (g < 4);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k4);
CREATE TABLE f1_t AS SELECT u FROM f1 WHERE x < 7;
ALTER TABLE f1 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON f1 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
ANALYZE f1, f1_t;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT o1.x, (SELECT count(*) FILTER (WHERE d6.g > 3) FROM (SELECT * FROM (SELECT * FROM f1 s3 WHERE true AND joins(CASE WHEN s3.x < 3 THEN s3.x::int END) IN (9, 2, 1, 2)) s4 WHERE true) f2 JOIN d2 d6 ON f2.k2 = d6.k JOIN d4 d9 ON f2.k4 = d9.k WHERE d6.g = (15)::int4 AND (d9.t::text::int) > 6) FROM d4 o1 WHERE o1.u < 15 AND true;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     14 rows ['0', '0'], ['0', '0'], ['0', '0'], ['0', '0'], ['0', '0']; calls 0, written 0 

seed 6300002: 4673 queries, 1 findings, 78 a second
verdicts: another of its errors 1, core's nodes raise it 1, core's plans differ 37, error 1, same 4631, same error 159, stopped 2, with rows 2659
errors: 22P02 invalid input syntax for type integer: "bad" 56, 23514 value for domain few violates check constraint "few_ch 31, P0001 no sevens 26, 22012 division by zero 25, 0A000 FOR SHARE cannot be applied to the nullable side of an 4, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 4, 55000 cannot update view "f0" 4, 0A000 FOR SHARE is not allowed with GROUP BY clause 2, 0A000 nondeterministic collations are not supported for LIKE 2, 22P02 invalid input syntax for type integer: "t13" 2, 42P01 relation "d0" does not exist 1, 42P01 relation "calls" does not exist 1
plans: plans 579, Ssdpar 136, SsdparStarScan 133, by bitmap 45, sequentially 88, by workers 15, of array keys 30, joined 17, SsdparStarKeys 36, SsdparShardKeys 0, SsdparPartition 3, SsdparIndexJoin 0, Rows Measured 40, Nested Loop 253, Index Scan 140, Bitmap Heap Scan 28, SubPlan 155, Gather 113, Append 338, Gone Over: after 0
