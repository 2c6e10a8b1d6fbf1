-- Star scans as a device profile makes the planner choose them, and as the
-- executor chooses again once it has the keys.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.residency = cold;
-- Serializable transactions look at no dimension while planning, so that less is
-- known before execution.
SET default_transaction_isolation = serializable;
SET ssdpar.cost_model_min_size = '1MB';
-- Two shops are looked up as fast.
SET ssdpar.index_join = off;
SET ssdpar.prefetch = local;
SET effective_io_concurrency = 1;
SET enable_bitmapscan = off;
SET max_parallel_workers_per_gather = 0;
\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
\set device 'CASE pattern WHEN \'random\' THEN depth / (1e-4 + (size - 8192) / 1e9) ELSE 3e9 / size END'
SELECT invent_device(:'device', 256, 5e-6);

-- A calendar of 200 years under a fact of five.
CREATE TABLE choice_day (d_date date PRIMARY KEY, d_year int);
INSERT INTO choice_day SELECT d, extract(year FROM d)
  FROM generate_series('1900-01-01'::timestamp, '2099-12-31', '1 day') d;
CREATE TABLE choice_item (i_key int PRIMARY KEY, i_brand int);
INSERT INTO choice_item SELECT i, i % 200 FROM generate_series(1, 4000) i;
CREATE TABLE choice_shop (s_key int PRIMARY KEY, s_town int)
  WITH (autovacuum_enabled = off);
INSERT INTO choice_shop SELECT i, i % 500 FROM generate_series(1, 1000) i;
CREATE TABLE choice_kind (k_key int PRIMARY KEY, k_name text);
INSERT INTO choice_kind SELECT i, 'kind ' || i FROM generate_series(1, 20) i;
CREATE TABLE choice_sale (f_id int, f_date date, f_item int, f_shop int,
  f_kind int, f_pad text) WITH (autovacuum_enabled = off);
INSERT INTO choice_sale
  SELECT i, '1998-01-01'::date + i * 7919 % 1826, 1 + i * 71 / 13 % 4000,
    1 + i * 31 / 7 % 1000, 1 + i * 17 / 3 % 20, repeat('x', 120)
    FROM generate_series(1, 100000) i;
CREATE INDEX choice_sale_date ON choice_sale (f_date);
CREATE INDEX choice_sale_item ON choice_sale (f_item);
CREATE INDEX choice_sale_shop ON choice_sale (f_shop);
CREATE INDEX choice_sale_kind ON choice_sale (f_kind);
VACUUM ANALYZE choice_day, choice_item, choice_shop, choice_kind, choice_sale;

CREATE FUNCTION star_node(query text, options text DEFAULT '')
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (%s FORMAT json) %s', options, query) INTO plan;
  RETURN jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")');
END $$;
CREATE FUNCTION star_kept(query text) RETURNS TABLE (dimension text, kept numeric)
LANGUAGE sql AS $$
  SELECT r->>'Dimension', round((r->>'Estimated Kept')::numeric, 1)
    FROM jsonb_array_elements(star_node(query)->'Reducers') r;
$$;
SET ssdpar.star_access = sequential;
SELECT star_kept('SELECT count(*) FROM choice_sale, choice_day WHERE f_date = d_date AND d_year = 2000');
SELECT star_kept('SELECT count(*) FROM choice_sale, choice_day WHERE f_date = d_date AND d_date BETWEEN ''2000-01-01'' AND ''2000-06-30''');
SELECT star_kept('SELECT count(*) FROM choice_sale, choice_shop WHERE f_shop = s_key AND s_town < 50');
RESET ssdpar.star_access;

-- Where the table is in the order of the key, a key's pages lie side by side: a
-- third of them takes about a third of the time of all, and not that of single
-- pages, which take long here.
SELECT invent_device('depth / (1e-3 + size / 1e9)', 256, 5e-6);
CREATE TABLE choice_sorted AS SELECT * FROM choice_sale ORDER BY f_kind;
CREATE INDEX ON choice_sorted (f_kind);
VACUUM ANALYZE choice_sorted;
SET ssdpar.star_access = bitmap;
CREATE FUNCTION star_cost(fact text) RETURNS float8 LANGUAGE sql AS $$
  SELECT (star_node(format('SELECT sum(f_id) FROM %I, choice_kind WHERE f_kind = k_key AND k_key IN (1, 4, 7, 10, 13, 16, 19)', fact))->>'Total Cost')::float8
