-- Distinct values that are measured while planning: the groups that core
-- expects then.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET default_statistics_target = 1000;

-- Lines of orders, four each, that lie together.  What ANALYZE makes of that
-- differs from run to run, so it is told.
CREATE TABLE group_order (o_id int PRIMARY KEY, o_kind int);
INSERT INTO group_order SELECT i, i % 10 FROM generate_series(0, 24999) i;
CREATE TABLE group_line (l_id int, l_order int, l_name text, l_char varchar,
  l_half int, l_skew int, l_few int, l_bare int, l_pad text);
INSERT INTO group_line
  SELECT i, i / 4, 'order ' || i / 4, 'order ' || i / 4,
    CASE WHEN i % 4 < 2 THEN i / 4 END,
    CASE WHEN i % 4 < 2 THEN i / 4 ELSE -1 END, i % 800, i / 4,
    repeat('x', 100)
    FROM generate_series(0, 99999) i;
CREATE INDEX group_line_id ON group_line (l_id);
CREATE INDEX group_line_order ON group_line (l_order, l_id);
CREATE INDEX group_line_name ON group_line (l_name);
CREATE INDEX group_line_char ON group_line (l_char);
CREATE INDEX group_line_half ON group_line (l_half);
CREATE INDEX group_line_skew ON group_line (l_skew);
CREATE INDEX group_line_few ON group_line (l_few);
CREATE INDEX ON group_line (l_bare) WHERE l_bare > 5;
ALTER TABLE group_line ALTER l_order SET (n_distinct = 2500),
  ALTER l_name SET (n_distinct = 2500), ALTER l_char SET (n_distinct = 2500),
  ALTER l_half SET (n_distinct = 2500), ALTER l_skew SET (n_distinct = 2500),
  ALTER l_few SET (n_distinct = 20000), ALTER l_bare SET (n_distinct = 2500);
VACUUM ANALYZE group_order, group_line;

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

\set orders 'SELECT l_order, count(*) FROM group_line GROUP BY l_order'
SET ssdpar.estimate_budget = 0;
SELECT * FROM expected(:'orders', 25000);
SET ssdpar.estimate_budget = '10s';
SELECT * FROM expected(:'orders', 25000);
SELECT is_unmeasured(:'orders');
SELECT plan_text(:'orders') = plan_text(:'orders') AS planned_alike;
SELECT count(*), min(count), max(count) FROM (:orders) o;
SET ssdpar.enabled = off;
SELECT count(*), min(count), max(count) FROM (:orders) o;
RESET ssdpar.enabled;

