-- calls: seed 8300005, case 3025, after 3026 queries and 17 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8300005 --queries 1000000 --seconds 60.0 --findings 3
calls: seed 8300005, case 3025, after 3026 queries and 17 s 
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
CREATE TABLE d1_t (gone int, u int4, k text COLLATE any_case, x int4, g int4, t text, lost text);
INSERT INTO d1_t (u, k, x, g, t) SELECT i, (CASE WHEN (i) % 3 = 0 THEN 'T' ELSE 't' END || (i)::int / 2), CASE WHEN i % 11 <> 0 THEN ((i * 1 + 17) % 10)::int4 END, (i * 7919 + 17) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 40) i WHERE true;
ALTER TABLE d1_t DROP gone, DROP lost;
CREATE VIEW d1 WITH (security_barrier) AS SELECT * FROM d1_t WHERE x <> 5;
ANALYZE d1_t;
CREATE TABLE d2 (gone int, u int4, k bytea, x int4, g int4, t text, lost text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN decode(lpad((i)::text, 6, '0'), 'hex') END, CASE WHEN i % 3 <> 0 THEN ((i * 31 + 39) % 10)::int4 END, least((i * 1 + 2) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
ALTER TABLE d2 DROP gone, DROP lost;
UPDATE d2 SET x = x WHERE u % 5 = 0;
DELETE FROM d2 WHERE u % 13 = 4;
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (counted_quietly(x) < 8) WITH CHECK (true);
ANALYZE d2, d2_t;
CREATE TABLE f1 (u int4, k0 bytea, k1 text COLLATE any_case, k2 bytea, k3 bool, x int4, g int4, t text, pad text) PARTITION BY HASH (u);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE f1_1 (gone int, pad text, u int4, k2 bytea, x int4, g int4, k0 bytea, t text, k1 text COLLATE any_case, k3 bool);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE f1_2 PARTITION OF f1 FOR VALUES WITH (MODULUS 3, REMAINDER 2) PARTITION BY HASH (u);
CREATE TABLE f1_20 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f1_21 PARTITION OF f1_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f1 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 29 <> 0 THEN decode(lpad(((i * 31 + 34) % 47)::text, 6, '0'), 'hex') END, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 7 + 14) % 22) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7 + 14) % 22)::int / 2) END, CASE WHEN i % 3 <> 0 THEN decode(lpad(((i * 7 + 30) % 5)::text, 6, '0'), 'hex') END, CASE WHEN i % 11 <> 0 THEN (((i * 31 + 33) % 3) % 2 = 0) END, CASE WHEN i % 29 <> 0 THEN (least((i * 7 + 48) % 10, (i * 13) % 2))::int4 END, (i * 7 + 42) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 600) i WHERE true;
CREATE INDEX ON f1 (k1) WHERE (g < 4);
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (u);
ANALYZE f1, f1_0, f1_1, f1_2, f1_20, f1_21;
CREATE TABLE f2 (u int4, k0 bytea, k1 text COLLATE any_case, k2 bytea, k3 bool, x int4, g int4, t text, pad text);
INSERT INTO f2 (u, k0, k1, k2, k3, x, g, t, pad) SELECT i, CASE WHEN i % 3 <> 0 THEN decode(lpad((least((i * 7919 + 40) % 119, (i * 13) % 23))::text, 6, '0'), 'hex') END, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 1 + 27) % 122) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 1 + 27) % 122)::int / 2) END, decode(lpad(((i * 1 + 40) % 3)::text, 6, '0'), 'hex'), CASE WHEN i % 29 <> 0 THEN ((least((i * 31 + 0) % 2, (i * 13) % 1)) % 2 = 0) END, (least((i * 31 + 12) % 10, (i * 13) % 2))::int4, least((i * 7919 + 29) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 100) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f2 (k1);
CREATE INDEX ON f2 (k2) WHERE (g < 4);
CREATE INDEX ON f2 (k3) WHERE (g < 4);
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
SET LOCAL ssdpar.star_access = 'bitmap'; SET LOCAL ssdpar.cost_model_min_size = '0'; SET LOCAL ssdpar.residency = 'cold'; SET LOCAL ROLE reader; SELECT f1.u, d5.x FROM f2 f1 JOIN d2 d4 ON f1.k2 = d4.k FULL JOIN d1 d5 ON f1.k1 = d5.k WHERE true AND d5.u = ANY (ARRAY[(23)::int4, (3)::int4]) AND f1.u < 1;
ROLLBACK;
--   with ssdpar: 0 rows ; calls 1, written 0 
--   without:     0 rows ; calls 0, written 0 

