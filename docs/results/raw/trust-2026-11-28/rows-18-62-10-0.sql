-- error: seed 6200010, case 7202, after 7203 queries and 48 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 6200010 --queries 1000000 --seconds 60.0 --findings 3
error: seed 6200010, case 7202, after 7203 queries and 48 s 
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
CREATE TABLE d1_t (gone int, u int4, k bytea, x int4, g int4, t text, lost text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, decode(lpad(((i * 31 + 23) % 1)::text, 6, '0'), 'hex'), ((i * 7919 + 39) % 10)::int4, (i * 7919 + 19) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
ALTER TABLE d1_t DROP gone, DROP lost;
CREATE INDEX ON d1_t (x);
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE x <> 5;
ANALYZE d1_t;
CREATE TABLE d3_t (gone int, u int4, k timestamp, x int4, g int4, t text, lost text);
INSERT INTO d3_t (u, k, x, g, t) SELECT i, timestamp '2020-01-01 00:00' + (i) * interval '1 day', (least((i * 31 + 13) % 10, (i * 13) % 2))::int4, least((i * 31 + 6) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
ALTER TABLE d3_t DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d3_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d3_t (k); END $$;
CREATE INDEX ON d3_t (g, x);
CREATE VIEW d3 AS SELECT * FROM d3_t WHERE plain(x) < 9;
ANALYZE d3_t;
CREATE TABLE f1 (u int4, k0 text COLLATE any_case, k1 bytea, k2 colour, k3 timestamp, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (CASE WHEN ((i * 7919 + 25) % 5) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 25) % 5)::int / 2), CASE WHEN i % 29 <> 0 THEN decode(lpad(((i * 7919 + 30) % 3)::text, 6, '0'), 'hex') END, (enum_range(NULL::colour))[1 + ((i * 7919 + 41) % 119)::int % 5], CASE WHEN i % 29 <> 0 THEN timestamp '2020-01-01 00:00' + ((i * 7 + 30) % 92) * interval '1 day' END, CASE WHEN i % 11 <> 0 THEN ((i * 31 + 21) % 10)::int4 END, least((i * 7 + 43) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 300) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k0) WHERE (g < 4);
CREATE INDEX ON f1 (k1 DESC);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k3);
ANALYZE f1;
CREATE TABLE f2 (u int4, k0 text COLLATE any_case, k1 bytea, k2 colour, k3 date, x int4, g int4, t text, pad text);
INSERT INTO f2 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (CASE WHEN (least((i * 31 + 18) % 2, (i * 13) % 1)) % 3 = 0 THEN 'T' ELSE 't' END || (least((i * 31 + 18) % 2, (i * 13) % 1))::int / 2), decode(lpad((least((i * 31 + 4) % 3, (i * 13) % 1))::text, 6, '0'), 'hex'), (enum_range(NULL::colour))[1 + ((i * 31 + 17) % 272)::int % 5], CASE WHEN i % 11 <> 0 THEN date '2020-01-01' + ((i * 7 + 9) % 272)::int END, ((i * 7919 + 17) % 10)::int4, least((i * 7 + 27) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 100) i WHERE true;
UPDATE f2 SET x = x WHERE u % 5 = 0;
DELETE FROM f2 WHERE u % 13 = 4;
CREATE INDEX ON f2 (k0);
CREATE INDEX ON f2 (k1);
CREATE INDEX ON f2 (k2);
CREATE INDEX ON f2 (k3 DESC);
ANALYZE f2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SELECT f1.g, f1.k0, d3.x, d3.k FROM (SELECT * FROM f2 s2 WHERE (s2.t::text::int) < 2) f1 JOIN d1 d3 ON f1.k1 = d3.k WHERE d3.g IN (1, 7, 1, 2);
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

seed 6200010: 9339 queries, 1 findings, 156 a second
verdicts: an error less 2, core's nodes raise it 1, core's plans differ 72, error 1, same 9262, same error 293, stopped 1, with rows 5307
errors: 22P02 invalid input syntax for type integer: "bad" 102, 22012 division by zero 59, 23514 value for domain few violates check constraint "few_ch 47, P0001 no sevens 39, 55000 cannot update view "f1" 6, 0A000 FOR SHARE is not allowed with GROUP BY clause 6, 0A000 FOR SHARE cannot be applied to the nullable side of an 5, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 5, 55000 cannot delete from view "f1" 3, 55000 cannot update view "f2" 3, 55000 cannot update view "f0" 3, 55000 cannot delete from view "f0" 3
plans: plans 1154, Ssdpar 281, SsdparStarScan 271, by bitmap 92, sequentially 179, by workers 27, of array keys 53, joined 25, SsdparStarKeys 100, SsdparShardKeys 0, SsdparPartition 11, SsdparIndexJoin 0, Rows Measured 48, Nested Loop 489, Index Scan 303, Bitmap Heap Scan 88, SubPlan 296, Gather 252, Append 673, Gone Over: after 0
