-- Groups by several columns of a table: their combinations are counted in a
-- sample while planning.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- Nearly every row has a pair (c_half, c_third) of its own; c_city tells
-- c_region; an order's lines, four each, lie together.
CREATE TABLE combined (c_id int, c_half int, c_third int, c_city int, c_region text,
  c_order int, c_kind int, c_null int, c_array int[], c_same int, c_pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO combined
  SELECT i, i * 7919 % 100003 / 2, i * 6151 % 100019 / 3, i * 7919 % 100003 % 5000,
    'region ' || i * 7919 % 100003 % 5000 / 3, i / 4, i / 4 % 90, nullif(i % 7, 0),
    ARRAY[i % 900], i * 7919 % 100003 / 2, repeat('x', 50)
    FROM generate_series(0, 99999) i;
CREATE TABLE combined_half (h_id int PRIMARY KEY, h_kind int);
INSERT INTO combined_half SELECT i, i % 10 FROM generate_series(0, 50001) i;
VACUUM ANALYZE combined, combined_half;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set measured_plans :srcdir '/test/measured_plans.sql'
\set ECHO none
\i :invent_device
\i :measured_plans
\set ECHO all
-- Slow but for single pages, so that measuring is always worth its time.
SELECT invent_device('depth * 2 * (262144 / size) ^ 1.3', 128, 4e-6);
SET ssdpar.estimate_share = 100;
SET ssdpar.estimate_budget = '10s';

\set pairs 'SELECT c_half, c_third FROM combined GROUP BY c_half, c_third'
SET ssdpar.estimate_budget = 0;
SELECT * FROM expected(:'pairs', 100000);
SET ssdpar.estimate_budget = '10s';
SELECT * FROM expected(:'pairs', 100000);
SELECT is_unmeasured(:'pairs');
SELECT plan_text(:'pairs') = plan_text(:'pairs') AS planned_alike;
SELECT count(*), sum(c_half), sum(c_third) FROM (:pairs) p;
SET ssdpar.enabled = off;
SELECT count(*), sum(c_half), sum(c_third) FROM (:pairs) p;
RESET ssdpar.enabled;

-- A table of groups that does not fit into memory is expected not to.
CREATE FUNCTION partitions_more(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE mine int; assumed int;
BEGIN
  SET LOCAL enable_sort = off;
  SET LOCAL work_mem = '1MB';
  mine := substring(plan_text(query) FROM '"Planned Partitions": (\d+)');
  SET LOCAL ssdpar.estimate_budget = 0;
  assumed := substring(plan_text(query) FROM '"Planned Partitions": (\d+)');
  RETURN mine > assumed;
END $$;
SELECT partitions_more(:'pairs');

-- One column tells of the other; DISTINCT; lines that lie together; NULL is a value; an expression besides.
SELECT * FROM expected('SELECT c_city, c_region, count(*) FROM combined GROUP BY c_city, c_region', 5000);
SELECT * FROM expected('SELECT DISTINCT c_third, c_half FROM combined', 100000);
SELECT * FROM expected('SELECT DISTINCT ON (c_half, c_third) c_half, c_third, c_id FROM combined ORDER BY c_half, c_third, c_id', 100000);
SELECT * FROM expected('SELECT c_order, c_kind, count(*) FROM combined GROUP BY c_order, c_kind', 25000);
SELECT * FROM expected('SELECT c_city, c_null, count(*) FROM combined GROUP BY c_city, c_null', 35000);
SELECT * FROM expected('SELECT c_half, c_third, c_id % 2 FROM combined GROUP BY 1, 2, 3', 100000);

-- A filter, and a join.
SELECT result FROM expected('SELECT c_half, c_third FROM combined WHERE c_kind < 45 GROUP BY c_half, c_third', 50000);
SELECT result FROM expected('SELECT c_half, c_third FROM combined, combined_half WHERE c_half = h_id GROUP BY c_half, c_third', 100000);
SELECT result FROM expected('SELECT c_half, c_third, h_kind FROM combined, combined_half WHERE c_half = h_id GROUP BY c_half, c_third, h_kind', 100000);

-- In another level, and by one column alone, a column has its own values.
SELECT result FROM expected('SELECT c_third FROM combined WHERE c_half IN (SELECT c_half FROM combined GROUP BY c_half, c_third) GROUP BY c_third', 33340);

-- Joined by all that both are grouped by, a row has one partner at most; by less than that, core's guess stays.
\set some '(SELECT DISTINCT c_third, c_half FROM combined WHERE c_id >= 0)'
SELECT join_type, expected.result FROM unnest(ARRAY['JOIN', 'FULL JOIN']) join_type,
  expected(format('SELECT count(*) OVER () FROM (%s) p %s %s s USING (c_half, c_third)', :'pairs', join_type, :'some'), 100000);
SELECT result FROM expected(format('SELECT count(*) OVER () FROM (%s) p JOIN %s s USING (c_half)', :'pairs', :'some'), 200000);
SELECT count(*) FROM (:pairs) p FULL JOIN :some s USING (c_half, c_third);
-- So it does where the join takes for equal what the grouping tells apart, blanks at the end.
\set named 'SELECT c_third, c_region FROM combined GROUP BY c_third, c_region'
SELECT result FROM expected(format('SELECT count(*) OVER () FROM (%s) p JOIN (%s) s ON p.c_third = s.c_third AND p.c_region::bpchar = s.c_region::bpchar', :'named', :'named'), 250000);

-- Columns that are known to be equal count as one: never fewer groups than core expects.
CREATE FUNCTION planned_rows(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan->0->'Plan'->>'Plan Rows';
END $$;
CREATE FUNCTION not_fewer(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE mine float8 := planned_rows(query);
BEGIN
  SET LOCAL ssdpar.enabled = off;
  RETURN mine >= planned_rows(query);
END $$;
SELECT not_fewer('SELECT c_half, c_third, c_same FROM combined WHERE c_half = c_same GROUP BY c_half, c_third, c_same');
SELECT not_fewer('SELECT c_half, c_third, h_id FROM combined, combined_half WHERE c_half = h_id GROUP BY c_half, c_third, h_id');
SELECT not_fewer('SELECT c_half, c_third, h_id FROM combined, combined_half WHERE c_third = h_id GROUP BY c_half, c_third, h_id');

-- Core's number stays: one column and others' columns, grouping sets, a type that may raise errors, extended statistics, few values, few rows.
SELECT is_unmeasured('SELECT c_half, h_kind FROM combined, combined_half WHERE c_id = h_id GROUP BY c_half, h_kind');
SELECT is_unmeasured('SELECT c_half, c_third FROM combined GROUP BY ROLLUP (c_half, c_third)');
SELECT is_unmeasured('SELECT c_half, c_array FROM combined GROUP BY c_half, c_array');
SELECT is_unmeasured('SELECT c_kind, c_null FROM combined GROUP BY c_kind, c_null');
SELECT is_unmeasured('SELECT c_half, c_third FROM combined WHERE c_id < 500 GROUP BY c_half, c_third');

-- Values that are stored out of line are not fetched, and core's number stays.
CREATE TABLE combined_wide (w_id int, w_text text, w_pad text) WITH (autovacuum_enabled = off);
ALTER TABLE combined_wide ALTER w_text SET STORAGE external, ALTER w_pad SET STORAGE plain;
INSERT INTO combined_wide
  SELECT i % 90, CASE WHEN i % 50 = 0 THEN repeat('x', 3000) ELSE 'text ' || i % 90 END, repeat('y', 500)
    FROM generate_series(0, 19999) i;
VACUUM ANALYZE combined_wide;
SELECT * FROM expected('SELECT w_id, w_text FROM combined_wide GROUP BY w_id, w_text', 91);
UPDATE combined_wide SET w_text = 'short' WHERE w_text LIKE 'xxx%';
SELECT * FROM expected('SELECT w_id, w_text FROM combined_wide GROUP BY w_id, w_text', 91);
DROP TABLE combined_wide;

-- So many columns that comparing all with each other takes longer than planning.
SELECT format('CREATE TABLE combined_many (%1$s); '
    'INSERT INTO combined_many SELECT %2$s FROM generate_series(0, 19999) i; '
    'ANALYZE combined_many',
    string_agg(format('m_%s int', n), ', '), string_agg('i % 90', ', ')) AS create_many,
  format('SELECT %1$s FROM combined_many GROUP BY %1$s', string_agg(format('m_%s', n), ', ')) AS many
  FROM generate_series(1, 33) n \gset
:create_many;
SELECT "column" IS NOT NULL AS measured FROM expected(:'many', 90);
SELECT "column" IS NOT NULL AS measured FROM expected(replace(:'many', ', m_33', ''), 90);
DROP TABLE combined_many;

CREATE STATISTICS combined_statistics (ndistinct) ON c_half, c_third FROM combined;
ANALYZE combined;
SELECT is_unmeasured(:'pairs');
DROP STATISTICS combined_statistics;
SET ssdpar.enabled = off;
SELECT is_unmeasured(:'pairs');
RESET ssdpar.enabled;

-- Rights: who may not read all rows of the columns is told nothing.
CREATE ROLE combined_reader;
CREATE VIEW combined_barrier WITH (security_barrier) AS SELECT c_half, c_third FROM combined WHERE c_id >= 0;
GRANT SELECT ON combined_barrier TO combined_reader;
SET ROLE combined_reader;
SELECT is_unmeasured('SELECT c_half, c_third FROM combined_barrier WHERE c_half > 5 GROUP BY c_half, c_third');
RESET ROLE;
GRANT SELECT (c_half, c_third) ON combined TO combined_reader;
SET ROLE combined_reader;
SELECT * FROM expected(:'pairs', 100000);
RESET ROLE;
CREATE POLICY combined_policy ON combined USING (c_id % 2 = 0);
ALTER TABLE combined ENABLE ROW LEVEL SECURITY;
SET ROLE combined_reader;
SELECT is_unmeasured(:'pairs');
RESET ROLE;

DROP VIEW combined_barrier;
DROP TABLE combined, combined_half;
DROP ROLE combined_reader;
DROP FUNCTION compared, expected, plan_text, is_unmeasured,
  planned_rows, not_fewer, partitions_more, invent_device;
SELECT ssdpar.forget_profile('pg_default');
