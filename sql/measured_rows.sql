-- Row counts that are measured while planning: what core plans with then.
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
-- All rows are looked at, so that estimates are the same in every run.
SET default_statistics_target = 1000;
-- One kind of join, so that plans differ in order alone.
SET enable_nestloop = off;
SET enable_mergejoin = off;

-- A calendar of 200 years, of which the sales have five.
CREATE TABLE measured_day (d_date date PRIMARY KEY, d_year int);
INSERT INTO measured_day SELECT d, extract(year FROM d)
  FROM generate_series('1900-01-01'::timestamp, '2099-12-31', '1 day') d;
CREATE TABLE measured_item (i_id int PRIMARY KEY, i_kind int);
INSERT INTO measured_item SELECT i, i % 10 FROM generate_series(1, 2000) i;
CREATE TABLE measured_sale (s_id int, s_day date, s_item int, s_pad text);
INSERT INTO measured_sale
  SELECT i, '2015-01-01'::date + i % 1826, 1 + i % 2000,
    repeat('x', 100)
    FROM generate_series(1, 100000) i (i);
CREATE INDEX measured_sale_day ON measured_sale (s_day);
CREATE INDEX measured_sale_item ON measured_sale (s_item);
VACUUM ANALYZE measured_day, measured_item, measured_sale;

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

-- What was measured, to one digit (of a sample, which differs from run to run), and how far core was off.
CREATE FUNCTION measured(query text)
RETURNS TABLE (tables text, measured text, assumed text) LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN QUERY SELECT n->>'Tables',
      to_char((n->>'Rows Measured')::float8, '9EEEE'),
      CASE WHEN n->>'Rows Assumed' IS NULL THEN 'unknown'
        WHEN x > 1.2 THEN 'too many' WHEN x < 1 / 1.2 THEN 'too few'
        ELSE 'right' END
    FROM jsonb_array_elements(plan->1->'ssdpar Rows') n,
      LATERAL (SELECT (n->>'Rows Assumed')::float8 / (n->>'Rows Measured')::float8) o (x)
   ORDER BY length(n->>'Tables'), 1;
END $$;

