-- Star scans read dimensions early and twice.  Nobody may notice: not by rows,
-- not by effects, not by errors.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';

CREATE TABLE safe_sale (f_id int, f_shop int, f_name text, f_date date)
  WITH (autovacuum_enabled = false);
INSERT INTO safe_sale SELECT i, i % 200, 'n' || i % 200,
    '2020-01-01'::date + i % 700 FROM generate_series(1, 20000) i;
CREATE INDEX ON safe_sale (f_shop);
CREATE INDEX ON safe_sale (f_date);
CREATE TABLE safe_shop (s_key int PRIMARY KEY, s_region int, s_big bigint,
  s_name text, s_code char(8), s_tax numeric(5, 2), s_any numeric,
  s_day date, s_time timestamp, s_zone timestamptz, s_float float8,
  s_circle circle, s_lseg lseg, s_oids oidvector, s_bytes bytea);
INSERT INTO safe_shop SELECT i, i % 5, i, 'n' || i, 'c' || i % 7, i % 10, i % 10,
    '2020-01-01'::date + i, '2020-01-01'::timestamp + i * interval '1 day',
    '2020-01-01'::timestamptz + i * interval '1 day', i
  FROM generate_series(0, 199) i;
CREATE SEQUENCE safe_calls;
-- Taken for large, and empty.
CREATE TABLE safe_none (LIKE safe_sale) WITH (autovacuum_enabled = false);
INSERT INTO safe_none SELECT * FROM safe_sale;
-- A user's operator class, the comparison of which raises an error on demand.
CREATE FUNCTION safe_compare(text, text) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
  $$ BEGIN
    IF current_setting('safe.raise', true) = 'on' THEN
      RAISE 'compared';
    END IF;
    RETURN bttextcmp($1, $2);
  END $$;
CREATE OPERATOR CLASS safe_text_ops FOR TYPE text USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 safe_compare(text, text);
CREATE INDEX safe_none_raising ON safe_none (f_name safe_text_ops);
VACUUM ANALYZE safe_sale, safe_shop, safe_none;
DELETE FROM safe_none;

