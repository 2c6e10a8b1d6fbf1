-- Nested loops that compare all pairs are priced by the rows to be expected,
-- where the cost model prices the statement.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = hot;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

CREATE TABLE spread_line (l_id int PRIMARY KEY, l_order int, l_supp int, l_pad text);
INSERT INTO spread_line
  SELECT i, i / 4, i * 7919::bigint % 1000, repeat('x', 100)
    FROM generate_series(1, 40000) i;
CREATE TABLE spread_supp (s_key int, s_name text);
INSERT INTO spread_supp SELECT i, 'name ' || i FROM generate_series(0, 999) i;
CREATE TABLE spread_few (f_key int, f_name text);
INSERT INTO spread_few SELECT i, 'name ' || i FROM generate_series(0, 9) i;
CREATE TABLE spread_some (o_key int, o_name text);
INSERT INTO spread_some SELECT i, 'name ' || i FROM generate_series(0, 299) i;
VACUUM ANALYZE spread_line, spread_supp, spread_few, spread_some;

-- so that one row takes as long to be found as many
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all

-- The topmost join of a plan.
CREATE FUNCTION join_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan,
    'strict $.**?(@."Node Type" == "Nested Loop" || @."Node Type" == "Hash Join" ||
                  @."Node Type" == "Merge Join")')->>'Node Type';
END $$;

-- One row is expected of each; of the anti join 40,000 would be no wonder, of
-- the unique key two would.
CREATE TABLE spread_query (name text, query text);
INSERT INTO spread_query VALUES
  ('anti join', 'SELECT * FROM spread_line a JOIN spread_supp ON s_key = a.l_supp
                  WHERE NOT EXISTS (SELECT FROM spread_line b
                                     WHERE b.l_order = a.l_order AND b.l_supp <> a.l_supp)'),
  ('two filters', 'SELECT * FROM spread_line a JOIN spread_some ON o_key = a.l_supp
                    WHERE l_pad > ''y'' AND l_order = 7'),
  ('unique key', 'SELECT * FROM spread_line a JOIN spread_some ON o_key = a.l_supp
                   WHERE l_id = 500'),
  ('tiny table', 'SELECT * FROM spread_line a JOIN spread_few ON f_key = a.l_supp
                   WHERE l_pad > ''y'' AND l_order = 7'),
  ('no equality', 'SELECT * FROM spread_line a JOIN spread_supp ON s_key < a.l_supp
                    WHERE NOT EXISTS (SELECT FROM spread_line b
                                       WHERE b.l_order = a.l_order AND b.l_supp <> a.l_supp)');

-- without a profile, then with one
SELECT name, join_of(query) FROM spread_query ORDER BY name;
SELECT invent_device('depth * 10000', 128, 4e-6);
SELECT name, join_of(query) FROM spread_query ORDER BY name;

-- nothing else is to be had
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT name, join_of(query) FROM spread_query WHERE name = 'anti join';
RESET enable_hashjoin;
RESET enable_mergejoin;

-- off is off
SET ssdpar.cost_model = off;
SELECT name, join_of(query) FROM spread_query ORDER BY name;
RESET ssdpar.cost_model;
SET ssdpar.enabled = off;
SELECT name, join_of(query) FROM spread_query ORDER BY name;
RESET ssdpar.enabled;

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION join_of, invent_device;
DROP TABLE spread_line, spread_supp, spread_few, spread_some, spread_query;
