-- error: seed 8200038, case 7215, after 7216 queries and 43 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200038 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200038, case 7215, after 7216 queries and 43 s 
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
CREATE TABLE d0 (u int4, k bool, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, ((least((i * 7 + 8) % 90, (i * 13) % 18)) % 2 = 0), CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 8) % 10)::int4 END, least((i * 1 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
UPDATE d0 SET x = x WHERE u % 5 = 0;
DELETE FROM d0 WHERE u % 13 = 4;
ANALYZE d0;
CREATE TABLE d1 (u int4, k colour, x int4, g int4, t text);
INSERT INTO d1 (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (least((i * 7 + 48) % 90, (i * 13) % 18))::int % 5], ((i * 31 + 4) % 10)::int4, least((i * 7 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1 (k); END $$;
ANALYZE d1;
CREATE TABLE d2 (u int4, k int8, x int4, g int4, t text) PARTITION BY HASH (u);
CREATE TABLE d2_0 PARTITION OF d2 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE d2_1 (gone int, t text, k int8, g int4, u int4, x int4);
ALTER TABLE d2_1 DROP gone;
ALTER TABLE d2 ATTACH PARTITION d2_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE d2_2 PARTITION OF d2 FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int8 END, CASE WHEN i % 29 <> 0 THEN ((i * 7 + 24) % 10)::int4 END, (i * 7 + 13) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE INDEX ON d2 (k);
ANALYZE d2, d2_0, d2_1, d2_2;
CREATE TABLE d3_t (u int4, k date, x int4, g int4, t text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN date '2020-01-01' + (i)::int END, ((i * 7919 + 31) % 10)::int4, (i * 7919 + 37) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE INDEX ON d3_t (g, x);
CREATE VIEW d3 WITH (security_barrier) AS SELECT DISTINCT * FROM d3_t WHERE u > 0;
ANALYZE d3_t;
CREATE TABLE f0 (u int4, k0 bool, k1 colour, k2 int4, k3 timestamp, x int4, g int4, t text, pad text) PARTITION BY RANGE (x);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE f0_1 (gone int, u int4, t text, k2 int4, g int4, pad text, k3 timestamp, x int4, k1 colour, k0 bool);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE f0_2 PARTITION OF f0 DEFAULT;
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (((i * 1 + 5) % 47) % 2 = 0), CASE WHEN i % 11 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 7 + 11) % 119)::int % 5] END, (least((i * 7919 + 15) % 54, (i * 13) % 10))::int4, timestamp '2020-01-01 00:00' + ((i * 7919 + 48) % 2) * interval '1 day', ((i * 31 + 3) % 10)::int4, (i * 31 + 34) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f0 (k0);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (u);
CREATE TABLE f1 (u int4, k0 bool, k1 colour, k2 int4, k3 date, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ((least((i * 1 + 23) % 119, (i * 13) % 23)) % 2 = 0), (enum_range(NULL::colour))[1 + ((i * 7919 + 20) % 272)::int % 5], (least((i * 7 + 27) % 22, (i * 13) % 4))::int4, date '2020-01-01' + (least((i * 7919 + 15) % 5, (i * 13) % 1))::int, CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 35) % 10)::int4 END, (i * 7 + 3) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 300) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1 DESC);
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
SET LOCAL cpu_tuple_cost = '10'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT DISTINCT ON (f1.k2) f1.k2, f1.k0 FROM f1 f1 WHERE true AND EXISTS (SELECT FROM (SELECT * FROM d1 s5 WHERE (SELECT max(d9.u)::int FROM f0 f6 JOIN d2 d7 ON f6.k2 = d7.k JOIN (SELECT * FROM d3 s10 OFFSET 0) d9 ON f6.k3 = d9.k AND (10 / (d9.u - 5)) IN (9, 3, 1, 2), d0 d11 WHERE raises(d7.k::int) = 2 AND d11.x = f6.k2) IS NOT NULL) d4 WHERE f1.k1 = d4.k) ORDER BY f1.k2, f1.k0;
ROLLBACK;
--   with ssdpar: P0001 no sevens; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 8200038: 8001 queries, 1 findings, 133 a second
verdicts: an error less 1, core's nodes call it 1, core's nodes raise it 1, core's plans differ 69, error 1, same 7927, same error 257, stopped 1, with rows 4630
errors: 22P02 invalid input syntax for type integer: "bad" 96, 22012 division by zero 48, 23514 value for domain few violates check constraint "few_ch 43, P0001 no sevens 33, 0A000 FOR SHARE is not allowed with DISTINCT clause 8, 0A000 FOR SHARE cannot be applied to the nullable side of an 8, 0A000 FOR SHARE is not allowed with GROUP BY clause 4, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 3, 55000 cannot update view "f0" 3, 42809 cannot change materialized view "f0" 3, 55000 cannot update view "f2" 2, 0A000 DECLARE SCROLL CURSOR ... FOR UPDATE/SHARE is not supp 2
plans: plans 993, Ssdpar 275, SsdparStarScan 267, by bitmap 96, sequentially 171, by workers 33, of array keys 75, joined 39, SsdparStarKeys 93, SsdparShardKeys 0, SsdparPartition 8, SsdparIndexJoin 0, Rows Measured 75, Nested Loop 423, Index Scan 278, Bitmap Heap Scan 69, SubPlan 251, Gather 212, Append 519, Gone Over: after 0