$$;
SELECT star_cost('choice_sorted') / star_cost('choice_sale') < 0.8 AS runs;
RESET ssdpar.star_access;
DROP TABLE choice_sorted;
DROP FUNCTION star_cost;
SELECT invent_device(:'device', 256, 5e-6);

-- However few pages are read, what is above can be parallel.
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = '1MB';
SET min_parallel_index_scan_size = '1MB';
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET ssdpar.star_access = bitmap;
SELECT star_node('SELECT count(*) FROM choice_sale, choice_item WHERE f_item = i_key AND i_brand = 3')->'Parallel Aware' AS parallel;
RESET ssdpar.star_access;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
-- Where nothing is above it, workers are not worth their start.
SELECT star_node('SELECT count(*) FROM choice_sale, choice_item WHERE f_item = i_key AND i_brand = 3')->'Parallel Aware' AS parallel;
SET max_parallel_workers_per_gather = 0;

-- A dimension that keeps nearly every row: left out, it would be read by the
-- join above, which does so anyway where the scan cannot take its place.
\set most 'SELECT sum(f_id) FROM choice_sale, choice_item, choice_kind WHERE f_item = i_key AND i_brand < 140 AND f_kind = k_key AND k_name = \'kind 3\''
SELECT star_node(:'most', 'VERBOSE,')->'Left Out' AS left_out;
BEGIN;
ALTER TABLE choice_item DROP CONSTRAINT choice_item_pkey;
SELECT jsonb_path_query(star_node(:'most', 'VERBOSE,'), '$."Left Out"[*].Dimension') AS left_out;
ROLLBACK;

-- With the owners, who keep one row in 50, the shops have nothing to save, and
-- are left out; so are the owners then, as 400,000 are read.  Now the shops
-- save half of the filter's work, and are taken back.
BEGIN;
CREATE TABLE choice_owner (o_key int PRIMARY KEY, o_group int);
INSERT INTO choice_owner SELECT i, i % 50 FROM generate_series(1, 400000) i;
CREATE TABLE choice_owned AS SELECT *, 1 + f_id * 3 AS f_owner FROM choice_sale;
CREATE INDEX ON choice_owned (f_date);
ANALYZE choice_owner, choice_owned;
\set owned 'SELECT count(*) FROM choice_owned, choice_owner, choice_day, choice_shop WHERE f_owner = o_key AND o_group = 3 AND f_date = d_date AND d_year = 2000 AND f_shop = s_key AND s_town < 250 AND f_id % 100 = 3 AND f_id + 1 <> 7 AND f_id + 2 <> 7 AND f_id + 3 <> 7 AND f_id + 4 <> 7 AND f_id + 5 <> 7 AND f_id + 6 <> 7 AND f_id + 8 <> 7 AND f_id + 9 <> 7 AND f_id + 10 <> 7 AND f_id + 11 <> 7 AND f_id + 12 <> 7 AND f_id + 13 <> 7 AND f_id + 14 <> 7 AND f_id + 15 <> 7'
SELECT jsonb_path_query(star_node(:'owned', 'VERBOSE,'), '$."Left Out"[*].Dimension') AS left_out;
SELECT star_kept(:'owned');
ROLLBACK;

-- Once for each outer row: the index on the item finds 25 rows, a star scan
-- would read all days and a fifth of the fact each time.
SELECT star_node('SELECT i_key, (SELECT count(*) FROM choice_sale, choice_day WHERE f_item = i_key AND f_date = d_date AND d_year = 2000) FROM choice_item WHERE i_brand = 3') IS NULL AS "index scans";

-- The executor chooses again by the keys that there are.
CREATE FUNCTION star_choice(query text)
RETURNS TABLE (access text, changed text, dimension text, planned bool, read bool)
LANGUAGE plpgsql AS $$
DECLARE node jsonb := star_node(query, 'ANALYZE, TIMING off,');
BEGIN
  RETURN QUERY SELECT node->>'Access', node->>'Access Changed',
      r->>'Dimension', (r->'Index Planned')::bool, (r->'Index Read')::bool
    FROM jsonb_array_elements(node->'Reducers') r ORDER BY 3;
