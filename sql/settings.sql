-- Settings: names, ranges, the reserved prefix.
CREATE EXTENSION ssdpar;
LOAD 'ssdpar';
SELECT name, setting, unit, vartype, context, min_val, max_val, enumvals
  FROM pg_settings WHERE name LIKE 'ssdpar.%' ORDER BY name;
SET ssdpar.subqueries = 65;
SET ssdpar.subqueries = -1;
SET ssdpar.partition = 'both';
SET ssdpar.no_such_setting = 1;
-- One that an older version had.
SET ssdpar.auto_calibrate = on;
SET ssdpar.jit = auto;
-- A time, or that there is none.
SET ssdpar.write_protection = -0.5;
SET ssdpar.write_protection = '-250us';
SET ssdpar.write_protection = '250us';
SHOW ssdpar.write_protection;
SET ssdpar.write_protection = '1s';
SHOW ssdpar.write_protection;
SET ssdpar.write_protection = 0;
SHOW ssdpar.write_protection;
SET ssdpar.write_protection = '-1000us';
SHOW ssdpar.write_protection;
RESET ssdpar.write_protection;
-- The developer's switch: features by name, and no row above.
SET ssdpar.without = 'scan_prices, no_such';
SET ssdpar.without = 'scan_prices, split_rows';
SET ssdpar.without = ' scan_prices,loop_prices ';
RESET ssdpar.without;
SET ssdpar.subqueries = 4;
SET ssdpar.partition = dimension;
-- Planner settings are shown by EXPLAIN (SETTINGS); those of the server that
-- runs this test are not ours to expect.
DO $$
DECLARE plan jsonb; name text; value text;
BEGIN
  EXECUTE 'EXPLAIN (SETTINGS, FORMAT json) SELECT 1' INTO plan;
  FOR name, value IN SELECT * FROM jsonb_each_text(plan->0->'Settings') ORDER BY 1
  LOOP
    IF name LIKE 'ssdpar.%' THEN RAISE NOTICE '% = %', name, value; END IF;
  END LOOP;
END $$;
-- A function that is called while planning switches ssdpar on: the statement
-- was begun without it, and stays so.
CREATE TABLE switch_dim AS SELECT i AS k, i % 50 AS r FROM generate_series(1, 1000) i;
CREATE TABLE switch_fact AS SELECT i % 1000 + 1 AS d, i AS v FROM generate_series(1, 50000) i;
CREATE INDEX ON switch_fact (d);
ANALYZE switch_dim, switch_fact;
CREATE FUNCTION switch_on(r int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
  $$ BEGIN PERFORM set_config('ssdpar.enabled', 'on', false); RETURN r; END $$;
SET ssdpar.cost_model_min_size = 0;
\set query 'SELECT r, sum(v) FROM switch_fact JOIN switch_dim ON d = k WHERE r = switch_on(7) GROUP BY 1'
SET ssdpar.enabled = off;
:query;
SET ssdpar.enabled = off;
:query;
SET ssdpar.enabled = off;
:query;
DROP TABLE switch_fact, switch_dim;
DROP FUNCTION switch_on;
