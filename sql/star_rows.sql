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
SET ssdpar.estimate_share = 0;
-- a look ends by time, and the machine may be busy
SET ssdpar.estimate_budget = 10000;
SET ssdpar.star_access = sequential;
SELECT invent_device('depth * 200 * 8192 / size', 128, 5e-6);

-- a calendar of 200 years, a fact of five
CREATE TABLE rows_day (day int PRIMARY KEY, year int, pad char(20));
INSERT INTO rows_day SELECT i, 1998 + i / 365, '' FROM generate_series(1, 73049) i;
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
-- years that the fact has not, some that it has among others, all of them
SELECT * FROM rows_off('SELECT count(*), min(d.year) FROM rows_sale s, rows_day d
  WHERE s.day = d.day AND d.year = 2050');
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
DROP TABLE rows_web, rows_sale, rows_buyer, rows_day;
DROP FUNCTION rows_off(json), rows_off(text), invent_device;
SELECT ssdpar.forget_profile('pg_default');