END $$;
CREATE FUNCTION star_sum(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE star text; core text;
BEGIN
  EXECUTE query INTO star;
  SET LOCAL ssdpar.enabled = off;
  EXECUTE query INTO core;
  SET LOCAL ssdpar.enabled = on;
  RETURN star = core;
END $$;
\set few 'SELECT sum(f_id) FROM choice_sale, choice_shop WHERE f_shop = s_key AND s_town = 7'
SELECT * FROM star_choice(:'few');
-- more towns than the statistics know of
UPDATE choice_shop SET s_town = 7;
SELECT * FROM star_choice(:'few');
SELECT star_sum(:'few');
-- in parallel, decided by the process that prepares
SELECT invent_device('CASE pattern WHEN ''random'' THEN depth / (1e-4 + (size - 8192) / 1e9) ELSE 1e9 / size END', 256, 5e-6);
SET ssdpar.prefetch = off;
\set few 'SELECT sum(f_id) FROM choice_sale, choice_shop WHERE f_shop = s_key AND s_town = 7 AND s_key < 100'
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT star_node(:'few')->'Parallel Aware' AS parallel;
SELECT DISTINCT access, changed FROM star_choice(:'few');
SELECT star_sum(:'few');
-- not where the user has chosen
SET ssdpar.star_access = bitmap;
SELECT DISTINCT access, changed FROM star_choice(:'few');


-- Fewer keys than expected: an index is worth reading that was not planned, and
-- the one that was is not.
RESET ssdpar.star_access;
SET max_parallel_workers_per_gather = 0;
SET ssdpar.prefetch = local;
SELECT invent_device('CASE pattern WHEN ''random'' THEN depth / (1e-4 + (size - 8192) / 1e9) ELSE 2e8 / size END', 32, 5e-6);
UPDATE choice_shop SET s_town = s_key % 500;
ANALYZE choice_shop;
\set both 'SELECT sum(f_id) FROM choice_sale, choice_shop, choice_kind WHERE f_shop = s_key AND s_town < 100 AND f_kind = k_key AND k_key <= 6'
SELECT * FROM star_choice(:'both');
UPDATE choice_shop SET s_town = 400 WHERE s_town > 0;
SELECT * FROM star_choice(:'both');
SELECT star_sum(:'both');

-- Rescans: the index of a dimension that stays the same is worth its leaves only
-- after one of a dimension that changes.  It is not read again; rows are tested.
SELECT invent_device('CASE pattern WHEN ''random'' THEN depth * 1e4 * 8192 / size ELSE 200 END', 8, 1e-6);
SET enable_indexscan = off;
SET enable_nestloop = off;
SET enable_material = off;
SET enable_memoize = off;
CREATE TABLE choice_same (s_key int, s_kind int);
INSERT INTO choice_same SELECT i, i % 10 FROM generate_series(0, 99) i;
CREATE TABLE choice_turn (t_key int, t_turn int);
INSERT INTO choice_turn SELECT i, i / 2 FROM generate_series(0, 99) i;
CREATE TABLE choice_three (f_one int, f_other int, f_turn int, f_pad text);
INSERT INTO choice_three
  SELECT (hashint4(i) & 2147483647) % 100,
         (hashint4(i + 1000000) & 2147483647) % 100,
         (hashint4(i + 2000000) & 2147483647) % 100, repeat('x', 40)
    FROM generate_series(1, 100000) i;
CREATE INDEX ON choice_three (f_one);
CREATE INDEX ON choice_three (f_other) WITH (deduplicate_items = off);
CREATE INDEX ON choice_three (f_turn);
VACUUM ANALYZE choice_same, choice_turn, choice_three;
\set turns 'SELECT g, (SELECT count(*) FROM choice_three, choice_same one, choice_same other, choice_turn WHERE f_one = one.s_key AND one.s_kind < 3 AND f_other = other.s_key AND other.s_kind < 3 AND f_turn = t_key AND t_turn = g) FROM generate_series(1, %s) g'
SELECT turns, (n->'Actual Rows')::float::int AS rows, r->>'Columns' AS columns,
       r->'Index Read' AS read, (r->'Rows Tested')::int > 0 AS tested
  FROM unnest('{1,2,3}'::int[]) turns,
       star_node(format(:'turns', turns), 'ANALYZE, TIMING off,') n,
       jsonb_array_elements(n->'Reducers') r
 ORDER BY 1, 3;
SELECT star_sum(format('SELECT sum(count) FROM (%s) q', format(:'turns', 3)));
DROP TABLE choice_same, choice_turn, choice_three;

SELECT ssdpar.forget_profile('pg_default');
DROP TABLE choice_sale, choice_shop, choice_item, choice_kind, choice_day;
DROP FUNCTION star_node, star_kept, star_choice, star_sum, invent_device;
