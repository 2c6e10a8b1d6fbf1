-- error: seed 3200010, case 63, after 64 queries and 1 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 3200010 --queries 1000000 --seconds 60.0 --findings 3
error: seed 3200010, case 63, after 64 queries and 1 s 
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
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE SCHEMA fz; SET search_path = fz, public;
CREATE TABLE d0_t (u int4, k small, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, (i)::int4::small, CASE WHEN i % 11 <> 0 THEN (least((i * 7 + 1) % 10, (i * 13) % 2))::int4 END, (i * 31 + 23) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
CREATE INDEX ON d0_t (x);
CREATE MATERIALIZED VIEW d0 AS SELECT * FROM d0_t;
CREATE INDEX ON d0 (x);
ANALYZE d0_t, d0;
CREATE TABLE d1_t (gone int, u int4, k text COLLATE any_case, x int4, g int4, t text, lost text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, (CASE WHEN ((i * 7 + 15) % 40) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7 + 15) % 40)::int / 2), ((i * 31 + 18) % 10)::int4, (i * 1 + 34) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d1_t DROP gone, DROP lost;
UPDATE d1_t SET x = x WHERE u % 5 = 0;
DELETE FROM d1_t WHERE u % 13 = 4;
CREATE INDEX ON d1_t (g, x);
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE u > 0;
ANALYZE d1_t;
CREATE TABLE d2_t (gone int, u int4, k uuid, x int4, g int4, t text, lost text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, md5(((i * 31 + 1) % 1)::text)::uuid, ((i * 1 + 31) % 10)::int4, (i * 31 + 33) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
ALTER TABLE d2_t DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE INDEX ON d2_t (u);
CREATE FOREIGN TABLE d2 (u int4, k uuid, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd2_t');
CREATE TABLE f1 (u int4, k0 small, k1 text COLLATE any_case, k2 uuid, x int4, g int4, t text, pad text) PARTITION BY RANGE (x);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE f1_1 (gone int, k2 uuid, t text, k0 small, pad text, g int4, u int4, k1 text COLLATE any_case, x int4);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE f1_2 PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 31 + 19) % 119)::int4::small, (CASE WHEN ((i * 7919 + 30) % 122) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 30) % 122)::int / 2), md5((least((i * 1 + 39) % 2, (i * 13) % 1))::text)::uuid, CASE WHEN i % 11 <> 0 THEN ((i * 7 + 8) % 10)::int4 END, least((i * 31 + 25) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 100) i WHERE true;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (u);
CREATE TABLE f2_t (u int4, k0 small, k1 text COLLATE any_case, k2 uuid, x int4, g int4, t text, pad text);
INSERT INTO f2_t (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 47) % 272)::int4::small END, CASE WHEN i % 29 <> 0 THEN (CASE WHEN (least((i * 7 + 11) % 42, (i * 13) % 8)) % 3 = 0 THEN 'T' ELSE 't' END || (least((i * 7 + 11) % 42, (i * 13) % 8))::int / 2) END, md5((least((i * 7 + 1) % 2, (i * 13) % 1))::text)::uuid, CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 14) % 10)::int4 END, (i * 1 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f2_t (k1, x);
CREATE INDEX ON f2_t (k2);
CREATE INDEX ON f2_t (u);
CREATE VIEW f2 WITH (security_barrier) AS SELECT * FROM f2_t WHERE plain(x) < 9;
ANALYZE f2_t;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT f1.t, d2.t, f1.k1, min(d5.u) FROM f2 f1 LEFT JOIN d2 d2 ON f1.k2 = d2.k AND d2.g BETWEEN 1 AND 7 JOIN d1 d4 ON f1.k1 = d4.k AND (10 / (d4.x - 5)) BETWEEN 1 AND 2 JOIN (SELECT * FROM (SELECT * FROM d0 s6 WHERE s6.k = ANY (ARRAY[(18)::int4::small, (3)::int4::small])) s7 WHERE s7.g BETWEEN 4 AND 7) d5 ON f1.k0 = d5.k GROUP BY GROUPING SETS ((f1.t, d2.t, f1.k1), (f1.t), ());
ROLLBACK;
--   with ssdpar: 22012 division by zero; calls 0, written 
--   without:     1 rows [None, None, None, None]; calls 0, written 0 

seed 3200010: 1478 queries, 1 findings, 25 a second
verdicts: core's plans differ 16, error 1, same 1461, same error 37, with rows 829
errors: 22P02 invalid input syntax for type integer: "bad" 16, P0001 no sevens 6, 23514 value for domain few violates check constraint "few_ch 6, 22012 division by zero 4, 0A000 nondeterministic collations are not supported for LIKE 4, 42P01 relation "f0" does not exist 1, 22P02 invalid input syntax for type integer: "t16" 1
plans: plans 184, Ssdpar 49, SsdparStarScan 49, by bitmap 17, sequentially 32, by workers 6, of array keys 16, joined 4, SsdparStarKeys 16, SsdparShardKeys 0, SsdparPartition 0, SsdparIndexJoin 0, Rows Measured 5, Nested Loop 72, Index Scan 48, Bitmap Heap Scan 11, SubPlan 48, Gather 43, Append 111, Gone Over: after 0