-- The rows, to one digit, that the plan's joins and scans are expected to have.
CREATE FUNCTION planned(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN QUERY SELECT DISTINCT coalesce(n->>'Relation Name', 'join') ||
      to_char((n->>'Plan Rows')::float8, '9EEEE')
    FROM jsonb_path_query(plan,
        'strict $.**?(@."Node Type" like_regex "Join|Nested|Scan")') n
   WHERE n->>'Node Type' !~ 'Bitmap Index'
   ORDER BY 1;
END $$;

-- Do two plannings of a statement find the same?
CREATE FUNCTION is_measured_alike(query text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE once jsonb; again jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO once;
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO again;
  RETURN once->0->'Plan' = again->0->'Plan' AND
    once->1->'ssdpar Rows' = again->1->'ssdpar Rows';
END $$;

\set sales 'SELECT count(*), min(s_id) FROM measured_sale, measured_day, measured_item WHERE s_day = d_date AND d_year = 2017 AND s_item = i_id AND i_kind = 3'

-- The wide calendar.
SET ssdpar.estimate_budget = 0;
SELECT * FROM planned(:'sales');
SET ssdpar.estimate_budget = '10s';
SELECT * FROM measured(:'sales');
SELECT * FROM planned(:'sales');
SELECT is_unmeasured(:'sales');
:sales;
SET ssdpar.enabled = off;
:sales;
RESET ssdpar.enabled;

-- Nothing is measured where that is not allowed, or not worth while.
SET ssdpar.estimate_budget = 0;
SELECT * FROM measured(:'sales');
SELECT is_unmeasured(:'sales');
RESET ssdpar.estimate_budget;
SET ssdpar.estimate_share = 0;
SELECT is_unmeasured(:'sales');
RESET ssdpar.estimate_share;
SET ssdpar.residency = hot;
SELECT count(*) FROM measured('SELECT * FROM measured_day, measured_item WHERE d_date = ''2015-01-02'' AND i_id = 5');
SET ssdpar.residency = cold;
SET ssdpar.estimate_share = 100;
SET ssdpar.estimate_budget = '10s';
-- Nothing can be wrong about these rows; of those below it can.
SELECT count(*) FROM measured('SELECT s_id FROM measured_sale, measured_item WHERE s_item = i_id');
SELECT count(*) > 0 FROM measured('SELECT s_id FROM measured_sale, measured_item WHERE s_item = i_id AND i_id < 5');
SET ssdpar.cost_model = off;
SELECT is_unmeasured(:'sales');
RESET ssdpar.cost_model;
SET ssdpar.cost_model_min_size = '1GB';
SELECT is_unmeasured(:'sales');
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.enabled = off;
SELECT is_unmeasured(:'sales');
RESET ssdpar.enabled;

-- A LIMIT above groups takes nothing from what is joined for them.
SELECT tables FROM measured('SELECT s_day, count(*) FROM measured_sale, measured_day WHERE s_day = d_date AND d_year = 2017 GROUP BY s_day ORDER BY 2 LIMIT 1') WHERE tables LIKE '%,%';

-- Lines of orders and what was returned of them: two columns are looked up at
-- once, as one has two hundred rows for each.
CREATE TABLE measured_line (l_order int, l_item int, l_pad text);
INSERT INTO measured_line SELECT i, 1 + i * 7919::bigint % 500, repeat('x', 60)
  FROM generate_series(1, 100000) i;
CREATE UNIQUE INDEX ON measured_line (l_item, l_order);
CREATE TABLE measured_return (r_order int, r_item int);
INSERT INTO measured_return SELECT l_order, l_item FROM measured_line WHERE l_order % 10 = 1;
VACUUM ANALYZE measured_line, measured_return;
SELECT tables, measured, assumed FROM measured('SELECT count(*) FROM measured_line, measured_return WHERE l_order = r_order AND l_item = r_item') WHERE tables LIKE '%,%';
-- By as many of the columns as are in the order that integers have by default.
CREATE OPERATOR CLASS measured_ops FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=,
  OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 btint4cmp(int, int);
DROP INDEX measured_line_l_item_l_order_idx;
CREATE INDEX ON measured_line (l_item, l_order measured_ops);
SELECT tables FROM measured('SELECT count(*) FROM measured_line, measured_return WHERE l_order = r_order AND l_item = r_item AND r_order % 50 = 1') WHERE tables LIKE '%,%';
DROP TABLE measured_line, measured_return;
DROP OPERATOR FAMILY measured_ops USING btree;

-- Two keys, of many values and of seven, merged in the order of the first: by
-- that each row meets seven, and it is not as selective as the other.
CREATE TABLE measured_line (l_order int, l_line int, l_mark int, l_pad text);
INSERT INTO measured_line SELECT i / 7, i % 7, i % 1000, repeat('x', 60) FROM generate_series(0, 99999) i;
CREATE INDEX ON measured_line (l_order);
CREATE TABLE measured_return (r_order int, r_line int, r_pad text);
INSERT INTO measured_return SELECT l_order, l_line, repeat('y', 60) FROM measured_line;
CREATE INDEX ON measured_return (r_order);
VACUUM ANALYZE measured_line, measured_return;
CREATE FUNCTION merged(query text, OUT condition text, OUT tuples text) LANGUAGE plpgsql AS $$
DECLARE plan jsonb; node jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  node := jsonb_path_query(plan, 'strict $.**?(@."Node Type" == "Merge Join")');
  condition := node->>'Merge Cond';
  -- what is compared costs less than a tuple
  tuples := CASE WHEN ((node->'Total Cost')::float8 -
      (SELECT sum((n->'Total Cost')::float8) FROM jsonb_array_elements(node->'Plans') n)) /
    current_setting('cpu_tuple_cost')::float8 < 500000 THEN 'few' ELSE 'many' END;
END $$;
SET enable_mergejoin = on;
SET enable_hashjoin = off;
SET enable_sort = off;
SET enable_incremental_sort = off;
SELECT * FROM merged('SELECT max(l_pad), max(r_pad) FROM measured_line, measured_return WHERE l_order = r_order AND l_line = r_line AND l_mark % 10 = 3');
RESET enable_incremental_sort;
RESET enable_sort;
RESET enable_hashjoin;
SET enable_mergejoin = off;
DROP TABLE measured_line, measured_return;
DROP FUNCTION merged;

-- What is empty stays so, whatever is joined with it.
SELECT * FROM planned(replace(:'sales', 'i_kind = 3', 'i_kind % 10 = 13'));

-- What is asked for is counted, not timed: the same again.
SELECT is_measured_alike(:'sales');

-- A semi join, an anti join, an outer join.
\set semi 'SELECT count(*) FROM measured_sale WHERE s_item IN (SELECT i_id FROM measured_item WHERE i_kind % 10 = 3)'
SET ssdpar.estimate_budget = 0;
SELECT * FROM planned(:'semi');
SET ssdpar.estimate_budget = '10s';
SELECT * FROM planned(:'semi');
:semi;
\set semi_day 'SELECT count(*) FROM measured_sale, measured_day WHERE s_day = d_date AND s_item IN (SELECT i_id FROM measured_item WHERE i_kind % 10 = 3)'
SELECT * FROM planned(:'semi_day');
:semi_day;
\set anti 'SELECT count(*) FROM measured_sale WHERE NOT EXISTS (SELECT FROM measured_item WHERE i_id = s_item AND i_kind % 10 = 3)'
SET ssdpar.estimate_budget = 0;
SELECT * FROM planned(:'anti');
SET ssdpar.estimate_budget = '10s';
SELECT * FROM planned(:'anti');
:anti;
\set left 'SELECT count(d_year) FROM measured_sale LEFT JOIN measured_day ON s_day = d_date AND d_year % 10000 = 2017'
SELECT * FROM planned(:'left');
:left;

-- Of a row's many partners few pass a filter, or none: the first ones say little.
-- Everybody has 5 of 100 of kind 3, and half of them have 50 of kind 1 to 10.
CREATE TABLE measured_user (u_id int, u_pad text);
INSERT INTO measured_user SELECT i, repeat('x', 20) FROM generate_series(1, 2000) i;
CREATE TABLE measured_event (e_user int, e_kind int, e_half int, e_pad text);
INSERT INTO measured_event
  SELECT u, n % 20, u % 2 * n % 20, repeat('x', 40)
    FROM generate_series(1, 100) n, generate_series(1, 2000) u;
CREATE INDEX ON measured_event (e_user);
VACUUM ANALYZE measured_user, measured_event;
-- How many users have an event, have none, and are in an outer join, measured; none: as planned.
CREATE FUNCTION partners(users text, condition text) RETURNS TABLE (semi text, anti text, outer_join text)
LANGUAGE plpgsql AS $$
DECLARE queries text[]; results text[]; truth float8; plan jsonb;
BEGIN
  queries := ARRAY[' WHERE EXISTS (SELECT FROM measured_event WHERE %s)',
    ' WHERE NOT EXISTS (SELECT FROM measured_event WHERE %s)',
    ' LEFT JOIN measured_event ON %s'];
  FOR i IN 1..3 LOOP
    queries[i] := ' FROM ' || users || format(queries[i], condition);
    EXECUTE 'SELECT count(*)' || queries[i] INTO truth;
    EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) SELECT u_id' || queries[i] INTO plan;
    IF truth = 0 AND (plan->0->'Plan'->>'Plan Rows')::float8 < 20 THEN
      results[i] := 'none';
    ELSE
      results[i] := (SELECT compared((n->>'Rows Measured')::float8, truth)
        FROM jsonb_array_elements(plan->1->'ssdpar Rows') n
       WHERE n->>'Tables' LIKE '%, %'
       ORDER BY length(n->>'Tables') DESC LIMIT 1);
    END IF;
  END LOOP;
  RETURN QUERY SELECT results[1], results[2], results[3];
END $$;
SELECT * FROM partners('measured_user', 'e_user = u_id AND e_kind % 20 = 3');
SELECT * FROM partners('measured_user', 'e_user = u_id AND e_half % 20 BETWEEN 1 AND 10');
-- Such a sample is joined with more tables.
SELECT semi, anti FROM partners('measured_user JOIN measured_item ON i_id = u_id AND i_kind IN (3, 4)', 'e_user = u_id AND e_half % 20 BETWEEN 1 AND 10');
-- Nor does one row address of an index say whether there is any: each event has been written anew.
DROP TABLE measured_event;
INSERT INTO measured_user SELECT i, repeat('x', 20) FROM generate_series(2001, 4000) i;
CREATE TABLE measured_event (e_user int, e_pad text) WITH (autovacuum_enabled = off);
INSERT INTO measured_event SELECT i, repeat('x', 1900) FROM generate_series(1, 4000) i;
CREATE INDEX ON measured_event (e_user);
VACUUM ANALYZE measured_user, measured_event;
UPDATE measured_event SET e_pad = e_pad;
SELECT * FROM partners('measured_user', 'e_user = u_id');
DROP TABLE measured_user, measured_event;
DROP FUNCTION partners;

-- GEQO.
SET geqo_threshold = 2;
SELECT * FROM planned(:'sales');
:sales;
RESET geqo_threshold;
-- A join order that is partly fixed is searched in parts.
SET join_collapse_limit = 1;
:sales;
SET from_collapse_limit = 1;
:sales;
RESET join_collapse_limit;
RESET from_collapse_limit;

-- What core made first is made again, in parallel too.
RESET enable_nestloop;
RESET enable_mergejoin;
:sales;
SET max_parallel_workers_per_gather = 2;
SET ssdpar.subqueries = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
:sales;
SET ssdpar.star_scan = on;
:sales;
SET ssdpar.star_access = bitmap;
:sales;
RESET ssdpar.star_access;
SET ssdpar.star_scan = off;
SET max_parallel_workers_per_gather = 0;
SET ssdpar.subqueries = 1;

SET enable_nestloop = off;
SET enable_mergejoin = off;
-- Levels of a query, each with relations of its own.
\set inner 'SELECT count(*) FROM (SELECT s_item FROM measured_sale, measured_day WHERE s_day = d_date AND d_year = 2017 OFFSET 0) s, measured_item WHERE s_item = i_id'
SELECT * FROM measured(:'inner');
SELECT * FROM planned(:'inner');
:inner;
\set cte 'WITH s AS MATERIALIZED (SELECT s_item FROM measured_sale, measured_day WHERE s_day = d_date AND d_year = 2017) SELECT count(*) FROM s, measured_item WHERE s_item = i_id'
SELECT * FROM planned(:'cte');
:cte;
SELECT * FROM measured('SELECT s_id FROM measured_sale, measured_day WHERE s_day = d_date AND d_year = 2017 UNION ALL SELECT s_id FROM measured_sale, measured_day WHERE s_day = d_date AND d_year = 2018');

-- Where a list of keys reduces a star scan, it becomes one of the level's
-- relations in the first pass: what was measured counts in the second as ever.
SELECT string_agg((i * 1001)::text, ', ') AS keys FROM generate_series(1, 40) i \gset
\set listed 'SELECT count(*) FROM measured_sale, measured_item WHERE s_item = i_id AND i_kind % 10 = 3 AND s_id IN (' :keys ')'
\set twice 'SELECT count(*) FROM (' :listed ' OFFSET 0) a, (' :listed ' AND s_day > ''2016-01-01'' OFFSET 0) b'
SELECT * FROM planned(:'listed') p WHERE p ~ 'item';
SET ssdpar.star_scan = on;
SELECT * FROM planned(:'listed') p WHERE p ~ 'item';
SELECT * FROM planned(:'twice') p WHERE p ~ 'item';
:listed;
SET ssdpar.star_access = sequential;
SELECT * FROM planned(:'listed') p WHERE p ~ 'item';
SELECT * FROM planned(:'twice') p WHERE p ~ 'item';
:listed;
RESET ssdpar.star_access;
SET ssdpar.star_scan = off;
:listed;

-- A statement that is planned within another one has measurements of its own.
-- (What core takes a join for that is measured when its tables are known already
-- differs: it is left out.)
CREATE FUNCTION measured_within() RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT count(*) FROM measured_sale, measured_day
           WHERE s_day = d_date AND d_year = 2017);
