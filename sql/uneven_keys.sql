-- Keys that have far more rows than others, subqueries that are executed for
-- each row, and filters that keep half of the rows.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.index_join = off;
SET ssdpar.prefetch = local;
SET max_parallel_workers_per_gather = 0;
\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
\set device 'CASE pattern WHEN \'random\' THEN depth / (1e-4 + (size - 8192) / 1e9) ELSE 3e9 / size END'
SELECT invent_device(:'device', 256, 5e-6);

-- Five of 4000 parts have a fifth of all offers, 8000 each; the others have 40.
CREATE TABLE uneven_part (p_part int PRIMARY KEY, p_size int, p_name text);
INSERT INTO uneven_part SELECT i, CASE WHEN i % 800 = 1 THEN 77 ELSE i % 50 END,
    'part ' || i FROM generate_series(1, 4000) i;
CREATE TABLE uneven_supplier (s_supplier int PRIMARY KEY, s_nation int,
  s_pad text);
INSERT INTO uneven_supplier SELECT i, i % 25, repeat('x', 60)
  FROM generate_series(1, 8000) i;
CREATE TABLE uneven_offer (o_part int, o_supplier int, o_quantity int,
  o_cost int, o_name text, o_pad text);
INSERT INTO uneven_offer SELECT part, supplier, supplier * 31 % 100,
    supplier * 17 % 1000, 'part ' || part, repeat('x', 100) FROM (
    SELECT p_part, 1 + (p_part * 97 + i * 199) % 8000
      FROM uneven_part, generate_series(1, 40) i WHERE p_size <> 77
    UNION ALL
    SELECT p_part, s_supplier FROM uneven_part, uneven_supplier
      WHERE p_size = 77) offer (part, supplier)
  ORDER BY (part * 7919 + supplier * 104729) % 99991, part, supplier;
ALTER TABLE uneven_offer ADD PRIMARY KEY (o_part, o_supplier);
CREATE TABLE uneven_line (l_part int, l_supplier int, l_quantity int);
INSERT INTO uneven_line SELECT o_part, o_supplier, o_quantity
  FROM uneven_offer WHERE o_supplier % 2 = 0;
CREATE INDEX ON uneven_line (l_part, l_supplier);
VACUUM ANALYZE uneven_part, uneven_supplier, uneven_offer, uneven_line;

-- Plan nodes of a kind: rows expected, found and how often, if executed.
CREATE FUNCTION nodes_of(query text, kind text, execute boolean DEFAULT true)
RETURNS TABLE (expected float8, found float8, loops float8)
LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE format('EXPLAIN (%s costs, format json) %s', CASE WHEN execute
    THEN 'analyze, timing off,' END, query) INTO plan;
  RETURN QUERY WITH RECURSIVE node (plan) AS (
      SELECT plan -> 0 -> 'Plan'
    UNION ALL
      SELECT json_array_elements(node.plan -> 'Plans') FROM node)
    SELECT (node.plan ->> 'Plan Rows')::float8,
        (node.plan ->> 'Actual Rows')::float8,
        (node.plan ->> 'Actual Loops')::float8
      FROM node WHERE kind IN (node.plan ->> 'Custom Plan Provider',
        node.plan ->> 'Subplan Name', node.plan ->> 'Relation Name');
END $$;
-- Dimensions that reduce, and the rows tested with each.
CREATE FUNCTION reducers_of(query text)
RETURNS TABLE (dimension text, tested float8) LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (analyze, timing off, costs off) ' || query LOOP
    IF line ~ '^ *Reducer: ' THEN
      dimension := substring(line FROM 'Reducer: (\w+)');
      tested := substring(line FROM 'tested=(\d+)');
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;
CREATE FUNCTION is_close(a float8, b float8) RETURNS boolean
RETURN a BETWEEN b / 2 AND b * 2;

-- The statistics say which keys are heavy, and the dimension that the filter
-- picks them, whatever else the two are joined by.
\set heavy 'SELECT count(*), sum(o_cost) FROM uneven_offer, uneven_part WHERE p_part = o_part AND p_size = 77'
SELECT is_close(expected, found), found > 30000 AS many
  FROM nodes_of(:'heavy', 'SsdparStarScan');
