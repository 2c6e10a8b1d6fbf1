-- Rows of star scans that stand for joins, and of all joins with the fact, where
-- the fact has a part of a dimension's keys only.  Random schemas are compared
-- in t/096_star_rows.pl.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
\set ECHO none
\i test/invent_device.sql
\set ECHO all
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;
SET ssdpar.cost_model_min_size = 0;
SET ssdpar.residency = cold;
SET ssdpar.star_access = sequential;
SELECT invent_device('depth * 200 * 8192 / size', 128, 5e-6);

-- a calendar of 20 years, a fact of five; small, because a look ends by time, and
-- the machine may be busy
CREATE TABLE rows_day (day int PRIMARY KEY, year int, pad char(20));
INSERT INTO rows_day SELECT i, 1998 + i / 365, '' FROM generate_series(1, 7305) i;
CREATE TABLE rows_buyer (buyer int PRIMARY KEY, state int);
INSERT INTO rows_buyer SELECT i, i % 40 FROM generate_series(1, 2000) i;
CREATE TABLE rows_sale (day int, item int, buyer int, pad char(40));
INSERT INTO rows_sale SELECT 1 + i * 7919 % 1825, i * 31 % 500, 1 + (i * 7 % 2000) ^ 2 / 2000, ''
  FROM generate_series(1, 80000) i;
INSERT INTO rows_sale SELECT NULL, 1, NULL, '' FROM generate_series(1, 10000);
CREATE TABLE rows_web (day int, item int, buyer int);
INSERT INTO rows_web SELECT 1 + i * 6101 % 1825, i * 17 % 500, 1 + i * 3 % 2000
  FROM generate_series(1, 30000) i;
VACUUM ANALYZE rows_day, rows_buyer, rows_sale, rows_web;

-- Of each node that reads the fact and is a join, or stands for one: are its
-- rows expected within a factor of two?
CREATE FUNCTION rows_off(node json) RETURNS TABLE (kind text, within boolean)
LANGUAGE sql AS $$
  WITH RECURSIVE nodes AS (
    SELECT node AS n
    UNION ALL
    SELECT child FROM nodes, json_array_elements(n -> 'Plans') child)
  SELECT coalesce(n ->> 'Custom Plan Provider', 'join'),
         greatest(p / a, a / p) <= 2
    FROM nodes,
         LATERAL (SELECT greatest((n ->> 'Plan Rows')::float8, 5) AS p,
                         greatest((n ->> 'Actual Rows')::float8, 5) AS a) r
   WHERE n::text LIKE '%rows_sale%' AND
         (n ->> 'Node Type' ~ 'Join|Nested Loop' OR n ->> 'Custom Plan Provider' = 'SsdparIndexJoin' OR
          (n -> 'Reducers')::text LIKE '%Joined%')
$$;
CREATE FUNCTION rows_off(query text) RETURNS TABLE (kind text, within boolean)
LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
  RETURN QUERY SELECT * FROM rows_off(plan -> 0 -> 'Plan');
END $$;

-- a year of the calendar: the scan stands for the join
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_sale s, rows_day d
  WHERE s.day = d.day AND d.year = 2000');
-- the same with the tables in the other order
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_day d, rows_sale s
  WHERE s.day = d.day AND d.year = 2000');
