-- error: seed 8200035, case 6619, after 6620 queries and 40 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200035 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200035, case 6619, after 6620 queries and 40 s 
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
CREATE TABLE d0 (u int4, k int2, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, (i)::int2, CASE WHEN i % 11 <> 0 THEN (least((i * 7919 + 41) % 10, (i * 13) % 2))::int4 END, least((i * 7919 + 21) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE INDEX ON d0 (x);
ANALYZE d0;
CREATE TABLE d2 (u int4, k int8, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, ((i * 31 + 6) % 1)::int8, ((i * 31 + 48) % 10)::int4, (i * 7919 + 2) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
UPDATE d2 SET x = x WHERE u % 5 = 0;
DELETE FROM d2 WHERE u % 13 = 4;
ANALYZE d2;
CREATE TABLE f0 (u int4, k0 int8, k1 varchar(9), k2 int8, k3 int4, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (least((i * 1 + 18) % 272, (i * 13) % 54))::int8, ('t' || ((i * 7 + 20) % 5))::varchar(9), ((i * 7919 + 6) % 2)::int8, ((i * 31 + 35) % 2)::int4, ((i * 7919 + 39) % 10)::int4, least((i * 31 + 29) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 200) i WHERE true;
UPDATE f0 SET x = x WHERE u % 5 = 0;
DELETE FROM f0 WHERE u % 13 = 4;
CREATE INDEX ON f0 (k0, x);
CREATE INDEX ON f0 (k1, x);
CREATE INDEX ON f0 (k2) WHERE (g < 4);
CREATE INDEX ON f0 (k3, x);
CREATE INDEX ON f0 (u);
ANALYZE f0;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT count(*) FROM (SELECT f3.u FROM f0 f3 RIGHT JOIN d2 d4 ON f3.k2 = d4.k JOIN (SELECT * FROM d0 s9 WHERE (s9.t::text::int) > 3 OFFSET 0) d8 ON f3.k0 = d8.k WHERE raises(f3.g::int) <> 5 AND f3.x IS NOT NULL) few;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     1 rows ['0']; calls 0, written 0 

seed 8200035: 10554 queries, 2 findings, 176 a second
verdicts: an error less 1, calls 1, core raises it too 1, core's nodes call it 1, core's nodes raise it 4, core's plans differ 82, error 1, same 10463, same error 350, with rows 6131
errors: 22P02 invalid input syntax for type integer: "bad" 131, 23514 value for domain few violates check constraint "few_ch 63, 22012 division by zero 63, P0001 no sevens 61, 0A000 FOR SHARE cannot be applied to the nullable side of an 9, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 7, 0A000 FOR SHARE is not allowed with DISTINCT clause 4, 55000 cannot update view "f0" 4, 0A000 FOR SHARE is not allowed with GROUP BY clause 3, 22P02 invalid input syntax for type integer: "t0" 2, 42809 cannot lock rows in materialized view "d0" 2, 22P02 invalid input syntax for type integer: "t1" 2
plans: plans 1307, Ssdpar 331, SsdparStarScan 310, by bitmap 101, sequentially 209, by workers 28, of array keys 64, joined 39, SsdparStarKeys 113, SsdparShardKeys 0, SsdparPartition 21, SsdparIndexJoin 0, Rows Measured 68, Nested Loop 558, Index Scan 327, Bitmap Heap Scan 77, SubPlan 297, Gather 269, Append 750, Gone Over: after 0
