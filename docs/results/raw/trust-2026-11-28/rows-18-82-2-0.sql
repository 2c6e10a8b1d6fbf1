-- error: seed 8200002, case 5381, after 5382 queries and 28 s
-- test/query_fuzz/fuzz.py --socket SOCKET --port 54329 --user postgres --seed 8200002 --queries 1000000 --seconds 60.0 --findings 3
error: seed 8200002, case 5381, after 5382 queries and 28 s 
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
CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;
CREATE SCHEMA fz;
SET search_path = fz, public;
CREATE TABLE d0 (u int4, k int2, x int4, g int4, t text);
INSERT INTO d0 (u, k, x, g, t) SELECT i, (least((i * 7919 + 1) % 90, (i * 13) % 18))::int2, CASE WHEN i % 11 <> 0 THEN ((i * 7919 + 29) % 10)::int4 END, (i * 7919 + 5) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 90) i WHERE true;
DO $$ BEGIN CREATE UNIQUE INDEX ON d0 (k); EXCEPTION WHEN unique_violation THEN CREATE INDEX ON d0 (k); END $$;
CREATE INDEX ON d0 (x);
ANALYZE d0;
CREATE TABLE d2 (u int4, k text COLLATE any_case, x int4, g int4, t text);
INSERT INTO d2 (u, k, x, g, t) SELECT i, CASE WHEN i % 11 <> 0 THEN (CASE WHEN (i) % 3 = 0 THEN 'T' ELSE 't' END || (i)::int / 2) END, ((i * 7919 + 2) % 10)::int4, least((i * 1 + 3) % 5, (i * 13) % 1), CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END FROM generate_series(1, 1) i WHERE true;
UPDATE d2 SET x = x WHERE u % 5 = 0;
DELETE FROM d2 WHERE u % 13 = 4;
CREATE TABLE d2_t AS SELECT u FROM d2 WHERE x < 7;
ALTER TABLE d2 ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON d2 TO reader USING (plain(g) <> 1) WITH CHECK (true);
CREATE TABLE f0 (u int4, k0 int2, k1 uuid, k2 text COLLATE any_case, x int4, g int4, t text, pad text) PARTITION BY RANGE (x);
CREATE TABLE f0_0 PARTITION OF f0 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE f0_1 (gone int, k0 int2, t text, g int4, k2 text COLLATE any_case, x int4, u int4, k1 uuid, pad text);
ALTER TABLE f0_1 DROP gone;
ALTER TABLE f0 ATTACH PARTITION f0_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE f0_2 PARTITION OF f0 DEFAULT PARTITION BY HASH (u);
CREATE TABLE f0_20 PARTITION OF f0_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE f0_21 PARTITION OF f0_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO f0 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 1 + 28) % 47)::int2, md5(((i * 7919 + 29) % 8)::text)::uuid, CASE WHEN i % 11 <> 0 THEN (CASE WHEN ((i * 7919 + 27) % 3) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 27) % 3)::int / 2) END, ((i * 7919 + 48) % 10)::int4, (i * 7919 + 26) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 300) FROM generate_series(1, 300) i WHERE true;
CREATE INDEX ON f0 (k0, x);
ANALYZE f0, f0_0, f0_1, f0_2, f0_20, f0_21;
CREATE TABLE f1 (u int4, k0 int2, k1 uuid, k2 text COLLATE any_case, x int4, g int4, t text, pad text) PARTITION BY RANGE (x);
CREATE TABLE f1_0 PARTITION OF f1 FOR VALUES FROM (MINVALUE) TO (3);
CREATE TABLE f1_1 (gone int, k1 uuid, x int4, k0 int2, t text, u int4, pad text, g int4, k2 text COLLATE any_case);
ALTER TABLE f1_1 DROP gone;
ALTER TABLE f1 ATTACH PARTITION f1_1 FOR VALUES FROM (3) TO (6);
CREATE TABLE f1_2 PARTITION OF f1 DEFAULT;
INSERT INTO f1 (u, k0, k1, k2, x, g, t, pad) SELECT i, ((i * 7919 + 3) % 119)::int2, md5(((i * 1 + 20) % 17)::text)::uuid, CASE WHEN i % 29 <> 0 THEN (CASE WHEN ((i * 7919 + 43) % 2) % 3 = 0 THEN 'T' ELSE 't' END || ((i * 7919 + 43) % 2)::int / 2) END, ((i * 31 + 8) % 10)::int4, (i * 1 + 16) % 5, CASE WHEN i % 17 = 3 THEN 'bad' ELSE (i % 9)::text END, repeat('x', 1) FROM generate_series(1, 200) i WHERE true;
CREATE INDEX ON f1 (k2);
CREATE INDEX ON f1 (u);
ANALYZE f1, f1_0, f1_1, f1_2;
GRANT ALL ON SCHEMA fz TO reader;
GRANT ALL ON ALL TABLES IN SCHEMA fz TO reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO reader;
LOAD 'ssdpar'; CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET jit = off;
BEGIN;
SET LOCAL ssdpar.star_access = 'sequential'; SET LOCAL ssdpar.cost_model_min_size = '0'; SELECT f1.g, generate_series(1, f1.g % 3) FROM f0 f1 JOIN (SELECT * FROM d2 s3 WHERE true AND s3.u BETWEEN 2 AND 7) d2 ON f1.k2 = d2.k JOIN (SELECT * FROM d0 s5 WHERE s5.k IN (8, 9, 1, 2) AND (s5.t::text::int) IS NOT NULL AND raises(s5.g::int) <= s5.g) d4 ON f1.k0 = d4.k ORDER BY 1, 2;
ROLLBACK;
--   with ssdpar: 22P02 invalid input syntax for type integer: "bad"; calls 0, written 
--   without:     0 rows ; calls 0, written 0 