SELECT * FROM rows_off('SELECT count(*), min(b.state) FROM rows_buyer b, rows_day d, rows_sale s
  WHERE s.day = d.day AND d.year = 2000 AND s.buyer = b.buyer AND b.state < 5');
-- the same where the key is declared to refer to the calendar
ALTER TABLE rows_sale ADD FOREIGN KEY (day) REFERENCES rows_day;
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_sale s, rows_day d
  WHERE s.day = d.day AND d.year = 2000');
-- lines of orders, a tenth of which came back: both have each line once
CREATE TABLE rows_sale_line (ticket int, item int, day int, pad char(40));
INSERT INTO rows_sale_line SELECT i, i % 500, 1 + i * 7919 % 1825, ''
  FROM generate_series(1, 60000) i;
CREATE TABLE rows_sale_back (ticket int, item int, why int);
INSERT INTO rows_sale_back SELECT i, i % 500, i % 7
  FROM generate_series(3, 60000, 10) i;
VACUUM ANALYZE rows_sale_line, rows_sale_back;
SELECT * FROM rows_off('SELECT count(*), min(d.year)
  FROM rows_sale_line s, rows_sale_back b, rows_day d
  WHERE s.ticket = b.ticket AND s.item = b.item AND s.day = d.day AND d.year = 2000');
-- years that the fact has not, some that it has among others, all of them
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_sale s, rows_day d
  WHERE s.day = d.day AND d.year = 2015');
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_sale s, rows_day d
  WHERE s.day = d.day AND d.year BETWEEN 2001 AND 2100');
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_sale s, rows_day d
  WHERE s.day = d.day AND d.year < 2100');
-- buyers of whom some buy far more than others
SELECT * FROM rows_off('SELECT count(*), min(b.state) FROM rows_sale s, rows_buyer b
  WHERE s.buyer = b.buyer AND b.state = 1');
-- two dimensions, and a second fact above
SELECT * FROM rows_off('SELECT count(*), min(b.state) FROM rows_sale s, rows_day d, rows_buyer b
  WHERE s.day = d.day AND d.year = 2000 AND s.buyer = b.buyer AND b.state < 5');
SELECT * FROM rows_off('SELECT count(*), min(b.state)
  FROM rows_sale s, rows_web w, rows_day d, rows_buyer b
  WHERE s.day = d.day AND d.year = 2000 AND s.buyer = w.buyer AND s.buyer = b.buyer');
-- keys asked for by the calendar's index, which costs less than all of it
SET seq_page_cost = 10000;
SET random_page_cost = 0;
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_sale s, rows_day d
  WHERE s.day = d.day AND d.year = 2000');
RESET seq_page_cost;
RESET random_page_cost;
-- a semi join
SELECT * FROM rows_off('SELECT count(*) FROM rows_sale s
  WHERE EXISTS (SELECT FROM rows_day d WHERE s.day = d.day AND d.year = 2000)');

-- For whom planning looks at a dimension: not where rows that were read have to
-- be noted, or where conditions of others come first.
CREATE FUNCTION looks_at(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
  RETURN jsonb_path_query_array(plan, 'strict $.**."Rows Measured"[*]');
END $$;
\set year 'SELECT count(*) FROM rows_sale s, rows_day d WHERE s.day = d.day AND d.year = 2000'
SELECT looks_at(:'year');
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY;
SELECT looks_at(:'year');
COMMIT;
CREATE VIEW rows_view AS SELECT s.item, d.year FROM rows_sale s, rows_day d
  WHERE s.day = d.day;
SELECT looks_at('SELECT count(*) FROM rows_view WHERE year = 2000 AND item = 7');
ALTER VIEW rows_view SET (security_barrier);
SELECT looks_at('SELECT count(*) FROM rows_view WHERE year = 2000 AND item = 7');
ALTER VIEW rows_view RESET (security_barrier);
-- A role that may not read all that is asked for is told when execution starts.
-- By then no function has been called for the dimension's rows.
CREATE SEQUENCE rows_asked;
CREATE FUNCTION is_asked(int) RETURNS bool IMMUTABLE LEAKPROOF COST 1
LANGUAGE plpgsql AS $$
BEGIN
  RETURN nextval('rows_asked') > 0;
END $$;
CREATE ROLE regress_rows_reader;
GRANT USAGE ON SEQUENCE rows_asked TO regress_rows_reader;
GRANT SELECT ON rows_sale TO regress_rows_reader;
GRANT SELECT (day) ON rows_day TO regress_rows_reader;
\set asked 'SELECT count(*) FROM rows_sale s, rows_day d WHERE s.day = d.day AND d.year BETWEEN 2000 AND 2000 AND is_asked(d.day)'
\set VERBOSITY terse
SET ROLE regress_rows_reader;
SELECT looks_at(:'asked');
SELECT looks_at('SELECT count(*) FROM rows_view WHERE year = 2000 AND is_asked(year)');
RESET ROLE;
SELECT is_called FROM rows_asked;
GRANT SELECT (year) ON rows_day TO regress_rows_reader;
SET ROLE regress_rows_reader;
SELECT looks_at(:'asked');
RESET ROLE;
SELECT is_called FROM rows_asked;
\set VERBOSITY default
-- Through a view the tables are read with its owner's rights.
REVOKE SELECT ON rows_sale, rows_day FROM regress_rows_reader;
GRANT SELECT ON rows_view TO regress_rows_reader;
SET ROLE regress_rows_reader;
SELECT looks_at('SELECT count(*) FROM rows_view WHERE year = 2000');
RESET ROLE;
GRANT SELECT ON rows_sale, rows_day TO regress_rows_reader;
CREATE POLICY rows_policy ON rows_day USING (day % 2 = 0);
ALTER TABLE rows_day ENABLE ROW LEVEL SECURITY;
SET ROLE regress_rows_reader;
SELECT looks_at(:'year');
RESET ROLE;
ALTER TABLE rows_day DISABLE ROW LEVEL SECURITY;
DROP POLICY rows_policy ON rows_day;
-- What is marked leakproof raises no error.  Where it does, planning goes on
-- without a look: that row may never be asked for.
CREATE FUNCTION lies(int) RETURNS bool IMMUTABLE LEAKPROOF COST 1000
LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'not leakproof';
END $$;
\set lies :year ' AND lies(d.day) AND d.pad IS NULL'
SELECT looks_at(:'lies');
:lies;
-- However slow it is, a look ends in time.
CREATE FUNCTION is_slow(int) RETURNS bool IMMUTABLE LEAKPROOF COST 1
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('rows_asked'), pg_sleep(0.001);
  RETURN true;
END $$;
SELECT setval('rows_asked', 1, false);
SELECT looks_at(:'year' || ' AND is_slow(d.day)');
SELECT is_called AND last_value <= 256 AS in_time FROM rows_asked;
DROP VIEW rows_view;
DROP OWNED BY regress_rows_reader;
DROP ROLE regress_rows_reader;
DROP SEQUENCE rows_asked;
DROP TABLE rows_web, rows_sale, rows_buyer, rows_day;
DROP FUNCTION rows_off(json), rows_off(text), looks_at, is_asked, lies, is_slow,
  invent_device;
SELECT ssdpar.forget_profile('pg_default');
