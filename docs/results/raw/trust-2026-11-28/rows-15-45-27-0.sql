-- error: seed 4500027, case 2774, after 2775 queries and 47 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 4500027 --queries 1000000 --seconds 60.0 --findings 3
error: seed 4500027, case 2774, after 2775 queries and 47 s 
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
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d1_t (u int4, k int2, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (least((i * 31 + 13) % 24, (i * 13) % 4))::int2 END, ((i * 1 + 24) % 10)::int4, (i * 7 + 10) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE INDEX ON d1_t (u);
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE u > 0;
ANALYZE d1_t;
CREATE TABLE d2 (u int4, k int2, x int4, g int4, t text);
CREATE TABLE d2_1 (more int) INHERITS (d2);
INSERT INTO d2 (u, k, x, g, t) SELECT i, ((i * 1 + 46) % 1)::int2, (least((i * 7919 + 38) % 10, (i * 13) % 2))::int4, (i * 7 + 17) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 2 = 0;
INSERT INTO d2_1 (u, k, x, g, t) SELECT i, ((i * 1 + 46) % 1)::int2, (least((i * 7919 + 38) % 10, (i * 13) % 2))::int4, (i * 7 + 17) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 2 = 1;
ANALYZE d2, d2_1;
CREATE TABLE d4 (u int4, k int4, x int4, g int4, t text);
INSERT INTO d4 (u, k, x, g, t) SELECT i, (i)::int4, CASE WHEN i % 29 <> 0 THEN ((i * 31 + 16) % 10)::int4 END, (i * 7 + 35) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d4 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d4 (k); END $$;
ANALYZE d4;
CREATE TABLE f1 (u int4, k0 timestamp, k1 int4, k2 small, k3 timestamptz, k4 int4, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, timestamp '2020-01-01 00:00' + ((i * 31 + 48) % 54) * interval '1 day', (least((i * 7919 + 28) % 54, (i * 13) % 10))::int4, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 48) % 2)::int4::small END, timestamptz '2020-01-01 00:00' + ((i * 31 + 15) % 3) * interval '12 hours', CASE WHEN i % 11 <> 0 THEN ((i * 7 + 14) % 2)::int4 END, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 6) % 10)::int4 END, (i * 7 + 41) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 200) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2) WHERE (g < 4);
CREATE INDEX ON f1 (u);
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT d2.g, sum(f1.g) FROM f1 f1 JOIN d4 d2 ON f1.k4 = d2.k WHERE true AND f1.k1 IN (SELECT d4.k FROM d1 d4 WHERE (d4.x <= (d4.g::int::few) OR NOT (raises(d4.x::int) = 2))) GROUP BY CUBE (d2.g);
ROLLBACK;
--   with ssdpar: P0001 no sevens; calls 0, written 
--   without:     1 rows [None, None]; calls 0, written 0 

seed 4500027: 3601 queries, 1 findings, 60 a second
verdicts: an error less 1, core's plans differ 26, error 1, same 3573, same error 105, with rows 2002
errors: 22P02 invalid input syntax for type integer: "bad" 37, P0001 no sevens 19, 22012 division by zero 18, 23514 value for domain few violates check constraint "few_ch 15, 0A000 nondeterministic collations are not supported for LIKE 5, 0A000 FOR SHARE cannot be applied to the nullable side of an 4, 42809 cannot change materialized view "f2" 3, 0A000 FOR SHARE is not allowed with DISTINCT clause 2, 42P01 relation "f0" does not exist 1, 22P02 invalid input syntax for type integer: "t113" 1, 22P02 invalid input syntax for type integer: "t25" 1
plans: plans 450, Ssdpar 90, SsdparStarScan 88, by bitmap 37, sequentially 51, by workers 15, of array keys 15, joined 5, SsdparStarKeys 32, SsdparShardKeys 0, SsdparPartition 2, SsdparIndexJoin 0, Rows Measured 20, Nested Loop 195, Index Scan 98, Bitmap Heap Scan 17, SubPlan 105, Gather 84, Append 287, Gone Over: after 0
