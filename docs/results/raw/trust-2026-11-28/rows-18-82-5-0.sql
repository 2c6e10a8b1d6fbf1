-- error: seed 8200005, case 9890, after 9891 queries and 59 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200005 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200005, case 9890, after 9891 queries and 59 s 
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
CREATE TABLE d0 (u int4, k int8, x int4, g int4, t text) PARTITION BY HASH (u);
CREATE TABLE d0_0 PARTITION OF d0 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE d0_1 (gone int, x int4, k int8, u int4, g int4, t text);
ALTER TABLE d0_1 DROP gone;
ALTER TABLE d0 ATTACH PARTITION d0_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE d0_2 PARTITION OF d0 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO d0 (u, k, x, g, t) SELECT i, (i)::int8, ((i * 7 + 1) % 10)::int4, (i * 31 + 2) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
ANALYZE d0, d0_0, d0_1, d0_2;
CREATE TABLE d1_t (u int4, k int2, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (i)::int2 END, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 12) % 10)::int4 END, (i * 31 + 33) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1_t (k); END $$;
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE g < 4;
ANALYZE d1_t;
CREATE TABLE d2_t (gone int, u int4, k timestamptz, x int4, g int4, t text, lost text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN timestamptz '2020-01-01 00:00' + (i) * interval '12 hours' END, CASE WHEN i % 29 <> 0 THEN ((i * 31 + 18) % 10)::int4 END, (i * 1 + 21) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
ALTER TABLE d2_t DROP gone, DROP lost;
UPDATE d2_t SET x = x WHERE u % 5 = 0;
DELETE FROM d2_t WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE FOREIGN TABLE d2 (u int4, k timestamptz, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd2_t');
ANALYZE d2_t;
CREATE TABLE d3_t (u int4, k timestamp, x int4, g int4, t text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, timestamp '2020-01-01 00:00' + (i) * interval '1 day', CASE WHEN i % 11 <> 0 THEN (least((i * 31 + 41) % 10, (i * 13) % 2))::int4 END, (i * 7919 + 32) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE VIEW d3 AS SELECT * FROM d3_t WHERE g < 4;
ANALYZE d3_t;
CREATE TABLE f1 (u int4, k0 int8, k1 int2, k2 date, k3 timestamp, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f1_1 (gone int, k1 int2, pad text, k2 date, k0 int8, t text, x int4, u int4, k3 timestamp, g int4);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f1_2 PARTITION OF f1 FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY HASH (u);
CREATE TABLE f1_20 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f1_21 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ((i * 31 + 18) % 47)::int8, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 10) % 47)::int2 END, date '2020-01-01' + (least((i * 7919 + 32) % 38, (i * 13) % 7))::int, timestamp '2020-01-01 00:00' + ((i * 31 + 18) % 272) * interval '1 day', CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 41) % 10)::int4 END, (i * 1 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 200) i WHERE true;
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k3) WHERE (g < 4);
CREATE INDEX ON f1 (u);
ANALYZE f1, f1_0, f1_1, f1_2, f1_20, f1_21;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.subqueries = '4'; SELECT d5.x, d7.k, max(f1.k0), bool_and(f1.u > 2) FROM f1 f1 JOIN (SELECT * FROM (SELECT u, k, x, g, t FROM d3 s3 GROUP BY u, k, x, g, t) s4 WHERE s4.x = ANY (ARRAY[(9)::int4, (3)::int4])) d2 ON f1.k3 = d2.k JOIN (SELECT * FROM d1 s6 WHERE raises(s6.x::int) > 6) d5 ON f1.k1 = d5.k FULL JOIN d0 d7 ON f1.k0 = d7.k GROUP BY d5.x, d7.k;
ROLLBACK;
--   with ssdpar: P0001 no sevens; calls 0, written 
--   without:     90 rows [None, '1', None, None], [None, '2', None, None], [None, '3', None, None], [None, '4', None, None], [None, '5', None, None]; calls 0, written 0 

seed 8200005: 9891 queries, 1 findings, 163 a second
verdicts: an error less 2, core raises it too 2, core's nodes raise it 1, core's plans differ 82, error 1, same 9803, same error 327, with rows 5607
errors: 22P02 invalid input syntax for type integer: "bad" 114, 22012 division by zero 60, 23514 value for domain few violates check constraint "few_ch 49, P0001 no sevens 44, 55000 cannot update view "f0" 11, 0A000 FOR SHARE cannot be applied to the nullable side of an 10, 55000 cannot update view "f1" 10, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 8, 0A000 FOR SHARE is not allowed with DISTINCT clause 6, 42809 cannot change materialized view "f0" 4, 22P02 invalid input syntax for type integer: "t1" 2, 55000 cannot delete from view "f0" 2
plans: plans 1222, Ssdpar 317, SsdparStarScan 303, by bitmap 101, sequentially 204, by workers 40, of array keys 61, joined 37, SsdparStarKeys 101, SsdparShardKeys 0, SsdparPartition 14, SsdparIndexJoin 0, Rows Measured 69, Nested Loop 574, Index Scan 338, Bitmap Heap Scan 90, SubPlan 318, Gather 261, Append 730, Gone Over: after 0
