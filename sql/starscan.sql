-- The star scan as the executor runs it: every row that matches, none twice,
-- by both accesses, with workers, rescans, cursors, limits and little memory.
-- What the planner makes of queries is tested in t/012_star_rows.pl.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;

CREATE TABLE star_day (d_key date PRIMARY KEY, d_week int);
INSERT INTO star_day SELECT '2020-01-01'::date + i, i / 7
  FROM generate_series(0, 364) i;
CREATE TABLE star_shop (s_key bigint PRIMARY KEY, s_region int);
INSERT INTO star_shop SELECT i, i % 5 FROM generate_series(-100, 100) i;
CREATE TABLE star_word (w_key text, w_part int, w_kind int);
INSERT INTO star_word SELECT 'word ' || i, i % 3, i % 20
  FROM generate_series(1, 400) i;
INSERT INTO star_word VALUES (NULL, 1, 1), ('nowhere', NULL, 1);
CREATE TABLE star_kind (k_key int, k_name text);
INSERT INTO star_kind SELECT i, 'kind ' || i FROM generate_series(0, 19) i;
CREATE TABLE star_num (n_key numeric PRIMARY KEY, n_kind int);
INSERT INTO star_num SELECT i + 0.50, i % 10 FROM generate_series(1, 100) i;
CREATE TABLE star_fact (f_id int, f_pad text, f_day date, f_shop int,
  f_word text, f_part int, f_num numeric) WITH (autovacuum_enabled = off);
INSERT INTO star_fact
  SELECT i, repeat('x', i % 50), '2019-12-25'::date + i * 7919 % 380,
         nullif(i * 71 / 13 % 220 - 110, 7), 'word ' || i % 450, i % 3,
         CASE WHEN i % 11 > 0 THEN (i % 120) + 0.5 END
    FROM generate_series(1, 20000) i;
CREATE INDEX star_fact_day ON star_fact (f_day);
CREATE INDEX star_fact_shop ON star_fact (f_shop, f_id);
CREATE INDEX star_fact_word ON star_fact (f_word);
CREATE INDEX star_fact_num ON star_fact (f_num);
-- dead rows, HOT chains, rows that moved
DELETE FROM star_fact WHERE f_id % 97 = 0;
VACUUM ANALYZE star_day, star_shop, star_word, star_kind, star_num, star_fact;
UPDATE star_fact SET f_pad = 'y' WHERE f_id % 89 = 0;
UPDATE star_fact SET f_day = f_day + 1 WHERE f_id % 83 = 0;

-- Does a plan have a star scan, with what access, and shared among workers?
CREATE FUNCTION star_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb; node jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  node := jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")');
  RETURN CASE WHEN (node->'Parallel Aware')::bool THEN 'parallel ' ELSE '' END
    || coalesce(node->>'Access', 'none');
END $$;

-- The rows by each access against those without a star scan.
CREATE FUNCTION star_same(query text)
RETURNS TABLE (access text, used text, rows text) LANGUAGE plpgsql AS $$
DECLARE
  sum text := format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text)), '' '', count(*)) FROM (%s) r', query);
  off text;
  "on" text;
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', true);
  EXECUTE sum INTO off;
  PERFORM set_config('ssdpar.enabled', 'on', true);
  FOREACH access IN ARRAY ARRAY['sequential', 'bitmap'] LOOP
    PERFORM set_config('ssdpar.star_access', access, true);
    used := star_of(query);
    EXECUTE sum INTO "on";
    rows := CASE WHEN "on" = off THEN 'same' ELSE 'DIFFERENT' END;
    RETURN NEXT;
  END LOOP;
END $$;

