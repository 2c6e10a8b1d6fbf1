-- column = ANY (array): the keys of an array in the fact's own filter reduce a
-- star scan as those of a dimension do, also where the fact is all that is read.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;

CREATE TABLE ak_fact (f_id int, f_a int, f_b bigint, f_c smallint, f_d date, f_t text);
INSERT INTO ak_fact
  SELECT i, nullif(i * 7 % 1000, 3), i % 777, i % 300, '2020-01-01'::date + i % 400, 't' || i % 50
    FROM generate_series(1, 20000) i;
CREATE INDEX ON ak_fact (f_a);
CREATE INDEX ON ak_fact (f_b);
CREATE TABLE ak_dim (d_key int, d_v int);
INSERT INTO ak_dim SELECT i, i % 10 FROM generate_series(0, 999) i;
CREATE TABLE ak_parts (LIKE ak_fact) PARTITION BY RANGE (f_a);
CREATE TABLE ak_parts_1 PARTITION OF ak_parts FOR VALUES FROM (0) TO (300);
CREATE TABLE ak_parts_2 PARTITION OF ak_parts DEFAULT;
INSERT INTO ak_parts SELECT * FROM ak_fact;
CREATE INDEX ON ak_parts (f_a);
VACUUM ANALYZE ak_fact, ak_dim, ak_parts;

