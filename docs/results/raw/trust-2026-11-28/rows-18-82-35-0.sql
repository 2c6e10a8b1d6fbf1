-- calls: seed 8200035, case 5610, after 5611 queries and 34 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200035 --queries 1000000 --seconds 60.0 --findings 3
calls: seed 8200035, case 5610, after 5611 queries and 34 s 
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
CREATE FUNCTION counted_quietly(v int) RETURNS int
  VOLATILE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('calls'); RETURN v; END $$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0 (u int4, k int8, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, (i)::int8, CASE WHEN i % 11 <> 0 THEN ((i * 31 + 2) % 10)::int4 END, (i * 31 + 44) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
CREATE TABLE d0_t AS SELECT u FROM d0 WHERE x < 7;
ALTER TABLE d0 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d0 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
ANALYZE d0, d0_t;
CREATE TABLE f0 (u int4, k0 int8, k1 int2, k2 text, k3 int2, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 41) % 122)::int8 END, ((i * 7919 + 30) % 122)::int2, CASE WHEN i % 3 <> 0 THEN 't' || (least((i * 31 + 9) % 42, (i * 13) % 8)) END, CASE WHEN i % 11 <> 0 THEN (least((i * 7919 + 31) % 14, (i * 13) % 2))::int2 END, (least((i * 7 + 18) % 10, (i * 13) % 2))::int4, (i * 1 + 46) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f0 (k0, x);
CREATE INDEX ON f0 (k2, x);
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
SET LOCAL enable_nestloop = 'off'; SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ROLE reader; SELECT count(DISTINCT f4.g) FROM f0 f4, d0 d8 WHERE f4.t = 't' || (5) AND d8.x = f4.g;
ROLLBACK;
--   with ssdpar: 1 rows ['0']; calls 1, written 0 
--   without:     1 rows ['0']; calls 0, written 0 

