-- Index lookups below a nested loop are priced by the outer rows that there
-- are, not by those of the outer side's tables, where the cost model prices the
-- statement.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.index_join = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- 25 nations with 80 suppliers, whose 100 offers each lie on as many pages.
CREATE TABLE run_nation (n_id int, n_name text);
INSERT INTO run_nation SELECT i, 'nation ' || i FROM generate_series(0, 24) i;
CREATE TABLE run_supp (s_id int, s_nation int, s_kind int);
INSERT INTO run_supp SELECT i, i % 25, i % 1000 FROM generate_series(0, 1999) i;
CREATE TABLE run_offer (o_id int, o_supp int, o_pad text);
INSERT INTO run_offer SELECT i, i % 2000, repeat('x', 100)
  FROM generate_series(0, 199999) i;
CREATE INDEX run_offer_supp ON run_offer (o_supp);
VACUUM ANALYZE run_nation, run_supp, run_offer;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all

-- The join with the offers, and what one lookup of them costs.
CREATE FUNCTION join_of(query text, OUT kind text, OUT scan text, OUT cost float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  kind := jsonb_path_query_first(plan,
    'strict $.**?(@."Plans"[*]."Alias" == "run_offer" ||
                  @."Plans"[*]."Plans"[*]."Alias" == "run_offer")')->>'Node Type';
  SELECT n->>'Node Type', n->>'Total Cost' INTO scan, cost
    FROM jsonb_path_query(plan, 'strict $.**?(@."Alias" == "run_offer")') n;
END $$;

CREATE TABLE run_query (name text, query text);
INSERT INTO run_query VALUES
  ('all', 'SELECT o_id FROM run_supp JOIN run_offer ON o_supp = s_id'),
  ('nation', 'SELECT o_id FROM run_nation JOIN run_supp ON s_nation = n_id
               JOIN run_offer ON o_supp = s_id WHERE n_name = ''nation 3'''),
  ('same', 'SELECT run_offer.o_id FROM run_nation JOIN run_supp ON s_nation = n_id
             JOIN run_offer r ON r.o_id = s_id
             JOIN run_offer ON run_offer.o_supp = r.o_supp WHERE n_name = ''nation 3'''),
  ('nations', 'SELECT o_id FROM run_nation JOIN run_supp ON s_nation = n_id
                JOIN run_offer ON o_supp = s_id WHERE n_id < 20'),
  ('two', 'SELECT o_id FROM run_supp JOIN run_offer ON o_supp = s_id WHERE s_kind = 5'),
  ('one', 'SELECT o_id FROM run_supp JOIN run_offer ON o_supp = s_id WHERE s_id = 5');
-- What a lookup costs, as a multiple of one of all suppliers.
CREATE VIEW run_cost AS
  SELECT name, kind, scan,
      CASE WHEN x > 4 THEN 'several times' WHEN x > 1.1 THEN 'more' ELSE 'the same' END AS cost
    FROM (SELECT name, (j).kind, (j).scan, (j).cost / first_value((j).cost) OVER (ORDER BY name) AS x
            FROM (SELECT name, join_of(query) j FROM run_query) q) r
   ORDER BY name;

-- A nested loop only.
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET enable_memoize = off;
-- without a profile, then with one
SELECT * FROM run_cost;
SELECT invent_device('depth * 10000', 128, 4e-6);
SELECT * FROM run_cost;
-- what else the index can be read by
RESET enable_bitmapscan;
SET enable_indexscan = off;
SELECT * FROM run_cost;
RESET enable_indexscan;
RESET enable_memoize;
RESET enable_hashjoin;
RESET enable_mergejoin;

-- A device of no depth: the table is read whole, where that takes less.
SELECT invent_device('1000 * (8192.0 / size) ^ 0.2', 128, 4e-6);
SELECT name, kind, scan FROM run_cost WHERE name <> 'all';
\set offers 'SELECT count(*), sum(o_id) FROM run_nation JOIN run_supp ON s_nation = n_id JOIN run_offer ON o_supp = s_id WHERE n_name = ''nation 3'''
:offers;
-- of the first groups nearly each row has a page of its own, though all have few;
-- and it may take twice as many rows until as many groups are there
\set first 'SELECT s_id, count(*), sum(o_id) FROM run_supp JOIN run_offer ON o_supp = s_id GROUP BY s_id ORDER BY s_id LIMIT '
\set scans 'SELECT n, (join_of(:''first'' || n)).scan FROM (VALUES (1), (3), (50), (1500)) limits(n) ORDER BY n'
:scans;
SET ssdpar.index_join = on;
:scans;
SET ssdpar.index_join = off;
:first 5;
-- off is off
SET ssdpar.cost_model = off;
SELECT name, kind, scan FROM run_cost WHERE name <> 'all';
RESET ssdpar.cost_model;
SET ssdpar.enabled = off;
SELECT name, kind, scan FROM run_cost WHERE name <> 'all';
:offers;
RESET ssdpar.enabled;

-- Semi, anti and outer joins, in processes.
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SELECT count(*) FROM run_supp JOIN run_nation ON s_nation = n_id
  WHERE n_name = 'nation 3' AND EXISTS (SELECT FROM run_offer WHERE o_supp = s_id AND o_id > 199000);
SELECT count(*) FROM run_supp JOIN run_nation ON s_nation = n_id
  WHERE n_name = 'nation 3' AND NOT EXISTS (SELECT FROM run_offer WHERE o_supp = s_id AND o_id > 199000);
SELECT count(*), count(o_id) FROM run_supp JOIN run_nation ON s_nation = n_id
  LEFT JOIN run_offer ON o_supp = s_id AND o_id > 199000 WHERE n_name = 'nation 3';

-- Indexes that only make bitmaps, of all or of several values.
SET max_parallel_workers_per_gather = 0;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT invent_device('depth * 10000', 128, 4e-6);
DROP INDEX run_offer_supp;
CREATE INDEX ON run_offer USING gin ((ARRAY[o_supp]));
ANALYZE run_offer;
SELECT count(*), sum(o_id) FROM run_supp JOIN run_nation ON s_nation = n_id
  JOIN run_offer ON ARRAY[o_supp] @> ARRAY[s_id] WHERE n_name = 'nation 3';
CREATE INDEX ON run_offer USING hash (o_supp);
SELECT count(*), sum(o_id) FROM run_supp JOIN run_nation ON s_nation = n_id
  JOIN run_offer ON o_supp = ANY (ARRAY[s_id, s_id + 1]) WHERE n_name = 'nation 3';

SELECT ssdpar.forget_profile('pg_default');
DROP VIEW run_cost;
DROP FUNCTION join_of, invent_device;
DROP TABLE run_nation, run_supp, run_offer, run_query;