-- one dimension, several; key types: date, int against bigint, text, numeric
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3');
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_shop ON f_shop = s_key WHERE s_region = 2');
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_word ON f_word = w_key WHERE w_kind = 1');
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_num ON f_num = n_key WHERE n_kind = 1');
SELECT * FROM star_same('SELECT f.*, d_week, s_region FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key JOIN star_num ON f_num = n_key WHERE d_week < 20 AND s_region < 3 AND n_kind < 5');
-- compared as another type of the same bytes: -1 is the largest oid
CREATE TABLE star_oid (o_key oid, o_kind int);
INSERT INTO star_oid SELECT (i + 4294967296)::oid, i % 2
  FROM generate_series(-100, -1) i;
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_oid ON f_shop::oid = o_key WHERE o_kind = 0');
-- two columns; a dimension of a dimension; quals of the fact itself
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_word ON f_word = w_key AND f_part = w_part WHERE w_kind = 1');
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_word ON f_word = w_key JOIN star_kind ON w_kind = k_key WHERE k_name = ''kind 3''');
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3 AND f_id > 5000 AND f_pad LIKE ''x%''');
-- nothing matches, keys are all NULL, the dimension is empty
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 1000');
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_word ON f_word = w_key WHERE w_key IS NULL AND w_kind = 1');
-- semi joins
SELECT * FROM star_same('SELECT f.* FROM star_fact f WHERE f_day IN (SELECT d_key FROM star_day WHERE d_week BETWEEN 3 AND 5)');

