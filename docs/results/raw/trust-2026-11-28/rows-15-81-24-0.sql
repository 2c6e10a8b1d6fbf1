-- error: seed 8100024, case 1074, after 1075 queries and 8 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100024 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8100024, case 1074, after 1075 queries and 8 s 
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
CREATE FUNCTION counted(v int) RETURNS int VOLATILE
  LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('calls'); RETURN v; END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0_t (u int4, k text, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN 't' || (i) END, CASE WHEN i % 29 <> 0 THEN ((i * 7919 + 27) % 10)::int4 END, (i * 1 + 13) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
UPDATE d0_t SET x = x WHERE u % 5 = 0;
DELETE FROM d0_t WHERE u % 13 = 4;
CREATE FOREIGN TABLE d0 (u int4, k text, x int4, g int4, t text) SERVER loopback OPTIONS (schema_name 'fz', table_name 'd0_t');
ANALYZE d0_t;
CREATE TABLE d1_t (gone int, u int4, k colour, x int4, g int4, t text, lost text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (i)::int % 5], ((i * 31 + 41) % 10)::int4, (i * 7919 + 6) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
ALTER TABLE d1_t DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1_t (k); END $$;
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE x <> 5;
ANALYZE d1_t;
CREATE TABLE d2 (u int4, k colour, x int4, g int4, t text);
CREATE TABLE d2_1 (more int) INHERITS (d2);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (least((i * 1 + 32) % 24, (i * 13) % 4))::int % 5], CASE WHEN i % 3 <> 0 THEN ((i * 31 + 12) % 10)::int4 END, (i * 7919 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 2 = 0;
INSERT INTO d2_1 (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (least((i * 1 + 32) % 24, (i * 13) % 4))::int % 5], CASE WHEN i % 3 <> 0 THEN ((i * 31 + 12) % 10)::int4 END, (i * 7919 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 2 = 1;
CREATE INDEX ON d2 (k);
CREATE INDEX ON d2_1 (k);
ANALYZE d2, d2_1;
CREATE TABLE f1 (u int4, k0 text, k1 colour, k2 colour, x int4, g int4, t text, pad text) PARTITION BY LIST (g);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES IN (0, 1);
CREATE TABLE f1_1 (gone int, g int4, k1 colour, k2 colour, t text, k0 text, u int4, pad text, x int4);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES IN (2);
CREATE TABLE f1_2 PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN 't' || (least((i * 7919 + 1) % 2, (i * 13) % 1)) END, (enum_range(NULL::colour))[1 + ((i * 31 + 48) % 8)::int % 5], CASE WHEN i % 3 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 7 + 27) % 122)::int % 5] END, ((i * 7 + 21) % 10)::int4, (i * 31 + 1) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2, x);
CREATE TABLE f2 (u int4, k0 text, k1 colour, k2 colour, x int4, g int4, t text, pad text);
INSERT INTO f2 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN 't' || ((i * 1 + 27) % 2) END, CASE WHEN i % 3 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 7 + 28) % 14)::int % 5] END, CASE WHEN i % 3 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 1 + 7) % 122)::int % 5] END, ((i * 1 + 36) % 10)::int4, least((i * 1 + 34) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f2 (k0);
CREATE INDEX ON f2 (k2, x);
CREATE INDEX ON f2 (u);
ANALYZE f2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT f1.k0, f1.k1, count(DISTINCT d2.x) FROM f2 f1 LEFT JOIN d0 d2 ON f1.k0 = d2.k AND d2.u > (SELECT count(q6.x)::int FROM d1 q6 WHERE (SELECT count(q7.x)::int FROM d2 q7 WHERE counted(q7.x::int) <> 2) <= q6.g) WHERE true AND d2.g BETWEEN 0 AND 2 AND f1.g < 7 GROUP BY f1.k0, f1.k1;
ROLLBACK;
--   with ssdpar: 42P01 relation "calls" does not exist; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