-- The reducers of the plan's star scans, and whether the result is that without.
CREATE FUNCTION ak_try(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; found text := ''; digests text[] := '{}'; digest text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || query LOOP
    IF line ~ 'Reducer|Access' THEN
      found := found || trim(line) || '; ';
    END IF;
  END LOOP;
  FOR i IN 1..2 LOOP
    EXECUTE 'SELECT concat(md5(string_agg(r::text, ''|'' ORDER BY r::text)), count(*)) FROM ('
      || query || ') r' INTO digest;
    digests := digests || digest;
    PERFORM set_config('ssdpar.enabled', CASE i WHEN 1 THEN 'off' ELSE 'on' END, false);
  END LOOP;
  RETURN coalesce(nullif(found, ''), 'no star scan; ')
    || CASE WHEN digests[1] = digests[2] THEN 'same' ELSE 'DIFFERENT' END;
END $$;
SELECT format('ARRAY[%s]', string_agg(i::text, ', ')) AS keys,
       format('ARRAY[%s, NULL]::bigint[]', string_agg((i * 3)::text, ', ')) AS wide,
       string_agg(i::text, ', ') AS list
  FROM generate_series(10, 60) i \gset

SET ssdpar.star_access = bitmap;
-- A table alone, by all three types, a list, with NULL; other conditions beside.
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (' || :'keys' || ')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_b = ANY (' || :'wide' || ')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a IN (' || :'list' || ') AND f_b > 100 AND f_t LIKE ''%7''');
SELECT ak_try('SELECT count(*), sum(f_b) FROM ak_fact WHERE f_a = ANY (' || :'keys'
  || ') AND f_b = ANY (' || :'wide' || ') AND f_c = ANY (' || :'keys' || ')');
SELECT ak_try('SELECT f_t, count(*) FROM ak_fact WHERE f_a = ANY (' || :'wide' || ') GROUP BY 1');
-- Other columns than the table's: some, none, expressions, a set, in order.
SELECT ak_try('SELECT f_t, f_b FROM ak_fact WHERE f_a = ANY (' || :'keys' || ')');
SELECT ak_try('SELECT d_key FROM ak_dim WHERE EXISTS (SELECT FROM ak_fact WHERE f_a IN (' || :'list' || ') AND f_b = d_v OFFSET 0)');
SELECT ak_try('SELECT f_a + 1, upper(f_t), generate_series(1, 2), ak_fact FROM ak_fact WHERE f_a IN (' || :'list' || ')');
SELECT ak_try('SELECT DISTINCT f_t FROM ak_fact WHERE f_a IN (' || :'list' || ') ORDER BY f_t LIMIT 5');
SET ssdpar.star_access = sequential;
SELECT ak_try('SELECT f_t, f_b FROM ak_fact WHERE f_a = ANY (' || :'keys' || ')');
SELECT ak_try('SELECT f_b, count(*) FROM ak_fact WHERE f_a = ANY (' || :'keys' || ') GROUP BY 1');
SELECT ak_try('SELECT 1 WHERE NOT EXISTS (SELECT f_b FROM ak_fact WHERE f_a IN (' || :'list' || '))');
SELECT ak_try('SELECT f_a + 1, upper(f_t), generate_series(1, 2), ctid, ak_fact FROM ak_fact WHERE f_a IN (' || :'list' || ')');
SET ssdpar.star_access = bitmap;
-- With dimensions, by a join and by another query level.
SELECT ak_try('SELECT * FROM ak_fact JOIN ak_dim ON f_a = d_key WHERE d_v = 3 AND f_b = ANY (' || :'keys' || ')');
SELECT ak_try('SELECT d_key, (SELECT count(*) FROM ak_fact WHERE f_a = ANY (' || :'keys'
  || ') AND f_c = d_v) FROM ak_dim WHERE d_key < 5');
SELECT ak_try('SELECT * FROM ak_fact LEFT JOIN ak_dim ON f_a = d_key AND d_v = 3 WHERE f_b = ANY (' || :'keys' || ')');
-- Of partitions only where they are joined; not below OR.
SELECT ak_try('SELECT * FROM ak_parts WHERE f_a = ANY (ARRAY[1, 290, 310, 999] || ' || :'keys' || ')');
SELECT ak_try('SELECT * FROM ak_parts JOIN ak_dim ON f_b = d_key
  WHERE d_v = 3 AND f_a = ANY (ARRAY[1, 290, 310, 999] || ' || :'keys' || ')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (' || :'keys' || ') OR f_a IS NULL');
-- Few, and none.
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (''{5}'')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (''{}'')');
SET ssdpar.star_access = sequential;
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (' || :'keys' || ')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_d = ANY (ARRAY[''2020-02-01'', ''2020-03-01'']::date[])');
-- Not: other operators, all of them, texts, the array of another row.
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a <> ALL (' || :'keys' || ')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a < ANY (' || :'keys' || ')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_t = ANY (''{t3,t5}'')');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (ARRAY[f_b, 5])');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (' || :'keys' || ') AND random() >= 0');
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a + 1 = ANY (' || :'keys' || ')');

-- A column that a cast makes an integer of: what lies in the row is another
-- value, or none, and the cast may fail.
CREATE TYPE ak_color AS ENUM ('red', 'green', 'blue');
CREATE FUNCTION ak_number(ak_color) RETURNS int LANGUAGE plpgsql IMMUTABLE
  AS $$ BEGIN RETURN array_position(enum_range(NULL::ak_color), $1); END $$;
CREATE FUNCTION ak_number(date) RETURNS int LANGUAGE plpgsql IMMUTABLE
  AS $$ BEGIN RETURN $1 - '2019-12-31'; END $$;
CREATE CAST (ak_color AS int) WITH FUNCTION ak_number(ak_color) AS IMPLICIT;
CREATE CAST (date AS int) WITH FUNCTION ak_number(date) AS IMPLICIT;
CREATE CAST (text AS int) WITH INOUT AS IMPLICIT;
CREATE TABLE ak_cast (c_color ak_color, c_day date, c_text text, c_wide bigint, c_same int);
INSERT INTO ak_cast
  SELECT (enum_range(NULL::ak_color))[1 + i % 3], '2020-01-01'::date + i % 400, i % 100, i % 100, i % 100
    FROM generate_series(1, 1000) i;
SELECT ak_try('SELECT * FROM ak_cast WHERE c_color = ANY (ARRAY[1, 3])');
SELECT ak_try('SELECT * FROM ak_cast WHERE c_day = ANY (ARRAY[1, 2, 300])');
SELECT ak_try('SELECT * FROM ak_cast WHERE c_text = ANY (ARRAY[1, 2, 3])');
SELECT ak_try('SELECT * FROM ak_cast WHERE c_wide = ANY (''{1,2,3}''::oid[])');
-- One that is merely called an oid is the same.
SELECT ak_try('SELECT * FROM ak_cast WHERE c_same = ANY (''{1,2,3}''::oid[])');
INSERT INTO ak_cast (c_wide) VALUES (5000000000);
SELECT * FROM ak_cast WHERE c_wide = ANY ('{1,2,3}'::oid[]);
DROP TABLE ak_cast;
DROP CAST (ak_color AS int);
DROP CAST (date AS int);
DROP CAST (text AS int);
DROP FUNCTION ak_number(ak_color), ak_number(date);
DROP TYPE ak_color;

-- Parameters: of a prepared statement, of an InitPlan, of the outer query.
PREPARE ak_keys (int[]) AS SELECT count(*), sum(f_b) FROM ak_fact WHERE f_a = ANY ($1);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS off) EXECUTE ak_keys (ARRAY[1, 2, 3]);
EXECUTE ak_keys (ARRAY[1, 2, 3]);
EXECUTE ak_keys (ARRAY[NULL, 7]);
EXECUTE ak_keys (NULL);
SET ssdpar.enabled = off;
EXECUTE ak_keys (ARRAY[1, 2, 3]);
EXECUTE ak_keys (ARRAY[NULL, 7]);
EXECUTE ak_keys (NULL);
RESET ssdpar.enabled;
RESET plan_cache_mode;
DEALLOCATE ak_keys;
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (ARRAY(SELECT d_key FROM ak_dim WHERE d_v = 3))');
SELECT ak_try('SELECT x, n FROM generate_series(1, 3) x, LATERAL
  (SELECT ARRAY[x, x + 7] AS keys OFFSET 0) k,
  LATERAL (SELECT count(*) AS n FROM ak_fact WHERE f_a = ANY (keys)) s');
-- In parallel.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET ssdpar.star_access = bitmap;
SELECT ak_try('SELECT count(*), sum(f_b) FROM ak_fact WHERE f_a = ANY (' || :'keys' || ')');
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

-- Of a table by itself a cursor goes backward, if it is not told that it need not.
BEGIN;
SET LOCAL ssdpar.star_access = sequential;
DECLARE ak_any CURSOR FOR SELECT f_id FROM ak_fact WHERE f_a = ANY (ARRAY[11, 12]);
FETCH 3 FROM ak_any;
FETCH BACKWARD 2 FROM ak_any;
DECLARE ak_below CURSOR FOR SELECT f_id FROM (SELECT f_id FROM ak_fact WHERE f_a = ANY (ARRAY[11, 12]) OFFSET 0) q;
FETCH 3 FROM ak_below;
FETCH BACKWARD 2 FROM ak_below;
EXPLAIN (COSTS off) DECLARE ak_forward NO SCROLL CURSOR FOR SELECT f_id FROM ak_fact WHERE f_a = ANY (ARRAY[11, 12]);
EXPLAIN (COSTS off) DECLARE ak_both SCROLL CURSOR FOR SELECT f_id FROM ak_fact WHERE f_a = ANY (ARRAY[11, 12]);
ROLLBACK;

-- A policy goes before; of the keys nothing shows.
CREATE ROLE regress_ak_user;
GRANT SELECT ON ak_fact, ak_dim TO regress_ak_user;
ALTER TABLE ak_fact ENABLE ROW LEVEL SECURITY;
CREATE POLICY ak_third ON ak_fact USING (f_id % 3 = 0);
SET ROLE regress_ak_user;
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (' || :'keys' || ')');
RESET ROLE;
ALTER TABLE ak_fact DISABLE ROW LEVEL SECURITY;
-- What is changed is read as core would.
BEGIN;
SELECT count(*) FROM (SELECT 1 FROM ak_fact WHERE f_a = ANY (ARRAY[11, 12]) FOR UPDATE) s;
DELETE FROM ak_fact WHERE f_a = ANY (ARRAY[11, 12]);
ROLLBACK;
-- Left to core where that is small, or nothing is known of the device.
RESET ssdpar.star_access;
SELECT ak_try('SELECT * FROM ak_fact WHERE f_a = ANY (' || :'keys' || ')');
DROP TABLE ak_fact, ak_dim, ak_parts;
DROP FUNCTION ak_try;
DROP ROLE regress_ak_user;