END $$;
\set within 'SELECT count(*) FROM measured_sale, measured_day, measured_item WHERE s_day = d_date AND d_year = 2017 AND s_item = i_id AND s_id < measured_within()'
SELECT tables, assumed FROM measured(:'within') WHERE tables NOT LIKE '%, measured_item';
:within;
CREATE FUNCTION measured_failing() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM measured_within();
  RAISE EXCEPTION 'no number';
END $$;
SELECT count(*) FROM measured_sale, measured_day WHERE s_day = d_date AND s_id < measured_failing();
SELECT tables, assumed FROM measured(:'within') WHERE tables NOT LIKE '%, measured_item';

-- Prepared statements.
PREPARE sales_of(int) AS SELECT count(*) FROM measured_sale, measured_day
  WHERE s_day = d_date AND d_year = $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE sales_of(2017);
EXECUTE sales_of(2018);
SET plan_cache_mode = force_custom_plan;
EXECUTE sales_of(2017);
RESET plan_cache_mode;

-- Rows that are changed, fetched one by one, or seen by a snapshot of before.
BEGIN;
UPDATE measured_sale SET s_pad = '' FROM measured_day
 WHERE s_day = d_date AND d_year = 2017 AND s_id < 1000;
DECLARE c SCROLL CURSOR FOR SELECT s_id FROM measured_sale, measured_day
  WHERE s_day = d_date AND d_year = 2017 ORDER BY s_id;