-- What comes out of a query, the error if there is one, and how often
-- safe_calls was asked.
CREATE FUNCTION safe_outcome(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  before bigint := nextval('safe_calls');
  outcome text;
BEGIN
  BEGIN
    -- this way in parallel, too
    EXECUTE 'CREATE TEMP TABLE safe_result AS ' || query;
    SELECT string_agg(r::text, ' ' ORDER BY r::text) INTO outcome FROM safe_result r;
    DROP TABLE safe_result;
  EXCEPTION WHEN OTHERS THEN
    outcome := SQLERRM;
  END;
  RETURN outcome || ', ' || nextval('safe_calls') - before - 1 || ' calls';
END $$;

-- In one process and in several, without ssdpar and by each access: the one
-- outcome there is.  Core's own parallel plans are early, too, so what several
-- give without ssdpar is said where it differs.
CREATE FUNCTION safe_same(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  access text; workers text; outcome text;
  expected text; last text;
BEGIN
  FOREACH workers IN ARRAY '{0,2}'::text[] LOOP
    PERFORM set_config('max_parallel_workers_per_gather', workers, true);
    PERFORM set_config('ssdpar.enabled', 'off', true);
    expected := safe_outcome(query);
    IF expected IS DISTINCT FROM last THEN
      RETURN NEXT expected;
    END IF;
    last := expected;
    PERFORM set_config('ssdpar.enabled', 'on', true);
    FOREACH access IN ARRAY '{auto,sequential,bitmap}'::text[] LOOP
      PERFORM set_config('ssdpar.star_access', access, true);
      outcome := safe_outcome(query);
      IF outcome IS DISTINCT FROM expected THEN
        RETURN NEXT format('%s, %s workers: %s', access, workers, outcome);
      END IF;
    END LOOP;
  END LOOP;
END $$;

-- Why was a query left to core?  'star' if it was not.
CREATE FUNCTION safe_why(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN CASE WHEN plan::text LIKE '%SsdparStarScan%' THEN 'star'
    ELSE coalesce(plan->1->>'ssdpar Star Scan Not Used', 'none') END;
END $$;
CREATE FUNCTION safe_filter(filter text) RETURNS text LANGUAGE sql AS $$
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_shop WHERE f_shop = s_key AND s_region < 4 AND (' || filter || ')') $$;

SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET enable_mergejoin = off;
SET enable_nestloop = off;
-- what core then computes before it knows that nothing joins, raises
DO $$
BEGIN
  PERFORM set_config(name, 'off', false) FROM pg_settings
   WHERE name = 'enable_eager_aggregate';
END $$;

-- Volatile conditions that core pushes into a subquery.
CREATE VIEW safe_barrier WITH (security_barrier) AS
  SELECT * FROM safe_shop WHERE s_region < 2;
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale JOIN
  (SELECT * FROM safe_barrier WHERE nextval(''safe_calls'') > 0) v ON f_shop = v.s_key');
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale JOIN (SELECT * FROM
  (SELECT s_key, s_region FROM safe_shop WHERE s_region < 2 GROUP BY 1, 2) q
  WHERE nextval(''safe_calls'') > 0) v ON f_shop = v.s_key');
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale JOIN
  (SELECT s_key, nextval(''safe_calls'') FROM safe_shop WHERE s_region < 2) v ON f_shop = v.s_key');
SET ssdpar.star_access = sequential;
SELECT safe_why('SELECT count(*) FROM safe_sale JOIN
  (SELECT * FROM safe_barrier WHERE random() < 0.5) v ON f_shop = v.s_key');
SELECT safe_why('SELECT count(*) FROM safe_sale JOIN safe_barrier v ON f_shop = v.s_key');
-- In an operator, behind a function that is not volatile.
CREATE FUNCTION safe_random(int, int) RETURNS bool LANGUAGE sql VOLATILE AS
  'SELECT $1 < $2 AND nextval(''safe_calls'') > 0';
CREATE OPERATOR <? (LEFTARG = int, RIGHTARG = int, FUNCTION = safe_random);
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale JOIN
  (SELECT * FROM safe_barrier WHERE s_region <? 3) v ON f_shop = v.s_key');
-- In the fact's own filter, in a join's, in a subquery of another table's: the
-- star scan would ask less often.
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_region = 1 AND f_id + nextval(''safe_calls'') > 0');
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_region = 1 AND f_id + (SELECT nextval(''safe_calls'') WHERE f_id > 0) > 0');
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_region = 1 AND f_id + s_key < random()');
-- Of the result: as often as it has rows.
SELECT safe_why('SELECT random() FROM safe_sale, safe_shop WHERE f_shop = s_key AND s_region = 1');
-- A domain's CHECK.
CREATE FUNCTION safe_check(int) RETURNS bool LANGUAGE sql VOLATILE AS
  'SELECT nextval(''safe_calls'') > 0';
CREATE DOMAIN safe_domain AS int CHECK (safe_check(VALUE));
CREATE DOMAIN safe_small AS int CHECK (VALUE < 100);
CREATE DOMAIN safe_plain AS int;
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_region::safe_domain = 1');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_key::safe_small < 50 AND s_region < 4');
SELECT safe_filter('s_region::safe_plain = 1');
-- Row-level security, volatile and raising.
CREATE ROLE regress_safe_reader;
CREATE TABLE safe_guarded AS SELECT s_key, s_region FROM safe_shop;
ANALYZE safe_guarded;
ALTER TABLE safe_guarded ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON safe_guarded, safe_sale, safe_none TO regress_safe_reader;
GRANT USAGE ON SEQUENCE safe_calls TO regress_safe_reader;
CREATE POLICY safe_policy ON safe_guarded
  USING (nextval('safe_calls') > 0 AND s_region < 4);
SET ROLE regress_safe_reader;
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale, safe_guarded WHERE f_shop = s_key AND s_region < 3');
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_guarded WHERE f_shop = s_key AND s_region < 3');
RESET ROLE;
ALTER POLICY safe_policy ON safe_guarded USING (10 / (s_key - 5) < 5);
SET ROLE regress_safe_reader;
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_guarded WHERE f_shop = s_key AND s_region < 3');
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_guarded WHERE f_shop = s_key AND s_region < 3');
RESET ROLE;
ALTER POLICY safe_policy ON safe_guarded USING (s_key < 150);
SET ROLE regress_safe_reader;
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_guarded WHERE f_shop = s_key AND s_region < 3');
RESET ROLE;
DROP POLICY safe_policy ON safe_guarded;

-- A filter that raises: the fact is empty, or only some rows are wanted.
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_region < 3 AND 10 / (s_key - 5) < 5');
SELECT * FROM safe_same('SELECT EXISTS (SELECT FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_region < 3 AND 10 / (s_key - 5) < 5)');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none WHERE f_shop IN
  (SELECT s_key FROM safe_barrier WHERE 10 / (s_key - 5) < 5)');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none JOIN
  (SELECT s_key, 10 / (s_key - 5) AS x FROM safe_shop WHERE s_region < 3 GROUP BY 1) v
  ON f_shop = s_key GROUP BY x');
SET enable_nestloop = on;
SET enable_hashjoin = off;
SELECT * FROM safe_same('SELECT f_id FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_key < 100 AND 10 / (s_key - 50) < 5 LIMIT 3');
RESET enable_hashjoin;
SET enable_nestloop = off;
-- Where core raises it, too.
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_region < 3 AND 10 / (s_key - 5) < 5');
-- An expression over the whole of a subquery's rows, a VALUES list, a condition
-- on its groups.
SELECT safe_why('SELECT count(*) FROM safe_sale, (VALUES (1), (random()::int)) v (i) WHERE f_shop = i');
SELECT safe_why('SELECT count(*) FROM safe_sale, (SELECT s_key FROM safe_shop GROUP BY 1 HAVING 1 / s_key > 0) v WHERE f_shop = s_key');
SELECT safe_why('SELECT count(*) FROM safe_sale, (SELECT a.s_key FROM safe_shop a, safe_shop b WHERE a.s_key = b.s_region AND a.s_key / b.s_key > 0 GROUP BY 1) v WHERE f_shop = s_key');
SELECT safe_why('SELECT count(*) FROM safe_sale, (SELECT a.s_key FROM safe_shop a, safe_shop b WHERE a.s_key = b.s_region AND a.s_tax < b.s_tax GROUP BY 1) v WHERE f_shop = s_key');

-- InitPlans are asked for early.
SELECT safe_filter('s_region = (SELECT max(s_region) - 1 FROM safe_shop WHERE s_key = 1)');
SELECT safe_filter('s_region = (SELECT max(s_region) FROM safe_shop)');
SELECT safe_filter('s_region = (SELECT DISTINCT s_region FROM safe_shop WHERE s_key = 7)');
SELECT safe_filter('s_tax > (SELECT avg(s_tax) FROM safe_shop WHERE s_tax > 0)');
SELECT safe_filter('s_any > (SELECT avg(s_any) FROM safe_shop)');
SELECT safe_filter('s_float > (SELECT avg(s_float) FROM safe_shop)');
SELECT safe_filter('s_region = (SELECT nextval(''safe_calls''))');
SELECT safe_filter('s_region = (SELECT 1 FROM safe_shop WHERE 1 / s_key > 5)');
SELECT safe_filter('s_region = (SELECT 1 FROM safe_barrier WHERE 1 / s_key > 5)');
SELECT safe_filter('s_region = (SELECT min(s_key) FROM safe_shop WHERE s_key = (SELECT count(*) FROM safe_shop WHERE 1 / s_key > 5))');
SELECT safe_filter('s_region = (SELECT min(s_key) FROM safe_shop WHERE s_key = (SELECT count(*) FROM safe_shop))');
SELECT safe_filter('s_region = (SELECT s_key FROM safe_shop WHERE s_key = 1 FOR UPDATE)');
SELECT safe_filter('s_region = (SELECT i FROM generate_series(1, 1) i)');
SELECT safe_filter('EXISTS (SELECT FROM safe_none)');
SELECT safe_filter('s_region = ANY (ARRAY(SELECT s_key FROM safe_shop))');
SELECT safe_filter('s_region = (SELECT t.s_region FROM safe_shop t WHERE t.s_key = safe_shop.s_key)');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_region < (SELECT nextval(''safe_calls''))');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_region < (SELECT max(10 / (s_key - 5)) FROM safe_shop)');
SELECT * FROM safe_same('SELECT count(*) FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_region < (SELECT max(s_region) FROM safe_shop)');
-- LIMIT and OFFSET below zero, or not known yet; arrays of which one is made.
SELECT safe_filter('s_region = (SELECT s_region FROM safe_shop WHERE s_key = 1 LIMIT 1)');
SELECT safe_filter('s_region = (SELECT s_region FROM safe_shop WHERE s_key = 1 LIMIT NULL OFFSET 0)');
SELECT safe_filter('s_region = (SELECT s_region FROM safe_shop WHERE s_key = 1 LIMIT -1)');
SELECT safe_filter('s_region = ANY (ARRAY(SELECT s_region FROM safe_shop LIMIT 1 OFFSET -1))');
SELECT safe_filter('s_region = (SELECT s_region FROM safe_shop LIMIT (SELECT min(s_big) FROM safe_shop))');
SELECT safe_filter('ARRAY(SELECT string_to_array(s_name, ''1'') FROM safe_shop) IS NULL');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_region = (SELECT s_region FROM safe_shop WHERE s_key = 1 LIMIT -1)');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop
  WHERE f_shop = s_key AND (s_region = 3 OR ARRAY(SELECT f_list FROM (VALUES (ARRAY[1]), (ARRAY[1, 2])) v (f_list)) IS NULL)');
-- The one error of which that is not true, as in a parallel plan of core's.
SELECT safe_filter('s_region = (SELECT s_region FROM safe_shop)');

-- Operator classes of users: their functions are asked early, too.
CREATE FUNCTION safe_equal(int, int) RETURNS bool LANGUAGE internal IMMUTABLE STRICT AS 'int4eq';
CREATE FUNCTION safe_hash(int) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
  $$ BEGIN RETURN 10 / ($1 - 5); END $$;
CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = safe_equal,
  COMMUTATOR = ===, HASHES, MERGES, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR CLASS safe_btree_ops FOR TYPE int USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 ===, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 btint4cmp(int, int);
CREATE OPERATOR CLASS safe_hash_ops FOR TYPE int USING hash AS
  OPERATOR 1 ===, FUNCTION 1 safe_hash(int);
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_shop WHERE f_shop === s_key AND s_region < 3');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop WHERE f_shop === s_key AND s_region < 3');
ALTER FUNCTION safe_hash LEAKPROOF;
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_shop WHERE f_shop === s_key AND s_region < 3');
SET ssdpar.star_access = bitmap;
SELECT safe_why('SELECT count(*) FROM safe_none, safe_shop WHERE f_name = s_name AND s_region < 3');
SET safe.raise = on;
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_shop WHERE f_name = s_name AND s_region < 3');
RESET safe.raise;
CREATE INDEX safe_none_sound ON safe_sale (f_name);
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_shop WHERE f_name = s_name AND s_region < 3');
-- No collation can be told: an error at the first row.
SELECT * FROM safe_same('SELECT count(*) FROM safe_none,
  (SELECT s_name COLLATE "POSIX" AS s_name FROM safe_shop WHERE s_region < 3 OFFSET 0) v WHERE f_name = s_name');

SELECT safe_filter('greatest(s_name, s_code::text) IS NOT NULL');
CREATE TABLE safe_two (t_key int PRIMARY KEY, t_c text COLLATE "C", t_posix text COLLATE "POSIX");
INSERT INTO safe_two SELECT i, i, i FROM generate_series(0, 199) i;
SELECT safe_why('SELECT count(*) FROM safe_sale, safe_two WHERE f_shop = t_key AND greatest(t_c, t_posix) IS NOT NULL');
SELECT * FROM safe_same('SELECT count(*) FROM safe_none, safe_two
  WHERE f_shop = t_key AND least(t_c, t_posix) IS NOT NULL');
SELECT safe_filter('s_region = (SELECT max(t_key) FROM safe_two WHERE greatest(t_c, t_posix) IS NOT NULL)');

-- A subquery whose star scan joins its dimension has the filter of its fact.
CREATE TABLE safe_far (r_shop int, r_pad text) WITH (autovacuum_enabled = false);
INSERT INTO safe_far SELECT i % 2000, repeat('x', 100) FROM generate_series(1, 40000) i;
VACUUM ANALYZE safe_far;
DELETE FROM safe_far;
SELECT * FROM safe_same('SELECT count(*) FROM safe_far, (SELECT DISTINCT f_shop AS k FROM safe_sale, safe_shop
  WHERE f_shop = s_key AND s_region = 1 AND 10 / (f_id - 6) < 5) v WHERE r_shop = k');
DROP TABLE safe_far;

-- In a cursor, in PL/pgSQL, prepared.
SET ssdpar.star_access = sequential;
SET max_parallel_workers_per_gather = 0;
BEGIN;
DECLARE c CURSOR FOR SELECT f_id FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_region < 3 AND 10 / (s_key - 5) < 5;
FETCH 1 FROM c;
COMMIT;
DO $$
DECLARE n int; low int := 3;
BEGIN
  FOR i IN 1..8 LOOP
    SELECT count(*) INTO n FROM safe_none, safe_shop
      WHERE f_shop = s_key AND s_region < low AND low / (s_key - 5) < 5;
  END LOOP;
END $$;
PREPARE p (int) AS SELECT count(*) FROM safe_none, safe_shop
  WHERE f_shop = s_key AND s_region < 3 AND $1 / s_key < 5;
SET plan_cache_mode = force_generic_plan;
EXECUTE p (1);
RESET plan_cache_mode;
-- A function of the same statement changes the dimension in between: neither
-- read sees it.
CREATE FUNCTION safe_change(int) RETURNS bool LANGUAGE plpgsql VOLATILE AS
  $$ BEGIN INSERT INTO safe_guarded VALUES ($1, 1);
           DELETE FROM safe_guarded WHERE s_key = $1; RETURN true; END $$;
SELECT safe_why('SELECT count(safe_change(f_shop)) FROM safe_sale, safe_guarded WHERE f_shop = s_key AND s_region = 1');
BEGIN;
SELECT count(safe_change(f_shop)) FROM safe_sale, safe_guarded WHERE f_shop = s_key AND s_region = 1;
ROLLBACK;

-- Filters: what is known to raise no error, and what is not.
SELECT filter, safe_filter(filter) FROM unnest(ARRAY[
  -- numbers
  's_key % 10 = 1', 's_key % 0 = 1', 's_key % s_region = 1', 'mod(s_key, 7) = 1',
  's_key / 10 = 1', 's_key / 0 = 1', 's_key / -1 = 1', 's_big / 2 = 1', 's_key / s_region = 1',
  's_key + 1 = 7', 's_key::bigint = 7', 's_big::int = 7', 'abs(s_key) = 7',
  's_tax BETWEEN 1 AND 2.5', 's_tax + 1 > 2', 's_any::float8 < 2', 's_float > 7', 's_float * 2 > 7',
  's_key IN (1, 2, 3)', 's_key IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)', 's_tax NOT IN (1, 2)',
  's_key = ANY (ARRAY[s_region, 2])', '(s_key, s_region) < (5, 3)', 'greatest(s_key, s_region) < 5',
  's_key::text = ''5''', 's_name::int = 5',
  -- logic
  's_region IS NULL OR NOT s_key < 5', '(s_key < 5) IS NOT TRUE', 's_key IS DISTINCT FROM 5',
  'CASE WHEN s_key > 5 THEN s_region = 1 ELSE s_big = 3 END', 'coalesce(s_region, 0) = 1',
  'nullif(s_region, 1) = 2', 'CASE s_region WHEN 1 THEN true ELSE false END',
  'CASE WHEN s_region > 0 THEN s_key / s_region > 1 END',
  -- texts
  's_name LIKE ''n1%''', 's_name NOT LIKE ''%1%''', 's_name ILIKE ''N1%''', 's_code LIKE ''c%''',
  's_name LIKE ''n\''', 's_name LIKE ''n\\''', 's_name LIKE s_code', 's_name LIKE ''n!%'' ESCAPE ''!''',
  's_name ~ ''n1''', 's_name SIMILAR TO ''n1%''', 'starts_with(s_name, ''n'')', 's_name ^@ ''n''',
  'substring(s_name, 1, 2) IN (''n1'', ''n2'')', 'substring(s_name FROM 1 FOR 2) = ''n1''',
  'substring(s_name, 1, -2) = ''n1''', 'substr(s_name, 2) = ''1''', 'substring(s_name, 1, s_key) = ''n''',
  'left(s_code, 1) = ''c''', 'upper(s_name) = ''N1''', 'trim(s_code) = ''c1''', 'length(s_name) = 2',
  'position(''1'' IN s_name) > 0', 's_name || ''x'' = ''n1x''', 's_code = ''c1''', 'md5(s_name) = ''''',
  's_name < ''n2'' COLLATE "C"', 'to_number(s_name, ''9'') = 1',
  -- times
  's_day BETWEEN ''2020-01-05'' AND ''2020-02-01''', 's_day < date ''2020-01-01'' + interval ''1 month''',
  's_day < s_time', 's_time < s_zone', 'extract(year FROM s_day) = 2020', 'extract(dow FROM s_time) = 1',
  'extract(hour FROM s_time) = 0', 'extract(hour FROM s_day) = 1', 'extract(nonsense FROM s_time) = 1',
  'date_part(''month'', s_time) = 1', 'extract(year FROM s_zone) = 2020', 's_time::date = ''2020-01-05''',
  's_day::timestamp < ''2020-01-05''', 's_day + 1 > ''2020-01-05''', 'date_trunc(''month'', s_time) = ''2020-01-01''',
  's_zone < now()', 's_day < current_date - 30', 's_zone > now() - interval ''2000 years''',
  's_zone > now() - s_key * interval ''1 day''',
  's_day < now()::date + 5', 'to_char(s_day, ''YYYY'') = ''2020''', 'age(s_time) > ''1 day''',
  's_zone < clock_timestamp()',
  -- others
  's_name = current_user', 's_name = ANY (string_to_array(''n1,n2'', '',''))', 'pg_typeof(s_key) = ''int''::regtype',
  -- core marks them leakproof
  's_circle = circle ''<(0,0),1>''', 's_circle < circle ''<(0,0),1>''', 's_lseg <= lseg ''[(0,0),(1,0)]''',
  's_lseg <> lseg ''[(0,0),(1,0)]''', 's_oids = ''1 2''::oidvector', 'sha256(s_bytes) = s_bytes'
]) WITH ORDINALITY AS f (filter, n) ORDER BY n;
-- What a user marks leakproof raises no error; what is not marked may.
CREATE FUNCTION safe_marked(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE LEAKPROOF AS
  'BEGIN RETURN $1 = 1; END';
CREATE FUNCTION safe_unmarked(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
  'BEGIN RETURN $1 = 1; END';
SELECT safe_filter('safe_marked(s_key)'), safe_filter('safe_unmarked(s_key)');

-- A snapshot does not fix the row of a sequence, nor some columns of catalogs:
-- what is read twice would be two things.
CREATE SEQUENCE safe_number;
SELECT nextval('safe_number');
SELECT safe_why('SELECT count(*) FROM safe_sale JOIN safe_number ON f_id = last_value'),
       safe_why('SELECT count(*) FROM safe_sale JOIN (SELECT last_value AS n FROM safe_number GROUP BY 1) q ON f_id = n'),
       safe_why('SELECT count(*) FROM safe_sale JOIN pg_class ON f_id = relpages');
BEGIN;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_nestloop = on;
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT i, nextval('safe_number'), (SELECT count(*) FROM safe_sale JOIN safe_number ON f_id = last_value WHERE i > 0)
  FROM generate_series(1, 3) i;
ROLLBACK;

-- A name is hashed by its bytes, and compared by its collation.
DO $$ BEGIN
  CREATE COLLATION safe_no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION safe_no_case FROM "C";
END $$;
CREATE TABLE safe_word (w_name name COLLATE safe_no_case, w_region int);
INSERT INTO safe_word SELECT 'N' || i, i % 5 FROM generate_series(1, 200) i;
CREATE TABLE safe_said AS SELECT f_id, f_name::name COLLATE safe_no_case AS f_word FROM safe_sale;
VACUUM ANALYZE safe_word, safe_said;
BEGIN;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = on;
SELECT count(*) AS outcomes FROM safe_same('SELECT count(*) FROM safe_said JOIN safe_word ON f_word = w_name WHERE w_region < 2');
SELECT count(*) AS outcomes FROM safe_same('SELECT count(*) FROM safe_said JOIN safe_word ON f_word = w_name::text COLLATE safe_no_case WHERE w_region < 2');
ROLLBACK;
DROP TABLE safe_word, safe_said;
DROP COLLATION safe_no_case;
DROP SEQUENCE safe_number;

DROP OWNED BY regress_safe_reader;
DROP ROLE regress_safe_reader;
DROP VIEW safe_barrier;
DROP TABLE safe_sale, safe_shop, safe_none, safe_guarded;
DROP OPERATOR FAMILY safe_text_ops USING btree;
DROP OPERATOR FAMILY safe_btree_ops USING btree;
DROP OPERATOR FAMILY safe_hash_ops USING hash;
DROP OPERATOR ===(int, int), <?(int, int);
DROP DOMAIN safe_domain, safe_small, safe_plain;
DROP FUNCTION safe_outcome, safe_same, safe_why, safe_filter, safe_random,
  safe_check, safe_equal, safe_hash, safe_compare, safe_change, safe_marked,
  safe_unmarked;
DROP SEQUENCE safe_calls;