-- In the words of EXPLAIN.
CREATE FUNCTION lines(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (VERBOSE) ' || query
  LOOP
    IF line ~ '^ssdpar (Rows|Distinct)' THEN
      -- a time of less than a millisecond begins with 0
      RETURN NEXT regexp_replace(line, '[1-9][0-9.]*|(?<==)0[.][0-9]+', 'N', 'g');
    END IF;
  END LOOP;
END $$;
SELECT * FROM lines(:'orders');

-- Other ways to ask for groups, other types, NULLs, many rows of one value, fewer values than assumed.
SELECT * FROM expected('SELECT DISTINCT l_order FROM group_line', 25000);
SELECT * FROM expected('SELECT DISTINCT ON (l_order) l_order, l_id FROM group_line ORDER BY l_order, l_id', 25000);
SELECT * FROM expected('SELECT l_name, count(*) FROM group_line GROUP BY l_name', 25000);
SELECT * FROM expected('SELECT l_char, count(*) FROM group_line GROUP BY l_char', 25000);
SELECT * FROM expected('SELECT l_half, count(*) FROM group_line GROUP BY l_half', 25000);
SELECT * FROM expected('SELECT l_skew, count(*) FROM group_line GROUP BY l_skew', 25000);
SELECT * FROM expected('SELECT l_few, count(*) FROM group_line GROUP BY l_few', 800);
SELECT "column", measured FROM expected('SELECT a.l_order FROM group_line a, group_order WHERE a.l_order = o_id GROUP BY a.l_order, a.l_name', 25000);

SELECT * FROM expected('SELECT l_order FROM group_line GROUP BY GROUPING SETS (l_order, ())', 25001);

-- Filters: an order is kept if one of its lines is.
SELECT * FROM expected('SELECT l_order FROM group_line WHERE l_id % 1000 < 1000 AND l_few < 400 GROUP BY l_order', 12500);

-- What HAVING leaves is not known: as many rows as without, and not more than there are groups.
SELECT * FROM expected('SELECT l_order FROM group_line GROUP BY l_order HAVING sum(l_id) > 0', 2500 / 3.0);
SELECT result FROM expected('SELECT l_few FROM group_line GROUP BY l_few HAVING sum(l_id) > 0', 800 / 3.0);

-- A subquery: the groups that are joined.
\set large 'SELECT o_id FROM group_order WHERE o_id IN (SELECT l_order FROM group_line GROUP BY l_order HAVING sum(l_id) > 0)'
SELECT "column", measured, assumed FROM expected(:'large', 25000);
:large ORDER BY o_id DESC LIMIT 2;
\set cte 'WITH o AS MATERIALIZED (SELECT l_order FROM group_line GROUP BY l_order) SELECT * FROM o'
SELECT * FROM expected(:'cte', 25000);
-- A column's distinct values serve the whole statement.
SELECT count(*) FROM group_line WHERE l_order = 7 AND l_order IN (SELECT l_order FROM group_line GROUP BY l_order);

-- Core's number stays: no index on all rows, unique, an expression, few rows, no groups.
SELECT * FROM expected('SELECT l_bare, count(*) FROM group_line GROUP BY l_bare', 25000);
SELECT is_unmeasured('SELECT l_bare, count(*) FROM group_line GROUP BY l_bare');
SELECT is_unmeasured('SELECT o_id, count(*) FROM group_order GROUP BY o_id');
SELECT is_unmeasured('SELECT l_id, count(*) FROM group_line GROUP BY l_id');
SELECT is_unmeasured('SELECT l_order + 1, count(*) FROM group_line GROUP BY l_order + 1');
SELECT is_unmeasured('SELECT l_order, count(*) FROM group_line WHERE l_id < 500 GROUP BY l_order');
SELECT is_unmeasured('SELECT count(*) FROM group_line WHERE l_order = 5');
-- No statistics: a guess that is not ours to better.
CREATE TABLE group_new AS SELECT l_order, l_pad FROM group_line;
CREATE INDEX ON group_new (l_order);
VACUUM group_new;
SELECT is_unmeasured('SELECT l_order, count(*) FROM group_new GROUP BY l_order');
DROP TABLE group_new;
-- Off.
SET ssdpar.cost_model = off;
SELECT is_unmeasured(:'orders');
RESET ssdpar.cost_model;
SET ssdpar.estimate_share = 0;
SELECT is_unmeasured(:'orders');
SET ssdpar.estimate_share = 100;
SET ssdpar.cost_model_min_size = '1GB';
SELECT is_unmeasured(:'orders');
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.enabled = off;
SELECT is_unmeasured(:'orders');
RESET ssdpar.enabled;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY;
SELECT is_unmeasured(:'orders');
COMMIT;

-- Partitions are estimated as ever, their parent too.
CREATE TABLE group_part (l_order int, l_pad text) PARTITION BY RANGE (l_order);
CREATE TABLE group_part_1 PARTITION OF group_part FOR VALUES FROM (MINVALUE) TO (20000);
CREATE TABLE group_part_2 PARTITION OF group_part FOR VALUES FROM (20000) TO (MAXVALUE);
INSERT INTO group_part SELECT l_order, l_pad FROM group_line;
CREATE INDEX ON group_part (l_order);
ALTER TABLE group_part ALTER l_order SET (n_distinct_inherited = 2500);
ALTER TABLE group_part_1 ALTER l_order SET (n_distinct = 2000);
ANALYZE group_part;
SELECT is_unmeasured('SELECT l_order, count(*) FROM group_part GROUP BY l_order');
-- A partition by itself is a table; beside it, in its parent, it is a partition.
SELECT * FROM expected('SELECT l_order, count(*) FROM group_part_1 GROUP BY l_order', 20000);
SELECT "column", measured FROM expected('SELECT * FROM (SELECT l_order FROM group_part_1 GROUP BY l_order) a, group_part b WHERE a.l_order = b.l_order', 20000);
DROP TABLE group_part;

-- Prepared statements.
PREPARE orders_of(int) AS SELECT l_order, count(*) FROM group_line WHERE l_id >= $1 GROUP BY l_order;
SET plan_cache_mode = force_generic_plan;
SELECT result FROM expected('EXECUTE orders_of(33333)', 20000);
SET plan_cache_mode = force_custom_plan;
SELECT result FROM expected('EXECUTE orders_of(0)', 25000);
RESET plan_cache_mode;
CREATE TEMP TABLE found_orders AS EXECUTE orders_of(99990);
SELECT * FROM found_orders ORDER BY 1;

-- A temporary table.
CREATE TEMP TABLE group_temp AS SELECT l_order, l_pad FROM group_line;
CREATE INDEX ON group_temp (l_order);
ALTER TABLE group_temp ALTER l_order SET (n_distinct = 2500);
VACUUM ANALYZE group_temp;
SELECT * FROM expected('SELECT l_order FROM group_temp GROUP BY l_order', 25000);
DROP TABLE group_temp;
-- Rights: who may not read all rows is told nothing.
CREATE ROLE group_reader;
CREATE ROLE group_owner;
GRANT SELECT (l_order) ON group_line TO group_reader;
GRANT SELECT ON group_line TO group_owner;
CREATE VIEW group_view AS SELECT l_order, l_name FROM group_line;
ALTER VIEW group_view OWNER TO group_owner;
CREATE VIEW group_barrier WITH (security_barrier) AS SELECT l_order FROM group_line WHERE l_id >= 0;
GRANT SELECT ON group_view, group_barrier TO group_reader;
SET ROLE group_reader;
SELECT * FROM expected(:'orders', 25000);
SELECT * FROM expected('SELECT l_name, count(*) FROM group_line GROUP BY l_name', 25000);
SELECT * FROM expected('SELECT l_name, count(*) FROM group_view GROUP BY l_name', 25000);
SELECT is_unmeasured('SELECT l_order, count(*) FROM group_barrier WHERE l_order > 5 GROUP BY l_order');
RESET ROLE;
CREATE POLICY group_policy ON group_line USING (l_id % 2 = 0);
ALTER TABLE group_line ENABLE ROW LEVEL SECURITY;
SET ROLE group_reader;
SELECT is_unmeasured('SELECT l_order, count(*) FROM group_view GROUP BY l_order');
RESET ROLE;
-- The table's owner sees all rows.
SELECT * FROM expected(:'orders', 25000);
ALTER TABLE group_line DISABLE ROW LEVEL SECURITY;
DROP POLICY group_policy ON group_line;

-- A statement that is planned within another one.
CREATE FUNCTION group_within() RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT count(*) FROM (SELECT l_name FROM group_line GROUP BY l_name) g);
END $$;
SELECT * FROM expected('SELECT l_order FROM group_line WHERE l_id < 10 * group_within() GROUP BY l_order', 25000);
CREATE FUNCTION group_failing() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM group_within();
  RAISE EXCEPTION 'no number';
