-- error: seed 8200021, case 6004, after 6005 queries and 28 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200021 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200021, case 6004, after 6005 queries and 28 s 
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
CREATE FUNCTION quiet(v int) RETURNS int IMMUTABLE LEAKPROOF
  PARALLEL SAFE LANGUAGE plpgsql AS $$BEGIN RETURN v; END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d1 (u int4, k int4, x int4, g int4, t text);
CREATE TABLE d1_1 (more int) INHERITS (d1);
INSERT INTO d1 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int4 END, ((i * 7 + 1) % 10)::int4, (i * 1 + 37) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 2 = 0;
INSERT INTO d1_1 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int4 END, ((i * 7 + 1) % 10)::int4, (i * 1 + 37) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE i % 2 = 1;
CREATE INDEX ON d1 (u);
CREATE INDEX ON d1_1 (u);
ANALYZE d1, d1_1;
CREATE TABLE d2 (u int4, k bool, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i) % 2 = 0) END, ((i * 1 + 24) % 10)::int4, (i * 7919 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ANALYZE d2;
CREATE TABLE f0 (u int4, k0 int8, k1 int8, k2 bool, k3 varchar(9), x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ((i * 7919 + 24) % 54)::int8, CASE WHEN i % 11 <> 0 THEN ((i * 1 + 37) % 42)::int8 END, ((least((i * 31 + 27) % 42, (i * 13) % 8)) % 2 = 0), ('t' || ((i * 7919 + 41) % 38))::varchar(9), CASE WHEN i % 11 <> 0 THEN ((i * 7 + 8) % 10)::int4 END, (i * 1 + 31) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f0 (k0);
CREATE INDEX ON f0 (k1);
CREATE INDEX ON f0 (k2) WHERE (g < 4);
CREATE INDEX ON f0 (u);
ANALYZE f0;
CREATE TABLE f1 (gone int, u int4, k0 small, k1 int4, k2 bool, k3 varchar(9), x int4, g int4, t text, pad text, lost text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ((i * 31 + 28) % 54)::int4::small, ((i * 7919 + 11) % 42)::int4, (((i * 7919 + 28) % 122) % 2 = 0), CASE WHEN i % 11 <> 0 THEN ('t' || ((i * 1 + 36) % 14))::varchar(9) END, CASE WHEN i % 3 <> 0 THEN ((i * 31 + 20) % 10)::int4 END, (i * 1 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
ALTER TABLE f1 DROP gone, DROP lost;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2) WHERE (g < 4);
CREATE INDEX ON f1 (u);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL parallel_setup_cost = '0'; SET LOCAL min_parallel_table_scan_size = '0'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT l22.u, f1.k0, count(DISTINCT l22.g), min(f1.g) FROM f0 f1 CROSS JOIN LATERAL (SELECT * FROM d2 d10 WHERE f1.k2 = d10.k AND d10.g > (SELECT max(f16.k0)::int FROM f1 f16 JOIN d2 d19 ON f16.k2 = d19.k AND (10 / (d19.x - 5)) <= raises(d19.g::int) JOIN (VALUES (('t' || (22))::varchar(9)), (('t' || (25))::varchar(9)), (('t' || (19))::varchar(9))) d20 (k) ON f16.k3 = d20.k WHERE true AND NOT EXISTS (SELECT FROM (SELECT * FROM d1 s18 WHERE true AND quiet(s18.k::int) <= s18.x) d17 WHERE f16.k1 = d17.k AND (d17.g::int::few) = 2))) l22 WHERE true AND l22.u = (SELECT min(q24.u)::int FROM d2 q24 WHERE (q24.x::int::few) <> 1) GROUP BY l22.u, f1.k0 ORDER BY 1, 2, 3, 4;
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     22012 division by zero; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

