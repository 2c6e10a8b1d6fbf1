-- error: seed 6200013, case 4136, after 4137 queries and 30 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 6200013 --queries 1000000 --seconds 60.0 --findings 3
error: seed 6200013, case 4136, after 4137 queries and 30 s 
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
CREATE TABLE d0_t (u int4, k small, x int4, g int4, t text);
INSERT INTO d0_t (u, k, x, g, t) SELECT i, (i)::int4::small, ((i * 7 + 41) % 10)::int4, least((i * 31 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0_t (k); END $$;
CREATE VIEW d0 AS SELECT * FROM d0_t WHERE x <> 5;
ANALYZE d0_t;
CREATE TABLE f2 (u int4, k0 small, k1 uuid, k2 int8, x int4, g int4, t text, pad text);
INSERT INTO f2 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 31 + 17) % 119)::int4::small, md5(((i * 7919 + 33) % 5)::text)::uuid, CASE WHEN i % 3 <> 0 THEN (least((i * 7 + 22) % 22, (i * 13) % 4))::int8 END, (least((i * 31 + 46) % 10, (i * 13) % 2))::int4, (i * 1 + 21) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f2 (k1);
CREATE INDEX ON f2 (k2);
CREATE INDEX ON f2 (u);
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE q (int) AS SELECT o1.x, y.n FROM d0 o1 CROSS JOIN LATERAL (SELECT count(*) AS n FROM f2 f2 JOIN (SELECT * FROM (SELECT u, k, x, g, t FROM d0 s4 GROUP BY u, k, x, g, t) s5 WHERE s5.u > $1 AND ((s5.u::int::few) > 7 OR s5.u IS DISTINCT FROM (38)::int4)) d3 ON f2.k0 = d3.k AND f2.k1 IS DISTINCT FROM md5((13)::text)::uuid JOIN (VALUES (md5((24)::text)::uuid), (md5((20)::text)::uuid), (md5((7)::text)::uuid)) d6 (k) ON f2.k1 = d6.k WHERE f2.g = o1.u) y WHERE o1.u < 20; EXECUTE q (2); EXECUTE q (7);
ROLLBACK;
--   with ssdpar: 23514 value for domain few violates check constraint "few_check"; calls 0, written 
--   without:     17 rows ['0', '0'], ['0', '0'], ['1', '0'], ['2', '0'], ['2', '0']; calls 0, written 0 