END $$;
SELECT l_order FROM group_line WHERE l_id < group_failing() GROUP BY l_order;
SELECT * FROM expected(:'orders', 25000);

-- There are no more groups than rows: of few, no column is asked.
\set some 'SELECT l_name, count(*) FROM group_line, group_order WHERE l_order = o_id AND o_id < '
SELECT "column" FROM expected(:'some' || '1000 GROUP BY 1', 1000);
SELECT "column" FROM expected(:'some' || '100 GROUP BY 1', 100);

-- A join tells the values of a column, most of whose rows have none.
CREATE TABLE group_page (p_id int PRIMARY KEY, p_pad text);
INSERT INTO group_page SELECT i, repeat('x', 1800) FROM generate_series(1, 10000) i;
CREATE TABLE group_hit (h_page int, h_pad text);
INSERT INTO group_hit SELECT CASE WHEN i % 10 = 0 THEN 1 + i / 10 % 10000 END, repeat('x', 100)
  FROM generate_series(1, 400000) i;
CREATE INDEX ON group_hit (h_page);
VACUUM ANALYZE group_page, group_hit;
SELECT * FROM expected('SELECT h_page, count(*) FROM group_hit, group_page WHERE p_id = h_page GROUP BY h_page', 10000);
DROP TABLE group_page, group_hit;

-- Rows that have gone, and none at all.
DELETE FROM group_line WHERE l_id >= 50000;
VACUUM ANALYZE group_line;
SELECT * FROM expected(:'orders', 12500);
TRUNCATE group_line;
SELECT count(*) FROM (:orders) o;

DROP VIEW group_view, group_barrier;
DROP TABLE group_line, group_order;
DROP ROLE group_reader, group_owner;
DROP FUNCTION compared, expected, plan_text, is_unmeasured, lines,
  group_within, group_failing, invent_device;
SELECT ssdpar.forget_profile('pg_default');