FETCH 2 FROM c;
MOVE LAST FROM c;
FETCH PRIOR FROM c;
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY;
:sales;
COMMIT;

-- Partitioned, inherited and sampled tables are planned as ever.
CREATE TABLE measured_part (LIKE measured_sale) PARTITION BY RANGE (s_day);
CREATE TABLE measured_part_1 PARTITION OF measured_part
  FOR VALUES FROM (MINVALUE) TO ('2017-07-01');
CREATE TABLE measured_part_2 PARTITION OF measured_part
  FOR VALUES FROM ('2017-07-01') TO (MAXVALUE);
INSERT INTO measured_part SELECT * FROM measured_sale;
CREATE INDEX ON measured_part (s_day);
ANALYZE measured_part;
SELECT count(*) FROM measured_part, measured_day WHERE s_day = d_date AND d_year = 2017;
SET enable_partitionwise_join = on;
SELECT count(*) FROM measured_part a JOIN measured_part b USING (s_day, s_id) WHERE a.s_item = 7;
RESET enable_partitionwise_join;
SELECT count(*) > 0 FROM measured_sale TABLESAMPLE bernoulli (50) REPEATABLE (1), measured_day WHERE s_day = d_date AND d_year = 2017;

-- Keys by Zipf's law: a few, which the statistics name, have most of the rows.
-- The members are more than are read, so most of these few are in no sample.
CREATE TABLE zipf_member (m_id int PRIMARY KEY, m_name text UNIQUE, m_kind int, m_pad text);
INSERT INTO zipf_member
  SELECT r::int8 * 12347 % 20000, CASE WHEN r % 10 < 9 THEN 'member ' || r END,
    r % 50, repeat('x', 700)
    FROM generate_series(0, 19999) r ORDER BY hashint8(r);
CREATE FUNCTION zipf(n int, seed int) RETURNS int8 LANGUAGE sql AS $$
  SELECT floor(exp((hashint8extended(n, seed) & 9007199254740991)::float8 /
    9007199254740992 * ln(20000)) - 1)::int8 $$;
CREATE TABLE zipf_fact AS
  SELECT n AS f_id, (zipf(n, 1) * 12347 % 20000)::int AS f_member,
    'member ' || zipf(n, 2) AS f_name
    FROM generate_series(1, 200000) n;
CREATE INDEX ON zipf_fact (f_member);
CREATE INDEX ON zipf_fact (f_name);
VACUUM ANALYZE zipf_member, zipf_fact;
-- How far off the join is, measured, with each of some kinds of members.
CREATE FUNCTION skewed(clause text) RETURNS TABLE (kind int, measured text)
LANGUAGE plpgsql AS $$
DECLARE rest text; truth float8; plan jsonb;
BEGIN
  FOR i IN 1..6 LOOP
    kind := i;
    rest := ' FROM zipf_fact, zipf_member WHERE m_kind % 50 = ' || kind || ' AND ' || clause;
    EXECUTE 'SELECT count(*)' || rest INTO truth;
    EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) SELECT f_id' || rest INTO plan;
    SELECT CASE WHEN x > 1.3 THEN 'too many' WHEN x < 1 / 1.3 THEN 'too few' ELSE 'right' END
      INTO measured
      FROM jsonb_array_elements(plan->1->'ssdpar Rows') n,
        LATERAL (SELECT (n->>'Rows Measured')::float8 / truth) o (x)
     WHERE n->>'Tables' LIKE '%, %';
    RETURN NEXT;
  END LOOP;
END $$;
SELECT * FROM skewed('f_member = m_id');
SELECT * FROM skewed('f_name = m_name');
SELECT is_measured_alike('SELECT f_id FROM zipf_fact, zipf_member WHERE f_name = m_name AND m_kind % 50 = 1');
DROP TABLE zipf_member, zipf_fact;
DROP FUNCTION zipf, skewed;

-- EXPLAIN ANALYZE has what was found beside what was measured.
CREATE FUNCTION found(query text) RETURNS TABLE (tables text, found bigint)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, VERBOSE, TIMING off, FORMAT json) ' || query INTO plan;
  RETURN QUERY SELECT n->>'Tables', (n->>'Rows Found')::bigint
    FROM jsonb_array_elements(plan->1->'ssdpar Rows') n
   ORDER BY length(n->>'Tables'), 1;
END $$;
SELECT * FROM found(:'sales');
SELECT * FROM found(:'sales' || ' LIMIT 1');
SELECT * FROM found(replace(:'sales', 'count(*), min(s_id)', 's_id') || ' LIMIT 1');
-- Whatever its functions plan and execute.
CREATE FUNCTION measured_for_each(int) RETURNS bigint VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT count(*) + $1 FROM measured_item, measured_day WHERE i_id = 1);
END $$;
SELECT * FROM found(replace(:'sales', 'min(s_id)', 'measured_for_each(1)'));
-- How far off row counts were before and after is counted, of what is explained.
SELECT ssdpar.stat_reset();
SELECT count(*) AS row_counts FROM found(:'sales') \gset
CREATE VIEW measured_counts AS
  SELECT statements_measured AS statements, statements_replanned AS replanned,
      row_counts_measured AS measured, measuring_time > 0 AS took_time,
      row_counts_compared AS compared,
      assumed_error > 1.5 AS assumed_is_off, planned_error < 1.3 AS planned_is_right
    FROM ssdpar.pg_stat_ssdpar WHERE datname = current_database();
