-- Which dimension a split goes by, where the keys of one have several columns
-- that depend on each other: core expects next to no rows of a lookup by them.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 2;
SET ssdpar.partition = dimension;
SET max_parallel_workers = 8;
SET max_parallel_workers_per_gather = 2;
SET jit = off;
-- All rows are looked at, so that estimates are the same in every run.
SET default_statistics_target = 1000;

-- A thousand offers, each of a part by its own supplier: fifty sales each.  Of
-- bins there are more, with twenty sales each.
CREATE TABLE keys_offer (o_part int, o_supplier int, o_kind int);
INSERT INTO keys_offer SELECT i, i * 7 % 1000, i % 2 FROM generate_series(0, 999) i;
CREATE TABLE keys_bin (b_id int);
INSERT INTO keys_bin SELECT i FROM generate_series(0, 2499) i;
CREATE TABLE keys_sale (s_part int, s_supplier int, s_bin int, s_pad text);
INSERT INTO keys_sale
  SELECT i % 1000, i % 1000 * 7 % 1000, i * 7919 % 2500, repeat('x', 100)
    FROM generate_series(0, 49999) i;
CREATE INDEX keys_sale_part ON keys_sale (s_part, s_supplier);
CREATE INDEX keys_sale_bin ON keys_sale (s_bin);
VACUUM ANALYZE keys_offer, keys_bin, keys_sale;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);

-- Half of the offers and so many bins: which of the two is split?
CREATE FUNCTION split_by(bins int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (FORMAT json) SELECT count(*) FROM keys_sale,
      keys_offer, keys_bin WHERE s_part = o_part AND s_supplier = o_supplier
      AND s_bin = b_id AND o_kind = 1 AND b_id < %s', bins) INTO plan;
  RETURN jsonb_path_query_first(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparPartition")') ->>
    'Partitioned Table';
END $$;

-- Core takes a part and a supplier for independent, so that five hundred
-- lookups find 25 rows.  They find one each, more than there are of ten bins.
SELECT bins, split_by(bins) FROM unnest('{10,100,2500}'::int[]) bins;

-- What is in memory core joins as fast in processes of its own: they stay.
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 1e-4);
SET ssdpar.subqueries = 0;
RESET ssdpar.partition;
SET ssdpar.residency = hot;
SET ssdpar.index_join = off;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_memoize = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS off) SELECT count(s_pad) FROM keys_sale, keys_bin WHERE s_bin = b_id AND b_id % 3 = 1;

-- Where a LIMIT or an EXISTS is content with the first rows, and they need no
-- sort or an index of the fact gives them in order, it stays as well.
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
SET ssdpar.residency = cold;
CREATE FUNCTION ends_early(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN coalesce(plan->0->>'ssdpar Split Not Used', plan->1->>'ssdpar Split Not Used', '') LIKE 'a LIMIT or EXISTS%';
END $$;
\set star 'FROM keys_sale, keys_bin WHERE s_bin = b_id AND b_id % 30 = 1'
SELECT ends_early('SELECT s_pad ' || :'star');
SELECT ends_early('SELECT s_pad ' || :'star' || ' LIMIT 10');
SELECT ends_early('SELECT s_pad ' || :'star' || ' ORDER BY s_part LIMIT 10');
SELECT ends_early('SELECT s_pad ' || :'star' || ' ORDER BY s_part, s_pad LIMIT 10');
SELECT ends_early('SELECT s_pad ' || :'star' || ' ORDER BY s_pad LIMIT 10');
SELECT ends_early('SELECT s_pad ' || :'star' || ' ORDER BY s_part');
SELECT ends_early('SELECT s_part, count(s_pad) ' || :'star' || ' GROUP BY s_part LIMIT 10');
SELECT ends_early('SELECT count(s_pad) ' || :'star' || ' LIMIT 10');
SELECT ends_early('SELECT s_part, count(s_pad) ' || :'star' || ' GROUP BY s_part ORDER BY 2 LIMIT 10');
SELECT ends_early('SELECT * FROM (SELECT s_part, count(s_pad) ' || :'star' || ' GROUP BY s_part) q ORDER BY 2 LIMIT 10');
SELECT ends_early('SELECT s_part, max(s_pad) FROM (SELECT s_part, s_pad ' || :'star' || ' OFFSET 0) q GROUP BY s_part ORDER BY 2 LIMIT 10');
SELECT ends_early('SELECT * FROM (SELECT s_part, s_pad ' || :'star' || ' OFFSET 0) q LIMIT 10');

-- A third table, large and without an index: core's processes share its scan,
-- and of a split query each would read it alone.  Small it makes no difference.
-- Nor is a query split by nested loops that the user has switched off.
CREATE FUNCTION split_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN coalesce('by ' || (jsonb_path_query_first(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparPartition")') ->> 'Partitioned Table'),
    plan->0->>'ssdpar Split Not Used', plan->1->>'ssdpar Split Not Used');
END $$;
RESET enable_hashjoin;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
CREATE TABLE keys_large AS SELECT i % 1000 AS l_part FROM generate_series(0, 199999) i;
CREATE TABLE keys_small AS SELECT i AS l_part FROM generate_series(0, 999) i;
VACUUM ANALYZE keys_large, keys_small;
-- On some device, by some number of the bins: which, hangs on how well a server reads sequentially.
CREATE FUNCTION is_split(device text, bins int, tables text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  PERFORM invent_device(device, 128, 4e-6);
  RETURN split_of(format('SELECT count(s_pad) FROM keys_sale JOIN keys_bin ON s_bin = b_id %s
    WHERE b_id < %s', tables, bins)) LIKE 'by %';
END $$;
SELECT bool_or(is_split(device, bins, '')) AS is_split,
    bool_and(is_split(device, bins, 'JOIN keys_small ON s_part = l_part')) FILTER
      (WHERE is_split(device, bins, '')) AS beside_small,
    bool_and(is_split(device, bins, 'JOIN keys_large ON s_part = l_part')) FILTER
      (WHERE is_split(device, bins, '')) AS beside_large
  FROM unnest('{depth * 100 * (262144 / size) ^ 0.8, depth * 50 * (262144 / size) ^ 1.1}'::text[]) device,
    unnest('{83, 41, 16}'::int[]) bins;
SET enable_nestloop = off;
SELECT split_of('SELECT count(s_pad) ' || :'star');
RESET enable_nestloop;
SET enable_indexscan = off;
SELECT split_of('SELECT count(s_pad) ' || :'star');
RESET enable_indexscan;

SELECT ssdpar.forget_profile('pg_default');
DROP TABLE keys_offer, keys_bin, keys_sale, keys_large, keys_small;
DROP FUNCTION split_by, is_split, split_of, ends_early, invent_device;
