-- A table of groups that no cache of the processor holds is priced by what its
-- rows wait for memory: hashing then loses to sorting, or to workers.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET max_parallel_workers_per_gather = 0;
SET work_mem = '64MB';
SET jit = off;

CREATE TABLE group_row (g_id int, g_half int, g_tenth int, g_few int, g_other int, g_pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO group_row SELECT i, i * 7919 % 60000 / 2,
    i * 7919 % 60000 / 10, i % 20, i % 300, repeat('x', 30)
  FROM generate_series(0, 59999) i;
VACUUM ANALYZE group_row;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 10000', 128, 4e-6);

CREATE TABLE group_query (name text, query text);
INSERT INTO group_query VALUES
  ('all', 'SELECT g_id, count(*) FROM group_row GROUP BY g_id'),
  ('distinct', 'SELECT DISTINCT g_id FROM group_row'),
  ('few', 'SELECT g_few, count(*) FROM group_row GROUP BY g_few'),
  ('halves', 'SELECT g_half, sum(g_id) FROM group_row GROUP BY g_half'),
  ('tenths', 'SELECT g_tenth, sum(g_id) FROM group_row GROUP BY g_tenth'),
  ('guessed', 'SELECT g_few, g_other, g_id % 50, count(*) FROM group_row GROUP BY 1, 2, 3'),
  ('sets', 'SELECT g_half, g_few, count(*) FROM group_row GROUP BY CUBE (g_half, g_few)');

-- Does the plan hash, has it workers, and what does it cost?
CREATE FUNCTION group_plan(query text, OUT hashed boolean, OUT workers boolean, OUT cost float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  hashed := jsonb_path_exists(plan, 'strict $.**?(@."Strategy" == "Hashed" || @."Strategy" == "Mixed")');
  workers := jsonb_path_exists(plan, 'strict $.**?(@."Workers Planned" > 0)');
  cost := plan #>> '{0,Plan,Total Cost}';
END $$;

-- the same without hashing
CREATE FUNCTION sorted_cost(query text) RETURNS float8
LANGUAGE plpgsql SET enable_hashagg = off AS $$
BEGIN
  RETURN (group_plan(query)).cost;
END $$;

-- memory as fast as the caches: as core has it
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-12, "cache_bytes": 1e15}}');
CREATE TABLE group_cost AS SELECT name, cost FROM group_query, group_plan(query);
SELECT name, hashed FROM group_query, group_plan(query) ORDER BY name;
-- slow memory: what is surely large is sorted; what is guessed, and sets, are
-- as they were
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-4, "cache_bytes": 65536}}');
SELECT name, hashed, p.cost <= sorted_cost(query) * 1.01 AS found,
    abs(p.cost / c.cost - 1) < 1e-6 AS same
  FROM group_query JOIN group_cost c USING (name), group_plan(query) p ORDER BY name;
-- each row waits for bucket and group, and each group once more
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-7, "cache_bytes": 65536}}');
SET enable_sort = off;
SELECT name, hashed, round((p.cost - c.cost) * 4e-6 / 1e-7 / 60000) AS visits
  FROM group_query JOIN group_cost c USING (name), group_plan(query) p
  WHERE name <> 'sets' ORDER BY name;
RESET enable_sort;
-- workers share the waiting
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET enable_sort = off;
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-12, "cache_bytes": 1e15}}');
SELECT name, hashed, workers FROM group_query, group_plan(query)
 WHERE name = 'tenths';
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-6, "cache_bytes": 65536}}');
SELECT name, hashed, workers FROM group_query, group_plan(query)
 WHERE name = 'tenths';

-- numbers of no machine are refused; a profile of before has none, and is used
SELECT change_profile('{"machine": {"memory_access_seconds": 0}}');
SELECT change_profile('{"machine": {"cache_bytes": -1}}');
SELECT change_profile('{"machine": {"memory_access_seconds": null}}');
SELECT change_profile('{"machine": {"memory_access_seconds": null, "cache_bytes": null}}');
SELECT problem FROM ssdpar.device_summary;

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION sorted_cost, group_plan, invent_device;
DROP TABLE group_query, group_cost, group_row;