SELECT statements, replanned, measured = :row_counts AS all_measured, took_time,
    compared BETWEEN 1 AND :row_counts AS some_compared,
    assumed_is_off, planned_is_right
  FROM measured_counts;
SELECT compared AS before FROM measured_counts \gset
:sales;
SET ssdpar.estimate_budget = 0;
:sales;
SET ssdpar.estimate_budget = '10s';
SELECT statements, replanned, compared = :before AS none_compared
  FROM measured_counts;
SELECT ssdpar.stat_reset();
SELECT * FROM measured_counts;
DROP VIEW measured_counts;
SET max_parallel_workers_per_gather = 2;
SELECT * FROM found(:'sales');
SET ssdpar.star_scan = on;
SET ssdpar.star_access = sequential;
SELECT * FROM found(:'sales');

-- A view with a barrier is a level of its own, with the reader's conditions.
CREATE VIEW measured_view AS SELECT s_item, s_day FROM measured_sale, measured_day
  WHERE s_day = d_date AND d_year = 2016;
SELECT is_unmeasured('SELECT count(*) FROM measured_view WHERE s_item = 7');
ALTER VIEW measured_view SET (security_barrier);
SELECT is_unmeasured('SELECT count(*) FROM measured_view WHERE s_item = 7');
SELECT is_unmeasured('SELECT count(*) FROM (SELECT * FROM measured_view WHERE s_item = 7 OFFSET 0) v');
DROP VIEW measured_view;
-- Whoever may not read a view, or not all of what is asked for of it, is told when execution starts.
-- By then planning has asked its table for nothing.
CREATE SEQUENCE measured_asked;
CREATE FUNCTION is_asked(int) RETURNS bool IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN
  RETURN nextval('measured_asked') > 0;
END $$;
CREATE VIEW measured_view AS SELECT s_item, s_day FROM measured_sale;
CREATE ROLE regress_measured_reader;
GRANT USAGE ON SEQUENCE measured_asked TO regress_measured_reader;
GRANT SELECT ON measured_day TO regress_measured_reader;
\set asked 'SELECT count(*) FROM measured_view, measured_day WHERE s_day = d_date AND is_asked(s_item)'
\set VERBOSITY terse
SET ROLE regress_measured_reader;
SELECT plan_text(:'asked');
RESET ROLE;
GRANT SELECT (s_day) ON measured_view TO regress_measured_reader;
SET ROLE regress_measured_reader;
SELECT plan_text(:'asked');
RESET ROLE;
SELECT is_called FROM measured_asked;
GRANT SELECT (s_item) ON measured_view TO regress_measured_reader;
SET ROLE regress_measured_reader;
SELECT plan_text(:'asked') <> '' AS planned;
RESET ROLE;
SELECT is_called FROM measured_asked;
\set VERBOSITY default
DROP VIEW measured_view;
DROP OWNED BY regress_measured_reader;
DROP ROLE regress_measured_reader;
DROP FUNCTION is_asked;
DROP SEQUENCE measured_asked;
-- What is marked leakproof raises no error.  Where it does, planning goes on without it: that row may
-- never be asked for.
CREATE FUNCTION lies(int) RETURNS bool IMMUTABLE LEAKPROOF COST 10000 LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'not leakproof';
END $$;
SELECT is_unmeasured('SELECT count(*) FROM measured_sale, measured_day WHERE lies(s_item) AND s_pad IS NULL AND s_day = d_date AND d_year = 2016');
SELECT count(*) FROM measured_sale, measured_day WHERE lies(s_item) AND s_pad IS NULL AND s_day = d_date AND d_year = 2016;
DROP FUNCTION lies;

-- Some of a calendar's keys, of which the stock has none, bound no number: all
-- of its rows lie on the 20 days that were not asked for, whenever that ends.
CREATE TABLE measured_stock (k_day date, k_item int, k_pad text, k_mark int,
  PRIMARY KEY (k_day, k_item));
INSERT INTO measured_stock
  SELECT '2015-01-05'::date + 7 * (i % 20), 1 + i / 20, repeat('x', 100),
    (i BETWEEN 150000 AND 152000)::int
    FROM generate_series(0, 199999) i;
VACUUM ANALYZE measured_stock;
CREATE FUNCTION bounded_by_calendar(budget int) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  PERFORM set_config('ssdpar.estimate_budget', budget::text, false);
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) SELECT count(*)
    FROM measured_stock, measured_day, measured_item
    WHERE k_day = d_date AND k_mark = 1 AND k_item = i_id AND i_kind = 3
    GROUP BY d_year' INTO plan;
  RETURN EXISTS (SELECT FROM jsonb_array_elements(plan->1->'ssdpar Rows') n
    WHERE n->>'Tables' = 'measured_stock, measured_day' AND (n->'At Most')::bool);
END $$;
SELECT count(*) FROM generate_series(30, 900, 30) b WHERE bounded_by_calendar(b);
DROP TABLE measured_stock;
DROP FUNCTION bounded_by_calendar;

-- Values that are stored out of line are not fetched to be compared, and core's number stays.
CREATE TABLE measured_wide (w_id int, w_text text, w_pad text) WITH (autovacuum_enabled = off);
CREATE TABLE measured_body (b_id int, b_text text) WITH (autovacuum_enabled = off);
CREATE TABLE measured_some (o_text text, o_pad text) WITH (autovacuum_enabled = off);
ALTER TABLE measured_body ALTER b_text SET STORAGE external;
ALTER TABLE measured_some ALTER o_text SET STORAGE external;
INSERT INTO measured_wide SELECT i, 'text ' || i, repeat('x', 500) FROM generate_series(1, 4000) i;
INSERT INTO measured_body SELECT i, repeat('y', 2500) || i FROM generate_series(1, 2000) i;
INSERT INTO measured_some
  SELECT CASE WHEN i % 50 = 0 THEN repeat('y', 2500) ELSE 'text ' END || i / 4, repeat('x', 300)
    FROM generate_series(1, 8000) i;
