-- Settings: names, ranges, the reserved prefix.
CREATE EXTENSION ssdpar;
LOAD 'ssdpar';
SELECT name, setting, unit, vartype, context, min_val, max_val, enumvals
  FROM pg_settings WHERE name LIKE 'ssdpar.%' ORDER BY name;
SET ssdpar.subqueries = 65;
SET ssdpar.subqueries = -1;
SET ssdpar.partition = 'both';
SET ssdpar.no_such_setting = 1;
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
