-- error: seed 8200010, case 2181, after 2182 queries and 20 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200010 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200010, case 2181, after 2182 queries and 20 s 
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
CREATE TABLE d0 (u int4, k int4, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, ((i * 7919 + 39) % 18)::int4, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 36) % 10)::int4 END, least((i * 31 + 21) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
ANALYZE d0;
CREATE TABLE d1 (u int4, k int2, x int4, g int4, t text) PARTITION BY RANGE (x);
CREATE TABLE d1_0 PARTITION OF d1 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE d1_1 (gone int, u int4, k int2, g int4, t text, x int4);
ALTER TABLE d1_1 DROP gone;
ALTER TABLE d1 ATTACH PARTITION d1_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE d1_2 PARTITION OF d1 DEFAULT;
INSERT INTO d1 (u, k, x, g, t) SELECT i, (least((i * 31 + 25) % 40, (i * 13) % 8))::int2, ((i * 7919 + 43) % 10)::int4, (i * 1 + 1) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ANALYZE d1, d1_0, d1_1, d1_2;
CREATE TABLE d2 (u int4, k small, x int4, g int4, t text) PARTITION BY RANGE (x);
CREATE TABLE d2_0 PARTITION OF d2 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE d2_1 (gone int, t text, u int4, k small, x int4, g int4);
ALTER TABLE d2_1 DROP gone;
ALTER TABLE d2 ATTACH PARTITION d2_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE d2_2 PARTITION OF d2 DEFAULT PARTITION BY HASH (u);
CREATE TABLE d2_20 PARTITION OF d2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE d2_21 PARTITION OF d2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 29 <> 0 THEN ((i * 1 + 32) % 12)::int4::small END, ((i * 7 + 26) % 10)::int4, (i * 31 + 2) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
CREATE INDEX ON d2 (k);
ANALYZE d2, d2_0, d2_1, d2_2, d2_20, d2_21;
CREATE TABLE d3 (u int4, k uuid, x int4, g int4, t text);
INSERT INTO d3 (u, k, x, g, t) SELECT i, md5(((i * 1 + 4) % 1)::text)::uuid, (least((i * 7 + 24) % 10, (i * 13) % 2))::int4, (i * 7919 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
CREATE INDEX ON d3 (u);
ANALYZE d3;
CREATE TABLE f1 (u int4, k0 small, k1 int2, k2 small, k3 uuid, x int4, g int4, t text, pad text) PARTITION BY LIST (g);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES IN (0, 1);
CREATE TABLE f1_1 (gone int, t text, k1 int2, g int4, k2 small, pad text, k3 uuid, k0 small, u int4, x int4);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES IN (2);
CREATE TABLE f1_2 PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 45) % 38)::int4::small END, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 1) % 54)::int2 END, CASE WHEN i % 29 <> 0 THEN ((i * 31 + 36) % 8)::int4::small END, md5(((i * 31 + 41) % 3)::text)::uuid, CASE WHEN i % 3 <> 0 THEN (least((i * 7 + 3) % 10, (i * 13) % 2))::int4 END, (i * 1 + 37) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1 (k0 DESC);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k3 DESC);
ANALYZE f1, f1_0, f1_1, f1_2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL enable_partition_pruning = 'off'; SET LOCAL ssdpar.star_access = 'bitmap'; SELECT f1.x, f1.t, count(*) FROM f1 f1 JOIN d1 d3 ON f1.k1 = d3.k JOIN (SELECT * FROM d2 s5 WHERE true AND (s5.x::int::few) IS NOT NULL) d4 ON f1.k2 = d4.k AND true AND d4.u = 0 WHERE (SELECT count(q2.x)::int FROM d0 q2 WHERE q2.g = 1 AND q2.x = f1.k2) IN (8, 8, 1, 2) GROUP BY f1.x, f1.t;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

