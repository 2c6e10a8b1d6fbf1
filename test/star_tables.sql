-- star_tables.sql: tables for t/012_star_rows.pl, made to go wrong.
-- The same in every run: the queries are what is random.
SELECT setseed(0.42);
CREATE ROLE reader;

-- Texts that differ in case only are equal; where the server has no ICU the
-- columns are plain ones.
DO $$ BEGIN
  CREATE COLLATION german (provider = icu, locale = 'de');
  CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2',
                             deterministic = false);
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION german FROM "POSIX";
  CREATE COLLATION any_case FROM "C";
END $$;

CREATE TABLE nation (n_key int8 PRIMARY KEY, n_name text);
INSERT INTO nation SELECT i, 'n' || i FROM generate_series(1, 25) i;
CREATE TABLE maker (m_name varchar(10), m_size int2);
INSERT INTO maker SELECT 'm' || i % 12, i % 5 FROM generate_series(1, 30) i;
INSERT INTO maker VALUES (NULL, 1), ('none', NULL);

-- int8 here, int4 in the fact, and the other way round; keys of which some
-- are NULL or there twice.
CREATE TABLE customer (c_key int8, c_reg int, c_nat int, c_name text);
INSERT INTO customer SELECT i, i % 5, 1 + i % 27, 'c' || i
  FROM generate_series(1, 400) i;
INSERT INTO customer SELECT NULL, i, i, 'c1' FROM generate_series(0, 5) i;
INSERT INTO customer SELECT i, 1, NULL, 'twice' FROM generate_series(10, 30) i;
INSERT INTO customer VALUES (5000000000, 2, 3, 'c1 far'), (-7, 2, 3, 'c17');
CREATE INDEX ON customer (c_key);
CREATE TABLE part (p_key int4 PRIMARY KEY, p_brand text, p_maker text);
INSERT INTO part SELECT i, 'b' || i % 40, 'm' || i % 15
  FROM generate_series(1, 800) i;
-- Columns of all kinds, NULLs among them, and one that was dropped.
CREATE TABLE place (gone int, l_key int8 UNIQUE, l_kind int,
  l_name text, l_tax numeric, l_open timetz, l_list int[], l_pad text);
ALTER TABLE place ALTER l_pad SET STORAGE external;
INSERT INTO place SELECT i, i * 2, i % 5,
    nullif('p' || i % 30, 'p7'), nullif(i / 4.0, 4), '08:00+02',
    CASE WHEN i % 9 > 0 THEN ARRAY[i, NULL, -i] END,
    CASE WHEN i % 40 = 1 THEN repeat(i::text, 3000) END
  FROM generate_series(-3, 240) i;
INSERT INTO place (l_key, l_kind) VALUES (NULL, 1), (NULL, 2), (17, 3),
  (5000000000, 1);
ALTER TABLE place DROP gone;
UPDATE place SET l_name = l_name || '' WHERE l_key % 6 = 0;
CREATE TABLE day (d_date date PRIMARY KEY, d_year int);
INSERT INTO day SELECT d, extract(year FROM d)
  FROM generate_series('2019-12-01'::timestamp, '2022-02-01', '1 day') d;
INSERT INTO day VALUES ('infinity', 2023), ('-infinity', 2019);
CREATE TABLE tag (t_key text COLLATE any_case, t_kind int);
INSERT INTO tag SELECT one || i, i % 6
  FROM generate_series(1, 60) i, unnest('{t,T}'::text[]) one;
CREATE TABLE word (w_key varchar, w_kind int);
INSERT INTO word SELECT 'wörd ' || i, i % 5 FROM generate_series(1, 50) i;
CREATE TABLE pair (a int8, b int, x int, PRIMARY KEY (a, b));
INSERT INTO pair SELECT i, j, i * j FROM generate_series(0, 12) i,
  generate_series(0, 12) j WHERE (i + j) % 3 > 0;
CREATE TABLE price (r_key numeric, r_kind int);
INSERT INTO price SELECT i / 4.0, i % 6 FROM generate_series(-5, 60) i;
INSERT INTO price VALUES ('NaN', 1), (1.000, 2), (NULL, 3);
CREATE TABLE weight (g_key float8, g_kind int);
INSERT INTO weight SELECT i / 2.0, i % 5 FROM generate_series(-4, 40) i;
INSERT INTO weight VALUES ('NaN', 0), ('-0', 1), ('Infinity', 2), (NULL, 1);
CREATE TABLE nothing (e_key int);