-- what EXPLAIN says
CREATE FUNCTION star_lines(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || query LOOP
    IF line ~ 'SsdparStarScan|Access|Reducer' THEN
      RETURN NEXT ltrim(line, ' ->');
    END IF;
  END LOOP;
END $$;
SET ssdpar.star_access = bitmap;
SELECT star_lines('SELECT sum(f_id) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key WHERE d_week = 3 AND s_region = 2');
SELECT star_lines('SELECT (SELECT sum(f_id) FROM star_fact f JOIN star_day day ON f_day = d_key WHERE d_week = g) FROM generate_series(1, 2) g');
SET ssdpar.star_access = sequential;
SELECT star_lines('SELECT sum(f_id) FROM star_fact f JOIN star_word ON f_word = w_key AND f_part = w_part JOIN star_kind ON w_kind = k_key WHERE k_name = ''kind 3''');

-- The star scan of EXPLAIN ANALYZE in one object.
CREATE FUNCTION star_run(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, TIMING off) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")');
END $$;
SET ssdpar.star_access = bitmap;
SELECT run->>'Access' AS access, (run->'Actual Rows')::float::int AS rows,
       run->'Lossy Pages' AS lossy,
       (run->'Exact Pages')::int = (run->'Pages Hit')::int +
         (run->'Pages Read')::int AS "all pages",
       r->>'Dimension' AS dimension, r->>'Index' AS index,
       r->'Keys' AS keys, r->>'Key Set' AS kind,
       (r->'Index Rows')::int >= (run->'Actual Rows')::float AS "enough rows"
  FROM star_run('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3') run,
       jsonb_array_elements(run->'Reducers') r;
SET ssdpar.star_access = sequential;
SELECT run->>'Access' AS access, run->'Rows Removed by Keys' AS removed,
       r->'Rows Tested' AS tested, r->'Keys' AS keys
  FROM star_run('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3') run,
       jsonb_array_elements(run->'Reducers') r;

-- What a reducer compares is told without sentences.
SELECT r->>'Dimension' AS dimension, r->>'Reduces' AS reduces,
       r->'Columns' AS columns
  FROM star_run('SELECT sum(f_id) FROM star_fact f JOIN star_word ON f_word = w_key AND f_part = w_part JOIN star_kind ON w_kind = k_key WHERE k_name = ''kind 3''') run,
       jsonb_array_elements(run->'Reducers') r;
SELECT run->'Reduced By' AS reduced_by
  FROM star_run('SELECT sum(f_id) FROM star_fact f JOIN star_word ON f_word = w_key AND f_part = w_part JOIN star_kind ON w_kind = k_key WHERE k_name = ''kind 3''') run;

-- Who was busy, phase by phase: all parts of its time, or where no disk can be seen two; nothing where nothing is timed.
CREATE FUNCTION star_busy(query text, timing text)
RETURNS TABLE (phase text, complete bool, some_time bool) LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (ANALYZE, FORMAT json, TIMING %s) %s', timing, query)
    INTO plan;
  RETURN QUERY SELECT key, array_agg(part ORDER BY part) IN
      ('{Both,Device,Neither,Processor}', '{Processor,Waiting}'),
      min(ms) >= 0 AND sum(ms) > 0
    FROM jsonb_each(jsonb_path_query_first(plan,
           'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")')) n,
      LATERAL (SELECT p.key, p.value::float FROM jsonb_each(n.value) p)
        parts (part, ms)
   WHERE n.key LIKE '% Busy' GROUP BY 1 ORDER BY 1;
END $$;
SET ssdpar.star_access = bitmap;
SELECT * FROM star_busy('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3', 'on');
SELECT * FROM star_busy('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3 LIMIT 1', 'on');
SELECT * FROM star_busy('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3', 'off');
SET ssdpar.star_access = sequential;
SELECT * FROM star_busy('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3', 'on');

-- Keys stored out of line are fetched once each to be hashed and once for the
-- index, three pages at a time, not at every comparison with it.
CREATE TABLE star_toast (t_key text, t_kind int);
ALTER TABLE star_toast ALTER t_key SET STORAGE EXTERNAL;
INSERT INTO star_toast SELECT repeat('k' || i, 1200), i % 2
  FROM generate_series(1, 200) i;
CREATE TABLE star_key (f_key text);
INSERT INTO star_key SELECT repeat('k' || i % 300, 1200)
  FROM generate_series(1, 3000) i;
CREATE INDEX ON star_key (f_key);
ANALYZE star_toast, star_key;
SELECT * FROM star_same('SELECT f.* FROM star_key f JOIN star_toast ON f_key = t_key WHERE t_kind = 1');
SET ssdpar.star_access = bitmap;
CREATE FUNCTION star_pages_read(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json, TIMING off) ' || query INTO plan;
  RETURN (SELECT (n->'Shared Hit Blocks')::int + (n->'Shared Read Blocks')::int
            FROM jsonb_path_query(plan, 'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")') n);
END $$;
SELECT star_pages_read('SELECT count(*) FROM star_key f JOIN star_toast ON f_key = t_key WHERE t_kind = 1') BETWEEN 500 AND 2000 AS "not often";
SET ssdpar.star_access = sequential;

-- Rescans: of a node whose keys stay, and of one whose keys change.
SET enable_material = off;
SET enable_memoize = off;
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3 AND f_id > g * 1000) FROM generate_series(1, 4) g');
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = g) FROM generate_series(1, 4) g');
SELECT * FROM star_same('SELECT g, x.* FROM generate_series(1, 4) g, LATERAL (SELECT f.*, s_region FROM star_fact f JOIN star_shop ON f_shop = s_key WHERE s_region = g OFFSET 0) x');
-- Of some of its dimensions: the others are not read again, nor is what their
-- indexes say; also where a run finds no key, and in a snowflake.
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key JOIN star_num ON f_num = n_key WHERE d_week = g AND s_region = 2 AND n_kind < 3) FROM generate_series(1, 6) g');
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key JOIN star_num ON f_num = n_key WHERE d_week < 20 AND s_region = 2 AND n_kind = g % 4) FROM generate_series(1, 6) g');
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key WHERE d_week = g % 3 * 25 AND s_region < 3) FROM generate_series(1, 7) g');
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_word ON f_word = w_key AND f_part = w_part JOIN star_kind ON w_kind = k_key JOIN star_day ON f_day = d_key WHERE k_key < g * 4 AND d_week < 30) FROM generate_series(1, 4) g');
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_word ON f_word = w_key AND f_part = w_part JOIN star_kind ON w_kind = k_key JOIN star_day ON f_day = d_key WHERE k_name < ''kind 3'' AND w_part = g % 3 AND d_week < 30) FROM generate_series(1, 4) g');
SET work_mem = '64kB';
SELECT * FROM star_same('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key JOIN star_num ON f_num = n_key WHERE d_week = g AND s_region = 2 AND n_kind < 3) FROM generate_series(1, 6) g');
RESET work_mem;
CREATE FUNCTION star_loops(query text) RETURNS TABLE (dimension text, loops int)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, TIMING off) ' || query INTO plan;
  RETURN QUERY SELECT n->>'Relation Name', (n->>'Actual Loops')::float::int
    FROM jsonb_path_query(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan").Plans[*]') n
   ORDER BY 1;
END $$;
SET enable_bitmapscan = off;
SET ssdpar.star_access = sequential;
SELECT * FROM star_loops('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key JOIN star_num ON f_num = n_key WHERE d_week = g AND s_region = 2 AND n_kind < 3) FROM generate_series(1, 6) g');
SET ssdpar.star_access = bitmap;
SELECT * FROM star_loops('SELECT g, (SELECT count(*) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key JOIN star_num ON f_num = n_key WHERE d_week < 20 AND s_region = 2 AND n_kind = g % 4) FROM generate_series(1, 6) g');
RESET enable_bitmapscan;
SET ssdpar.star_access = sequential;
-- A subquery that the fact's scan computes, with a parameter from above (from
-- 18 on it is computed elsewhere, and there is no star scan).
SELECT access, rows FROM star_same('SELECT g, x.* FROM generate_series(1, 4) g, LATERAL (SELECT hit, count(*) FROM (SELECT f_day, f_id IN (SELECT k_key FROM star_kind WHERE k_key < g * 4) AS hit FROM star_fact) f JOIN star_day ON f_day = d_key WHERE d_week < 40 GROUP BY GROUPING SETS ((hit), ())) x');
RESET enable_material;
RESET enable_memoize;

