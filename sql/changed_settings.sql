-- Settings of the planner that are changed while a statement is planned are the
-- user's again after it, whatever functions of the query do to them meanwhile.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 10000', 128, 4e-6);
SET ssdpar.cost_model_min_size = 0;
SET ssdpar.residency = cold;

CREATE TABLE set_outer AS SELECT g AS k, g % 100 AS c FROM generate_series(1, 1000) g;
CREATE TABLE set_inner AS
  SELECT g % 20000 AS k, g % 365 AS day, repeat('x', 100) AS pad FROM generate_series(1, 100000) g;
-- one index of a day before that of the key, one after it
CREATE INDEX ON set_inner (day);
CREATE INDEX ON set_inner (k);
CREATE INDEX ON set_inner (day, k);
VACUUM ANALYZE set_outer, set_inner;
CREATE VIEW settings AS SELECT name, setting, source FROM pg_settings
  WHERE name IN ('random_page_cost', 'seq_page_cost', 'enable_indexscan', 'enable_bitmapscan',
                 'max_parallel_workers_per_gather', 'parallel_tuple_cost');
CREATE TABLE users AS TABLE settings;
CREATE FUNCTION changed() RETURNS TABLE (name text, setting text, source text) LANGUAGE sql AS
  'TABLE settings EXCEPT TABLE users ORDER BY 1';

-- Each sets what is ours at that moment, and fails, or not.
CREATE FUNCTION set_and_fail() RETURNS int STABLE LANGUAGE plpgsql
  SET random_page_cost = 2 SET seq_page_cost = 2 SET enable_bitmapscan = off
  SET enable_indexscan = on SET max_parallel_workers_per_gather = 0 SET parallel_tuple_cost = 0.2
  AS $$ BEGIN RAISE EXCEPTION 'failed with %', current_setting('random_page_cost'); END $$;
CREATE FUNCTION set_and_return() RETURNS int STABLE LANGUAGE plpgsql
  SET random_page_cost = 2 SET seq_page_cost = 2 SET enable_bitmapscan = off
  SET enable_indexscan = on SET max_parallel_workers_per_gather = 0 SET parallel_tuple_cost = 0.2
  AS $$ BEGIN RETURN 5; END $$;
CREATE FUNCTION set_locally() RETURNS int STABLE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('parallel_tuple_cost', '0.2', true), set_config('random_page_cost', '2', true);
  RETURN 5;
END $$;
CREATE FUNCTION set_default() RETURNS int STABLE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('parallel_tuple_cost', '0.1', true);
  RETURN 5;
END $$;
\set paths 'SELECT * FROM set_outer o JOIN set_inner l ON l.k = o.k + %s() WHERE l.day = 5'
\set level 'SELECT * FROM (SELECT k, count(*) FROM set_inner GROUP BY k OFFSET 0) s JOIN set_outer o USING (k) WHERE o.c >= %s()'
CREATE FUNCTION plan(query text, called text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'EXPLAIN ' || format(query, called);
  RETURN 'planned';
END $$;
CREATE FUNCTION caught(query text, called text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'EXPLAIN ' || format(query, called);
  RETURN 'planned';
EXCEPTION WHEN raise_exception THEN
  RETURN SQLERRM;
END $$;

-- while the paths of a table are made, and between two levels
\set VERBOSITY terse
SELECT plan(:'paths', 'set_and_fail');
SELECT * FROM changed();
SELECT plan(:'level', 'set_and_fail');
SELECT * FROM changed();
SELECT caught(:'paths', 'set_and_fail');
SELECT * FROM changed();
SELECT caught(:'level', 'set_and_fail');
SELECT * FROM changed();
SELECT plan(:'paths', 'set_and_return'), plan(:'level', 'set_and_return');
SELECT * FROM changed();
SELECT plan(:'paths', 'set_locally');
SELECT * FROM changed();
SELECT plan(:'level', 'set_locally');
SELECT * FROM changed();
-- one sets what is the user's then, and another fails while it is ours
SELECT plan('SELECT * FROM (SELECT k, count(*) FROM set_inner GROUP BY k OFFSET 0) s JOIN set_outer o USING (k) JOIN set_inner l ON l.k = o.k + set_and_fail() WHERE l.day = set_locally()', '');
SELECT * FROM changed();
SELECT caught('SELECT * FROM (SELECT k, count(*) FROM set_inner GROUP BY k OFFSET 0) s JOIN set_outer o USING (k) JOIN set_inner l ON l.k = o.k + set_and_fail() WHERE l.day = set_locally()', '');
SELECT * FROM changed();
SET parallel_tuple_cost = 0.5;
SELECT plan('SELECT * FROM (SELECT k, count(*) FROM set_inner GROUP BY k OFFSET 0) s JOIN set_outer o USING (k) JOIN set_inner l ON l.k = o.k WHERE l.day = set_default()', '');
SHOW parallel_tuple_cost;
RESET parallel_tuple_cost;
-- what the user has set for the session, or for the transaction alone
SET random_page_cost = 3.3;
SELECT plan(:'paths', 'set_and_fail');
SHOW random_page_cost;
BEGIN;
SET LOCAL random_page_cost = 2.2;
SAVEPOINT s;
SELECT plan(:'paths', 'set_and_fail');
ROLLBACK TO s;
SHOW random_page_cost;
SELECT plan(:'paths', 'set_and_return');
SHOW random_page_cost;
COMMIT;
SHOW random_page_cost;
RESET random_page_cost;
SELECT * FROM changed();

-- CLUSTER looks a table up without a statement, here amid one's planning
CREATE TABLE clustered AS SELECT g AS k FROM generate_series(1, 1000) g;
CREATE INDEX clustered_k ON clustered (k);
CREATE FUNCTION cluster_it() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  CLUSTER clustered USING clustered_k;
  RETURN 5;
END $$;
CREATE FUNCTION clusters() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT cluster_it());
END $$;
SELECT count(*) FROM set_outer WHERE k = clusters();

SELECT ssdpar.forget_profile('pg_default');
DROP TABLE clustered;
DROP FUNCTION clusters, cluster_it;
DROP FUNCTION caught, plan, set_default, set_locally, set_and_return, set_and_fail, changed, invent_device;
DROP TABLE set_outer, set_inner, users;
DROP VIEW settings;
