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
EXPLAIN (SETTINGS, COSTS OFF) SELECT 1;
