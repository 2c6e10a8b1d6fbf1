-- rows: seed 8300019, case 4572, after 4573 queries and 26 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300019 --queries 1000000 --seconds 60.0 --findings 3
rows: seed 8300019, case 4572, after 4573 queries and 26 s 
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
CREATE TABLE d1 (u int4, k varchar(9), x int4, g int4, t text);
CREATE TABLE d1_1 (more int) INHERITS (d1);
INSERT INTO d1 (u, k, x, g, t) SELECT i, ('t' || (least((i * 1 + 7) % 90, (i * 13) % 18)))::varchar(9), CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 32) % 10)::int4 END, least((i * 1 + 6) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 0;
INSERT INTO d1_1 (u, k, x, g, t) SELECT i, ('t' || (least((i * 1 + 7) % 90, (i * 13) % 18)))::varchar(9), CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 32) % 10)::int4 END, least((i * 1 + 6) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE i % 2 = 1;
CREATE INDEX ON d1 (k);
CREATE INDEX ON d1 (g, x);
CREATE INDEX ON d1_1 (k);
CREATE INDEX ON d1_1 (g, x);
ANALYZE d1, d1_1;
CREATE TABLE d2_t (gone int, u int4, k small, x int4, g int4, t text, lost text);
INSERT INTO d2_t (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (i)::int4::small END, ((i * 31 + 3) % 10)::int4, (i * 31 + 42) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d2_t DROP gone, DROP lost;
CREATE INDEX ON d2_t (g, x);
CREATE MATERIALIZED VIEW d2 AS SELECT * FROM d2_t;
CREATE INDEX ON d2 (g, x);
ANALYZE d2_t, d2;
CREATE TABLE d3 (gone int, u int4, k text COLLATE any_case, x int4, g int4, t text, lost text);
INSERT INTO d3 (u, k, x, g, t) SELECT i, (CASE WHEN ((i * 1 + 44) % 90) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 1 + 44) % 90)::int / 2), ((i * 31 + 21) % 10)::int4, (i * 31 + 7) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
ALTER TABLE d3 DROP gone, DROP lost;
UPDATE d3 SET x = x WHERE u % 5 = 0;
DELETE FROM d3 WHERE u % 13 = 4;
ANALYZE d3;
CREATE TABLE f0 (u int4, k0 float4, k1 varchar(9), k2 small, k3 text COLLATE any_case, x int4, g int4, t text, pad text);
INSERT INTO f0 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, ((least((i * 7919 + 19) % 272, (i * 13) % 54)) / 2.0)::float4, CASE WHEN i % 29 <> 0 THEN ('t' || ((i * 7919 + 35) % 272))::varchar(9) END, CASE WHEN i % 11 <> 0 THEN (least((i * 7919 + 16) % 22, (i * 13) % 4))::int4::small END, CASE WHEN i % 11 <> 0 THEN (CASE WHEN (least((i * 31 + 19) % 92, (i * 13) % 18)) % 3 = 0 THEN 'T' ELSE 't' END || (least((i * 31 + 19) % 92, (i * 13) % 18))::int / 2) END, (least((i * 1 + 6) % 10, (i * 13) % 2))::int4, (i * 7 + 39) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f0 (k3) WHERE (g < 4);
ANALYZE f0;
CREATE TABLE f1 (u int4, k0 float8, k1 varchar(9), k2 small, k3 text COLLATE any_case, x int4, g int4, t text, pad text);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, (CASE ((i * 7 + 41) % 119) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' ELSE ((i * 7 + 41) % 119) / 2.0 END)::float8, ('t' || ((i * 7 + 41) % 47))::varchar(9), ((i * 1 + 0) % 122)::int4::small, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 7 + 37) % 47) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7 + 37) % 47)::int / 2) END, ((i * 1 + 21) % 10)::int4, (i * 31 + 18) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (k3);
ANALYZE f1;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT d3.t, f1.k3, count(*) FILTER (WHERE d3.g > 3) FROM f0 f1 JOIN d1 d2 ON f1.k1 = d2.k AND d2.u <= d2.x JOIN (SELECT DISTINCT ON (u) * FROM d3 s4 WHERE CASE WHEN s4.x > 4 THEN s4.x END IN (8, 0, 1, 2) ORDER BY u, k, x, g, t) d3 ON f1.k3 = d3.k GROUP BY ROLLUP (d3.t, f1.k3);
ROLLBACK;
--   with ssdpar: 3 rows ['2', 'T0', '2'], ['2', None, '2'], [None, None, '2']; calls 0, written 0 
--   without:     3 rows ['2', 't0', '2'], ['2', None, '2'], [None, None, '2']; calls 0, written 0 

seed 8300019: 9133 queries, 1 findings, 152 a second
verdicts: an error less 1, core's nodes call it 2, core's nodes raise it 1, core's plans differ 87, rows 1, same 9040, same error 305, stopped 1, with rows 5096
errors: 22P02 invalid input syntax for type integer: "bad" 93, 23514 value for domain few violates check constraint "few_ch 51, 22012 division by zero 49, P0001 no sevens 46, 0A000 nondeterministic collations are not supported for LIKE 13, 0A000 FOR SHARE cannot be applied to the nullable side of an 12, 0A000 FOR SHARE is not allowed with DISTINCT clause 7, 0A000 DECLARE SCROLL CURSOR ... FOR SHARE is not supported 5, 42809 cannot change materialized view "f1" 5, 55000 cannot update view "f0" 4, 55000 cannot delete from view "f2" 3, 0A000 FOR SHARE is not allowed with UNION/INTERSECT/EXCEPT 3
plans: plans 1128, Ssdpar 271, SsdparStarScan 259, by bitmap 100, sequentially 159, by workers 19, of array keys 51, joined 37, SsdparStarKeys 84, SsdparShardKeys 0, SsdparPartition 13, SsdparIndexJoin 0, Rows Measured 60, Nested Loop 541, Index Scan 303, Bitmap Heap Scan 78, SubPlan 270, Gather 242, Append 661, Gone Over: after 0
