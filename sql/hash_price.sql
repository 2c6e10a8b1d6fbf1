-- A hash table that no cache of the processor holds is priced by what its rows
-- wait for memory; what is cheaper then is found, whatever core has dropped.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.subqueries = 1;
SET ssdpar.estimate_budget = 0;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '64MB';
SET jit = off;

CREATE TABLE hash_big (b_id int, b_key int, b_pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO hash_big SELECT i, i * 7919 % 60000, repeat('x', 60)
  FROM generate_series(0, 59999) i;
CREATE TABLE hash_other (o_id int, o_key int, o_pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO hash_other SELECT i, i * 31 % 60000, repeat('y', 60)
  FROM generate_series(0, 59999) i;
CREATE TABLE hash_few (f_id int, f_key int) WITH (autovacuum_enabled = off);
INSERT INTO hash_few SELECT i, i * 17 % 60000 FROM generate_series(0, 1999) i;
CREATE INDEX hash_big_key ON hash_big (b_key);
CREATE INDEX hash_other_key ON hash_other (o_key);
VACUUM ANALYZE hash_big, hash_other, hash_few;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 10000', 128, 4e-6);

CREATE TABLE hash_query (name text, query text);
INSERT INTO hash_query VALUES
  ('two', 'SELECT b_pad, o_pad FROM hash_big JOIN hash_other ON b_id = o_id'),
  ('few', 'SELECT b_pad FROM hash_few JOIN hash_big ON f_key = b_key'),
  ('three', 'SELECT b_pad, o_pad FROM hash_few JOIN hash_big ON f_key = b_key
              JOIN hash_other ON b_id = o_key'),
  ('left', 'SELECT b_pad, o_pad FROM hash_big LEFT JOIN hash_other ON b_key = o_key'),
  ('full', 'SELECT b_pad, o_pad FROM hash_big FULL JOIN hash_other ON b_key = o_key'),
  ('semi', 'SELECT b_pad FROM hash_big WHERE EXISTS (SELECT FROM hash_other WHERE o_key = b_key)'),
  ('anti', 'SELECT b_pad FROM hash_big WHERE NOT EXISTS (SELECT FROM hash_other WHERE o_id = b_key)'),
  ('in', 'SELECT b_pad FROM hash_big WHERE b_id IN (SELECT o_key FROM hash_other WHERE o_id % 2 = 0)'),
  ('many', 'SELECT count(*) FROM hash_few JOIN hash_big ON f_key = b_key
             JOIN hash_other o ON b_id = o.o_key JOIN hash_other p ON p.o_id = b_id
             LEFT JOIN hash_big c ON c.b_key = p.o_key');

-- How many hash joins has the plan, and what does it cost?
CREATE FUNCTION hash_plan(query text, OUT joins bigint, OUT cost float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  SELECT count(*) INTO joins
    FROM jsonb_path_query(plan, 'strict $.**?(@."Node Type" == "Hash Join")');
  cost := plan #>> '{0,Plan,Total Cost}';
END $$;

-- the same without any
CREATE FUNCTION unhashed_cost(query text) RETURNS float8
LANGUAGE plpgsql SET enable_hashjoin = off AS $$
BEGIN
  RETURN (hash_plan(query)).cost;
END $$;

-- memory as fast as the caches: as core has it
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-12, "cache_bytes": 1e15}}');
SELECT problem FROM ssdpar.device_summary;
SELECT name, joins > 0 AS hashed FROM hash_query, hash_plan(query)
  WHERE name IN ('two', 'left', 'semi', 'anti') ORDER BY name;
-- slow memory: no more hash joins of the large ones, and not for any price
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-4, "cache_bytes": 65536}}');
SELECT name, joins > 0 AS hashed, cost <= unhashed_cost(query) * 1.01 AS found
  FROM hash_query, hash_plan(query) ORDER BY name;
-- a full join that there is no other way for
SELECT joins FROM hash_plan('SELECT b_pad, o_pad FROM hash_big FULL JOIN hash_other
                              ON b_key::text::xid = o_key::text::xid');
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
-- sorts for a full join wait as well, and since 16 workers can hash for one
SELECT name, joins > 0 AND name <> 'full' AS hashed, cost <= unhashed_cost(query) * 1.01 AS found
  FROM hash_query, hash_plan(query) ORDER BY name;
-- as it is here
SELECT change_profile('{"machine": {"memory_access_seconds": 2e-7, "cache_bytes": 2097152}}');
SELECT name, cost <= unhashed_cost(query) * 1.01 AS found
  FROM hash_query, hash_plan(query) ORDER BY name;
SET max_parallel_workers_per_gather = 0;

-- a table is no larger than the memory it is allowed
SELECT change_profile('{"machine": {"memory_access_seconds": 1e-6, "cache_bytes": 4194304}}');
SELECT cost AS large FROM hash_plan('SELECT b_pad, o_pad FROM hash_big JOIN hash_other ON b_id = o_id') \gset
SELECT change_profile('{"machine": {"cache_bytes": 1e9}}');
SELECT cost < :large AS cached FROM hash_plan('SELECT b_pad, o_pad FROM hash_big JOIN hash_other ON b_id = o_id');

-- numbers of no machine are refused; a profile of before has none, and is used
SELECT change_profile('{"machine": {"memory_access_seconds": 0}}');
SELECT change_profile('{"machine": {"cache_bytes": -1}}');
SELECT change_profile('{"machine": {"memory_access_seconds": null}}');
SELECT change_profile('{"machine": {"memory_access_seconds": null, "cache_bytes": null}}');
SELECT problem FROM ssdpar.device_summary;

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION unhashed_cost, hash_plan, invent_device;
DROP TABLE hash_query, hash_big, hash_other, hash_few;