CREATE INDEX ON measured_wide (w_text);
CREATE INDEX ON measured_some (o_text);
VACUUM ANALYZE measured_wide, measured_body, measured_some;
CREATE FUNCTION fetched_blocks() RETURNS numeric STABLE LANGUAGE sql AS $$
  SELECT sum(pg_stat_get_xact_blocks_fetched(reltoastrelid)) FROM pg_class
   WHERE relname IN ('measured_body', 'measured_some') $$;
CREATE FUNCTION fetched(query text) RETURNS TABLE (joins text, blocks numeric)
LANGUAGE plpgsql AS $$
DECLARE before numeric; plan json;
BEGIN
  before := fetched_blocks();
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN QUERY SELECT plan->1->'ssdpar Rows Measured'->>'Joins', fetched_blocks() - before;
END $$;
-- In hand, by a key and by another condition; by an index; distinct values.
SELECT * FROM fetched('SELECT count(*) FROM measured_wide, measured_body WHERE w_id = b_id AND w_text = b_text');
SELECT * FROM fetched('SELECT count(*) FROM measured_wide, measured_body WHERE w_id = b_id AND w_text < b_text');
SELECT * FROM fetched('SELECT max(w_pad), max(o_pad) FROM measured_wide, measured_some WHERE w_text = o_text');
SELECT * FROM fetched('SELECT o_text, max(o_pad) FROM measured_some GROUP BY o_text');
-- Other columns are compared.
SELECT * FROM fetched('SELECT max(b_text) FROM measured_wide, measured_body WHERE w_id = b_id');

