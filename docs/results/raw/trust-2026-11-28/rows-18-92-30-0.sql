-- error: seed 9200030, case 1471, after 1472 queries and 13 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 9200030 --queries 1000000 --seconds 60.0 --findings 3
error: seed 9200030, case 1471, after 1472 queries and 13 s 
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
CREATE TABLE d0 (u int4, k small, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, (i)::int4::small, (least((i * 1 + 2) % 10, (i * 13) % 2))::int4, (i * 31 + 37) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
UPDATE d0 SET x = x WHERE u % 5 = 0;
DELETE FROM d0 WHERE u % 13 = 4;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE TABLE d2 (u int4, k text COLLATE any_case, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, (CASE WHEN ((i * 7919 + 17) % 40) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 17) % 40)::int / 2), CASE WHEN i % 3 <> 0 THEN (least((i * 31 + 45) % 10, (i * 13) % 2))::int4 END, (i * 1 + 45) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
ANALYZE d2;
CREATE TABLE f0 (u int4, k0 small, k1 bytea, k2 text COLLATE any_case, k3 varchar(9), x int4, g int4, t text, pad text) PARTITION BY LIST (g);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES IN (0, 1);
CREATE TABLE f0_1 (gone int, g int4, k0 small, pad text, k3 varchar(9), k2 text COLLATE any_case, x int4, k1 bytea, t text, u int4);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES IN (2);
CREATE TABLE f0_2 PARTITION OF f0 DEFAULT;
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN ((i * 31 + 5) % 22)::int4::small END, decode(lpad((least((i * 31 + 45) % 119, (i * 13) % 23))::text, 6, '0'), 'hex'), (CASE WHEN ((i * 31 + 44) % 54) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 31 + 44) % 54)::int / 2), ('t' || ((i * 7 + 34) % 38))::varchar(9), CASE WHEN i % 11 <> 0 THEN (least((i * 7919 + 7) % 10, (i * 13) % 2))::int4 END, (i * 1 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f0 (k0) WHERE (g < 4);
CREATE INDEX ON f0 (k2) WHERE (g < 4);
CREATE INDEX ON f0 (k3, x);
ANALYZE f0, f0_0, f0_1, f0_2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.prefetch = 'off'; SET LOCAL ssdpar.residency = 'cold'; WITH c1 AS NOT MATERIALIZED (SELECT * FROM d0 s2 WHERE s2.k IN (7, 1, 1, 2) AND s2.x = ANY (ARRAY[(10)::int4, (3)::int4])) SELECT f3.u, f3.k2, d4.k FROM f0 f3 RIGHT JOIN c1 d4 ON f3.k0 = d4.k AND (10 / (d4.g - 5)) <= d4.u AND d4.k IN (6, 4, 1, 2) WHERE (10 / (f3.u - 5)) = 1 AND EXISTS (SELECT FROM d2 d5 WHERE f3.k2 = d5.k AND (d5.t::text::int) = 4);
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 
--   without:     22012 division by zero; calls 0, written 

seed 9200030: 7403 queries, 1 findings, 123 a second
verdicts: an error less 1, another of its errors 1, core's nodes call it 1, core's plans differ 60, error 1, same 7338, same error 240, stopped 1, with rows 4329
errors: 22P02 invalid input syntax for type integer: "bad" 78, P0001 no sevens 46, 23514 value for domain few violates check constraint "few_ch 45, 22012 division by zero 41, 0A000 FOR SHARE cannot be applied to the nullable side of an 7, 42809 cannot change materialized view "f0" 5, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 4, 55000 cannot delete from view "f1" 4, 0A000 FOR SHARE is not allowed with GROUP BY clause 3, 22P02 invalid input syntax for type integer: "t0" 1, 22P02 invalid input syntax for type integer: "t3" 1, 0A000 FOR SHARE is not allowed with DISTINCT clause 1
plans: plans 915, Ssdpar 226, SsdparStarScan 221, by bitmap 79, sequentially 143, by workers 26, of array keys 60, joined 26, SsdparStarKeys 70, SsdparShardKeys 0, SsdparPartition 5, SsdparIndexJoin 0, Rows Measured 51, Nested Loop 391, Index Scan 253, Bitmap Heap Scan 78, SubPlan 266, Gather 178, Append 526, Gone Over: after 0
