-- error: seed 8300032, case 2406, after 2407 queries and 32 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300032 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300032, case 2406, after 2407 queries and 32 s 
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
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d2 (u int4, k int8, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (i)::int8, ((i * 7919 + 39) % 10)::int4, (i * 7 + 11) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ANALYZE d2;
CREATE TABLE d3_t (u int4, k text COLLATE german, x int4, g int4, t text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, 'ä' || ((i * 31 + 15) % 54), ((i * 1 + 5) % 10)::int4, least((i * 31 + 25) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE VIEW d3 WITH (security_barrier) AS SELECT * FROM d3_t WHERE plain(x) < 9;
ANALYZE d3_t;
CREATE TABLE d4_t (u int4, k bool, x int4, g int4, t text);
INSERT INTO d4_t (u, k, x, g, t) SELECT i, (((i * 31 + 40) % 90) % 2 = 0), CASE WHEN i % 3 <> 0 THEN ((i * 31 + 25) % 10)::int4 END, (i * 7 + 0) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
CREATE INDEX ON d4_t (g, x);
CREATE MATERIALIZED VIEW d4 AS SELECT * FROM d4_t;
CREATE INDEX ON d4 (g, x);
ANALYZE d4_t, d4;
CREATE TABLE f1 (u int4, k0 int4, k1 int4, k2 int8, k3 text COLLATE german, k4 bool, x int4, g int4, t text, pad text) PARTITION BY RANGE (x);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE f1_1 (gone int, k3 text COLLATE german, k0 int4, k4 bool, k2 int8, g int4, pad text, k1 int4, t text, u int4, x int4);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE f1_2 PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, ((i * 7 + 43) % 92)::int4, (least((i * 7919 + 23) % 38, (i * 13) % 7))::int4, CASE WHEN i % 29 <> 0 THEN ((i * 31 + 17) % 54)::int8 END, CASE WHEN i % 29 <> 0 THEN 'ä' || ((i * 7 + 40) % 119) END, CASE WHEN i % 29 <> 0 THEN (((i * 7919 + 24) % 119) % 2 = 0) END, ((i * 7 + 16) % 10)::int4, (i * 7919 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1 (k0 DESC);
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k3);
CREATE INDEX ON f1 (k4, x);
CREATE INDEX ON f1 (u);
ANALYZE f1, f1_0, f1_1, f1_2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT o1.x, y.n FROM d3 o1 LEFT JOIN LATERAL (SELECT min(d4.x) AS n FROM f1 f2 JOIN (VALUES ((21)::int4), ((11)::int4), ((7)::int4)) d3 (k) ON f2.k1 = d3.k JOIN d3 d4 ON f2.k3 = d4.k JOIN (SELECT * FROM d2 s11 WHERE s11.u IN (7, 7, 1, 2) AND s11.u <= s11.x) d10 ON f2.k2 = d10.k AND (SELECT min(q13.x)::int FROM d4 q13 WHERE true AND q13.x = f2.k0) = 9 WHERE d4.u = (SELECT max(q7.x)::int FROM d3 q7 WHERE (q7.x::int::few) IS NOT NULL)) y ON true WHERE o1.u < 20;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     17 rows ['0', None], ['0', None], ['1', None], ['1', None], ['2', None]; calls 0, written 0 