\set least :heavy ' AND o_cost = (SELECT min(o_cost) FROM uneven_offer i WHERE i.o_part = p_part)'
SET statement_timeout = '60s';
SELECT loops FROM nodes_of(:'least', 'SubPlan 1');
RESET statement_timeout;
-- Filters that pick no heavy key.
\set light 'SELECT count(*), sum(o_cost) FROM uneven_offer, uneven_part WHERE p_part = o_part AND p_size = 7'
SELECT is_close(expected, found), found < 10000 AS few
  FROM nodes_of(:'light', 'SsdparStarScan');

-- The same if so few lookups are affordable that only the heavy keys are looked
-- up, which core's own page costs decide.
SET seq_page_cost = 1000;
SET random_page_cost = 100;
SELECT is_close(expected, found), found > 30000 AS many
  FROM nodes_of(:'heavy', 'SsdparStarScan');
SELECT is_close(expected, found), found < 10000 AS few
  FROM nodes_of(:'light', 'SsdparStarScan');
RESET seq_page_cost;
RESET random_page_cost;

-- A subquery for each row: of few rows, since all that drops rows comes before.
\set late ' AND o_quantity > (SELECT coalesce(sum(l_quantity), 30) / 2 FROM uneven_line WHERE l_part = o_part AND l_supplier = o_supplier)'
\set nation 'SELECT count(*), sum(o_cost) FROM uneven_offer, uneven_part, uneven_supplier WHERE p_part = o_part AND p_size = 77 AND s_supplier = o_supplier AND s_nation = 3' :late
SELECT count(*) AS star_scans FROM nodes_of(:'nation', 'SsdparStarScan');
SELECT loops < 2000 AS few FROM nodes_of(:'nation', 'SubPlan 1');
:nation;
-- Of all rows with a key, which a loop meets in the order of the subquery's
-- index, this is left to core; the loop expects as many.
\set all :heavy :late
SELECT count(*) AS star_scans FROM nodes_of(:'all', 'SsdparStarScan', false);
SET effective_io_concurrency = 64;
SELECT is_close(expected * 5, 40000 / 3.0) AS loop_expects
  FROM nodes_of(:'all', 'uneven_offer', false);
RESET effective_io_concurrency;
:all;
-- So it is evaluated after keys that are not tested a page at a time.
SET ssdpar.star_access = sequential;
\set by_name 'SELECT count(*), sum(o_cost) FROM uneven_offer, uneven_part WHERE p_name = o_name AND p_size = 7' :late
SELECT loops < 10000 AS few FROM nodes_of(:'by_name', 'SubPlan 1');
:by_name;
RESET ssdpar.star_access;
SET ssdpar.enabled = off;
:nation;
:all;
:by_name;
RESET ssdpar.enabled;

-- More keys than a cache holds, of which a set can be kept that is not exact,
-- have to drop most rows.
SET work_mem = '64kB';
CREATE TABLE uneven_order (r_order int PRIMARY KEY, r_status int);
INSERT INTO uneven_order SELECT i, i * 7919 % 100
  FROM generate_series(1, 150000) i;
CREATE TABLE uneven_item (i_order int, i_supplier int, i_pad text);
INSERT INTO uneven_item SELECT 1 + i * 31 % 150000, 1 + i % 8000,
    repeat('x', 60) FROM generate_series(1, 300000) i;
VACUUM ANALYZE uneven_order, uneven_item;
\set items 'SELECT count(*) FROM uneven_item, uneven_order, uneven_supplier WHERE r_order = i_order AND s_supplier = i_supplier AND s_nation < 12 AND r_status <'
\set half :items ' 46'
SELECT dimension FROM reducers_of(:'half');
\set few :items ' 10'
SELECT dimension FROM reducers_of(:'few');
-- If they turn out to be, they are tested now and then.
SET plan_cache_mode = force_generic_plan;
SET ssdpar.star_access = sequential;
PREPARE items(int) AS SELECT count(*) FROM uneven_item, uneven_order
  WHERE r_order = i_order AND r_status < $1;
SELECT dimension, tested < 50000 AS now_and_then
  FROM reducers_of('EXECUTE items(55)');
SELECT dimension, tested = 300000 AS each FROM reducers_of('EXECUTE items(10)');
EXECUTE items(55);
RESET ssdpar.star_access;

DROP TABLE uneven_part, uneven_supplier, uneven_offer, uneven_line,
  uneven_order, uneven_item;
DROP FUNCTION nodes_of, reducers_of, is_close, invent_device;
SELECT ssdpar.forget_profile('pg_default');
