-- error: seed 8300002, case 757, after 758 queries and 3 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300002 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8300002, case 757, after 758 queries and 3 s 
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
CREATE TABLE d1_t (u int4, k colour, x int4, g int4, t text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, (enum_range(NULL::colour))[1 + (least((i * 31 + 2) % 1, (i * 13) % 1))::int % 5], ((i * 31 + 48) % 10)::int4, (i * 31 + 15) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 0) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1_t (k); END $$;
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE u > 0;
ANALYZE d1_t;
CREATE TABLE d2 (gone int, u int4, k bytea, x int4, g int4, t text, lost text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, decode(lpad((i)::text, 6, '0'), 'hex'), ((i * 7919 + 40) % 10)::int4, (i * 1 + 24) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d2 DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
ANALYZE d2;
CREATE TABLE d3_t (u int4, k int8, x int4, g int4, t text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, CASE WHEN i % 3 <> 0 THEN (i)::int8 END, CASE WHEN i % 3 <> 0 THEN ((i * 1 + 8) % 10)::int4 END, (i * 31 + 1) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE VIEW d3 AS SELECT * FROM d3_t WHERE g < 4;
ANALYZE d3_t;
CREATE TABLE f1 (u int4, k0 text COLLATE german, k1 colour, k2 bytea, k3 int8, k4 int2, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, 'ä' || (least((i * 31 + 47) % 54, (i * 13) % 10)), CASE WHEN i % 3 <> 0 THEN (enum_range(NULL::colour))[1 + ((i * 1 + 17) % 2)::int % 5] END, decode(lpad((least((i * 7919 + 5) % 22, (i * 13) % 4))::text, 6, '0'), 'hex'), ((i * 7 + 26) % 14)::int8, ((i * 1 + 24) % 54)::int2, (least((i * 7 + 47) % 10, (i * 13) % 2))::int4, least((i * 31 + 7) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k4);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL effective_cache_size = '8kB'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.prefetch_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT f1.k0, f1.k4, count(*), count(*) FILTER (WHERE f1.g > 3) FROM f1 f1 RIGHT JOIN d1 d2 ON f1.k1 = d2.k JOIN (SELECT * FROM d2 s4 WHERE (s4.t::text::int) <= s4.g AND raises(s4.u::int) < 5) d3 ON f1.k2 = d3.k GROUP BY f1.k0, f1.k4 ORDER BY 1, 2, 3, 4 LIMIT 16;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 8300002: 9104 queries, 1 findings, 144 a second
verdicts: an error less 1, another of its errors 3, core raises it too 1, core's plans differ 65, error 1, same 9031, same error 323, stopped 2, with rows 5130
errors: 22P02 invalid input syntax for type integer: "bad" 99, 22012 division by zero 65, P0001 no sevens 55, 23514 value for domain few violates check constraint "few_ch 55, 0A000 FOR SHARE cannot be applied to the nullable side of an 10, 55000 cannot update view "f0" 10, 0A000 nondeterministic collations are not supported for LIKE 8, 0A000 FOR SHARE is not allowed with DISTINCT clause 6, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 4, 0A000 FOR SHARE is not allowed with GROUP BY clause 3, 55000 cannot delete from view "f1" 3, 55000 cannot delete from view "f0" 3
plans: plans 1127, Ssdpar 289, SsdparStarScan 270, by bitmap 99, sequentially 171, by workers 43, of array keys 52, joined 43, SsdparStarKeys 72, SsdparShardKeys 0, SsdparPartition 18, SsdparIndexJoin 1, Rows Measured 61, Nested Loop 474, Index Scan 273, Bitmap Heap Scan 53, SubPlan 297, Gather 243, Append 610, Gone Over: after 0
