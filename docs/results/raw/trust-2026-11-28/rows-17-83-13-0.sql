-- error: seed 8300013, case 5811, after 5812 queries and 30 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300013 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300013, case 5811, after 5812 queries and 30 s 
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
CREATE TABLE d0_t (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, md5((i)::text)::uuid, CASE WHEN i % 11 <> 0 THEN (least((i * 7919 + 22) % 10, (i * 13) % 2))::int4 END, (i * 7 + 9) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
CREATE VIEW d0 WITH (security_barrier) AS SELECT * FROM d0_t WHERE u > 0;
ANALYZE d0_t;
CREATE TABLE d1 (u int4, k colour, x int4, g int4, t text);
INSERT INTO d1 (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (i)::int % 5], (least((i * 7 + 22) % 10, (i * 13) % 2))::int4, least((i * 1 + 11) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1 (k); END $$;
CREATE INDEX ON d1 (g, x);
CREATE TABLE d1_t AS SELECT u FROM d1 WHERE x < 7;
ALTER TABLE d1 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d1 TO reader USING (x % 3 > 0) WITH CHECK (true);
CREATE TABLE d3 (gone int, u int4, k text COLLATE any_case, x int4, g int4, t text, lost text);
INSERT INTO d3 (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (CASE WHEN (least((i * 31 + 42) % 40, (i * 13) % 8)) % 3 = 0 THEN 'T' ELSE 't' END || (least((i * 31 + 42) % 40, (i * 13) % 8))::int / 2) END, CASE WHEN i % 11 <> 0 THEN (least((i * 1 + 39) % 10, (i * 13) % 2))::int4 END, (i * 1 + 14) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d3 DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3 (k); END $$;
ANALYZE d3;
CREATE TABLE d4_a (u int4, k int8, x int4, g int4, t text);
INSERT INTO d4_a (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 10) % 40)::int8 END, ((i * 31 + 30) % 10)::int4, (i * 1 + 31) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 3 = 0;
CREATE INDEX ON d4_a (u);
CREATE TABLE d4_b (u int4, k int8, x int4, g int4, t text);
INSERT INTO d4_b (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 10) % 40)::int8 END, ((i * 31 + 30) % 10)::int4, (i * 1 + 31) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 3 > 0;
CREATE INDEX ON d4_b (u);
CREATE VIEW d4 AS SELECT * FROM d4_a UNION ALL SELECT * FROM d4_b;
CREATE TABLE f0 (u int4, k0 uuid, k1 colour, k2 float8, k3 text COLLATE any_case, k4 int8, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, md5(((i * 7 + 28) % 17)::text)::uuid, (enum_range(NULL::colour))[1 + ((i * 31 + 7) % 272)::int % 5], (CASE ((i * 31 + 9) % 122) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 31 + 9) % 122) / 2.0 END)::float8, (CASE WHEN ((i * 7 + 28) % 42) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7 + 28) % 42)::int / 2), ((i * 7919 + 4) % 54)::int8, (least((i * 1 + 3) % 10, (i * 13) % 2))::int4, least((i * 7 + 6) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f0 (k0) WHERE (g < 4);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (k2);
CREATE INDEX ON f0 (k3);
CREATE INDEX ON f0 (k4 DESC);
ANALYZE f0;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SELECT o1.x, y.n FROM d1 o1 LEFT JOIN LATERAL (SELECT array_agg(d4.g ORDER BY d4.g) AS n FROM f0 f2 JOIN d0 d4 ON f2.k0 = d4.k WHERE f2.k1 IN (SELECT d3.k FROM d1 d3 WHERE (d3.t::text::int) <> 7) AND f2.g = o1.u) y ON true WHERE o1.u < 20;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     19 rows ['0', None], ['0', None], ['0', None], ['0', None], ['0', None]; calls 0, written 0 

seed 8300013: 9708 queries, 1 findings, 162 a second
verdicts: an error less 3, core raises it too 1, core's nodes call it 1, core's plans differ 73, error 1, same 9629, same error 323, with rows 5440
errors: 22P02 invalid input syntax for type integer: "bad" 126, 22012 division by zero 57, P0001 no sevens 41, 23514 value for domain few violates check constraint "few_ch 38, 0A000 nondeterministic collations are not supported for LIKE 21, 0A000 FOR SHARE cannot be applied to the nullable side of an 7, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 6, 55000 cannot update view "f1" 6, 0A000 FOR SHARE is not allowed with GROUP BY clause 6, 0A000 FOR SHARE is not allowed with DISTINCT clause 5, 42809 cannot change materialized view "f1" 3, 55000 cannot delete from view "f1" 2
plans: plans 1192, Ssdpar 283, SsdparStarScan 273, by bitmap 90, sequentially 183, by workers 34, of array keys 68, joined 31, SsdparStarKeys 82, SsdparShardKeys 0, SsdparPartition 10, SsdparIndexJoin 1, Rows Measured 52, Nested Loop 497, Index Scan 279, Bitmap Heap Scan 65, SubPlan 314, Gather 226, Append 729, Gone Over: after 0
