-- error: seed 8200043, case 1409, after 1410 queries and 9 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200043 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200043, case 1409, after 1410 queries and 9 s 
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
CREATE TABLE d0 (u int4, k numeric, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, (CASE WHEN (i) % 2 = 0 THEN (i)::numeric ELSE (i)::numeric(9,2) END), CASE WHEN i % 29 <> 0 THEN (least((i * 31 + 44) % 10, (i * 13) % 2))::int4 END, (i * 31 + 29) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
ANALYZE d0;
CREATE TABLE d1_t (gone int, u int4, k numeric, x int4, g int4, t text, lost text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 7919 + 9) % 40) % 2 = 0 THEN ((i * 7919 + 9) % 40)::numeric ELSE ((i * 7919 + 9) % 40)::numeric(9,2) END) END, (least((i * 7 + 37) % 10, (i * 13) % 2))::int4, least((i * 1 + 8) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d1_t DROP gone, DROP lost;
DO $$ BEGIN CREATE UNIQUE INDEX ON d1_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d1_t (k); END $$;
CREATE VIEW d1 AS SELECT * FROM d1_t WHERE x <> 5;
ANALYZE d1_t;
CREATE TABLE d2_t (u int4, k int2, x int4, g int4, t text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, ((i * 7919 + 3) % 7)::int2, ((i * 7 + 33) % 10)::int4, (i * 31 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2_t (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2_t (k); END $$;
CREATE MATERIALIZED VIEW d2 AS SELECT * FROM d2_t;
DO $$ BEGIN CREATE UNIQUE INDEX ON d2 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d2 (k); END $$;
CREATE TABLE f0 (u int4, k0 numeric, k1 numeric, k2 int2, k3 text COLLATE german, k4 int2, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN (CASE WHEN ((i * 7 + 20) % 272) % 2 = 0 THEN ((i * 7 + 20) % 272)::numeric ELSE ((i * 7 + 20) % 272)::numeric(9,2) END) END, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 7 + 7) % 42) % 2 = 0 THEN ((i * 7 + 7) % 42)::numeric ELSE ((i * 7 + 7) % 42)::numeric(9,2) END) END, CASE WHEN i % 29 <> 0 THEN (least((i * 7 + 35) % 38, (i * 13) % 7))::int2 END, 'ä' || (least((i * 7919 + 9) % 119, (i * 13) % 23)), (least((i * 7 + 4) % 2, (i * 13) % 1))::int2, (least((i * 1 + 40) % 10, (i * 13) % 2))::int4, (i * 31 + 21) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 0) i WHERE true;
CREATE INDEX ON f0 (k0 DESC);
CREATE INDEX ON f0 (k2 DESC);
CREATE TABLE f1 (u int4, k0 numeric, k1 numeric, k2 int2, k3 text COLLATE german, k4 int2, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, k4, x, g, t, pad) SELECT i, (least((i * 7919 + 40) % 119, (i * 13) % 23))::numeric, (CASE WHEN ((i * 7919 + 43) % 42) % 2 = 0 THEN ((i * 7919 + 43) % 42)::numeric ELSE ((i * 7919 + 43) % 42)::numeric(9,2) END), ((i * 31 + 26) % 17)::int2, 'ä' || ((i * 31 + 14) % 92), (least((i * 1 + 33) % 2, (i * 13) % 1))::int2, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 21) % 10)::int4 END, (i * 7919 + 32) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
UPDATE f1 SET x = x WHERE u % 5 = 0;
DELETE FROM f1 WHERE u % 13 = 4;
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2) WHERE (g < 4);
CREATE INDEX ON f1 (k3 DESC);
CREATE INDEX ON f1 (k4);
ANALYZE f1;
CREATE TABLE target (a int, b int);
INSERT INTO target SELECT i, i % 7 FROM generate_series(1, 30) i;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; MERGE INTO target USING (SELECT count(*) % 40 AS n FROM (SELECT array_agg(d14.g ORDER BY d14.g), sum(f1.g) FROM f0 f1 JOIN d1 d2 ON f1.k1 = d2.k AND d2.g <= (d2.t::text::int) JOIN d0 d14 ON f1.k0 = d14.k) q) s ON a = n WHEN MATCHED THEN UPDATE SET b = 1 WHEN NOT MATCHED THEN INSERT VALUES (n, 0); SELECT * FROM target;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     30 rows ['1', '1'], ['2', '2'], ['3', '3'], ['4', '4'], ['5', '5']; calls 0, written 0 

seed 8200043: 9561 queries, 1 findings, 159 a second
verdicts: another of its errors 1, core's nodes raise it 1, core's plans differ 69, error 1, same 9489, same error 334, with rows 5477
errors: 22P02 invalid input syntax for type integer: "bad" 115, 22012 division by zero 57, 23514 value for domain few violates check constraint "few_ch 57, P0001 no sevens 46, 55000 cannot update view "f0" 19, 55000 cannot update view "f1" 7, 0A000 FOR SHARE is not allowed with GROUP BY clause 6, 0A000 FOR SHARE cannot be applied to the nullable side of an 6, 55000 cannot update view "f2" 4, 55000 cannot delete from view "f0" 4, 0A000 FOR SHARE is not allowed with DISTINCT clause 3, 55000 cannot delete from view "f1" 3
plans: plans 1183, Ssdpar 293, SsdparStarScan 279, by bitmap 91, sequentially 188, by workers 34, of array keys 65, joined 34, SsdparStarKeys 68, SsdparShardKeys 0, SsdparPartition 14, SsdparIndexJoin 0, Rows Measured 61, Nested Loop 527, Index Scan 323, Bitmap Heap Scan 98, SubPlan 295, Gather 280, Append 662, Gone Over: after 0