-- An early end, cursors, backward too.
SET ssdpar.star_access = bitmap;
SELECT count(*) FROM (SELECT 1 FROM star_fact f JOIN star_shop ON f_shop = s_key
  WHERE s_region = 2 LIMIT 7) l;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT f_id FROM star_fact f
  JOIN star_day ON f_day = d_key WHERE d_week = 3 ORDER BY f_id;
FETCH 3 FROM c;
FETCH LAST FROM c;
FETCH BACKWARD 2 FROM c;
MOVE FIRST IN c;
FETCH c;
CLOSE c;
DECLARE d NO SCROLL CURSOR FOR SELECT f_id FROM star_fact f
  JOIN star_day ON f_day = d_key WHERE d_week = 3;
FETCH 2 FROM d \g /dev/null
-- left open: the end of the transaction closes it
COMMIT;

-- A holdable cursor outlives its transaction.
BEGIN;
DECLARE h CURSOR WITH HOLD FOR SELECT count(*) FROM star_fact f
  JOIN star_day ON f_day = d_key WHERE d_week = 3;
COMMIT;
FETCH h;
CLOSE h;

-- An error and a cancellation in the middle leave nothing behind.
SELECT sum(1 / (f_id - f_id)) FROM star_fact f JOIN star_day ON f_day = d_key
 WHERE d_week = 3;
CREATE FUNCTION slowly(i int) RETURNS int LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_sleep(0.02); RETURN i; END $$;
\set VERBOSITY terse
BEGIN;
SET LOCAL statement_timeout = '100ms';
SELECT sum(slowly(f_id)) FROM star_fact f JOIN star_shop ON f_shop = s_key
 WHERE s_region = 2;
ROLLBACK;
\set VERBOSITY default
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3');

-- Prepared, with a generic plan.
SET plan_cache_mode = force_generic_plan;
PREPARE by_week(int) AS SELECT count(*) FROM star_fact f
  JOIN star_day ON f_day = d_key WHERE d_week = $1;
EXECUTE by_week(3);
EXECUTE by_week(1000);
EXECUTE by_week(4);
RESET plan_cache_mode;

-- Little memory: lossy pages, Bloom filters.
CREATE TABLE star_wide (w_id bigint PRIMARY KEY, w_even bool);
INSERT INTO star_wide SELECT (i * 7919)::bigint << 20, i % 2 = 0
  FROM generate_series(1, 30000) i;
CREATE TABLE star_long (l_id bigint, l_pad text);
INSERT INTO star_long
  SELECT (i * 7919)::bigint << 20, repeat('x', 200)
    FROM generate_series(1, 60000) i;
