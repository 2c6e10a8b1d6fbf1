-- What is sorted by ORDER BY is priced by what is compared, where core takes it
-- for more.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.subqueries = 1;
SET ssdpar.prefetch = off;
SET ssdpar.estimate_budget = 0;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '64MB';
SET jit = off;

-- Of arrays the order is found by a function, as of text in a language; there
-- is no such collation everywhere.
CREATE TABLE sort_row (s_id int, s_other int, s_array int[], s_few int, s_pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO sort_row SELECT i, i * 7919 % 60000, ARRAY[i * 7919 % 60000], i % 20, repeat('x', 30)
  FROM generate_series(0, 59999) i;
CREATE TABLE sort_other (o_id int, o_key int, o_array int[], o_pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO sort_other SELECT i, i * 31 % 60000, ARRAY[i * 31 % 60000], repeat('y', 30)
  FROM generate_series(0, 59999) i;
VACUUM ANALYZE sort_row, sort_other;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 10000', 128, 1e-5);
SELECT change_profile('{"machine": {"memory_access_seconds": 2e-7, "cache_bytes": 65536}}');

-- How many sorts has the plan, and what does it cost?
CREATE FUNCTION sort_plan(query text, OUT sorts bigint, OUT cost float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  SELECT count(*) INTO sorts
    FROM jsonb_path_query(plan, 'strict $.**?(@."Node Type" == "Sort")');
  cost := plan #>> '{0,Plan,Total Cost}';
END $$;

CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  EXECUTE format('SELECT md5(string_agg(q::text, %L ORDER BY q::text)) FROM (%s) q', '|', query)
    INTO result;
  RETURN result;
END $$;

-- the same with ssdpar off
CREATE FUNCTION core_sort_plan(query text, OUT sorts bigint, OUT cost float8)
LANGUAGE sql SET ssdpar.enabled = off AS $$ SELECT * FROM sort_plan(query) $$;
CREATE FUNCTION core_answer(query text) RETURNS text
LANGUAGE sql SET ssdpar.enabled = off AS $$ SELECT answer(query) $$;

-- the same without some way
CREATE FUNCTION cost_without(way text, query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE result float8;
BEGIN
  PERFORM set_config(way, 'off', true);
  SELECT cost INTO result FROM sort_plan(query);
  PERFORM set_config(way, 'on', true);
  RETURN result;
END $$;

-- In the order of an index that is not the table's: rows in memory are sorted,
-- where core goes through the index; not for a few of them, and not arrays.
SET ssdpar.residency = hot;
CREATE INDEX sort_other_key ON sort_other (o_key);
CREATE INDEX sort_other_array ON sort_other (o_array);
CREATE TABLE sort_order (name text, query text);
INSERT INTO sort_order VALUES
  ('order', 'SELECT o_id, o_key, row_number() OVER () FROM (SELECT * FROM sort_other ORDER BY o_key OFFSET 0) o'),
  ('half', 'SELECT o_id, o_key, row_number() OVER () FROM (SELECT * FROM sort_other ORDER BY o_key LIMIT 30000) o'),
  ('few', 'SELECT o_id, o_key, row_number() OVER () FROM (SELECT * FROM sort_other ORDER BY o_key LIMIT 20) o'),
  ('few of all', 'SELECT o_id, o_key, row_number() OVER () FROM (SELECT * FROM sort_other ORDER BY o_id LIMIT 20) o'),
  ('down', 'SELECT o_id, o_key, row_number() OVER () FROM (SELECT * FROM sort_other ORDER BY o_key DESC OFFSET 0) o'),
  ('window', 'SELECT o_id, o_key - lag(o_key) OVER (ORDER BY o_key) FROM sort_other'),
  ('group', 'SELECT o_key, max(o_id) FROM sort_other GROUP BY o_key'),
  ('distinct', 'SELECT DISTINCT ON (o_key) o_key, o_id FROM sort_other'),
  ('arrays', 'SELECT o_id, row_number() OVER () FROM (SELECT * FROM sort_other ORDER BY o_array OFFSET 0) o'),
  ('expression', 'SELECT o_id, row_number() OVER () FROM (SELECT * FROM sort_other ORDER BY -o_key OFFSET 0) o'),
  ('join', 'SELECT s_id, o_key, row_number() OVER () FROM
             (SELECT * FROM sort_row JOIN sort_other ON s_id = o_id ORDER BY o_key OFFSET 0) o');
CREATE FUNCTION sorts_by_index(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN jsonb_path_exists(plan, 'strict $.**?(@."Index Name" starts with "sort_other")');
END $$;
CREATE FUNCTION core_sorts_by_index(query text) RETURNS boolean
LANGUAGE sql SET ssdpar.enabled = off AS $$ SELECT sorts_by_index(query) $$;
SELECT name, core_sorts_by_index(query) AS core_by_index, sorts_by_index(query) AS by_index, sorts,
    answer(query) = core_answer(query) AS same
  FROM sort_order, sort_plan(query) ORDER BY name;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SELECT name, cost <= cost_without('enable_gathermerge', query) * 1.01 AS found,
    answer(query) = core_answer(query) AS same
  FROM sort_order, sort_plan(query) ORDER BY name;
SET max_parallel_workers_per_gather = 0;

-- The user's settings stay, and count.
SHOW enable_sort;
SET enable_sort = off;
SELECT name, sorts FROM sort_order, sort_plan(query) WHERE name = 'order';
RESET enable_sort;
-- Off is off.
SET ssdpar.cost_model = off;
SELECT name, p.cost = c.cost AS same
  FROM sort_order q, sort_plan(query) p, core_sort_plan(query) c ORDER BY name;
RESET ssdpar.cost_model;

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION sorts_by_index, core_sorts_by_index, cost_without, sort_plan, core_sort_plan, answer, core_answer, invent_device;
DROP TABLE sort_order, sort_row, sort_other;
