-- Splitting a star query: which table is partitioned, in how many, and that
-- the rows never change.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers = 8;
SET max_parallel_workers_per_gather = 2;

-- A week's seven days stand in one block of the dimension on purpose.
CREATE TABLE split_day (d_key int PRIMARY KEY, d_week int, d_name text);
INSERT INTO split_day SELECT i, i / 7, 'day ' || i FROM generate_series(0, 699) i;
CREATE TABLE split_shop (s_key int PRIMARY KEY, s_region int);
INSERT INTO split_shop SELECT i, i % 5 FROM generate_series(1, 200) i;
CREATE TABLE split_sale (f_day int, f_shop int, f_amount int);
INSERT INTO split_sale
  SELECT i * 7919 % 700, 1 + i * 71 / 13 % 200, i % 100
    FROM generate_series(1, 30000) i;
CREATE INDEX ON split_sale (f_day);
CREATE INDEX ON split_sale (f_shop);
VACUUM ANALYZE split_day, split_shop, split_sale;

-- What EXPLAIN says of the split, whatever the plan around it looks like.
CREATE FUNCTION split_of(query text)
RETURNS TABLE (partitioned text, partition text, subqueries int, gathers int)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb; node jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json, COSTS off) ' || query INTO plan;
  gathers := jsonb_array_length(jsonb_path_query_array(plan,
    'strict $.**?(@."Node Type" == "Gather" || @."Node Type" == "Gather Merge")'));
  FOR node IN SELECT jsonb_path_query(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparPartition")')
  LOOP
    partitioned := node->>'Partitioned Table';
    partition := node->>'Partition';
    subqueries := node->>'Subqueries';
    RETURN NEXT;
  END LOOP;
  IF partitioned IS NULL THEN RETURN NEXT; END IF;
END $$;

-- Why was a query left to core?
CREATE FUNCTION why_not(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN plan->1->>'ssdpar Split Not Used';
END $$;

-- Do the rows differ from those without ssdpar?  Runs the query in both ways.
CREATE FUNCTION split_same(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE off text; "on" text;
BEGIN
  SET LOCAL ssdpar.enabled = off;
  EXECUTE format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text))) || count(*) FROM (%s) r', query) INTO off;
  SET LOCAL ssdpar.enabled = on;
  EXECUTE format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text))) || count(*) FROM (%s) r', query) INTO "on";
  RETURN CASE WHEN off = "on" THEN 'same' ELSE 'DIFFERENT' END;
END $$;

\set week 'SELECT d_name, s_region, sum(f_amount), count(*) FROM split_sale, split_day, split_shop WHERE f_day = d_key AND f_shop = s_key AND d_week = 3 AND s_region < 3 GROUP BY d_name, s_region'
\set total 'SELECT sum(f_amount) FROM split_sale'

-- No profile, no number: exactly core's plan.
SELECT * FROM split_of(:'week');

-- Forced.
SET ssdpar.subqueries = 4;
SELECT * FROM split_of(:'week');
SET ssdpar.partition = fact;
SELECT * FROM split_of(:'week');
SET ssdpar.partition = dimension;
SELECT * FROM split_of(:'week');
-- Every dimension leads to the fact here, but through split_shop it is longer.
SELECT * FROM split_of('SELECT count(*) FROM split_sale, split_shop WHERE f_shop = s_key AND s_region = 1');
-- A fact alone has no dimension to partition; core may do as it likes.
SELECT * FROM split_of(:'total');
SET ssdpar.partition = auto;
SELECT * FROM split_of(:'total');
SET parallel_leader_participation = off;
SELECT * FROM split_of(:'total');
EXPLAIN (COSTS OFF) SELECT sum(f_amount) FROM split_sale;
RESET parallel_leader_participation;
EXPLAIN (COSTS OFF) SELECT sum(f_amount) FROM split_sale;

-- Never split, though core would like to.
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET ssdpar.subqueries = 1;
SELECT * FROM split_of(:'week');
SELECT * FROM split_of(:'total');
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;

-- Not for ssdpar: lookups, catalogs, outer joins, row locks, switched off.
SET ssdpar.subqueries = 4;
SELECT * FROM split_of('SELECT * FROM split_day WHERE d_key = 5');
SELECT * FROM split_of('SELECT count(*) FROM pg_class c, pg_attribute a WHERE a.attrelid = c.oid');
SELECT * FROM split_of('SELECT * FROM split_sale, split_day WHERE f_day = d_key FOR UPDATE OF split_sale');
SELECT why_not('SELECT d_name FROM split_day LEFT JOIN split_sale ON f_day = d_key WHERE d_week = 3');
SELECT why_not('SELECT count(*) FROM split_sale, split_day WHERE f_amount < d_key');
SELECT why_not('SELECT count(*) FROM split_sale, split_day WHERE f_amount < d_key AND false') AS no_rows,
       why_not('SELECT count(*) FROM split_sale WHERE false AND random() < 1') AS no_rows_either;
