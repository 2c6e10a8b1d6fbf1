-- Distinct values of join keys that are measured while planning: the rows that
-- a lookup of one key is expected to find.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.index_join = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET default_statistics_target = 1000;

-- Lines of orders, four each, that lie together.  What ANALYZE makes of that
-- differs from run to run, so it is told.
CREATE TABLE key_order (o_id int, o_kind int, o_name text);
INSERT INTO key_order SELECT i, i % 100, 'order ' || i FROM generate_series(0, 24999) i;
CREATE TABLE key_line (l_id int, l_order int, l_name varchar, l_supp int,
  l_right int, l_bare int, l_pad text);
INSERT INTO key_line
  SELECT i, i / 4, 'order ' || i / 4, i % 7, i / 4, i / 4, repeat('x', 100)
    FROM generate_series(0, 99999) i;
-- Core takes no value for more frequent than the most common one.
INSERT INTO key_line
  SELECT i, i % 10, 'order ' || i % 10, 0, i % 10, i % 10, repeat('x', 100)
    FROM generate_series(100000, 101999) i;
CREATE UNIQUE INDEX key_line_id ON key_line (l_id);
CREATE INDEX key_line_order ON key_line (l_order, l_id);
CREATE INDEX key_line_name ON key_line (l_name);
CREATE INDEX key_line_right ON key_line (l_right);
CREATE INDEX ON key_line (l_bare) WHERE l_bare > 5;
ALTER TABLE key_line ALTER l_order SET (n_distinct = 2500),
  ALTER l_name SET (n_distinct = 2500), ALTER l_bare SET (n_distinct = 2500),
  ALTER l_right SET (n_distinct = 25000);
VACUUM ANALYZE key_order, key_line;
-- As of a large table: ANALYZE has looked at fewer rows than it says there are values.
SET default_statistics_target = 10;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set measured_plans :srcdir '/test/measured_plans.sql'
\set ECHO none
\i :invent_device
\i :measured_plans
\set ECHO all
-- Slow but for single pages, so that measuring is always worth its time.
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
SET ssdpar.estimate_share = 100;
SET ssdpar.estimate_budget = '10s';

-- What was measured of columns with so many values; how many of the rows of a
-- key, about four, a lookup is expected to find.
CREATE FUNCTION keys(query text, truth float8)
RETURNS TABLE ("column" text, measured text, assumed text)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN QUERY SELECT d->>'Column',
      compared((d->>'Values Measured')::float8, truth),
      compared((d->>'Values Assumed')::float8, truth)
    FROM jsonb_array_elements(plan->1->'ssdpar Distinct') d ORDER BY 1;
