-- calls: seed 8100033, case 1699, after 1700 queries and 46 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8100033 --queries 1000000 --seconds 60.0 --findings 3 --wide
calls: seed 8100033, case 1699, after 1700 queries and 46 s 
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
CREATE TABLE d0 (u int4, k int2, g int4, x int4 GENERATED ALWAYS AS (u * 1 % 10) STORED);
DO $$ BEGIN EXECUTE 'ALTER TABLE d0 ADD t text GENERATED ALWAYS AS ((u % 9)::text) ' || CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END; END $$;
INSERT INTO d0 (u, k, g) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 7919 + 12) % 1)::int2 END, (i * 7919 + 48) % 5 FROM generate_series(1, 1) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE INDEX ON d0 (u);
DO $$ BEGIN CREATE INDEX ON d0 (x NULLS FIRST, g DESC); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d0 (u) WHERE x > 2; EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d0;
CREATE TABLE d1_a (u int4, k jsonb, x int4, g int4, t text);
INSERT INTO d1_a (u, k, x, g, t) SELECT i, to_jsonb((i)::int), (least((i * 7919 + 13) % 10, (i * 13) % 2))::int4, least((i * 31 + 23) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE i % 3 = 0;
CREATE INDEX ON d1_a (k);
CREATE TABLE d1_b (u int4, k jsonb, x int4, g int4, t text);
INSERT INTO d1_b (u, k, x, g, t) SELECT i, to_jsonb((i)::int), (least((i * 7919 + 13) % 10, (i * 13) % 2))::int4, least((i * 31 + 23) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END FROM generate_series(1, 12) i WHERE i % 3 > 0;
CREATE INDEX ON d1_b (k);
CREATE VIEW d1 AS SELECT * FROM d1_a UNION ALL SELECT * FROM d1_b;
DO $$ BEGIN CREATE INDEX ON d1_b USING gist ((point(x, g))); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON d1_b USING brin (u); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE d1_a, d1_b;
CREATE TABLE f1 (u int4, k0 int2, k1 jsonb, k2 varbit, x int4, g int4, t text, pad text) PARTITION BY LIST (x);
CREATE TABLE f1_n PARTITION OF f1 FOR VALUES IN (NULL, 0, 1);
CREATE TABLE f1_r PARTITION OF f1 DEFAULT PARTITION BY RANGE (u);
CREATE TABLE f1_r1 PARTITION OF f1_r FOR VALUES FROM (MINVALUE) TO (50);
CREATE TABLE f1_r2 PARTITION OF f1_r DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN ((i * 31 + 11) % 3)::int2 END, to_jsonb(((i * 7 + 16) % 38)::int), ((i * 31 + 6) % 152)::int4::bit(12)::varbit, ((i * 7 + 45) % 10)::int4, (i * 1 + 18) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f1 (k0);
CREATE INDEX ON f1 (k1);
CREATE INDEX ON f1 (k2 DESC);
ANALYZE f1, f1_n, f1_r, f1_r1, f1_r2;
CREATE TABLE f2 (u int4, k0 int2, k1 jsonb, k2 varbit, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f2_0 PARTITION OF f2 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f2_1 (gone int, pad text, x int4, k0 int2, k1 jsonb, t text, g int4, k2 varbit, u int4);
ALTER TABLE f2_1 DROP gone;
ALTER TABLE f2 ATTACH PARTITION f2_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f2_2 PARTITION OF f2 FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY HASH (u);
CREATE TABLE f2_20 PARTITION OF f2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f2_21 PARTITION OF f2_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f2 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 1 + 21) % 3)::int2, CASE WHEN i % 3 <> 0 THEN to_jsonb(((i * 7919 + 6) % 17)::int) END, ((i * 7 + 24) % 902)::int4::bit(12)::varbit, ((i * 7919 + 26) % 10)::int4, (i * 31 + 35) % 5, CASE WHEN i % 17 = 3 THEN 'bad' WHEN i % 4 < 2 THEN NULL ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f2 (k0);
CREATE INDEX ON f2 (k1);
CREATE INDEX ON f2 (k2);
CREATE INDEX ON f2 (u);
DO $$ BEGIN CREATE INDEX ON f2 (lower(t)); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
DO $$ BEGIN CREATE INDEX ON f2 USING brin (u); EXCEPTION WHEN feature_not_supported OR undefined_column THEN END $$;
ANALYZE f2, f2_0, f2_1, f2_2, f2_20, f2_21;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ssdpar.star_access = 'bitmap'; SELECT f1.k1, f1.x, d5.x FROM f2 f1 JOIN (SELECT * FROM d0 s4 WHERE s4.k IN (0, 8, 1, 2) OFFSET 0) d3 ON f1.k0 = d3.k JOIN (SELECT * FROM (SELECT * FROM d1 s6) s7 WHERE counted(s7.u::int) = 3) d5 ON f1.k1 = d5.k ORDER BY 1, 2, 3;
ROLLBACK;
--   with ssdpar: 0 rows ; calls 0, written 0 
--   without:     0 rows ; calls 12, written 0 

seed 8100033: 2267 queries, 1 findings, 38 a second
verdicts: calls 1, core's plans differ 12, same 2251, same error 39, stopped 3, with rows 1477
errors: 22P02 invalid input syntax for type integer: "bad" 12, 23514 value for domain few violates check constraint "few_ch 10, 22012 division by zero 9, P0001 no sevens 3, 42883 operator does not exist: integer[] = integer 2, 25000 cannot execute nextval() during a parallel operation 1, 0A000 FOR SHARE is not allowed with DISTINCT clause 1, 0A000 set-valued function called in context that cannot acce 1
plans: plans 2247, Ssdpar 926, SsdparStarScan 894, by bitmap 377, sequentially 526, by workers 223, of array keys 163, joined 242, SsdparStarKeys 365, SsdparShardKeys 28, SsdparPartition 18, SsdparIndexJoin 12, Rows Measured 263, Nested Loop 1059, Index Scan 952, Bitmap Heap Scan 214, SubPlan 347, Gather 1030, Append 1477, Gone Over: after 0