CREATE TABLE fact (f_id bigserial PRIMARY KEY, f_c int, f_p int8, f_d date,
  f_t text COLLATE any_case, f_w text, f_a int, f_b int8, f_n numeric,
  f_g float4, f_v int);

-- A third of the rows have one customer; one row in 30 has a NULL key.
CREATE FUNCTION some_rows(n int) RETURNS SETOF fact LANGUAGE sql AS $$
  SELECT nextval('fact_f_id_seq'),
    CASE WHEN random() < 0.03 THEN NULL WHEN random() < 0.33 THEN 17
      ELSE (random() * 450)::int END,
    CASE WHEN random() < 0.03 THEN NULL
      ELSE (random() ^ 3 * 1000)::int8 END,
    CASE WHEN random() < 0.03 THEN 'infinity'
      ELSE '2020-01-01'::date + (random() * 800)::int END,
    CASE WHEN random() < 0.03 THEN NULL
      ELSE (CASE WHEN random() < 0.5 THEN 't' ELSE 'T' END)
        || (random() * 80)::int END,
    'wörd ' || (random() * 70)::int,
    (random() * 14)::int, CASE WHEN random() < 0.03 THEN NULL
      ELSE (random() * 14)::int END,
    CASE WHEN random() < 0.03 THEN 'NaN'
      ELSE (random() * 80)::int / 4.00 END,
    CASE WHEN random() < 0.03 THEN 'NaN' WHEN random() < 0.1 THEN 0
      ELSE (random() * 60)::int / 2.0 END,
    (random() * 100)::int
  FROM generate_series(1, n) $$;
INSERT INTO fact SELECT * FROM some_rows(9000);
CREATE INDEX ON fact (f_c);
CREATE INDEX ON fact (f_p, f_d);
CREATE INDEX ON fact (f_d DESC NULLS LAST);
CREATE INDEX ON fact (f_t);
CREATE INDEX ON fact (f_t COLLATE german);
CREATE INDEX ON fact (f_w);
CREATE INDEX ON fact (f_b, f_a);
CREATE INDEX ON fact (f_n);
CREATE INDEX ON fact (f_g);
CREATE INDEX ON fact (f_a) WHERE f_v > 50;
CREATE INDEX ON fact ((f_c + 1));

-- Updated in place, moved, deleted and not yet forgotten.
UPDATE fact SET f_v = f_v + 1 WHERE f_id % 7 = 0;
UPDATE fact SET f_c = f_c + 1, f_p = f_p - 1 WHERE f_id % 11 = 0;
DELETE FROM fact WHERE f_id % 13 = 0;
VACUUM (INDEX_CLEANUP on) fact;
UPDATE fact SET f_v = f_v - 1 WHERE f_id % 5 = 0;
UPDATE fact SET f_b = 3 WHERE f_id % 17 = 0;
DELETE FROM fact WHERE f_id BETWEEN 1000 AND 1200;
INSERT INTO fact SELECT * FROM some_rows(300);
UPDATE customer SET c_name = c_name || '' WHERE c_key % 3 = 0;
DELETE FROM part WHERE p_key % 19 = 0;

-- The columns of the partitions stand in other places than the parent's.
CREATE TABLE part_fact (LIKE fact) PARTITION BY RANGE (f_v);
CREATE TABLE part_fact_1 PARTITION OF part_fact FOR VALUES FROM (MINVALUE) TO (30);
CREATE TABLE part_fact_2 (gone int, f_v int, f_g float4, f_n numeric, f_b int8,
  f_a int, gone_too text, f_w text, f_t text COLLATE any_case, f_d date,
  f_p int8, f_c int, f_id int8 NOT NULL);
ALTER TABLE part_fact_2 DROP gone, DROP gone_too;
ALTER TABLE part_fact ATTACH PARTITION part_fact_2
  FOR VALUES FROM (30) TO (60);
CREATE TABLE part_fact_3 PARTITION OF part_fact FOR VALUES FROM (60) TO (MAXVALUE)
  PARTITION BY LIST (f_a);