CREATE INDEX ON star_long (l_id);
VACUUM ANALYZE star_wide, star_long;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT * FROM star_same('SELECT l.* FROM star_long l JOIN star_wide ON l_id = w_id WHERE w_even');
SELECT * FROM star_same('SELECT f.*, d_week, s_region FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key WHERE d_week < 20 AND s_region < 3');
-- One bitmap is lossy, and the next one, within it, exact: its rows are tested
-- with the keys of the first all the same.
CREATE TABLE star_spread (v_key int, v_flag bool);
INSERT INTO star_spread SELECT i, i % 100 = 0 FROM generate_series(1, 1000) i;
CREATE TABLE star_dense (n_key int, n_part int);
INSERT INTO star_dense SELECT i, i / 2 FROM generate_series(0, 99) i;
CREATE TABLE star_lossy (l_spread int, l_dense int, l_pad text);
INSERT INTO star_lossy
  SELECT (hashint4(i) & 2147483647) % 1000 + 1, i / 3000, repeat('x', 60)
    FROM generate_series(0, 299999) i;
CREATE INDEX ON star_lossy (l_spread);
CREATE INDEX ON star_lossy (l_dense);
VACUUM ANALYZE star_spread, star_dense, star_lossy;
\set lossy 'SELECT l.* FROM star_lossy l JOIN star_spread ON l_spread = v_key JOIN star_dense ON l_dense = n_key WHERE v_flag AND n_part = 45'
SELECT * FROM star_same(:'lossy');
SET ssdpar.star_access = bitmap;
CREATE FUNCTION star_tested(query text, memory text)
RETURNS TABLE (rows int, lossy jsonb, read jsonb, first_tested bool, last_tested bool)
LANGUAGE plpgsql AS $$
DECLARE run jsonb;
BEGIN
  PERFORM set_config('work_mem', memory, true);
  run := star_run(query);
  RETURN QUERY SELECT (run->>'Actual Rows')::float::int, run->'Lossy Pages',
    jsonb_path_query_array(run, '$.Reducers[*]."Index Read"'),
    (run->'Reducers'->0->'Rows Tested')::int > 0,
    (run->'Reducers'->1->'Rows Tested')::int > 0;
END $$;
SELECT memory, t.* FROM unnest('{64kB,16MB}'::text[]) memory,
  star_tested(:'lossy', memory) t;
DROP TABLE star_spread, star_dense, star_lossy;
DROP FUNCTION star_tested;
SET ssdpar.star_access = sequential;
SELECT r->>'Key Set' AS kind
  FROM star_run('SELECT l.* FROM star_long l JOIN star_wide ON l_id = w_id WHERE w_even') run,
       jsonb_array_elements(run->'Reducers') r;
RESET work_mem;
RESET hash_mem_multiplier;

-- Keys in rows as they are stored: older than the column, behind a column that
-- was dropped, with NULLs before and after, behind a text.
CREATE TABLE star_old (o_gone int, o_null int, o_id int);
INSERT INTO star_old SELECT i, nullif(i % 3, 0), i FROM generate_series(1, 3000) i;
ALTER TABLE star_old DROP COLUMN o_gone,
  ADD COLUMN o_day date DEFAULT '2020-01-22', ADD COLUMN o_shop bigint,
  ADD COLUMN o_text text, ADD COLUMN o_last int DEFAULT 7;
INSERT INTO star_old
  SELECT nullif(i % 3, 0), i, '2020-01-01'::date + i % 40, nullif(i % 90, 5),
         nullif(repeat('t', i % 5), ''), i % 70
    FROM generate_series(1, 6000) i;
