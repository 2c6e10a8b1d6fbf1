-- error: seed 8100024, case 7023, after 7024 queries and 53 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100024 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8100024, case 7023, after 7024 queries and 53 s 
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
CREATE TABLE d2_t (u int4, k text COLLATE german, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, 'ä' || (i), CASE WHEN i % 29 <> 0 THEN ((i * 31 + 29) % 10)::int4 END, (i * 7919 + 26) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE INDEX ON d2_t (x);
CREATE FOREIGN TABLE d2 (u int4, k text COLLATE german, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd2_t');
CREATE TABLE f1_t (u int4, k0 small, k1 small, k2 text COLLATE german, x int4, g int4, t text, pad text);
INSERT INTO f1_t (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN (least((i * 1 + 46) % 119, (i * 13) % 23))::int4::small END, ((i * 1 + 7) % 22)::int4::small, 'ä' || (least((i * 7 + 2) % 22, (i * 13) % 4)), CASE WHEN i % 29 <> 0 THEN (least((i * 31 + 32) % 10, (i * 13) % 2))::int4 END, (i * 7 + 20) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 100) i WHERE true;
UPDATE f1_t SET x = x WHERE u % 5 = 0;
DELETE FROM f1_t WHERE u % 13 = 4;
CREATE INDEX ON f1_t (k0);
CREATE INDEX ON f1_t (k1);
CREATE INDEX ON f1_t (k2);
CREATE VIEW f1 AS SELECT * FROM f1_t WHERE x <> 5;
ANALYZE f1_t;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT count(*) FROM (SELECT f1.u FROM f1 f1 JOIN (SELECT * FROM (SELECT * FROM d2 s3) s4 WHERE (s4.t::text::int) IN (8, 3, 1, 2)) d2 ON f1.k2 = d2.k WHERE f1.k1 < 6 AND f1.u IN (5, 0, 1, 2) LIMIT 2) few;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     1 rows ['0']; calls 0, written 0 

seed 8100024: 7331 queries, 2 findings, 122 a second
verdicts: an error less 3, core raises it too 1, core's nodes raise it 3, core's plans differ 41, error 2, same 7281, same error 244, with rows 4030
errors: 22P02 invalid input syntax for type integer: "bad" 88, 22012 division by zero 54, P0001 no sevens 43, 23514 value for domain few violates check constraint "few_ch 35, 0A000 nondeterministic collations are not supported for LIKE 10, 0A000 FOR SHARE is not allowed with GROUP BY clause 6, 0A000 FOR SHARE cannot be applied to the nullable side of an 3, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 3, 42P01 relation "calls" does not exist 2, 42P01 relation "f0" does not exist 2, 42809 cannot lock rows in materialized view "d1" 1, 22P02 invalid input syntax for type integer: "t1" 1
plans: plans 911, Ssdpar 190, SsdparStarScan 180, by bitmap 65, sequentially 115, by workers 23, of array keys 48, joined 18, SsdparStarKeys 54, SsdparShardKeys 0, SsdparPartition 9, SsdparIndexJoin 1, Rows Measured 42, Nested Loop 418, Index Scan 239, Bitmap Heap Scan 69, SubPlan 247, Gather 209, Append 531, Gone Over: after 0
