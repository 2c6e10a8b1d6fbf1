-- error: seed 8100038, case 7873, after 7874 queries and 50 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100038 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8100038, case 7873, after 7874 queries and 50 s 
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
CREATE FUNCTION looks_up(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql SET max_parallel_workers_per_gather = 0 AS $$
BEGIN RETURN (SELECT count(*) FROM d0 WHERE x = v); END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0_t (u int4, k date, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN date '2020-01-01' + ((i * 1 + 35) % 24)::int END, ((i * 1 + 1) % 10)::int4, least((i * 1 + 29) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE FOREIGN TABLE d0 (u int4, k date, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd0_t');
ANALYZE d0_t;
CREATE TABLE d2_a (u int4, k small, x int4, g int4, t text);
INSERT INTO d2_a (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (i)::int4::small END, (least((i * 7919 + 40) % 10, (i * 13) % 2))::int4, least((i * 1 + 11) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 3 = 0;
CREATE INDEX ON d2_a (k);
CREATE TABLE d2_b (u int4, k small, x int4, g int4, t text);
INSERT INTO d2_b (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (i)::int4::small END, (least((i * 7919 + 40) % 10, (i * 13) % 2))::int4, least((i * 1 + 11) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE i % 3 > 0;
CREATE INDEX ON d2_b (k);
CREATE VIEW d2 AS SELECT * FROM d2_a UNION ALL SELECT * FROM d2_b;
CREATE TABLE d3 (u int4, k int8, x int4, g int4, t text);
INSERT INTO d3 (u, k, x, g, t) SELECT i, (i)::int8, CASE WHEN i % 3 <> 0 THEN ((i * 7 + 3) % 10)::int4 END, (i * 31 + 2) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3 (k); END $$;
CREATE TABLE f1 (u int4, k0 date, k1 bool, k2 small, k3 small, k4 int8, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN date '2020-01-01' + ((i * 1 + 48) % 22)::int END, ((least((i * 7 + 5) % 22, (i * 13) % 4)) % 2 = 0), ((i * 7919 + 49) % 2)::int4::small, ((i * 7 + 24) % 47)::int4::small, CASE WHEN i % 11 <> 0 THEN ((i * 1 + 2) % 92)::int8 END, (least((i * 31 + 12) % 10, (i * 13) % 2))::int4, (i * 7 + 15) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k3 DESC);
CREATE INDEX ON f1 (k4);
CREATE INDEX ON f1 (u);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; DECLARE c SCROLL CURSOR FOR SELECT f1.x, bool_and(f1.k4 > 2) FROM f1 f1 JOIN d0 d2 ON f1.k0 = d2.k AND d2.x = ANY (ARRAY(SELECT looks_up(q3.g::int % 10) FROM d3 q3)) WHERE true AND f1.k3 < 5 GROUP BY CUBE (f1.x); FETCH 3 FROM c; FETCH BACKWARD 2 FROM c; MOVE FORWARD 5 FROM c; MOVE BACKWARD ALL FROM c; FETCH ALL FROM c;
ROLLBACK;
--   with ssdpar: 42P01 relation "d0" does not exist; calls 0, written 
--   without:     1 rows [None, None]; calls 0, written 0 

seed 8100038: 9196 queries, 1 findings, 153 a second
verdicts: an error less 4, core raises it too 1, core's plans differ 68, error 1, same 9122, same error 339, with rows 5226
errors: 22P02 invalid input syntax for type integer: "bad" 107, 23514 value for domain few violates check constraint "few_ch 67, P0001 no sevens 43, 22012 division by zero 42, 55000 cannot update view "f1" 12, 0A000 nondeterministic collations are not supported for LIKE 10, 0A000 FOR SHARE cannot be applied to the nullable side of an 10, 55000 cannot delete from view "f1" 7, 42809 cannot change materialized view "f0" 6, 0A000 FOR SHARE is not allowed with DISTINCT clause 5, 55000 cannot update view "f0" 5, 0A000 FOR SHARE is not allowed with GROUP BY clause 4
plans: plans 1132, Ssdpar 264, SsdparStarScan 251, by bitmap 81, sequentially 171, by workers 22, of array keys 56, joined 36, SsdparStarKeys 78, SsdparShardKeys 0, SsdparPartition 12, SsdparIndexJoin 2, Rows Measured 61, Nested Loop 478, Index Scan 281, Bitmap Heap Scan 75, SubPlan 306, Gather 258, Append 698, Gone Over: after 0