CREATE INDEX star_old_day ON star_old (o_day);
CREATE INDEX star_old_shop ON star_old (o_shop);
CREATE INDEX star_old_last ON star_old (o_last);
ANALYZE star_old;
SELECT * FROM star_same('SELECT o.* FROM star_old o JOIN star_day ON o_day = d_key WHERE d_week = 3');
SELECT * FROM star_same('SELECT o.* FROM star_old o JOIN star_shop ON o_shop = s_key WHERE s_region = 2 AND o_null IS NULL');
SELECT * FROM star_same('SELECT o.* FROM star_old o JOIN star_shop ON o_last = s_key JOIN star_day ON o_day = d_key WHERE s_region = 2 AND d_week = 3');
DELETE FROM star_old WHERE o_id % 7 = 0;
VACUUM star_old;
UPDATE star_old SET o_text = 'new' WHERE o_id % 11 = 0 AND o_id < 1000;
SELECT * FROM star_same('SELECT o.* FROM star_old o JOIN star_shop ON o_last = s_key JOIN star_day ON o_day = d_key WHERE s_region = 2 AND d_week = 3');
DROP TABLE star_old;

-- Workers, with and without the leader; rescans of a Gather.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week < 20');
SELECT * FROM star_same('SELECT s_region, count(*), sum(f_id) FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key WHERE d_week < 20 AND s_region < 3 GROUP BY 1');
SET parallel_leader_participation = off;
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week < 20');
RESET parallel_leader_participation;
SET enable_material = off;
SET enable_mergejoin = off;
SELECT * FROM star_same('SELECT g, x.* FROM generate_series(1, 3) g LEFT JOIN (SELECT s_region, count(*) AS n FROM star_fact f JOIN star_day ON f_day = d_key JOIN star_shop ON f_shop = s_key WHERE d_week < 20 AND s_region < 3 GROUP BY 1) x ON x.s_region < g');
RESET enable_material;
RESET enable_mergejoin;
SELECT count(*) FROM (SELECT 1 FROM star_fact f JOIN star_day ON f_day = d_key
  WHERE d_week < 20 LIMIT 7) l;

-- Processes that wait for keys or the bitmap help with these.  A slow dimension gives them
-- time to come; whether one draws a range then is up to chance, so try.
CREATE TABLE star_many (m_id int, m_day date, m_shop int, m_pad text);
INSERT INTO star_many
  SELECT i, '2019-12-25'::date + i * 7919 % 380, i * 71 / 13 % 220 - 110, 'x'
    FROM generate_series(1, 200000) i;
CREATE INDEX star_many_day ON star_many (m_day);
CREATE INDEX star_many_shop ON star_many (m_shop);
VACUUM ANALYZE star_many;
CREATE FUNCTION soon(i int) RETURNS int LANGUAGE plpgsql STABLE PARALLEL SAFE LEAKPROOF
  AS $$ BEGIN PERFORM pg_sleep(0.0005); RETURN i; END $$;