END $$;
CREATE FUNCTION lookup(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_material = off;
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN QUERY SELECT (n->>'Alias') || ': ' || compared((n->>'Plan Rows')::float8, 4)
    FROM jsonb_path_query(plan, 'strict $.**?(@."Relation Name" == "key_line" &&
                                 @."Index Cond" like_regex "=")') n;
END $$;
\set inner 'SELECT l_pad FROM key_order, key_line WHERE o_id = l_order AND o_kind = 3'
SET ssdpar.estimate_budget = 0;
SELECT * FROM keys(:'inner', 25000);
SELECT * FROM lookup(:'inner');
SET ssdpar.estimate_budget = '10s';
SELECT * FROM keys(:'inner', 25000);
SELECT * FROM lookup(:'inner');
SELECT plan_text(:'inner') = plan_text(:'inner') AS planned_alike;
SELECT count(*) FROM (:inner) i;
SET ssdpar.enabled = off;
SELECT * FROM lookup(:'inner');
SELECT count(*) FROM (:inner) i;
RESET ssdpar.enabled;

-- A key of another type; a column that the key implies.
\set named 'SELECT l_pad FROM key_order, key_line WHERE o_name = l_name AND o_kind = 3'
SELECT * FROM keys(:'named', 25000);
SELECT * FROM lookup(:'named');
SELECT * FROM keys('SELECT * FROM key_order a, key_order b, key_line WHERE a.o_id = b.o_id AND b.o_id = l_order AND a.o_kind = 3', 25000);

-- Of several columns of a table two are measured: those with most values.
BEGIN;
ALTER TABLE key_line ALTER l_name SET (n_distinct = 2000);
SET LOCAL default_statistics_target = 1000;
ANALYZE key_line (l_name);
SET LOCAL default_statistics_target = 10;
SELECT * FROM keys('SELECT * FROM key_order a, key_order b, key_order c, key_line WHERE a.o_id = l_order AND b.o_name = l_name AND c.o_id = l_right AND a.o_kind = 3', 25000);
ROLLBACK;

-- Semi, anti and outer joins; a table joined with itself is asked once.
\set semi 'SELECT o_id FROM key_order WHERE o_kind = 3 AND EXISTS (SELECT FROM key_line WHERE l_order = o_id AND l_supp = 2)'
SELECT * FROM keys(:'semi', 25000);
\set anti 'SELECT o_id FROM key_order WHERE o_kind = 3 AND NOT EXISTS (SELECT FROM key_line WHERE l_order = o_id AND l_supp = 2)'
SELECT * FROM keys(:'anti', 25000);
\set outer 'SELECT o_id FROM key_order LEFT JOIN key_line ON l_order = o_id AND l_supp = 2 WHERE o_kind = 3'
SELECT * FROM keys(:'outer', 25000);
SELECT * FROM lookup(:'outer');
SELECT * FROM keys('SELECT * FROM key_line a, key_line b WHERE a.l_order = b.l_order AND a.l_supp = 3 AND b.l_supp = 4', 25000);
SELECT count(*) FROM (:semi) s;
SELECT count(*) FROM (:anti) a;
SELECT count(*), count(DISTINCT o_id) FROM (:outer) o;

-- What is joined and grouped is measured once, and serves all levels.
SELECT * FROM keys('SELECT l_order, count(*) FROM key_order, key_line WHERE o_id = l_order AND o_kind < 50 GROUP BY l_order', 25000);
SELECT * FROM keys('SELECT * FROM key_order, (SELECT l_order FROM key_line GROUP BY l_order) l, key_line b WHERE o_id = l.l_order AND o_id = b.l_order AND o_kind = 3', 25000);

-- Core's number stays where it is right, and is sure of these: unique, equal to a constant, no index on all rows, values seen often enough by ANALYZE, not compared by =.
SELECT * FROM keys('SELECT * FROM key_order, key_line WHERE o_id = l_right AND o_kind = 3', 25000);
SELECT * FROM keys('SELECT * FROM key_order, key_line WHERE o_id = l_id AND o_kind = 3', 25000);
SELECT * FROM keys('SELECT * FROM key_order, key_line WHERE o_id = l_order AND l_order = 5', 25000);
SELECT * FROM keys('SELECT * FROM key_order, key_line WHERE o_id = l_bare AND o_kind = 3', 25000);
SET default_statistics_target = 100;
SELECT * FROM keys(:'inner', 25000);
SET default_statistics_target = 10;
SELECT * FROM keys('SELECT * FROM key_order, key_line WHERE o_id < l_order AND o_id % 2500 = 3', 25000);
-- But a join with all keys tells it; those that pass a filter may have other numbers of rows, 100 each where most have two.
CREATE TABLE key_buyer (b_id int PRIMARY KEY, b_often bool);
INSERT INTO key_buyer SELECT i, i % 100 = 0 FROM generate_series(0, 19999) i;
CREATE TABLE key_buy (y_buyer int, y_evenly int, y_pad text);
INSERT INTO key_buy
  SELECT b_id, row_number() OVER () % 20000, repeat('x', 300)
    FROM key_buyer, generate_series(1, CASE WHEN b_often THEN 100 ELSE 2 END);
CREATE INDEX ON key_buy (y_buyer);
CREATE INDEX ON key_buy (y_evenly);
ALTER TABLE key_buy ALTER y_buyer SET (n_distinct = 20000), ALTER y_evenly SET (n_distinct = 2000);
VACUUM ANALYZE key_buyer, key_buy;
SET default_statistics_target = 1000;
SELECT * FROM keys('SELECT y_pad FROM key_buyer, key_buy WHERE b_id = y_evenly AND y_buyer % 500 = 7', 20000);
SELECT * FROM keys('SELECT y_pad FROM key_buyer, key_buy WHERE b_id = y_buyer AND b_often', 20000);
DROP TABLE key_buyer, key_buy;
SET default_statistics_target = 10;
-- What is certainly short is not measured.
SET ssdpar.residency = hot;
RESET ssdpar.estimate_share;
SELECT * FROM keys('SELECT * FROM key_line a, key_line b WHERE a.l_order = b.l_order AND a.l_id = 7', 25000);
SET ssdpar.estimate_share = 100;
SET ssdpar.residency = cold;
-- Off.
SET ssdpar.cost_model = off;
SELECT * FROM keys(:'inner', 25000);
RESET ssdpar.cost_model;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY;
SELECT * FROM keys(:'inner', 25000);
COMMIT;

-- Rights: who may not read all rows is told nothing.
CREATE ROLE key_reader;
GRANT SELECT ON key_order TO key_reader;
GRANT SELECT (l_order) ON key_line TO key_reader;
SET ROLE key_reader;
SELECT * FROM keys('SELECT l_order FROM key_order, key_line WHERE o_id = l_order AND o_kind = 3', 25000);
RESET ROLE;
GRANT SELECT ON key_line TO key_reader;
CREATE POLICY key_policy ON key_line USING (l_id % 2 = 0);
ALTER TABLE key_line ENABLE ROW LEVEL SECURITY;
SET ROLE key_reader;
SELECT * FROM keys(:'inner', 25000);
RESET ROLE;

DROP TABLE key_line, key_order;
DROP ROLE key_reader;
DROP FUNCTION compared, expected, plan_text, is_unmeasured,
  keys, lookup, invent_device;
SELECT ssdpar.forget_profile('pg_default');
