-- Expressions are compiled where that saves more than it takes.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.residency = hot;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = on;

CREATE TABLE jit_fact (f_id int, f_key int, f_pad text);
INSERT INTO jit_fact
  SELECT i, i % 1000, repeat('x', 100) FROM generate_series(1, 60000) i;
VACUUM ANALYZE jit_fact;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 10000', 128, 4e-6);

-- What is decided; pays: whether it says to save more than it costs.
CREATE FUNCTION jit_of(OUT decided text, OUT pays boolean, OUT costs float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) SELECT f_key, sum(f_id + 1) FROM jit_fact
            WHERE f_id > 5 AND f_key % 7 < 3 GROUP BY f_key' INTO plan;
  decided := plan->1->>'ssdpar JIT';
  costs := plan->1->>'ssdpar JIT Costs';
  pays := (plan->1->>'ssdpar JIT Saves')::float8 > costs;
END $$;

-- what compiling takes: to load the compiler, a function, an optimised one
CREATE FUNCTION jit_takes(load float8, plain float8, optimized float8)
RETURNS void LANGUAGE sql AS $$
UPDATE ssdpar.device SET jit_load_seconds = load, jit_function_seconds = plain,
                         jit_optimized_seconds = optimized;
$$;

-- not measured: the server decides
SELECT decided, pays FROM jit_of();
SELECT jit_takes(1e-6, 1e-6, NULL);
SELECT decided, pays FROM jit_of();

-- a slow compiler, however low the cost from which the server would ask it
SELECT jit_takes(0.08, 2e-3, 8e-3);
SET jit_above_cost = 0;
SELECT decided, pays FROM jit_of();
RESET jit_above_cost;

-- a fast one, however high; and one that optimises as fast
SELECT jit_takes(1e-6, 1e-6, 1e-2);
SET jit_above_cost = 1e10;
SELECT decided, pays FROM jit_of();
RESET jit_above_cost;
SELECT jit_takes(1e-6, 1e-6, 1e-6);
SELECT decided, pays FROM jit_of();

-- each process loads and compiles for itself
SELECT jit_takes(1e-6, 1e-4, 1e-2);
SELECT costs AS alone FROM jit_of() \gset
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET ssdpar.subqueries = 0;
SELECT costs > 2.5 * :alone AS three_times FROM jit_of();
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SELECT jit_takes(1e-6, 1e-6, 1e-6);

-- A subquery is compiled once, in however many places it is called: each
-- partition has a copy of the filter.  Both read all partitions in the subquery.
CREATE FUNCTION jit_costs(partitions int, OUT milliseconds float8)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (VERBOSE, FORMAT json) SELECT p_id FROM jit_parts p WHERE p_id < %s '
                 'AND (SELECT count(*) FROM jit_parts q WHERE q.p_key = p.p_key) > 2',
                 1000 * partitions) INTO plan;
  milliseconds := (plan->1->>'ssdpar JIT Costs')::float8;
END $$;
CREATE TABLE jit_parts (p_id int, p_key int) PARTITION BY RANGE (p_id);
DO $$ BEGIN
  FOR i IN 0..31 LOOP
    EXECUTE format('CREATE TABLE jit_parts_%1$s PARTITION OF jit_parts '
                   'FOR VALUES FROM (%1$s * 1000) TO (%1$s * 1000 + 1000)', i);
  END LOOP;
END $$;
INSERT INTO jit_parts SELECT i, i % 100 FROM generate_series(0, 31999) i;
VACUUM ANALYZE jit_parts;
SET ssdpar.cost_model_min_size = 0;
SELECT jit_takes(1e-9, 1e-3, 1e-3);
SET jit_above_cost = 0;
SELECT jit_costs(32) < 4 * jit_costs(2) AS once;

-- Functions of a join, which take a millisecond each: those of one more key, of which both rows
-- are hashed or compared; a nested loop tests all in one.
CREATE TABLE jit_kind AS SELECT i AS k_key, i * 7 AS k_id FROM generate_series(1, 500) i;
ANALYZE jit_kind;
CREATE FUNCTION jit_functions(clause text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) SELECT f_id FROM jit_fact JOIN jit_kind ON ' || clause INTO plan;
  RETURN round((plan->1->>'ssdpar JIT Costs')::float8);
END $$;
CREATE FUNCTION jit_join(methods text[]) RETURNS TABLE (method text, functions int)
LANGUAGE plpgsql AS $$
BEGIN
  FOREACH method IN ARRAY methods LOOP
    PERFORM set_config(format('enable_%s', m), (m = method)::text, true) FROM unnest(methods) m;
    functions := jit_functions('f_key = k_key AND f_id = k_id') - jit_functions('f_key = k_key');
    RETURN NEXT;
  END LOOP;
END $$;
BEGIN;
SELECT * FROM jit_join('{hashjoin,mergejoin,nestloop}');
ROLLBACK;
RESET jit_above_cost;
SET ssdpar.cost_model_min_size = '1MB';
SELECT jit_takes(1e-6, 1e-6, 1e-6);

-- what the user has ruled out
SET jit_optimize_above_cost = -1;
SET jit_inline_above_cost = -1;
SELECT decided, pays FROM jit_of();
RESET jit_optimize_above_cost;
RESET jit_inline_above_cost;
SET jit_above_cost = -1;
SELECT decided, pays FROM jit_of();
RESET jit_above_cost;
SET jit_expressions = off;
SELECT decided, pays FROM jit_of();
RESET jit_expressions;
SET jit = off;
SELECT decided, pays FROM jit_of();
SET jit = on;
SET ssdpar.jit = server;
SELECT decided, pays FROM jit_of();
RESET ssdpar.jit;
SET ssdpar.cost_model = off;
SELECT decided, pays FROM jit_of();
RESET ssdpar.cost_model;
SET ssdpar.enabled = off;
SELECT decided, pays FROM jit_of();
RESET ssdpar.enabled;

-- as text; only VERBOSE, and not without costs
CREATE FUNCTION jit_line(options text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (%s) SELECT sum(f_id + 1) FROM jit_fact', options)
  LOOP
    IF line ~ 'ssdpar JIT' THEN
      RETURN NEXT regexp_replace(line, '[\d.]+ ms', 'N ms', 'g');
    END IF;
  END LOOP;
END $$;
SELECT jit_line('VERBOSE');
SELECT jit_line('VERBOSE, COSTS off');
SELECT jit_line('COSTS');

-- times that no machine takes
SELECT jit_takes(1e-6, 'NaN', 1e-6);
SELECT problem FROM ssdpar.device_summary;

DELETE FROM ssdpar.device;
DROP FUNCTION jit_costs, jit_functions, jit_join, jit_of, jit_takes, jit_line, invent_device;
DROP TABLE jit_fact, jit_kind, jit_parts;