-- However slow it is to hash rows in memory, the time is looked at on the way.
CREATE SEQUENCE measured_calls;
-- A busy machine may leave no time for any.
CREATE FUNCTION calls_of(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE calls bigint;
BEGIN
  FOR try IN 1 .. 10 LOOP
    PERFORM setval('measured_calls', 1, false);
    PERFORM fetched(query);
    calls := (SELECT last_value - 1 + is_called::int FROM measured_calls);
    EXIT WHEN calls > 0;
  END LOOP;
  RETURN calls;
END $$;
CREATE FUNCTION slow_hash(int) RETURNS int IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('measured_calls'), pg_sleep(0.001);
  RETURN $1;
END $$;
CREATE FUNCTION slow_equal(int, int) RETURNS bool IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN
  RETURN $1 = $2;
END $$;
CREATE OPERATOR === (FUNCTION = slow_equal, LEFTARG = int, RIGHTARG = int, COMMUTATOR = ===,
  RESTRICT = eqsel, JOIN = eqjoinsel, HASHES);
CREATE OPERATOR CLASS slow_ops FOR TYPE int USING hash AS OPERATOR 1 ===, FUNCTION 1 slow_hash(int);
SET ssdpar.estimate_budget = '100ms';
SELECT calls_of('SELECT count(*) FROM measured_wide, measured_body WHERE w_id === b_id AND b_id > 0') BETWEEN 1 AND 128 AS in_time;
-- Or to compare rows of which the hash says nothing.
CREATE OR REPLACE FUNCTION slow_hash(int) RETURNS int IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN
  RETURN 0;
END $$;
CREATE OR REPLACE FUNCTION slow_equal(int, int) RETURNS bool IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('measured_calls'), pg_sleep(0.001);
  RETURN $1 = $2;
END $$;
SELECT calls_of('SELECT count(*) FROM measured_wide, measured_body WHERE w_id === b_id AND b_id > 0') BETWEEN 1 AND 256 AS in_time;
SET ssdpar.estimate_budget = '10s';
DROP OPERATOR FAMILY slow_ops USING hash;
DROP OPERATOR === (int, int);
-- Nor need a page be finished whose rows have values out of line: a filter fetches these.
CREATE FUNCTION slow_filter(text) RETURNS bool IMMUTABLE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN
  RETURN nextval('measured_calls') > 0 AND pg_sleep(0.001) IS NOT NULL;
END $$;
SET ssdpar.estimate_budget = '20ms';
SELECT calls_of('SELECT count(*) FROM measured_wide, measured_body WHERE w_id = b_id AND slow_filter(b_text)') BETWEEN 1 AND 48 AS in_time;
SET ssdpar.estimate_budget = '10s';
DROP FUNCTION slow_hash, slow_equal, slow_filter, calls_of, fetched, fetched_blocks;
DROP SEQUENCE measured_calls;
DROP TABLE measured_wide, measured_body, measured_some;

-- Of a queue's index most is of rows that are gone, of which no leaf gives any.
CREATE TABLE measured_job (j_id int, j_state int, j_pad text) WITH (autovacuum_enabled = off);
CREATE INDEX measured_job_state ON measured_job (j_state) WITH (deduplicate_items = off);
INSERT INTO measured_job SELECT i, i % 2000, repeat('x', 100) FROM generate_series(1, 100000) i;
INSERT INTO measured_job SELECT i, 1000 FROM generate_series(1, 200000) i;
CREATE TABLE measured_stage (g_id int PRIMARY KEY, g_kind int);
INSERT INTO measured_stage SELECT i, CASE WHEN i % 333 = 1 OR i = 1000 THEN 7 ELSE i % 7 END FROM generate_series(0, 1999) i;
DELETE FROM measured_job WHERE j_state = 1000;
ANALYZE measured_job, measured_stage;
-- An index scan marks them.
SET ssdpar.enabled = off;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(j_pad) FROM measured_job WHERE j_state = 1000;
RESET enable_seqscan;
RESET enable_bitmapscan;
SET ssdpar.enabled = on;
CREATE FUNCTION pages_asked(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN plan->1->'ssdpar Rows Measured'->'Pages';
END $$;
SET ssdpar.estimate_budget = '200ms';
SELECT pages_asked('SELECT max(j_pad) FROM measured_job, measured_stage WHERE j_state = g_id AND g_kind % 8 = 7') BETWEEN 1 AND 300 AS in_time;
SET ssdpar.estimate_budget = '10s';
DROP FUNCTION pages_asked;
DROP TABLE measured_job, measured_stage;

-- Towns lie in regions of their kind.  How many are left of one kind, in regions of another and in
-- some of its own, is counted, and a star scan expects so many keys and rows: also where more towns
-- pass than a sample has of them, and where it joins the towns alone.
CREATE TABLE measured_region (r_id int PRIMARY KEY, r_kind int);
INSERT INTO measured_region SELECT i, i % 4 FROM generate_series(0, 399) i;
CREATE TABLE measured_town (t_id int PRIMARY KEY, t_kind int, t_region int);
INSERT INTO measured_town SELECT i, i % 4, i % 400 FROM generate_series(1, 20000) i;
CREATE TABLE measured_visit (v_town int, v_pad text);
INSERT INTO measured_visit SELECT 1 + i % 20000, repeat('x', 100) FROM generate_series(1, 100000) i;
VACUUM ANALYZE measured_region, measured_town, measured_visit;
CREATE FUNCTION star_expects(filter text, towns float8, visits float8)
RETURNS TABLE (keys text, rows text)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb; node jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) SELECT count(*) FROM measured_visit, measured_town,
    measured_region WHERE v_town = t_id AND t_region = r_id AND t_kind = 1 AND ' || filter INTO plan;
  node := jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")');
  RETURN QUERY SELECT compared((r->>'Estimated Keys')::float8, towns),
      compared((node->>'Plan Rows')::float8, visits)
    FROM jsonb_array_elements(node->'Reducers') r WHERE r->>'Dimension' = 'measured_town';
END $$;
SELECT * FROM star_expects('r_kind > 1', 1, 1);
SELECT * FROM star_expects('r_kind = 1 AND r_id < 20', 250, 1250);
-- By their keys all towns are left that no row of the join is of.
SELECT * FROM star_expects('t_kind > r_kind', 5000, 25000);
DROP FUNCTION star_expects;
DROP TABLE measured_region, measured_town, measured_visit;

-- Lines of orders and those of them that came back have a key of two columns in common.  Where the list
-- of items, which cannot be sampled, is joined first, the line's item is compared with that of the
-- list; it belongs to its order all the same, without a foreign key and with one.
CREATE TABLE measured_line (n_order int, n_item int, n_pad text, PRIMARY KEY (n_order, n_item));
INSERT INTO measured_line SELECT i / 5, 1 + i * 7 % 2000, repeat('x', 50) FROM generate_series(1, 100000) i;
CREATE TABLE measured_back (k_order int, k_item int, k_pad text);
INSERT INTO measured_back SELECT n_order, n_item, repeat('x', 100) FROM measured_line WHERE n_order % 5 = 0;
CREATE INDEX ON measured_back (k_item);
VACUUM ANALYZE measured_line, measured_back;
CREATE FUNCTION expects(query text, truth float8) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN NEXT compared((plan->0->'Plan'->>'Plan Rows')::float8, truth);
END $$;
\set back 'SELECT n_pad, k_pad FROM (SELECT * FROM measured_item OFFSET 0) i, measured_back, measured_line WHERE i_id = k_item AND k_item = n_item AND k_order = n_order'
SELECT count(*) FROM (:back) q;
SELECT expects(:'back', 20000);
ALTER TABLE measured_back ADD FOREIGN KEY (k_order, k_item) REFERENCES measured_line;
SELECT expects(:'back', 20000);
-- Keys of one column do not come before it, though they are declared first.
ALTER TABLE measured_back DROP CONSTRAINT measured_back_k_order_k_item_fkey;
ALTER TABLE measured_line ADD FOREIGN KEY (n_item) REFERENCES measured_item;
CREATE TABLE measured_kind AS SELECT i AS x_kind, 'x' || i AS x_pad FROM generate_series(0, 9) i;
ANALYZE measured_kind;
\set back 'SELECT n_pad, k_pad, x_pad FROM (SELECT * FROM measured_kind OFFSET 0) x, measured_item, measured_back, measured_line WHERE x_kind = i_kind AND k_item = n_item AND k_item = i_id AND k_order = n_order'
SELECT expects(:'back', 20000);
ALTER TABLE measured_back ADD FOREIGN KEY (k_order, k_item) REFERENCES measured_line;
SELECT expects(:'back', 20000);
-- A key that says less than the clauses: of a shop that both sides have, too, core knows nothing.
CREATE TABLE measured_head (h_id int PRIMARY KEY, h_shop int, h_pad text);
INSERT INTO measured_head SELECT i, i % 100, repeat('x', 100) FROM generate_series(0, 19999) i;
CREATE TABLE measured_piece (p_order int REFERENCES measured_head, p_shop int, p_item int, p_pad text);
INSERT INTO measured_piece SELECT i / 5, i / 5 % 100, 1 + i * 7 % 2000, repeat('x', 50) FROM generate_series(0, 99999) i;
CREATE INDEX ON measured_piece (p_order);
VACUUM ANALYZE measured_head, measured_piece;
SELECT expects('SELECT h_pad, p_pad FROM (SELECT * FROM measured_item OFFSET 0) i, measured_piece, measured_head WHERE i_id = p_item AND p_order = h_id AND p_shop = h_shop', 100000);
DROP FUNCTION expects;
DROP TABLE measured_line, measured_back, measured_kind, measured_head, measured_piece;

-- What a function has put into a table counts for its next statement, though that is planned under
-- the snapshot that the function was called with: each row is not looked up.
CREATE FUNCTION fills_list(OUT n bigint, OUT each_looked_up boolean) LANGUAGE plpgsql
SET enable_nestloop = on SET ssdpar.star_scan = off SET ssdpar.index_join = off AS $$
BEGIN
  CREATE TEMP TABLE measured_list (l_id int);
  INSERT INTO measured_list SELECT 1 + i % 2000 FROM generate_series(1, 100000) i;
  ANALYZE measured_list;
  SELECT count(*) INTO n FROM measured_list JOIN measured_item ON i_id = l_id
    JOIN measured_sale ON s_item = i_id WHERE i_kind = 3 AND l_id < 1000;
  SELECT coalesce(sum(pg_stat_get_xact_numscans(indexrelid)), 0) > 50000 INTO each_looked_up
    FROM pg_index WHERE indrelid IN ('measured_sale'::regclass, 'measured_item'::regclass);
  DROP TABLE measured_list;
END $$;
SELECT * FROM fills_list();
DROP FUNCTION fills_list;

-- Of filters that are not evaluated core's number counts: two bounds of a range, or one beside one that is
-- evaluated, are one condition, and a code tells its city, as statistics say.
CREATE TABLE measured_visit (v_item int, v_day date, v_city int, v_code int, v_pad text);
INSERT INTO measured_visit SELECT 1 + i % 2000, '2015-01-01'::date + i % 1000, i % 100 / 10, i % 100, repeat('x', 50)
  FROM generate_series(0, 99999) i;
CREATE STATISTICS measured_code (dependencies) ON v_city, v_code FROM measured_visit;
VACUUM ANALYZE measured_visit;
\set visit 'SELECT * FROM measured_visit, measured_item WHERE i_id = v_item AND '
PREPARE visits_of(int) AS :visit v_city = $1 / 10 AND v_code = $1;
PREPARE visits_of_city(int) AS :visit v_city = 3 AND v_code = $1;
PREPARE visits_from(date, date) AS :visit v_day >= $1 AND v_day < $2;
PREPARE visits_until(date) AS :visit v_day >= '2015-01-01' AND v_day < $1;
\set in_january :visit 'v_day >= to_date(''2016-01-01'', ''YYYY-MM-DD'') AND v_day < to_date(''2016-02-01'', ''YYYY-MM-DD'')'
SELECT result FROM expected(:'in_january', 3100);
SET plan_cache_mode = force_generic_plan;
SELECT result FROM expected('EXECUTE visits_of(33)', 1000);
SELECT result FROM expected('EXECUTE visits_of_city(33)', 1000);
-- Core takes a range of which it knows nothing for 0.5 percent.
SELECT result FROM expected('EXECUTE visits_from(''2015-01-01'', ''2015-01-06'')', 500);
SELECT result FROM expected('EXECUTE visits_until(''2015-01-06'')', 500);
RESET plan_cache_mode;
DEALLOCATE visits_of;
DEALLOCATE visits_of_city;
DEALLOCATE visits_from;
DEALLOCATE visits_until;
DROP TABLE measured_visit;

-- What is empty now need not be when a plan that is kept runs again: no loop without an index over it,
-- where core expects rows.
CREATE TABLE measured_queue (q_item int, q_state text) WITH (autovacuum_enabled = off);
INSERT INTO measured_queue SELECT i % 2000, CASE i % 3 WHEN 0 THEN 'new' ELSE 'done' END
  FROM generate_series(1, 150000) i;
CREATE TABLE measured_plain (p_item int, p_pad text);
INSERT INTO measured_plain SELECT i, repeat('x', 100) FROM generate_series(1, 50000) i;
VACUUM ANALYZE measured_queue, measured_plain;
DELETE FROM measured_queue WHERE q_state = 'new';
SET enable_nestloop = on;
SELECT plan_text('SELECT count(*) FROM measured_queue JOIN measured_plain ON p_item = q_item WHERE q_state = ''new''')
  LIKE '%Nested Loop%' AS loop;
SET enable_nestloop = off;
DROP TABLE measured_queue, measured_plain;

-- A table that was just made may be filled while the plan is kept: that it is empty counts when
-- core knows it as well, and of a temporary one that it has fewer rows than core takes it for.
CREATE TABLE measured_stage (g_item int) WITH (autovacuum_enabled = off);
\set staged 'SELECT count(*) FROM measured_stage JOIN measured_sale ON s_item = g_item JOIN measured_day ON d_date = s_day'
SELECT * FROM planned(:'staged');
INSERT INTO measured_stage VALUES (1), (2);
SELECT * FROM planned(:'staged');
DROP TABLE measured_stage;
CREATE TEMP TABLE measured_stage (g_item int);
SELECT * FROM planned(:'staged');
INSERT INTO measured_stage VALUES (1), (2);
SELECT * FROM planned(:'staged');
ANALYZE measured_stage;
SELECT * FROM planned(:'staged');
DELETE FROM measured_stage;
VACUUM measured_stage;
SELECT * FROM planned(:'staged');
DROP TABLE measured_stage;
-- One that has more is measured, though it is as small: core takes texts to be longer.
CREATE TEMP TABLE measured_stage (g_item int, g_text text);
INSERT INTO measured_stage SELECT i, '' FROM generate_series(1, 1600) i;
SELECT pg_relation_size('measured_stage') < 10 * 8192 AS is_small;
SELECT * FROM measured(:'staged' || ' AND g_item % 5 = 3') WHERE tables = 'measured_stage';
DROP TABLE measured_stage;

DROP TABLE measured_sale, measured_day, measured_item, measured_part;
DROP FUNCTION measured, planned, is_measured_alike, plan_text, is_unmeasured,
  compared, expected, found, invent_device,
  measured_within, measured_failing, measured_for_each;
SELECT ssdpar.forget_profile('pg_default');