SELECT why_not('SELECT count(*), random() FROM split_sale, split_day WHERE f_day = d_key');
SELECT why_not('SELECT count(*) FROM split_sale, LATERAL (SELECT d_key FROM split_day WHERE d_key = f_day LIMIT 1) d WHERE d_key = f_day');
SET join_collapse_limit = 1;
SELECT why_not('SELECT count(*) FROM split_sale JOIN split_day ON f_day = d_key JOIN split_shop ON f_shop = s_key');
RESET join_collapse_limit;
SELECT why_not('SELECT count(*) FROM split_sale, split_day WHERE f_day = d_key');
SET ssdpar.enabled = off;
SELECT * FROM split_of(:'week');
SET ssdpar.enabled = on;

-- Too few workers: one notice that says what to raise.
SET max_parallel_workers = 2;
SELECT * FROM split_of(:'week');
SET max_parallel_workers_per_gather = 0;
SELECT * FROM split_of(:'week');
SET max_parallel_workers = 8;
SET max_parallel_workers_per_gather = 2;

-- Same rows, run for real.
CREATE TABLE split_queries (id serial, query text);
INSERT INTO split_queries (query) VALUES
  (:'week'),
  (:'total'),
  ('SELECT d_name, f_amount FROM split_sale, split_day WHERE f_day = d_key AND d_week = 3'),
  ('SELECT count(DISTINCT f_shop), d_week FROM split_sale, split_day WHERE f_day = d_key AND d_week BETWEEN 3 AND 9 GROUP BY GROUPING SETS ((d_week), ())'),
  ('SELECT count(*) FROM split_sale, split_day WHERE f_day = d_key AND d_week = -1'),
  ('SELECT count(*) FROM split_sale, split_day WHERE f_day = d_key'),
  ('SELECT s_region, x.n FROM (SELECT s_region, count(*) n FROM split_sale, split_shop WHERE f_shop = s_key GROUP BY s_region) x JOIN split_shop USING (s_region)'),
  ('SELECT s_key, (SELECT sum(f_amount) FROM split_sale, split_day WHERE f_day = d_key AND f_shop = s_key AND d_week < 20) FROM split_shop WHERE s_region = 2'),
  ('SELECT d_name FROM split_sale, split_day, split_shop WHERE f_day = d_key AND f_shop = s_key AND d_week = 3 AND s_region = 1 AND f_amount > s_key'),
  ('SELECT d_week, f.t FROM split_day, LATERAL (SELECT sum(f_amount) t FROM split_sale, split_shop WHERE f_day = d_key AND f_shop = s_key AND s_region = 1) f WHERE d_week = 4');
CREATE FUNCTION split_check(n int, part text)
RETURNS TABLE (id int, rows text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('ssdpar.subqueries', n::text, true),
          set_config('ssdpar.partition', part, true);
  RETURN QUERY SELECT q.id, split_same(q.query) FROM split_queries q ORDER BY 1;
END $$;
SELECT n, part, count(*), bool_and(rows = 'same') AS same
  FROM unnest('{1,2,4,8}'::int[]) n, unnest('{auto,dimension,fact}'::text[]) part,
       split_check(n, part)
 GROUP BY n, part ORDER BY part, n;

-- Dead, updated and moved dimension rows; a deleted block; an empty dimension.
UPDATE split_day SET d_name = d_name || '!' WHERE d_key % 3 = 0;
DELETE FROM split_day WHERE d_key BETWEEN 100 AND 400;
INSERT INTO split_day SELECT i, 3, 'new ' || i FROM generate_series(1000, 1010) i;
SELECT split_same(:'week');
SET ssdpar.partition = dimension;
SELECT split_same(:'week');
SET ssdpar.partition = fact;
SELECT split_same(:'week');
RESET ssdpar.partition;
BEGIN;
TRUNCATE split_shop;
SELECT split_same(q.query) FROM split_queries q ORDER BY id;
ROLLBACK;

-- Rescans of Gather with and without workers, LIMIT, cursors, prepared
-- statements with a generic plan.
SET ssdpar.partition = dimension;
SET max_parallel_workers = 0;
SELECT count(*), sum(f_amount) FROM split_sale, split_day WHERE f_day = d_key AND d_week < 10;
SET max_parallel_workers = 8;
SELECT count(*), sum(f_amount) FROM split_sale, split_day WHERE f_day = d_key AND d_week < 10;
SELECT count(*) FROM (SELECT 1 FROM split_sale, split_day WHERE f_day = d_key AND d_week < 10 LIMIT 5) x;
-- PL/pgSQL wants one row, so the server starts no worker.
SELECT count(*), sum(f_amount) FROM split_sale, split_day WHERE f_day = d_key AND d_week < 20;
DO $$
DECLARE n bigint; total bigint;
BEGIN
  SELECT count(*), sum(f_amount) INTO n, total FROM split_sale, split_day WHERE f_day = d_key AND d_week < 20;
  RAISE NOTICE '% rows, %', n, total;
END $$;
BEGIN;
DECLARE split_cursor CURSOR FOR SELECT d_key FROM split_sale, split_day WHERE f_day = d_key AND d_week = 3 ORDER BY 1;
FETCH 2 FROM split_cursor;
MOVE ALL FROM split_cursor;
FETCH 2 FROM split_cursor;
COMMIT;
SET plan_cache_mode = force_generic_plan;
PREPARE split_week(int) AS SELECT count(*), sum(f_amount) FROM split_sale, split_day WHERE f_day = d_key AND d_week = $1;
EXPLAIN (COSTS OFF) EXECUTE split_week(3);
EXECUTE split_week(3);
EXECUTE split_week(4);
EXECUTE split_week(-1);
RESET plan_cache_mode;

-- What is not read need not be read by workers: what core has removed, and
-- children that are excluded.
CREATE TABLE split_kind (x_key int, x_kind int);
CREATE TABLE split_kind_1 (CHECK (x_kind = 1)) INHERITS (split_kind);
CREATE TABLE split_kind_2 (CHECK (x_kind = 2)) INHERITS (split_kind);
INSERT INTO split_kind_2 SELECT i, 2 FROM generate_series(0, 99) i;
ANALYZE split_kind, split_kind_1, split_kind_2;
SET ssdpar.subqueries = 3;
SET ssdpar.partition = fact;
SELECT * FROM split_of('SELECT sum(f_amount) FROM split_sale JOIN split_day d ON f_day = d.d_key LEFT JOIN split_day o ON o.d_key = f_day + 1');
SELECT * FROM split_of('SELECT sum(f_amount) FROM split_sale, split_day, split_kind WHERE f_day = d_key AND x_key = f_amount AND x_kind = 2');
RESET ssdpar.partition;
DROP TABLE split_kind CASCADE;

-- EXPLAIN ANALYZE counts the processes that ran.
SET ssdpar.subqueries = 3;
CREATE FUNCTION split_ran(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, COSTS off, TIMING off, SUMMARY off) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan, 'strict $.**."Subqueries Run"');
END $$;
SELECT split_ran('SELECT count(*) FROM split_sale, split_day WHERE f_day = d_key') BETWEEN 1 AND 3 AS ran;
-- those of the last time, if they ran several times
SET ssdpar.partition = fact;
SET enable_material = off;
SELECT split_ran('SELECT * FROM (VALUES (1), (2), (3)) s (x) LEFT JOIN (SELECT count(*) n FROM split_sale) f ON x < n') BETWEEN 1 AND 3 AS ran;
RESET enable_material;

