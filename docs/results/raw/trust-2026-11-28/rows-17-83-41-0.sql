-- error: seed 8300041, case 4049, after 4050 queries and 41 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300041 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300041, case 4049, after 4050 queries and 41 s 
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
CREATE TABLE d1 (u int4, k colour, x int4, g int4, t text) PARTITION BY HASH (u);
CREATE TABLE d1_0 PARTITION OF d1 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE d1_1 (gone int, g int4, u int4, t text, x int4, k colour);
ALTER TABLE d1_1 DROP gone;
ALTER TABLE d1 ATTACH PARTITION d1_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE d1_2 PARTITION OF d1 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO d1 (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (least((i * 7919 + 24) % 135, (i * 13) % 27))::int % 5], ((i * 31 + 30) % 10)::int4, (i * 31 + 24) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
ANALYZE d1, d1_0, d1_1, d1_2;
CREATE TABLE d2_t (u int4, k float8, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, (CASE ((i * 7919 + 14) % 40) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 7919 + 14) % 40) / 2.0 END)::float8, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 2) % 10)::int4 END, (i * 7 + 21) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
UPDATE d2_t SET x = x WHERE u % 5 = 0;
DELETE FROM d2_t WHERE u % 13 = 4;
CREATE INDEX ON d2_t (x);
CREATE VIEW d2 WITH (security_barrier) AS SELECT * FROM d2_t WHERE x <> 5;
ANALYZE d2_t;
CREATE TABLE f1 (u int4, k0 text COLLATE german, k1 colour, k2 float8, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 11 <> 0 THEN 'ä' || ((i * 7 + 29) % 38) END, (enum_range(NULL::colour))[1 + (least((i * 31 + 29) % 119, (i * 13) % 23))::int % 5], CASE WHEN i % 11 <> 0 THEN (CASE ((i * 7919 + 34) % 54) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 7919 + 34) % 54) / 2.0 END)::float8 END, ((i * 1 + 11) % 10)::int4, (i * 7 + 31) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 200) i WHERE true;
CREATE INDEX ON f1 (k0);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT f1.u, sum(f1.x) OVER (PARTITION BY f1.x) AS w FROM f1 f1 JOIN d2 d6 ON f1.k2 = d6.k AND (d6.g::int::few) IN (2, 4, 1, 2) AND (SELECT max(q10.u)::int FROM d1 q10 WHERE q10.k::text LIKE '%9' AND q10.x = d6.g) <= d6.x WHERE f1.g > (SELECT 3) AND EXISTS (SELECT FROM (SELECT * FROM (SELECT * FROM d1 s13 WHERE true AND raises(s13.g::int) = (SELECT 3)) s16 WHERE true) d12 WHERE f1.k1 = d12.k AND d12.g IN (0, 8, 1, 2) AND d12.u <= (d12.x::int::few)) ORDER BY 1, 2;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 8300041: 7976 queries, 1 findings, 133 a second
verdicts: an error less 2, another of its errors 1, core's nodes raise it 1, core's plans differ 60, error 1, same 7910, same error 291, stopped 1, with rows 4540
errors: 22P02 invalid input syntax for type integer: "bad" 96, 23514 value for domain few violates check constraint "few_ch 59, 22012 division by zero 49, P0001 no sevens 43, 0A000 FOR SHARE is not allowed with GROUP BY clause 9, 55000 cannot update view "f1" 9, 0A000 nondeterministic collations are not supported for LIKE 6, 0A000 FOR SHARE cannot be applied to the nullable side of an 5, 55000 cannot delete from view "f1" 5, 55000 cannot delete from view "f0" 3, 0A000 FOR SHARE is not allowed with DISTINCT clause 2, 0A000 FOR SHARE is not allowed with UNION/INTERSECT/EXCEPT 2
plans: plans 979, Ssdpar 237, SsdparStarScan 221, by bitmap 81, sequentially 140, by workers 24, of array keys 49, joined 25, SsdparStarKeys 56, SsdparShardKeys 0, SsdparPartition 18, SsdparIndexJoin 1, Rows Measured 40, Nested Loop 418, Index Scan 253, Bitmap Heap Scan 51, SubPlan 256, Gather 228, Append 593, Gone Over: after 0
