-- A subquery in the filter of a join runs for each row that matches, also above
-- a star scan, whose rows have all been looked for in the dimension.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET ssdpar.index_join = off;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

CREATE TABLE filter_item (i_id int PRIMARY KEY, i_maker int);
INSERT INTO filter_item SELECT i, i % 1000 FROM generate_series(1, 20000) i;
CREATE TABLE filter_sale (f_item int, f_price int, f_pad text);
INSERT INTO filter_sale
  SELECT 1 + i * 7919 % 20000, i % 977, repeat('x', 100)
    FROM generate_series(1, 200000) i;
CREATE INDEX filter_sale_item ON filter_sale (f_item);
VACUUM ANALYZE filter_item, filter_sale;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 10000', 128, 4e-6);

-- The join that has the subquery in its filter, and whether it is priced at one
-- run for each of its rows at least.
CREATE FUNCTION filter_of(query text, OUT kind text, OUT star boolean, OUT priced boolean)
LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
  node jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  node := jsonb_path_query_first(plan,
    'strict $.**?(@."Plans"[*]."Parent Relationship" == "SubPlan")');
  kind := node->>'Node Type';
  star := jsonb_path_exists(node, '$.**?(@."Custom Plan Provider" == "SsdparStarScan")');
  SELECT (node->>'Total Cost')::float8 >=
         (n->>'Total Cost')::float8 * (node->>'Plan Rows')::float8 INTO priced
    FROM jsonb_array_elements(node->'Plans') n
   WHERE n->>'Parent Relationship' = 'SubPlan';
END $$;
CREATE TABLE filter_query (name text, query text);
INSERT INTO filter_query VALUES
  ('inner', 'SELECT f_pad FROM filter_sale s JOIN filter_item ON i_id = s.f_item
              WHERE i_maker = 7 AND s.f_price > (SELECT avg(f_price) FROM filter_sale
                                                  WHERE f_item = i_id)'),
  ('semi', 'SELECT f_pad FROM filter_sale s WHERE EXISTS (SELECT FROM filter_item
              WHERE i_id = s.f_item AND i_maker = 7 AND
                    s.f_price > (SELECT avg(f_price) FROM filter_sale
                                  WHERE f_item = i_id))');
SET ssdpar.star_access = bitmap;
SELECT name, (filter_of(query)).* FROM filter_query ORDER BY name;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT name, (filter_of(query)).* FROM filter_query ORDER BY name;
SET enable_mergejoin = on;
SET enable_nestloop = off;
SELECT name, (filter_of(query)).* FROM filter_query ORDER BY name;
RESET enable_nestloop;
RESET enable_hashjoin;

SELECT ssdpar.forget_profile('pg_default');
DROP TABLE filter_item, filter_sale, filter_query;
DROP FUNCTION filter_of, invent_device;