CREATE TABLE part_fact_31 PARTITION OF part_fact_3 FOR VALUES IN (0, 1, 2, 3);
CREATE TABLE part_fact_32 PARTITION OF part_fact_3 DEFAULT;
INSERT INTO part_fact SELECT * FROM fact;
CREATE INDEX ON part_fact (f_c);
CREATE INDEX ON part_fact (f_d);
CREATE INDEX ON part_fact_2 (f_p);
-- Some of them on devices of their own.
CREATE TABLESPACE one LOCATION '';
CREATE TABLESPACE other LOCATION '';
ALTER TABLE part_fact_2 SET TABLESPACE one;
ALTER TABLE part_fact_32 SET TABLESPACE other;

-- Rows that not everybody may see.
CREATE TABLE own_fact (LIKE fact INCLUDING ALL);
INSERT INTO own_fact SELECT * FROM fact;
ALTER TABLE own_fact ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON own_fact TO reader USING (f_v % 3 > 0);
ALTER TABLE tag ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tag TO reader USING (t_kind <> 2);
CREATE VIEW barrier_fact WITH (security_barrier) AS
  SELECT * FROM fact WHERE f_v < 90;
CREATE VIEW joined_fact AS
  SELECT fact.* FROM fact JOIN nation ON n_key = f_a;

-- Rows that churn() moves about: their keys change among the customers of one
-- region, so a join with those finds all of them at any time.
CREATE TABLE moved (k int, v int);
INSERT INTO moved SELECT 3 + 5 * (i % 70), i FROM generate_series(1, 1000) i;
CREATE INDEX ON moved (k);
CREATE TABLE stop (now bool);
CREATE PROCEDURE churn() LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. 1000000 LOOP
    EXIT WHEN EXISTS (SELECT FROM stop);
    UPDATE moved SET k = 3 + 5 * (random() * 70)::int
      WHERE v % 50 = i % 50;
    UPDATE fact SET f_v = (random() * 100)::int WHERE f_id % 97 = i % 97;
    UPDATE fact SET f_c = (random() * 450)::int WHERE f_id % 89 = i % 89;
    UPDATE customer SET c_name = 'c' || i WHERE c_key % 31 = i % 31;
    INSERT INTO part VALUES (10000 + i, 'b' || i % 40, 'm1');
    DELETE FROM part WHERE p_key = 10000 + i - 20;
    INSERT INTO fact SELECT * FROM some_rows(3);
    DELETE FROM fact WHERE f_id % 6000 = i % 6000;
    IF i % 10 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
    PERFORM pg_sleep(0.005);
  END LOOP;
END $$;

-- Forward, backward and from the end through a query's rows.
CREATE FUNCTION walk(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c refcursor; r record; way text; result text := '';
BEGIN
  OPEN c SCROLL FOR EXECUTE
    'SELECT q::text AS t FROM (' || query || ') q ORDER BY 1';
  FOREACH way IN ARRAY '{NEXT,NEXT,NEXT,PRIOR,NEXT,LAST,PRIOR,FIRST,NEXT}'::text[]
  LOOP
    CASE way
      WHEN 'NEXT' THEN FETCH NEXT FROM c INTO r;
      WHEN 'PRIOR' THEN FETCH PRIOR FROM c INTO r;
      WHEN 'LAST' THEN FETCH LAST FROM c INTO r;
      ELSE FETCH FIRST FROM c INTO r;
    END CASE;
    result := concat(result, r.t, '|');
  END LOOP;
  CLOSE c;
  RETURN md5(result) || CASE WHEN result ~ '^\|*$' THEN ' 0' ELSE ' 1' END;
END $$;

-- none, star, or joined: a star scan that joins dimensions itself.
CREATE FUNCTION uses_star(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; uses text := 'none';
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line LIKE '%SsdparStarScan%' AND uses = 'none' THEN uses := 'star'; END IF;
    IF line LIKE '%Reducer: %, joined%' THEN uses := 'joined'; END IF;
  END LOOP;
  RETURN uses;
END $$;

-- An invented device, so that ssdpar.star_access = auto has a cost model.
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SELECT ssdpar.store_profile(space, ssdpar.profile_document('pg_default'))
  FROM unnest('{one,other}'::name[]) space;
GRANT USAGE ON SCHEMA ssdpar TO reader;

GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
ANALYZE;