-- Rows that are kept have no column that is not asked for; others are handed up
-- as they are.
CREATE FUNCTION split_columns(query text) RETURNS TABLE (above text, columns text) LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json, VERBOSE) ' || query INTO plan;
  RETURN QUERY SELECT n->>'Node Type', n->'Plans'->0->>'Output' FROM jsonb_path_query(plan,
    'strict $.**?(@.Plans[0]."Custom Plan Provider" == "SsdparPartition")') n
   UNION SELECT n->>'Node Type', n->'Plans'->1->>'Output' FROM jsonb_path_query(plan,
    'strict $.**?(@.Plans[1]."Custom Plan Provider" == "SsdparPartition")') n;
END $$;
SET ssdpar.partition = fact;
SELECT * FROM split_columns('SELECT count(*) FROM split_sale, split_day WHERE f_day = d_key AND f_amount > 0');
CREATE TABLE split_wide AS SELECT i AS f_day, i % 20 AS f_kind, repeat('w', 1000) AS pad
  FROM generate_series(1, 20000) i;
CREATE TABLE split_large AS SELECT i AS f_day, i % 7 AS d_name FROM generate_series(1, 300000) i;
ANALYZE split_wide, split_large;
SET min_parallel_table_scan_size = 0;
SELECT * FROM split_columns('SELECT d_name, count(*) FROM split_wide JOIN split_large USING (f_day) WHERE f_kind = 1 GROUP BY d_name');
RESET min_parallel_table_scan_size;
SET enable_hashjoin = off;
SET enable_nestloop = off;
SELECT * FROM split_columns('SELECT count(*) FROM split_sale, split_day WHERE f_day = d_key AND f_amount > 0');
RESET enable_hashjoin;
RESET enable_nestloop;
DROP TABLE split_large, split_wide;
DROP FUNCTION split_columns;
RESET ssdpar.partition;

-- Another access method's rows need have neither parallel scans nor addresses
-- that are places.
CREATE ACCESS METHOD split_other TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE split_odd USING split_other AS TABLE split_sale;
CREATE INDEX ON split_odd (f_day);
VACUUM ANALYZE split_odd;
\set odd 'SELECT count(*), sum(f_amount) FROM split_odd, split_day WHERE f_day = d_key AND d_week = 3'
SET ssdpar.partition = fact;
SELECT * FROM split_of(:'odd');
SET ssdpar.partition = dimension;
SELECT *, why_not(:'odd'), split_same(:'odd') FROM split_of(:'odd');
RESET ssdpar.partition;

DROP TABLE split_odd;
DROP ACCESS METHOD split_other;
DROP TABLE split_day, split_shop, split_sale, split_queries;
DROP FUNCTION split_of, why_not, split_same, split_check, split_ran;
