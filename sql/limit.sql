-- A LIMIT's part of an index scan is priced as what it reads: the first rows lie
-- on pages of their own.  Of partitions as of one table.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- 200,000 rows in the order of nothing, alike in eight partitions.
CREATE TABLE limit_parts (k int, v int, pad text) PARTITION BY HASH (k);
SELECT format('CREATE TABLE limit_part_%s PARTITION OF limit_parts FOR VALUES WITH (MODULUS 8, REMAINDER %s)', i, i)
  FROM generate_series(0, 7) i \gexec
INSERT INTO limit_parts SELECT i, i * 7919 % 200000, repeat('x', 100)
  FROM generate_series(0, 199999) i;
CREATE INDEX limit_parts_v ON limit_parts (v);
CREATE TABLE limit_whole AS SELECT * FROM limit_parts ORDER BY k;
CREATE INDEX limit_whole_v ON limit_whole (v);
CREATE INDEX limit_whole_k ON limit_whole (k);
VACUUM ANALYZE limit_parts, limit_whole;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
-- A device of no depth.
SELECT invent_device('1000 * (8192.0 / size) ^ 0.2', 128, 4e-6);

-- What gives the rows in order: a scan in order, or a sort of all.
CREATE FUNCTION below_limit(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan->0->'Plan'->'Plans'->0->>'Node Type';
END $$;
\set plans 'SELECT n, below_limit(''SELECT * FROM limit_whole ORDER BY v LIMIT '' || n) AS whole, below_limit(''SELECT * FROM limit_parts ORDER BY v LIMIT '' || n) AS parts, below_limit(''SELECT * FROM limit_whole ORDER BY k LIMIT '' || n) AS in_order FROM unnest(''{1,100,5000,100000}''::int[]) n ORDER BY n'
:plans;
-- off is off
SET ssdpar.enabled = off;
:plans;
RESET ssdpar.enabled;
SELECT k, v FROM limit_parts ORDER BY v LIMIT 3 OFFSET 5000;
-- a part that a level above asks for, a cursor's, and one of few rows by a filter
EXPLAIN (COSTS off) SELECT * FROM (SELECT * FROM limit_whole ORDER BY v OFFSET 0) s LIMIT 5000;
EXPLAIN (COSTS off) SELECT * FROM limit_whole WHERE k % 100 = 1 ORDER BY v LIMIT 100;
EXPLAIN (COSTS off) DECLARE c CURSOR FOR SELECT * FROM limit_whole ORDER BY v;

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION below_limit, invent_device;
DROP TABLE limit_parts, limit_whole;
