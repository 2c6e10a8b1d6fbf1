-- What is sorted for joining or by ORDER BY is priced by what is compared: of
-- numbers less than core takes it for, of text by the rules of a language more.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
CREATE EXTENSION IF NOT EXISTS ssdpar_test;
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
SELECT change_profile('{"machine": {"memory_access_seconds": 3e-7, "cache_bytes": 65536}}');

CREATE TABLE sort_query (name text, query text);
INSERT INTO sort_query VALUES
  ('numbers', 'SELECT count(*) FROM sort_row JOIN sort_other ON s_other = o_key'),
  ('rows', 'SELECT s_pad, o_pad FROM sort_row JOIN sort_other ON s_other = o_key'),
  ('arrays', 'SELECT count(*) FROM sort_row JOIN sort_other ON s_array = o_array'),
  ('two keys', 'SELECT count(*) FROM sort_row JOIN sort_other ON s_other = o_key AND s_few = o_id'),
  ('left', 'SELECT count(*) FROM sort_row LEFT JOIN sort_other ON s_other = o_key'),
  ('right', 'SELECT count(*) FROM sort_row RIGHT JOIN sort_other ON s_other = o_key'),
  ('full', 'SELECT count(*) FROM sort_row FULL JOIN sort_other ON s_other = o_key'),
  ('semi', 'SELECT count(*) FROM sort_row WHERE EXISTS (SELECT FROM sort_other WHERE o_key = s_other)'),
  ('anti', 'SELECT count(*) FROM sort_row WHERE NOT EXISTS (SELECT FROM sort_other WHERE o_key = s_other)'),
  ('three', 'SELECT count(*) FROM sort_row r JOIN sort_other ON s_other = o_key JOIN sort_row s ON s.s_id = o_key');

-- How many joins of which kind has the plan, how many sorts, and what does it
-- cost?
CREATE FUNCTION sort_plan(query text, OUT hashed bigint, OUT merged bigint,
                          OUT sorts bigint, OUT cost float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  SELECT count(*) FILTER (WHERE n = 'Hash Join'), count(*) FILTER (WHERE n = 'Merge Join'),
      count(*) FILTER (WHERE n = 'Sort')
    INTO hashed, merged, sorts
    FROM (SELECT node ->> 'Node Type' FROM
          jsonb_path_query(plan, 'strict $.**?(@."Node Type" != "")') node) nodes (n);
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
CREATE FUNCTION core_sort_plan(query text, OUT hashed bigint, OUT merged bigint,
                               OUT sorts bigint, OUT cost float8)
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

-- Core hashes all of them.
SELECT name, hashed, merged, sorts FROM sort_query, core_sort_plan(query) ORDER BY name;
SELECT name, merged > 0 AS merged, cost <= cost_without('enable_hashjoin', query) * 1.01 AND
    cost <= cost_without('enable_mergejoin', query) * 1.01 AS found,
    answer(query) = core_answer(query) AS same
  FROM sort_query, sort_plan(query) ORDER BY name;
-- Slower memory: to core an array is sorted as a number is.
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-6}}');
SELECT name, hashed, merged FROM sort_query, sort_plan(query) WHERE name IN ('numbers', 'arrays') ORDER BY name;

-- Workers sort their part each.
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SELECT name, cost <= cost_without('enable_hashjoin', query) * 1.01 AS found,
    answer(query) = core_answer(query) AS same
  FROM sort_query, sort_plan(query) ORDER BY name;
SET max_parallel_workers_per_gather = 0;

-- In the order of an index that is not the table's: rows in memory are sorted,
-- where core goes through the index; not for a few of them, and not arrays.
SELECT change_profile('{"machine": {"memory_access_seconds": 2e-7}}');
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
SELECT name, cost <= cost_without('enable_gathermerge', query) * 1.01 AS found,
    answer(query) = core_answer(query) AS same
  FROM sort_order, sort_plan(query) ORDER BY name;
SET max_parallel_workers_per_gather = 0;

-- How text is compared is found out for each pair of tables: that takes no more
-- memory than of numbers.
CREATE TABLE sort_text (t_number int, t_text text COLLATE "C") WITH (autovacuum_enabled = off);
INSERT INTO sort_text SELECT i, md5(i::text) FROM generate_series(0, 59999) i;
VACUUM ANALYZE sort_text;
CREATE FUNCTION six_joined_by(key text) RETURNS text LANGUAGE sql AS $$
SELECT 'SELECT count(*) FROM sort_text' || string_agg(format(' JOIN sort_text t%s USING (%s)', i, key), '')
  FROM generate_series(2, 6) i;
$$;
SELECT ssdpar_test.planning_memory(six_joined_by('t_text')) <
    2 * ssdpar_test.planning_memory(six_joined_by('t_number')) AS no_more;

-- The user's settings stay, and count.
SHOW enable_sort;
SET enable_sort = off;
SELECT name, sorts FROM sort_query, sort_plan(query) WHERE name = 'numbers';
SELECT name, sorts FROM sort_order, sort_plan(query) WHERE name = 'order';
RESET enable_sort;
-- Off is off.
SET ssdpar.cost_model = off;
SELECT name, p.cost = c.cost AS same
  FROM (TABLE sort_query UNION ALL TABLE sort_order) q, sort_plan(query) p, core_sort_plan(query) c ORDER BY name;
RESET ssdpar.cost_model;

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION sorts_by_index, core_sorts_by_index, cost_without, sort_plan, core_sort_plan, answer, core_answer, six_joined_by, invent_device;
DROP TABLE sort_query, sort_order, sort_row, sort_other, sort_text;