SET min_parallel_index_scan_size = 0;
SELECT * FROM star_same('SELECT m.* FROM star_many m JOIN star_day ON m_day = d_key WHERE soon(d_week) < 30');
SELECT * FROM star_same('SELECT m.* FROM star_many m JOIN star_day ON m_day = d_key JOIN star_shop ON m_shop = s_key WHERE soon(d_week) < 30 AND s_region > 0');
SET work_mem = '64kB';
SELECT * FROM star_same('SELECT m.* FROM star_many m JOIN star_day ON m_day = d_key JOIN star_shop ON m_shop = s_key WHERE soon(d_week) < 30 AND s_region > 0');
RESET work_mem;
CREATE FUNCTION star_helped(phase text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL ssdpar.star_access = bitmap;
  FOR try IN 1 .. 30 LOOP
    IF (star_run('SELECT m.* FROM star_many m JOIN star_day ON m_day = d_key WHERE soon(d_week) < 30')
        ->> (phase || ' Processes'))::int > 1 THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END $$;
SELECT star_helped('Bitmap'), star_helped('Key');
-- They collect rows as well, of a dimension whose columns are joined in the scan.
CREATE FUNCTION star_joined_by_all(OUT joined text, OUT helped bool, OUT rows text) LANGUAGE plpgsql AS $$
DECLARE
  query text := 'SELECT m_id, d_week FROM star_many m JOIN star_day ON m_day = d_key WHERE soon(d_week) < 30';
  sums text := format('SELECT count(*) || '' '' || sum(m_id * d_week) FROM (%s) q', query);
  off text;
  "on" text;
  run jsonb;
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', true);
  EXECUTE sums INTO off;
  PERFORM set_config('ssdpar.enabled', 'on', true);
  rows := 'same';
  FOR try IN 1 .. 30 LOOP
    run := star_run(query);
    joined := run->'Reducers'->0->'Joined';
    helped := (run->>'Key Processes')::int > 1;
    EXECUTE sums INTO "on";
    IF "on" <> off THEN
      rows := 'DIFFERENT';
    END IF;
    EXIT WHEN helped AND try >= 3;
  END LOOP;
END $$;
SELECT * FROM star_joined_by_all();
DROP FUNCTION star_joined_by_all;
-- One that has no memory for what it has read: all is read again, and counts once.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar_test CASCADE;
RESET client_min_messages;
LOAD 'ssdpar_test';
CREATE FUNCTION star_read_again() RETURNS TABLE (shared bool, again bool, rows text) LANGUAGE plpgsql AS $$
DECLARE
  found int := (SELECT count(*) FROM star_many m JOIN star_day ON m_day = d_key WHERE d_week < 30);
  leaves int;
  run jsonb;
BEGIN
  SET LOCAL ssdpar.star_access = bitmap;
  run := star_run('SELECT m.* FROM star_many m JOIN star_day ON m_day = d_key WHERE d_week < 30');
  leaves := run->'Reducers'->0->'Leaves';
  shared := false;
  again := false;
  rows := 'each once';
  FOR try IN 1 .. 50 LOOP
    run := star_run('SELECT m.* FROM star_many m JOIN star_day ON m_day = d_key WHERE ssdpar_test.fill_memory(d_week) < 30');
    shared := shared OR (run->>'Processes')::int > 1;
    again := again OR (run->'Reducers'->0->>'Leaves')::int > leaves;
    IF (run->'Reducers'->0->>'Index Rows')::int <> found THEN
      rows := format('%s of %s', run->'Reducers'->0->'Index Rows', found);
    END IF;
    EXIT WHEN again AND try >= 5;
  END LOOP;
  RETURN NEXT;
END $$;
SELECT * FROM star_read_again();
DROP FUNCTION star_read_again;
-- Nor for the rows that are joined, 350 of them: each process reads the dimension for itself.
SET enable_parallel_hash = off;
SELECT * FROM star_same('SELECT m_id, d_week FROM star_many m JOIN star_day ON m_day = d_key WHERE ssdpar_test.fill_memory(d_week) < 50');
RESET enable_parallel_hash;
-- A dimension that grows while its ranges are read, past what is read through a ring of
-- buffers: the ring lives as long as the scan.
CREATE FUNCTION star_grows() RETURNS bool LANGUAGE plpgsql AS $$
DECLARE run jsonb; helped bool := false;
BEGIN
  SET LOCAL ssdpar.star_access = bitmap;
  -- a merge join asks the star scan first, and the dimension again after it
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_nestloop = off;
  SET LOCAL enable_mergejoin = on;
  FOR try IN 1 .. 10 LOOP
    CREATE TABLE star_grown WITH (fillfactor = 10) AS SELECT d_key, d_week, repeat('x', 200) AS d_pad FROM star_day;
    ANALYZE star_grown;
    run := star_run('SELECT m.* FROM star_many m JOIN star_grown ON m_day = d_key WHERE ssdpar_test.grow(d_week, 10, ''star_grown'', 5000) < 30');
    helped := helped OR (run->>'Key Processes')::int > 1;
    DROP TABLE star_grown;
  END LOOP;
  RETURN helped;
END $$;
SELECT star_grows();
DROP FUNCTION star_grows;
RESET min_parallel_index_scan_size;

-- Serializable transactions read by it as well.
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT * FROM star_same('SELECT f.* FROM star_fact f JOIN star_day ON f_day = d_key WHERE d_week = 3');
COMMIT;

DROP TABLE star_day, star_shop, star_word, star_kind, star_num, star_fact,
  star_oid, star_wide, star_long, star_many, star_toast, star_key;
DROP FUNCTION star_of, star_same, star_lines, star_run, star_helped,
  star_pages_read, slowly, soon;
