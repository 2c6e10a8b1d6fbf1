-- The cost model: plans follow the device profile, and nothing else changes.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
CREATE EXTENSION IF NOT EXISTS ssdpar_test;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.index_join = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET effective_io_concurrency = 1;

CREATE TABLE cost_fact (f_id int, f_key int, f_pad text);
INSERT INTO cost_fact
  SELECT i, i * 7919::bigint % 1000, repeat('x', 200)
    FROM generate_series(1, 60000) i;
CREATE INDEX cost_fact_key ON cost_fact (f_key);
CREATE TABLE cost_dim (k int PRIMARY KEY, a int);
INSERT INTO cost_dim SELECT i, i % 100 FROM generate_series(0, 999) i;
CREATE TABLE cost_small (k int PRIMARY KEY, b int);
INSERT INTO cost_small SELECT i, i FROM generate_series(0, 999) i;
VACUUM ANALYZE cost_fact, cost_dim, cost_small;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
-- A device whose random reads take 1 / rate seconds and overlap gain-fold; a
-- disk if gain is 1, whose head stands right for the next block.
CREATE FUNCTION cost_device(rate float8, gain float8, bandwidth float8)
RETURNS void LANGUAGE sql AS $$
SELECT invent_device(format($f$CASE pattern
    WHEN 'random' THEN least(depth, %2$L::float8) /
                       (1 / %1$L::float8 + (size - 8192) / %3$L::float8)
    ELSE least(%3$L::float8 / size,
               CASE WHEN %2$L::float8 > 1 THEN depth * %1$L::float8 END) END$f$,
    rate, gain, bandwidth), 128, 4e-6);
$$;

-- The kinds of scans in a plan, by table.
CREATE FUNCTION scans_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN (SELECT string_agg(format('%s: %s', n->>'Relation Name', n->>'Node Type'), ', '
                            ORDER BY n->>'Relation Name')
            FROM jsonb_path_query(plan, 'strict $.**?(@."Node Type" != "" && exists(@."Relation Name"))') n);
END $$;

