-- error: seed 8300005, case 5505, after 5506 queries and 31 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300005 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300005, case 5505, after 5506 queries and 31 s 
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
CREATE TABLE d0_t (u int4, k int2, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, (i)::int2, CASE WHEN i % 3 <> 0 THEN ((i * 7 + 19) % 10)::int4 END, (i * 7 + 10) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0_t (k); END $$;
CREATE VIEW d0 WITH (security_barrier) AS SELECT * FROM d0_t WHERE plain(x) < 9;
ANALYZE d0_t;
CREATE TABLE d2 (gone int, u int4, k text COLLATE any_case, x int4, g int4, t text, lost text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN (CASE WHEN ((i * 7919 + 31) % 1) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 31) % 1)::int / 2) END, ((i * 7 + 20) % 10)::int4, (i * 1 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
ALTER TABLE d2 DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
ANALYZE d2;
CREATE TABLE d3_t (u int4, k varchar(9), x int4, g int4, t text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, ('t' || ((i * 31 + 36) % 12))::varchar(9), (least((i * 7 + 26) % 10, (i * 13) % 2))::int4, (i * 7 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE INDEX ON d3_t (u);
CREATE FOREIGN TABLE d3 (u int4, k varchar(9), x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd3_t');
CREATE TABLE d4 (u int4, k small, x int4, g int4, t text);
INSERT INTO d4 (u, k, x, g, t) SELECT i, (least((i * 1 + 43) % 24, (i * 13) % 4))::int4::small, ((i * 7 + 27) % 10)::int4, (i * 31 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d4 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d4 (k); END $$;
ANALYZE d4;
CREATE TABLE f1 (u int4, k0 int2, k1 bytea, k2 text COLLATE any_case, k3 varchar(9), k4 small, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, ((i * 7919 + 45) % 22)::int2, decode(lpad(((i * 7 + 3) % 2)::text, 6, '0'), 'hex'), (CASE WHEN (least((i * 1 + 25) % 2, (i * 13) % 1)) % 3 = 0 THEN 'T' ELSE 't' END || (least((i * 1 + 25) % 2, (i * 13) % 1))::int / 2), ('t' || ((i * 31 + 0) % 38))::varchar(9), ((i * 31 + 24) % 42)::int4::small, ((i * 7 + 37) % 10)::int4, least((i * 7 + 35) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f1 (k0, x);
CREATE INDEX ON f1 (k1, x);
CREATE INDEX ON f1 (k3);
CREATE INDEX ON f1 (k4, x);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT array_agg(f1.x ORDER BY f1.x), array_agg(f1.g ORDER BY f1.g) FROM f1 f1 JOIN d0 d2 ON f1.k0 = d2.k CROSS JOIN LATERAL (SELECT * FROM d4 d3 WHERE f1.k4 = d3.k) l4 WHERE true AND f1.x > (23)::int4 AND raises(d2.u::int) IN (4, 5, 1, 2);
ROLLBACK;
--   with ssdpar: P0001 no sevens; calls 0, written 
--   without:     1 rows [None, None]; calls 0, written 0 

seed 8300005: 10401 queries, 2 findings, 173 a second
verdicts: an error less 2, calls 1, core's nodes raise it 1, core's plans differ 80, error 1, same 10316, same error 326, with rows 5841
errors: 22P02 invalid input syntax for type integer: "bad" 100, 22012 division by zero 60, 23514 value for domain few violates check constraint "few_ch 57, P0001 no sevens 51, 0A000 nondeterministic collations are not supported for LIKE 11, 0A000 FOR SHARE cannot be applied to the nullable side of an 11, 0A000 FOR SHARE is not allowed with GROUP BY clause 8, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 6, 55000 cannot delete from view "f0" 5, 55000 cannot update view "f0" 5, 0A000 FOR SHARE is not allowed with UNION/INTERSECT/EXCEPT 3, 55000 cannot update view "f1" 2
plans: plans 1278, Ssdpar 339, SsdparStarScan 328, by bitmap 101, sequentially 228, by workers 40, of array keys 77, joined 26, SsdparStarKeys 126, SsdparShardKeys 0, SsdparPartition 11, SsdparIndexJoin 0, Rows Measured 58, Nested Loop 573, Index Scan 322, Bitmap Heap Scan 62, SubPlan 308, Gather 257, Append 746, Gone Over: after 0