-- The plan, to the last digit of a cost, but for the list of settings.
CREATE FUNCTION plan_text(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN (plan->0->'Plan')::text;
END $$;

-- Is the plan the server's own?
CREATE FUNCTION is_cores_plan(query text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE mine text; cores text;
BEGIN
  mine := plan_text(query);
  SET LOCAL ssdpar.enabled = off;
  cores := plan_text(query);
  SET LOCAL ssdpar.enabled = on;
  RETURN mine = cores;
END $$;

CREATE TABLE cost_query (name text, query text);
INSERT INTO cost_query VALUES
  ('few', 'SELECT sum(f_id) FROM cost_fact WHERE f_key = 10'),
  ('range', 'SELECT sum(f_id) FROM cost_fact WHERE f_key BETWEEN 10 AND 20'),
  ('join', 'SELECT sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k WHERE a = 7'),
  ('all', 'SELECT sum(f_id) FROM cost_fact');

-- without a profile
SELECT name, is_cores_plan(query) FROM cost_query ORDER BY name;

-- an SSD, a disk, and the SSD with what is in memory counted
SELECT cost_device(10000, 16, 1e9);
SELECT name, scans_of(query), is_cores_plan(query) FROM cost_query ORDER BY name;
SELECT cost_device(100, 1, 2e8);
SELECT name, scans_of(query), is_cores_plan(query) FROM cost_query ORDER BY name;
SET ssdpar.residency = hot;
SELECT name, scans_of(query) FROM cost_query ORDER BY name;
SET ssdpar.residency = cold;

-- EXPLAIN says in milliseconds what the plan is predicted to take, and takes
CREATE FUNCTION times_of(options text, query text)
RETURNS TABLE (predicted boolean, actual boolean, busy boolean) LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (%s, FORMAT json) ', options) || query INTO plan;
  RETURN QUERY SELECT
    abs((plan->1->>'ssdpar Predicted Time')::float8 -
        (plan->0->'Plan'->>'Total Cost')::float8 * 4e-3) < 0.001,
    abs((plan->1->>'ssdpar Actual Time')::float8 -
        (plan->0->'Plan'->>'Actual Total Time')::float8) < 0.002,
    plan->1->'ssdpar Busy' ? 'Processor';
END $$;
SELECT t.* FROM cost_query, times_of('VERBOSE', query) t WHERE name = 'all';
SELECT t.* FROM cost_query, times_of('VERBOSE, ANALYZE', query) t WHERE name = 'all';
SELECT t.* FROM cost_query, times_of('VERBOSE, ANALYZE, TIMING off', query) t WHERE name = 'all';
SELECT t.* FROM cost_query, times_of('ANALYZE', query) t WHERE name = 'all';
SELECT * FROM times_of('VERBOSE', 'SELECT * FROM cost_small WHERE k = 5');
-- also after a statement that there was no memory to begin with
DO $$ BEGIN
  PERFORM ssdpar_test.plan_without_memory('SELECT * FROM cost_fact WHERE f_key = 8');
EXCEPTION WHEN internal_error THEN
  RAISE NOTICE 'no memory';
END $$;
SELECT t.* FROM cost_query, times_of('VERBOSE', query) t WHERE name = 'all';

-- Settings for plain PostgreSQL.  By hand, over 4 us: 100 us and 8 of CPU for a
-- random page; three quarters of 216 us for 16 pages read ahead (4/5 of the way, in logarithms,
-- from 10000 to 3815 requests a second) and 3.3 of CPU for each.
SELECT cost_device(10000, 16, 1e9);
SET effective_io_concurrency = 3;
SELECT tablespace, setting, suggested, command FROM ssdpar.suggest_settings()
 WHERE setting NOT IN ('max_parallel_workers_per_gather', 'read_ahead_kb');
SELECT setting, suggested FROM ssdpar.suggest_settings(1)
 WHERE setting ~ 'page_cost';
SELECT current, reason FROM ssdpar.suggest_settings()
 WHERE setting = 'effective_io_concurrency';
SELECT * FROM ssdpar.suggest_settings('NaN');
SELECT * FROM ssdpar.suggest_for('pg_global', 0);
SET effective_io_concurrency = 1;

-- A slow device that gains by depth: the scan that reads ahead wins only if
-- it is allowed to, and only within the budget.
SELECT cost_device(2000, 16, 1e8);
SELECT scans_of(query) FROM cost_query WHERE name = 'range';
SET effective_io_concurrency = 16;
SELECT scans_of(query) FROM cost_query WHERE name = 'range';
SET ssdpar.io_budget = 1;
SELECT scans_of(query) FROM cost_query WHERE name = 'range';
RESET ssdpar.io_budget;
SET effective_io_concurrency = 1;
SELECT scans_of(query) FROM cost_query WHERE name = 'range';
-- A correlated subquery finds in memory what its first runs have read, by an
-- index or not: one run by the scan that is fastest cold, a thousand by the one
-- that is fastest on average.  Not so what is read once, wherever it stands.
SELECT cost_device(100, 1, 2e8);
CREATE FUNCTION fact_scan(query text) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(DISTINCT scan[1], ', ')
  FROM regexp_matches(scans_of(query), 'cost_fact: ([^,]*)', 'g') scan;
$$;
CREATE TABLE cost_outer (name text, level text);
INSERT INTO cost_outer VALUES
  ('all', 'SELECT %s FROM cost_dim d'),
  ('one, by its key', 'SELECT %s FROM cost_dim d WHERE d.k = 7'),
  ('few', 'SELECT %s FROM cost_dim d WHERE d.k IN (3, 5) AND d.a >= 0'),
  ('of a join', 'SELECT %s FROM cost_dim d JOIN cost_small s ON s.k = d.k AND d.k < 4'),
  ('nullable', 'SELECT %s FROM cost_small s LEFT JOIN cost_dim d ON d.k = s.k AND d.k = 7'),
  ('partitioned', 'SELECT %s FROM cost_outer_parts d'),
  ('of an aggregate', 'SELECT %s FROM (SELECT max(k) AS k FROM cost_dim) d'),
  ('values', 'SELECT %s FROM (VALUES (1), (2)) d (k)');
CREATE TABLE cost_outer_parts (k int) PARTITION BY RANGE (k);
CREATE TABLE cost_outer_part PARTITION OF cost_outer_parts DEFAULT;
INSERT INTO cost_outer_parts SELECT k FROM cost_dim;
ANALYZE cost_outer_parts;
SELECT name,
       fact_scan(format(level, '(SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k)')) AS correlated,
       fact_scan(format(level, '(SELECT sum(f_id) FROM cost_fact WHERE f_key = 8)')) AS not_correlated
  FROM cost_outer ORDER BY name;
SELECT fact_scan('SELECT s FROM cost_dim d, LATERAL (SELECT sum(f_id) AS s FROM cost_fact WHERE f_key = d.k) l') AS lateral,
       fact_scan('SELECT s FROM cost_dim d, LATERAL (SELECT sum(f_id) AS s FROM cost_fact WHERE f_key = d.k) l WHERE d.k = 7') AS lateral_one;
-- other extensions' hooks are not shown a level before core has prepared it
SELECT sum(ssdpar_test.tables_shown_early(
         format(level, '(SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k)')))
  FROM cost_outer WHERE name ~ '^(few|one)';
-- they may put indexes of their own before the table's
SELECT ssdpar_test.indexes_in_front('SELECT * FROM cost_fact WHERE f_key = 8 AND f_id > 0');
-- nor are scans of a table priced again that such a hook has made a parent
SELECT ssdpar_test.paths_of_parents('SELECT * FROM cost_fact WHERE f_key = 8');
-- nor are other scans put beside the only ones that such a hook has left
CREATE FUNCTION beside(query text, VARIADIC settings text[],
                       OUT ours bool, OUT beside bigint)
LANGUAGE plpgsql AS $$
DECLARE setting text;
BEGIN
  FOREACH setting IN ARRAY settings LOOP
    EXECUTE 'SET LOCAL ' || setting;
  END LOOP;
  ours := plan_text(query) ~ 'Ssdpar';
  beside := ssdpar_test.scans_beside(query);
END $$;
BEGIN;
SELECT cost_device(10000, 16, 1e9);
SELECT * FROM beside('SELECT sum(f_id) FROM cost_fact WHERE f_key BETWEEN 10 AND 20', 'enable_seqscan = on');
SELECT * FROM beside('SELECT sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k WHERE a = 7',
                     'ssdpar.index_join = on', 'enable_hashjoin = off', 'enable_mergejoin = off',
                     'enable_seqscan = off');
ROLLBACK;
SELECT cost_device(100, 1, 2e8);
BEGIN;
SELECT * FROM beside('SELECT sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k WHERE a = 7',
                     'ssdpar.star_scan = on', 'ssdpar.star_access = bitmap');
SELECT * FROM beside('SELECT sum(f_id) FROM cost_fact WHERE f_key = ANY (ARRAY[8, 9])',
                     'ssdpar.star_scan = on', 'ssdpar.star_access = bitmap');
ROLLBACK;
BEGIN;
SELECT * FROM beside('SELECT sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k WHERE a = 7',
                     'max_parallel_workers_per_gather = 2', 'ssdpar.subqueries = 2');
ROLLBACK;
-- asked for the first time while join orders are tried, each in its own memory
BEGIN;
SET LOCAL ssdpar.index_join = on;
SET LOCAL geqo_threshold = 2;
SELECT fact_scan('SELECT (SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k), (SELECT sum(b) FROM cost_small s JOIN cost_dim e USING (k) WHERE b < d.k) FROM cost_dim d, generate_series(1, 2)') IS NOT NULL AS planned;
COMMIT;
-- an index scan costs what it does below a nested loop of as many rows
CREATE FUNCTION index_scan_cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN jsonb_path_query(plan, 'strict $.**?(@."Node Type" starts with "Index" && @."Relation Name" == "cost_fact")."Total Cost"');
END $$;
BEGIN;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SELECT index_scan_cost('SELECT (SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k) FROM cost_dim d') /
       index_scan_cost('SELECT sum(f_id) FROM cost_dim d JOIN cost_fact ON f_key = d.k') BETWEEN 0.9 AND 1.1 AS same;
ROLLBACK;
DROP FUNCTION index_scan_cost;
-- two levels out, within one that is executed often, and kept there
SELECT fact_scan('SELECT (SELECT sum(s.b) FROM cost_small s WHERE s.b = (SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k)) FROM cost_dim d') AS two_levels,
       fact_scan('SELECT (SELECT sum(s) FROM (SELECT sum(f_id) AS s FROM cost_fact WHERE f_key = 7 GROUP BY f_pad) g WHERE s > d.a) FROM cost_dim d') AS within,
       fact_scan('SELECT (SELECT sum(s.b) FROM cost_small s WHERE s.k = d.a AND s.b > (SELECT sum(f_id) FROM cost_fact WHERE f_key = 7)) FROM cost_dim d') AS kept;
-- what is computed only for planning cannot fail there
SELECT (SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k) FROM cost_dim d WHERE false AND d.a = 1 / 0;
-- bitmaps that only core knows how to combine
SELECT fact_scan('SELECT (SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k OR f_key = d.a) FROM cost_dim d') AS either;
-- no cache to find them in
SET effective_cache_size = '8MB';
SELECT fact_scan('SELECT (SELECT sum(f_id) FROM cost_fact WHERE f_key = d.k) FROM cost_dim d') AS no_cache;
RESET effective_cache_size;
DROP TABLE cost_outer, cost_outer_parts;
DROP FUNCTION fact_scan;
SELECT cost_device(2000, 16, 1e8);

-- off is off, and so is too small, and the system's own tables
SET ssdpar.cost_model = off;
SELECT name, is_cores_plan(query) FROM cost_query ORDER BY name;
RESET ssdpar.cost_model;
SET ssdpar.cost_model_min_size = '1GB';
SELECT name, is_cores_plan(query) FROM cost_query ORDER BY name;
-- what is too small for one device is not for one that reads ten times as long,
-- of one table and of partitions together; but for none if it is really small
SET ssdpar.cost_model_min_size = '64MB';
CREATE TABLE cost_parts (LIKE cost_fact) PARTITION BY RANGE (f_id);
CREATE TABLE cost_parts_1 PARTITION OF cost_parts FOR VALUES FROM (0) TO (30000);
CREATE TABLE cost_parts_2 PARTITION OF cost_parts FOR VALUES FROM (30000) TO (70000);
INSERT INTO cost_parts SELECT * FROM cost_fact;
ANALYZE cost_parts;
CREATE FUNCTION plans_below_64mb() RETURNS TABLE (name text, cores text) LANGUAGE sql AS $$
  SELECT name, is_cores_plan(query)::text FROM cost_query WHERE name IN ('few', 'join')
   UNION ALL
  SELECT 'parts', is_cores_plan('SELECT sum(f_id) FROM cost_parts')::text
   UNION ALL
  SELECT 'small', is_cores_plan('SELECT * FROM cost_small WHERE b = 5')::text ORDER BY 1
$$;
SELECT cost_device(2000, 16, 1e9);
SELECT * FROM plans_below_64mb();
SELECT cost_device(2000, 16, 5e7);
SELECT * FROM plans_below_64mb();
DROP TABLE cost_parts;
DROP FUNCTION plans_below_64mb;
SELECT cost_device(2000, 16, 1e8);
SET ssdpar.cost_model_min_size = '1MB';
SELECT is_cores_plan('SELECT * FROM cost_small WHERE k = 5');
SELECT is_cores_plan('SELECT * FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE relname = ''pg_class''');

-- page costs do not matter any more, wherever they are set
CREATE TEMP TABLE cost_before AS SELECT name, plan_text(query) FROM cost_query;
BEGIN;
SET LOCAL random_page_cost = 77;
SET LOCAL seq_page_cost = 33;
SELECT name, plan_text(query) = plan_text AS same
  FROM cost_query JOIN cost_before USING (name) ORDER BY name;
ROLLBACK;
BEGIN;
ALTER TABLESPACE pg_default SET (random_page_cost = 77, seq_page_cost = 33);
SELECT name, plan_text(query) = plan_text AS same
  FROM cost_query JOIN cost_before USING (name) ORDER BY name;
ROLLBACK;

-- Paths made of what core's first call has considered cost what they do when
-- core makes them in a call of their own, as it must beside other indexes.
CREATE FUNCTION cost_plans() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE settings text;
BEGIN
  FOREACH settings IN ARRAY '{none,enable_seqscan,enable_indexscan}'::text[] LOOP
    IF settings <> 'none' THEN
      PERFORM set_config(settings, 'off', true);
    END IF;
    -- the sides of = are in the order in which core met them
    RETURN QUERY SELECT regexp_replace(plan_text(query), '"Recheck Cond": [^\n]*', '', 'g')
                   FROM cost_query ORDER BY name;
  END LOOP;
END $$;
BEGIN;
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL min_parallel_index_scan_size = 0;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL effective_io_concurrency = 8;
SET LOCAL ssdpar.subqueries = 0;
SAVEPOINT plans;
SELECT string_agg(plan, E'\n') AS at_once FROM cost_plans() plan \gset
ROLLBACK TO plans;
SELECT :'at_once' ~ '"Bitmap Heap Scan"[^{}]*"Parallel Aware": false' AS serial,
       :'at_once' ~ '"Bitmap Heap Scan"[^{}]*"Parallel Aware": true' AS parallel;
CREATE INDEX ON cost_fact USING hash (f_pad) WHERE f_id < 0;
SELECT string_agg(plan, E'\n') = :'at_once' AS same FROM cost_plans() plan;
ROLLBACK;
DROP FUNCTION cost_plans;

-- What runs during planning sees the user's settings: this function is called
-- to estimate a clause, while core's paths are being made.
CREATE FUNCTION cost_look() RETURNS void LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXPLAIN SELECT * FROM cost_small WHERE k BETWEEN 1 AND 5 LOOP
    PERFORM set_config('cost.peek',
                       CASE WHEN current_setting('cost.peek', true) IN ('', line)
                            THEN line ELSE 'changed' END, false);
    EXIT;
  END LOOP;
END $$;
CREATE FUNCTION cost_peek() RETURNS int STABLE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM cost_look();
  RETURN 7;
END $$;
SET ssdpar.cost_model = off;
SELECT set_config('cost.peek', '', false);
SELECT cost_peek();
SELECT current_setting('cost.peek') AS outside \gset
SELECT :'outside' <> '' AS seen;
SELECT set_config('cost.peek', '', false);
RESET ssdpar.cost_model;
SELECT scans_of('SELECT * FROM cost_fact JOIN cost_dim ON f_key = k + cost_peek()');
SELECT current_setting('cost.peek') = :'outside' AS same;

-- an error in the midst of it leaves no trace
CREATE FUNCTION cost_fail() RETURNS int STABLE LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'not now'; END $$;
SELECT scans_of('SELECT * FROM cost_fact JOIN cost_dim ON f_key = k + cost_fail()');
SHOW random_page_cost;
SHOW seq_page_cost;
SHOW enable_indexscan;
SHOW enable_bitmapscan;
SELECT name, plan_text(query) = plan_text AS same
  FROM cost_query JOIN cost_before USING (name) ORDER BY name;

-- enable_* settings hold
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT scans_of(query) FROM cost_query WHERE name = 'range';
SET enable_indexscan = off;
RESET enable_seqscan;
SELECT scans_of(query) FROM cost_query WHERE name = 'range';
RESET enable_bitmapscan;
RESET enable_indexscan;

-- what can only be done in one way
BEGIN;
DECLARE cost_cursor CURSOR FOR SELECT * FROM cost_fact WHERE f_id = 500;
FETCH cost_cursor \gset
UPDATE cost_fact SET f_pad = 'y' WHERE CURRENT OF cost_cursor;
SELECT count(*) FROM cost_fact WHERE f_pad = 'y' AND f_id = 500;
ROLLBACK;
SELECT count(*) BETWEEN 1 AND 60000 AS sampled FROM cost_fact TABLESAMPLE SYSTEM (10);
SELECT count(*) FROM cost_dim d, LATERAL (SELECT 1 FROM cost_fact WHERE f_key = d.k AND f_id > d.a LIMIT 3) l WHERE d.a = 3;

-- parallel scans and partitions
CREATE TABLE cost_parts (k int, v text) PARTITION BY RANGE (k);
CREATE TABLE cost_part_1 PARTITION OF cost_parts FOR VALUES FROM (0) TO (500);
CREATE TABLE cost_part_2 PARTITION OF cost_parts FOR VALUES FROM (500) TO (1000);
CREATE INDEX ON cost_parts (k);
INSERT INTO cost_parts SELECT i % 1000, repeat('x', 200) FROM generate_series(1, 40000) i;
VACUUM ANALYZE cost_parts;
SELECT scans_of('SELECT * FROM cost_parts WHERE k = 600'),
       is_cores_plan('SELECT * FROM cost_parts WHERE k = 600');
SELECT cost_device(50000, 16, 2e10);
SET ssdpar.subqueries = 0;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET parallel_setup_cost = 0;
-- what a row costs that a worker hands over, in cpu_tuple_cost
CREATE FUNCTION handed_row(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  plan := jsonb_path_query(plan, 'strict $.**?(@."Node Type" == "Gather")');
  RETURN round(((plan->>'Total Cost')::numeric - (plan#>>'{Plans,0,Total Cost}')::numeric) /
               (plan->>'Plan Rows')::numeric / current_setting('cpu_tuple_cost')::numeric, 1);
END $$;
\set handed 'SELECT handed_row(''SELECT f_id FROM cost_fact WHERE f_id % 10 = 0'')'
-- a device on which the processor is what there is to wait for
SELECT cost_device(1e6, 16, 1e11);
:handed;
-- core's in a small table, also if it is planned in the midst of the other
CREATE FUNCTION cost_nested() RETURNS int STABLE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('cost.nested',
    handed_row('SELECT a FROM cost_dim WHERE k % 100 = 0')::text, false);
  RETURN 0;
END $$;
SELECT count(*) FROM (SELECT scans_of('SELECT * FROM cost_fact JOIN cost_dim ON f_key = k + cost_nested()')) s;
SHOW cost.nested;
SELECT scans_of('SELECT * FROM cost_fact JOIN cost_dim ON f_key = k + cost_fail()');
SHOW parallel_tuple_cost;
SET parallel_tuple_cost = 0.05;
:handed;
RESET parallel_tuple_cost;
SET ssdpar.enabled = off;
SELECT handed_row('SELECT f_id FROM cost_fact WHERE f_id % 1000 = 0');
RESET ssdpar.enabled;
DROP FUNCTION handed_row, cost_nested;
SELECT cost_device(50000, 16, 2e10);
SET parallel_tuple_cost = 0;
SET enable_indexonlyscan = off;
SELECT count(*), sum(f_id) FROM cost_fact;
SELECT count(*), sum(f_id) FROM cost_fact WHERE f_key BETWEEN 10 AND 200;
SELECT count(*), sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k WHERE a = 7;
SELECT count(*) FROM cost_parts WHERE k < 700;
EXPLAIN (COSTS off) SELECT count(*) FROM cost_fact;
SET max_parallel_workers_per_gather = 0;
SET ssdpar.cost_model_min_size = 0;

-- ssdpar.subqueries = 0: split where the model predicts that to be fastest, by
-- depth, by what is in memory, against a star scan.
RESET min_parallel_table_scan_size;
RESET min_parallel_index_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
SET max_parallel_workers_per_gather = 2;
SET max_parallel_workers = 8;
CREATE FUNCTION chosen(query text, OUT nodes text, OUT why_not text)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  SELECT string_agg(format('%s %s', n->>'Custom Plan Provider', n->>'Access'), ', ')
    INTO nodes
    FROM jsonb_path_query(plan, 'strict $.**?(exists(@."Custom Plan Provider"))') n;
  why_not := plan->1->>'ssdpar Split Not Used';
END $$;
\set join 'SELECT sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k WHERE a = 7'
SELECT cost_device(2000, 16, 1e8);
SELECT * FROM chosen(:'join');
SELECT count(*), sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k WHERE a = 7;
SET ssdpar.residency = hot;
SELECT * FROM chosen(:'join');
SET ssdpar.residency = cold;
SET ssdpar.star_scan = on;
SET ssdpar.prefetch = local;
SELECT * FROM chosen(:'join');
SET ssdpar.prefetch = off;
SET ssdpar.star_scan = off;
-- nor where the user wants the star scan
SELECT cost_device(5000, 16, 1e8);
SELECT * FROM chosen(:'join');
SET ssdpar.star_scan = on;
SET ssdpar.star_access = sequential;
SELECT * FROM chosen(:'join');
RESET ssdpar.star_access;
SET ssdpar.star_scan = off;
SELECT cost_device(2000, 16, 1e9);
SELECT * FROM chosen('SELECT sum(f_id) FROM cost_fact JOIN cost_dim ON f_key = k');
SELECT cost_device(2000, 1, 1e8);
SELECT * FROM chosen(:'join');
-- not comparable, so not chosen: the fact's scans are priced by page costs
SELECT cost_device(2000, 16, 1e8);
SET ssdpar.cost_model_min_size = '1GB';
SELECT * FROM chosen(:'join');
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.cost_model = off;
SELECT * FROM chosen(:'join');
RESET ssdpar.cost_model;
-- more processes on a saturated device are not predicted to gain
CREATE FUNCTION predicted(n int, query text) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  PERFORM set_config('ssdpar.subqueries', n::text, true);
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN (plan->1->>'ssdpar Predicted Time')::float8;
END $$;
SELECT cost_device(2000, 4, 1e8);
SET ssdpar.partition = dimension;
SELECT predicted(2, :'join') / predicted(4, :'join') > 1.5 AS gains,
       predicted(4, :'join') / predicted(8, :'join') > 1.3 AS gains_more;
RESET ssdpar.partition;
-- and where an index join at depth is cheaper than the split that was decided
-- for, that is the plan: against it the paths of the split lose, and what is left
-- of them is not to win all the same
CREATE FUNCTION with_index_joins(query text, OUT split float8, OUT cost float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  SET LOCAL ssdpar.index_join = off;
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  split := plan #>> '{0,Plan,Total Cost}';
  SET LOCAL ssdpar.index_join = on;
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  cost := plan #>> '{0,Plan,Total Cost}';
END $$;
SELECT cost_device(20000, 16, 1e8);
SELECT change_profile('{"machine": {"cores": 8, "page_fill_seconds": 4e-5, "page_copy_seconds": 2e-5}}');
SET ssdpar.prefetch = local;
SELECT keys, cost <= split * 1.01 AS no_dearer
  FROM unnest('{4,8,12,20}'::int[]) keys, with_index_joins(format(
    'SELECT sum(f_id + length(f_pad)) FROM cost_fact
       JOIN cost_dim d ON f_key = d.k JOIN cost_small s ON f_key = s.k
      WHERE a < %s AND b < 900', keys));
DROP FUNCTION with_index_joins;
SET ssdpar.prefetch = off;
SET max_parallel_workers_per_gather = 0;

-- In memory a page is not free either, and an index join comes back to it.
SELECT cost_device(10000, 16, 1e9);
SELECT change_profile('{"machine": {"page_hit_seconds": 20e-6}}');
SET ssdpar.residency = hot;
SET ssdpar.subqueries = 1;
SELECT scans_of('SELECT sum(f_id) FROM cost_fact, cost_dim
                 WHERE f_key = k AND a < 1') AS few,
       scans_of('SELECT sum(f_id) FROM cost_fact, cost_dim
                 WHERE f_key = k AND a < 20') AS many;

-- Nor is one that no cache of the processor holds, which a row waits for by
-- index scan, bitmap scan or nested loop.  Partitions are in one cache together.
CREATE FUNCTION cost_of(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan->0->'Plan'->>'Total Cost';
END $$;
CREATE TABLE cost_far (f_id int, f_key int, f_pad text) PARTITION BY HASH (f_id);
DO $$ BEGIN
  FOR i IN 0..4 LOOP
    EXECUTE format('CREATE TABLE cost_far_%1$s PARTITION OF cost_far FOR VALUES WITH (MODULUS 5, REMAINDER %1$s)', i);
  END LOOP;
END $$;
INSERT INTO cost_far SELECT * FROM cost_fact;
CREATE INDEX ON cost_far (f_key);
VACUUM ANALYZE cost_far;
SELECT max(pg_relation_size(oid)) < 3200000 AS held, sum(pg_relation_size(oid)) > 14000000 AS not_together
  FROM pg_class WHERE relname LIKE 'cost_far__';
SELECT change_profile('{"machine": {"page_hit_seconds": 1e-7}}');
CREATE FUNCTION scan_cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan, 'strict $.**?(@."Relation Name" == "cost_far_0")')->'Total Cost';
END $$;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT scan_cost('SELECT f_pad FROM cost_far WHERE f_key < 100') /
       scan_cost('SELECT f_pad FROM cost_far_0 WHERE f_key < 100') > 1.05 AS waits_longer;
RESET enable_bitmapscan;
SET enable_indexscan = off;
SELECT scan_cost('SELECT f_pad FROM cost_far WHERE f_key < 100') /
       scan_cost('SELECT f_pad FROM cost_far_0 WHERE f_key < 100') > 1.05 AS waits_longer;
RESET enable_indexscan;
RESET enable_seqscan;
DROP TABLE cost_far;
DROP FUNCTION scan_cost;
SET ssdpar.residency = cold;

-- A profile that cannot be right is not stored.
SELECT change_profile('{"machine": {"cost_unit_seconds": "NaN"}}');
SELECT change_profile('{"machine": {"cost_unit_seconds": 0}}');
SELECT change_profile('{"machine": {"page_fill_seconds": -1}}');
SELECT change_profile('{"machine": {"page_fill_seconds": null}}');
-- One that cannot be used: core's plans, one warning a session.
SELECT change_profile('{"device": {"identity": "another one"}}');
SELECT problem FROM ssdpar.device_summary;
SELECT name, is_cores_plan(query) FROM cost_query ORDER BY name;
\c -
LOAD 'ssdpar';
SET ssdpar.cost_model_min_size = '1MB';
SELECT is_cores_plan(query) FROM cost_query WHERE name = 'range';
-- and one for another tablespace
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_ssdpar_cost LOCATION '';
CREATE TABLE cost_elsewhere TABLESPACE regress_ssdpar_cost
  AS SELECT i AS k FROM generate_series(1, 60000) i;
ANALYZE cost_elsewhere;
SELECT ssdpar.store_profile('regress_ssdpar_cost',
                            ssdpar.profile_document('pg_default'));
SELECT is_cores_plan('SELECT * FROM cost_elsewhere WHERE k < 7');
SELECT is_cores_plan('SELECT * FROM cost_elsewhere WHERE k < 8');
SELECT ssdpar.forget_profile('regress_ssdpar_cost');
DROP TABLE cost_elsewhere;
DROP TABLESPACE regress_ssdpar_cost;

-- one that ssdpar-probe made knows only the device
SELECT change_profile('{"device": {"identity": "any device"}, "machine": null}');
SET ssdpar.residency = cold;
SELECT problem FROM ssdpar.device_summary;
SELECT is_cores_plan(query) FROM cost_query WHERE name = 'range';

-- looking at memory finds what was just read
SET ssdpar.residency = hot;
SELECT plan_text(query) AS hot FROM cost_query WHERE name = 'all' \gset
SET ssdpar.residency = cold;
SELECT plan_text(query) AS cold FROM cost_query WHERE name = 'all' \gset
SET ssdpar.residency = auto;
SELECT count(*) FROM cost_fact;
SELECT (plan_text(query)::json->>'Total Cost')::float8 <
       (:'hot'::json->>'Total Cost')::float8 * 0.2 +
       (:'cold'::json->>'Total Cost')::float8 * 0.8 AS seen
  FROM cost_query WHERE name = 'all';

-- what was seen of tables that are gone does not stay
SET ssdpar.cost_model_min_size = 0;
SET ssdpar.residency_ttl = 0;
DO $$
BEGIN
  FOR i IN 1..500 LOOP
    CREATE TEMP TABLE cost_gone AS SELECT 1 AS a;
    PERFORM FROM cost_gone;
    DROP TABLE cost_gone;
  END LOOP;
END $$;
SELECT used_bytes < 16384 AS forgotten FROM pg_backend_memory_contexts
 WHERE name = 'ssdpar residency';
RESET ssdpar.residency_ttl;
SET ssdpar.cost_model_min_size = '1MB';

-- Star scans of a fact's partitions share a dimension's keys, so that it may be
-- partitioned, too.
SELECT invent_device('depth * 1e4', 128, 5e-6);
SET ssdpar.residency = hot;
SET ssdpar.cost_model_min_size = 0;
SET ssdpar.star_scan = on;
SET enable_nestloop = off;
CREATE TABLE cost_part_dim (k int, g int) PARTITION BY RANGE (k);
CREATE TABLE cost_part_fact (k int, v int) PARTITION BY HASH (v);
DO $$ BEGIN
  FOR i IN 0..31 LOOP
    EXECUTE format('CREATE TABLE cost_part_dim_%1$s PARTITION OF cost_part_dim FOR VALUES FROM (%1$s * 100) TO (%1$s * 100 + 100)', i);
  END LOOP;
  FOR i IN 0..15 LOOP
    EXECUTE format('CREATE TABLE cost_part_fact_%1$s PARTITION OF cost_part_fact FOR VALUES WITH (MODULUS 16, REMAINDER %1$s)', i);
  END LOOP;
END $$;
INSERT INTO cost_part_dim SELECT i, i % 100 FROM generate_series(0, 3199) i;
INSERT INTO cost_part_fact SELECT i % 3200, i FROM generate_series(1, 60000) i;
CREATE INDEX ON cost_part_fact (k);
CREATE TABLE cost_whole_dim AS TABLE cost_part_dim;
VACUUM ANALYZE cost_part_dim, cost_part_fact, cost_whole_dim;
SELECT dim, plan_text(format('SELECT count(v) FROM cost_part_fact f, %I d WHERE f.k = d.k AND g = 3', dim))
       LIKE '%SsdparStarScan%' AS star_scan
  FROM unnest('{cost_part_dim,cost_whole_dim}'::text[]) dim;
DROP TABLE cost_part_dim, cost_part_fact, cost_whole_dim;

-- Partitions of which a star scan is priced with some of its dimensions.
SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', 128, 5e-6);
SET ssdpar.residency = cold;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE cost_part_fact (a int, b int) PARTITION BY RANGE (a);
CREATE TABLE cost_part_fact_1 PARTITION OF cost_part_fact FOR VALUES FROM (0) TO (500);
CREATE TABLE cost_part_fact_2 PARTITION OF cost_part_fact FOR VALUES FROM (500) TO (1000);
INSERT INTO cost_part_fact SELECT i % 1000, i % 777 FROM generate_series(1, 20000) i;
CREATE INDEX ON cost_part_fact (a);
CREATE INDEX ON cost_part_fact (b);
CREATE TABLE cost_part_dim (k int PRIMARY KEY, g int);
INSERT INTO cost_part_dim SELECT i, i % 13 FROM generate_series(1, 600) i;
CREATE TABLE cost_part_none (k int PRIMARY KEY, g int);
ANALYZE cost_part_fact, cost_part_dim, cost_part_none;
RESET enable_nestloop;
SELECT plan_text('SELECT count(*) FROM cost_part_fact f JOIN cost_part_none n ON a = n.k JOIN cost_part_dim d ON b = d.k WHERE d.g < 4') IS NOT NULL AS planned;
DROP TABLE cost_part_fact, cost_part_dim, cost_part_none;
RESET max_parallel_workers_per_gather;
SET ssdpar.cost_model_min_size = '1MB';

-- A table that lies in the order of its key of two columns: a scan of the index
-- reads it as a sequential scan does, and the next leaf while it goes through
-- this one's rows.  Where many rows have one value of the first column, or the
-- table lies in another order, it does not.
SELECT cost_device(1e4, 4, 1e9);
SET max_parallel_workers_per_gather = 0;
CREATE TABLE cost_lines (k int, n int, far int, pad text);
INSERT INTO cost_lines SELECT i / 4, i % 4, i % 997, repeat('x', 60) FROM generate_series(1, 100000) i;
CREATE INDEX cost_lines_kn ON cost_lines (k, n);
CREATE INDEX cost_lines_nk ON cost_lines (n, k);
CREATE INDEX cost_lines_far ON cost_lines (far, n);
VACUUM ANALYZE cost_lines;
SET enable_sort = off;
SET enable_incremental_sort = off;
SET enable_bitmapscan = off;
SELECT cost_of('SELECT * FROM cost_lines') AS whole \gset
SET enable_seqscan = off;
SELECT columns, cost_of('SELECT * FROM cost_lines ORDER BY ' || columns) < 5 * :whole AS cheap
  FROM unnest('{"k, n","k DESC, n DESC","n, k","far, n"}'::text[]) columns;
RESET enable_seqscan;
-- so groups come in order, in place of a hash table that does not fit in memory
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT scans_of('SELECT k, sum(far) FROM cost_lines GROUP BY k');
RESET work_mem;
RESET hash_mem_multiplier;
RESET enable_sort;
RESET enable_incremental_sort;
RESET enable_bitmapscan;
RESET max_parallel_workers_per_gather;
DROP TABLE cost_lines;

-- The kernel reads the leaves of an index ahead while they lie in order, as
-- those of a new index do; of one that was filled at random each is waited for.
SET enable_sort = off;
SET enable_bitmapscan = off;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE cost_leaves (k bigint, n bigint, pad text);
CREATE INDEX cost_leaves_split ON cost_leaves (k);
INSERT INTO cost_leaves
  SELECT hashint8extended(i, 1), i, repeat('x', 100)
    FROM generate_series(1, 150000) i;
CREATE INDEX cost_leaves_new ON cost_leaves (n);
VACUUM ANALYZE cost_leaves;
SELECT bool_and(relpages > 300) FROM pg_class WHERE relname LIKE 'cost_leaves_%';
SELECT cost_of('SELECT k FROM cost_leaves ORDER BY k') >
       3 * cost_of('SELECT n FROM cost_leaves ORDER BY n');
-- backward it reads none ahead
SELECT cost_of('SELECT n FROM cost_leaves ORDER BY n DESC') >
       3 * cost_of('SELECT n FROM cost_leaves ORDER BY n');
-- so the one is read in place of the table's rows
SELECT scans_of('SELECT n FROM cost_leaves'), scans_of('SELECT k FROM cost_leaves');
-- in parallel no more is taken off the price of a page than it has
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET enable_seqscan = off;
SELECT cost_of('SELECT sum(n) FROM cost_leaves') > 150000 * (0.01 / 3 + 0.005);
RESET enable_seqscan;
RESET min_parallel_index_scan_size;
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
RESET max_parallel_workers_per_gather;
RESET enable_sort;
-- so does it of lookups by values that come in the order of the index, and an
-- index join merges what lies together
SET max_parallel_workers_per_gather = 0;
SELECT cost_device(1e3, 4, 1e8);
CREATE TABLE cost_masters AS SELECT k, n FROM cost_leaves ORDER BY n;
CREATE TABLE cost_shuffled AS SELECT k, n FROM cost_leaves ORDER BY k;
VACUUM ANALYZE cost_masters, cost_shuffled;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET ssdpar.index_join = off;
SELECT scans_of('SELECT count(l.n) FROM cost_masters m JOIN cost_leaves l USING (n)');
SELECT cost_of('SELECT count(l.n) FROM cost_shuffled m JOIN cost_leaves l USING (n)') >
       1.5 * cost_of('SELECT count(l.n) FROM cost_masters m JOIN cost_leaves l USING (n)');
SET ssdpar.index_join = on;
SELECT cost_of('SELECT count(l.k) FROM cost_shuffled m JOIN cost_leaves l USING (k)') >
       1.2 * cost_of('SELECT count(l.n) FROM cost_masters m JOIN cost_leaves l USING (n)');
RESET ssdpar.index_join;
RESET enable_mergejoin;
RESET enable_hashjoin;
DROP TABLE cost_masters, cost_shuffled;
RESET max_parallel_workers_per_gather;
RESET enable_bitmapscan;
DROP TABLE cost_leaves;
DROP FUNCTION cost_of;

-- Core's bitmap path is the only one left where sequential and index scans are
-- disabled too; made anew, at other prices, bitmap paths lose.
CREATE TABLE cost_outer AS
  SELECT i AS u, i % 5 AS g, i % 10 AS x, i::int8 AS k FROM generate_series(1, 40) i;
CREATE TABLE cost_inner AS
  SELECT i AS u, i % 20 AS g, i % 3 AS x, repeat('x', 400) AS pad
    FROM generate_series(1, 1000) i;
CREATE INDEX ON cost_inner (g);
CREATE INDEX ON cost_inner (u);
CREATE INDEX ON cost_inner (g, x);
CREATE INDEX ON cost_inner (x, u, g);
ANALYZE cost_outer, cost_inner;
SELECT invent_device('CASE WHEN pattern = ''sequential'' THEN 20 WHEN depth = 1 THEN 100 ELSE depth * 50 END', 128, 5e-6);
SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT count((SELECT max(pad) FROM cost_inner i WHERE i.g = o.x AND i.u = 1)),
       count((SELECT max(pad) FROM cost_inner i WHERE i.u = o.k AND i.g = 1))
  FROM cost_outer o;
RESET enable_bitmapscan;
RESET enable_indexscan;
RESET enable_seqscan;
RESET max_parallel_workers_per_gather;
DROP TABLE cost_outer, cost_inner;

-- In which order the leaves of an index lie takes some pages to find out: of
-- many partitions a few are looked at.
CREATE TABLE cost_look_at (k text COLLATE "C", v int) PARTITION BY LIST (v);
DO $$ BEGIN
  FOR n IN 1 .. 48 LOOP
    EXECUTE format('CREATE TABLE cost_look_at_%s PARTITION OF cost_look_at FOR VALUES IN (%s)', n, n);
  END LOOP;
END $$;
CREATE INDEX ON cost_look_at (k) WITH (fillfactor = 10);
INSERT INTO cost_look_at SELECT lpad(i::text, 400, '0'), v FROM generate_series(1, 600) i, generate_series(1, 48) v;
VACUUM ANALYZE cost_look_at;
SELECT relpages > 256 AS many FROM pg_class WHERE relname = 'cost_look_at_1_k_idx';
CREATE FUNCTION cost_planning_pages(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (BUFFERS, FORMAT json) ' || query INTO plan;
  plan := plan->0->'Planning';
  RETURN (plan->>'Shared Hit Blocks')::int + (plan->>'Shared Read Blocks')::int;
END $$;
SET ssdpar.enabled = off;
SELECT count(cost_planning_pages('SELECT * FROM cost_look_at ORDER BY k LIMIT 10'));
SET ssdpar.enabled = on;
SELECT n BETWEEN 16 AND 200 AS looked FROM cost_planning_pages('SELECT * FROM cost_look_at ORDER BY k LIMIT 10') n;
DROP TABLE cost_look_at;
DROP FUNCTION cost_planning_pages;

-- Rows that may be looked up by their TIDs: the other ways to read the table are
-- priced as those of all tables.
CREATE TABLE cost_places AS SELECT f_key, f_pad FROM cost_fact;
VACUUM ANALYZE cost_places;
CREATE FUNCTION cost_is_priced(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN plan->1 ? 'ssdpar Predicted Time';
END $$;
SELECT cost_is_priced('SELECT count(*) FROM cost_places');
SELECT cost_is_priced('SELECT count(*) FROM cost_places WHERE ctid IN (SELECT ctid FROM cost_places WHERE f_key = 7)');
CREATE INDEX ON cost_places (f_key);
SELECT cost_is_priced('SELECT count(*) FROM cost_places WHERE ctid IN (SELECT ctid FROM cost_places WHERE f_key = 7)');
BEGIN;
DECLARE here CURSOR FOR SELECT * FROM cost_places;
MOVE 5 IN here;
DELETE FROM cost_places WHERE CURRENT OF here;
COMMIT;
SELECT count(*) FROM cost_places;
DROP TABLE cost_places;
DROP FUNCTION cost_is_priced;

-- A short statement is not compiled, although its cost is above jit_above_cost:
-- most of the cost is reading.  A long one is, where the server has a compiler.
CREATE FUNCTION cost_is_compiled(OUT above bool, OUT seconds numeric, OUT compiled bool)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) SELECT sum(f_id) FROM cost_fact' INTO plan;
  above := (plan->0->'Plan'->>'Total Cost')::float8 > current_setting('jit_above_cost')::float8;
  seconds := round((plan->1->>'ssdpar Predicted Time')::numeric / 1000, 1);
  compiled := plan->0 ? 'JIT';
END $$;
SET jit = on;
SELECT cost_device(100, 1, 25e6);
SELECT * FROM cost_is_compiled();
SELECT cost_device(100, 1, 5e6);
SELECT above, seconds, compiled = pg_jit_available() AS compiled_if_possible FROM cost_is_compiled();
-- a threshold that the user has set is left alone
SELECT cost_device(100, 1, 25e6);
SET jit_above_cost = 90000;
SELECT above, seconds, compiled = pg_jit_available() AS compiled_if_possible FROM cost_is_compiled();
RESET jit_above_cost;
RESET jit;
DROP FUNCTION cost_is_compiled;

-- A catalog among the tables changes nothing, wherever it is.
CREATE FUNCTION cost_left(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN coalesce(plan->1->>'ssdpar Not Used', 'used');
END $$;
SELECT cost_left('SELECT sum(f_id) FROM cost_fact');
SELECT cost_left('SELECT sum(f_id) FROM cost_fact, pg_class WHERE pg_class.oid = 1259');
SELECT cost_left('SELECT sum(f_id) FROM pg_class, cost_fact WHERE pg_class.oid = 1259');
-- Nor does a UNION ALL.
SELECT cost_left('SELECT f_id FROM cost_fact UNION ALL SELECT f_id FROM cost_fact');
SELECT cost_left('SELECT sum(f_id) FROM (TABLE cost_fact UNION ALL TABLE cost_fact) u, cost_small');
DROP FUNCTION cost_left;

SELECT ssdpar.forget_profile('pg_default');
DROP TABLE cost_fact, cost_dim, cost_small, cost_query, cost_parts;
DROP FUNCTION times_of, chosen, predicted, cost_device, invent_device, scans_of,
    beside, plan_text, is_cores_plan, cost_look, cost_peek, cost_fail;
