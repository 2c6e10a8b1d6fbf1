-- A star scan's page filters: rows tested as the page holds them, all of a page
-- at once, by keys and by what the fact's own filter says of integers.  Rows of
-- every kind must come out as without.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;

CREATE TABLE page_dim (k int8 PRIMARY KEY, v int);
INSERT INTO page_dim SELECT i, i % 10 FROM generate_series(-50, 149) i;
CREATE TABLE page_far (k int8 PRIMARY KEY, v int);
INSERT INTO page_far SELECT i * 1000003, i % 10 FROM generate_series(-50, 149) i;
CREATE TABLE page_day (k date PRIMARY KEY, v int);
INSERT INTO page_day SELECT '2020-01-01'::date + i, i % 10
  FROM generate_series(0, 199) i;
CREATE TABLE page_flag (k bool PRIMARY KEY, v int);
INSERT INTO page_flag VALUES (false, 1), (true, 0);
CREATE TABLE page_oid (k oid PRIMARY KEY, v int);
INSERT INTO page_oid SELECT (i + 4294967296)::oid, i % 2
  FROM generate_series(-50, -1) i;
VACUUM ANALYZE page_dim, page_far, page_day, page_flag, page_oid;

-- The rows by each access against those without a star scan; whether the plans
-- had one.
CREATE FUNCTION page_same(query text)
RETURNS TABLE (access text, star bool, rows text) LANGUAGE plpgsql AS $$
DECLARE
  sum text := format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text)), '' '', count(*)) FROM (%s) r', query);
  off text;
  "on" text;
  plan text;
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', true);
  EXECUTE sum INTO off;
  PERFORM set_config('ssdpar.enabled', 'on', true);
  FOREACH access IN ARRAY ARRAY['sequential', 'bitmap'] LOOP
    PERFORM set_config('ssdpar.star_access', access, true);
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    star := plan LIKE '%"SsdparStarScan"%';
    EXECUTE sum INTO "on";
    rows := CASE WHEN "on" = off THEN 'same, ' ELSE 'DIFFERENT, ' END ||
      CASE WHEN off LIKE '% 0' THEN 'none' ELSE 'some' END;
    RETURN NEXT;
  END LOOP;
END $$;
-- The star scan of EXPLAIN ANALYZE.
CREATE FUNCTION page_run(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, TIMING off) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarScan")');
END $$;

-- Columns of all widths, NULL in every way: nowhere, in columns before the key,
-- in the key itself, behind it.
CREATE TABLE page_fact (f_gone text, f_2 int2, f_4 int4, f_8 int8, f_far int8,
  f_day date, f_time timestamp, f_flag bool, f_text text, f_last int4)
  WITH (autovacuum_enabled = off);
INSERT INTO page_fact SELECT 'gone', i % 200, i % 300 - 60, 17 * i % 210,
    (i % 170 - 20) * 1000003::int8, '2019-12-20'::date + i % 230,
    '2020-01-01'::timestamp + i * interval '1 hour', i % 3 = 0, 'text', i
  FROM generate_series(1, 500) i;
ALTER TABLE page_fact DROP COLUMN f_gone;
CREATE TABLE page_rows (LIKE page_fact) WITH (autovacuum_enabled = off);
INSERT INTO page_rows
  SELECT CASE WHEN i % 7 <> 1 THEN i % 200 - 20 END,
    CASE WHEN i % 11 <> 1 THEN i % 300 - 60 END,
    CASE WHEN i % 13 <> 1 THEN 17 * i % 210 - 30 END,
    CASE WHEN i % 17 <> 1 THEN (i % 170 - 20) * 1000003::int8 END,
    CASE WHEN i % 19 = 1 THEN 'infinity' WHEN i % 19 <> 2
      THEN '2019-12-20'::date + i % 230 END,
    CASE WHEN i % 23 = 1 THEN '-infinity' WHEN i % 23 <> 2
      THEN '2020-01-01'::timestamp + i * interval '1 hour' END,
    CASE WHEN i % 29 <> 1 THEN i % 3 = 0 END,
    CASE WHEN i % 4 > 0 THEN repeat('t', i % 9) END,
    CASE WHEN i % 31 <> 1 THEN i % 1000 END
  FROM generate_series(1, 20000) i;
-- rows with no NULL at all, on pages of their own
INSERT INTO page_rows SELECT i % 200, i % 300 - 60, 17 * i % 210 - 30,
    (i % 170 - 20) * 1000003::int8, '2019-12-20'::date + i % 230,
    '2020-01-01'::timestamp + i * interval '1 hour', i % 3 = 0, 'text', i % 1000
  FROM generate_series(1, 20000) i;
INSERT INTO page_rows (f_2, f_4, f_8, f_day, f_time)
  SELECT f_2, i, f_8, '-infinity', 'infinity' FROM generate_series(-5, 5) i,
    unnest('{-32768,32767}'::int2[],
           '{-9223372036854775808,9223372036854775807}'::int8[]) AS e (f_2, f_8);
CREATE INDEX ON page_rows (f_4);
CREATE INDEX ON page_rows (f_8);
CREATE INDEX ON page_rows (f_day);
ANALYZE page_rows;

-- key sets of each kind, keys of each width, alone and together
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_dim ON f_2 = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_dim ON f_8 = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_far ON f_far = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_day ON f_day = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_flag ON f_flag = k WHERE v = 1');
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_oid ON f_4::oid = k WHERE v = 0');
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_dim ON f_last = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.*, b.k FROM page_rows f JOIN page_dim a ON f_2 = a.k JOIN page_dim b ON f_8 = b.k JOIN page_day d ON f_day = d.k WHERE a.v < 5 AND b.v < 5 AND d.v < 7');

-- The fact's own filter, by every operator, constant on either side, across
-- types, at the ends of types, contradictions and what is always true.
CREATE FUNCTION page_filter(filter text) RETURNS text LANGUAGE sql AS $$
  SELECT string_agg(CASE WHEN star THEN '' ELSE 'no star scan, ' END || rows, '; ')
    FROM page_same('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v < 5 AND ' || filter) $$;
SELECT filter, page_filter(filter) FROM unnest(ARRAY[
  'f_2 < 20', 'f_2 <= 20', 'f_2 = 20', 'f_2 >= 20', 'f_2 > 20', 'f_2 <> 20',
  '20 > f_2', '20 >= f_2', '20 = f_2', '20 <= f_2', '20 < f_2',
  'f_2 < 20::int2', 'f_2 < 20::int8', 'f_2 < 5000000000', 'f_2 > 5000000000',
  'f_2 > -5000000000', 'f_8 < 20::int2', 'f_8 = 20::int4', '20::int2 < f_8',
  'f_8 < -9223372036854775808', 'f_8 <= -9223372036854775808',
  'f_8 >= -9223372036854775808', 'f_8 > 9223372036854775807',
  'f_8 >= 9223372036854775807', 'f_8 < 9223372036854775807',
  'f_8 = -9223372036854775808', 'f_8 > 0', 'f_8 <> 9223372036854775807',
  'f_2 >= 32767', 'f_2 <= -32768', 'f_2 > 32767',
  'f_2 BETWEEN 5 AND 15', 'f_2 BETWEEN 15 AND 5', 'f_2 = 5 AND f_2 = 6',
  'f_2 > 5 AND f_8 > 5 AND f_far > 0', 'f_4 < 10', 'f_last < 100',
  'f_4::oid < 10::oid', 'f_4::oid > 10::oid AND f_4 < 10',
  $q$f_day < '2020-02-01'$q$, $q$f_day = 'infinity'$q$,
  $q$f_day > '-infinity'$q$, $q$f_day < '2020-02-01 12:00'::timestamp$q$,
  $q$f_time >= '2020-02-01'$q$, $q$f_time = '-infinity'$q$,
  $q$f_time < '2020-02-01'::date$q$, 'f_flag', 'f_flag = false',
  'f_flag < true', 'f_2 < 1.5', 'f_2 + 1 < 20', 'f_2 < f_4', 'f_2 IS NULL',
  'f_2 < 20 IS NOT TRUE', '(f_2 < 20 OR f_8 < 20)', 'f_text = ''ttt''',
  'f_2 < 20 AND f_text = ''ttt''', 'f_2 IN (1, 2, 3)',
  'f_2 < (SELECT 20)', 'f_2 < (SELECT NULL::int)', 'f.ctid > ''(5,3)''']) filter;
-- No error that the filter alone would not give: it is asked of fewer rows.
SELECT count(*) FROM page_rows f JOIN page_dim ON f_4 = k
 WHERE v < 5 AND f_2 > 0 AND 100 / f_2 > 10;

-- What it drops is counted as the filter's, and the keys are not asked of it.
SET ssdpar.star_access = sequential;
SELECT (run->>'Rows Removed by Filter')::int + (run->>'Rows Removed by Keys')::int
         + (run->>'Actual Rows')::float AS "all rows",
       (run->'Reducers'->0->>'Rows Tested')::int < 20000 AS "few tested"
  FROM page_run('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v < 9 AND f_day < ''2020-01-01''') run;
SELECT (run->>'Rows Removed by Filter')::int + (run->>'Rows Removed by Keys')::int
         + (run->>'Actual Rows')::float AS "all rows",
       (run->'Reducers'->0->>'Rows Tested')::int < 20000 AS "few tested"
  FROM page_run('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v < 9 AND f_2 < 0') run;

-- Parameters: of a generic plan, NULL too, and of PL/pgSQL.
SET plan_cache_mode = force_generic_plan;
PREPARE page_by(int2, int8, date) AS SELECT count(*), sum(f_last)
  FROM page_rows f JOIN page_dim ON f_4 = k
 WHERE v < 5 AND f_8 > $1 AND $2 >= f_2 AND f_day < $3;
SET ssdpar.enabled = off;
EXECUTE page_by(20, 100, '2020-04-01');
SET ssdpar.enabled = on;
DEALLOCATE page_by;
PREPARE page_by(int2, int8, date) AS SELECT count(*), sum(f_last)
  FROM page_rows f JOIN page_dim ON f_4 = k
 WHERE v < 5 AND f_8 > $1 AND $2 >= f_2 AND f_day < $3;
EXECUTE page_by(20, 100, '2020-04-01');
EXECUTE page_by(20, NULL, '2020-04-01');
EXECUTE page_by(20, 100, NULL);
EXECUTE page_by(20, 10000000000, 'infinity');
SELECT (run->'Reducers'->0->>'Rows Tested')::int < 20000 AS "few tested"
  FROM page_run('EXECUTE page_by(-1, 0, ''2020-04-01'')') run;
CREATE FUNCTION page_count(low int, day date) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  r record;
  n bigint;
BEGIN
  SELECT low AS low, day AS day INTO r;
  SELECT count(*) INTO n FROM page_rows f JOIN page_dim ON f_4 = k
   WHERE v < 5 AND f_2 > low AND f_8 > r.low AND f_day < r.day;
  RETURN n;
END $$;
SELECT page_count(20, '2020-04-01'), page_count(NULL, '2020-04-01'),
       page_count(20, NULL), page_count(100, '2020-02-01');
SET ssdpar.enabled = off;
SELECT page_count(20, '2020-04-01'), page_count(100, '2020-02-01');
SET ssdpar.enabled = on;
RESET plan_cache_mode;

-- Rows older than the column, with a default and without; a column dropped
-- before the key; a text before it, stored out of line as well.
SELECT * FROM page_same('SELECT f.* FROM page_fact f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');
ALTER TABLE page_fact ADD COLUMN f_new int8 DEFAULT 13, ADD COLUMN f_none int;
INSERT INTO page_fact SELECT i % 200, i % 300 - 60, i, i, '2020-01-01', NULL,
    NULL, 'new', i, nullif(i % 150, 13), i % 150 FROM generate_series(1, 3000) i;
ANALYZE page_fact;
SELECT * FROM page_same('SELECT f.* FROM page_fact f JOIN page_dim ON f_new = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.* FROM page_fact f JOIN page_dim ON f_none = k WHERE v = 3');
SELECT * FROM page_same('SELECT f.* FROM page_fact f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_new = 13');
SELECT * FROM page_same('SELECT f.* FROM page_fact f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_none > 0');
CREATE TABLE page_old (o_gone int8, o_2 int2, o_4 int4);
INSERT INTO page_old SELECT i, i % 200, i % 300 - 60 FROM generate_series(1, 3000) i;
ALTER TABLE page_old DROP COLUMN o_gone, ADD COLUMN o_8 int8 DEFAULT 13,
  ADD COLUMN o_none int4, ADD COLUMN o_day date DEFAULT '2020-01-04';
INSERT INTO page_old SELECT i % 200, i % 300 - 60, i % 150, nullif(i % 150, 7),
    '2020-01-01'::date + i % 300 FROM generate_series(1, 3000) i;
ANALYZE page_old;
SELECT * FROM page_same('SELECT o.* FROM page_old o JOIN page_dim ON o_4 = k WHERE v = 3 AND o_2 < 90');
SELECT * FROM page_same('SELECT o.* FROM page_old o JOIN page_dim ON o_8 = k WHERE v = 3');
SELECT * FROM page_same('SELECT o.* FROM page_old o JOIN page_dim ON o_none = k WHERE v = 3');
SELECT * FROM page_same('SELECT o.* FROM page_old o JOIN page_day ON o_day = k JOIN page_dim d ON o_4 = d.k WHERE page_day.v = 3 AND d.v < 5 AND o_8 = 13');
SELECT * FROM page_same('SELECT o.* FROM page_old o JOIN page_dim ON o_4 = k WHERE v = 3 AND o_none IS NULL AND o_8 > 0');
CREATE TABLE page_toast (t_text text, t_key int4, t_8 int8);
ALTER TABLE page_toast ALTER t_text SET STORAGE EXTERNAL;
INSERT INTO page_toast SELECT CASE WHEN i % 50 = 0 THEN repeat('t', 5000)
    WHEN i % 3 > 0 THEN repeat('t', i % 200) END, i % 300 - 60, i % 100
  FROM generate_series(1, 3000) i;
ANALYZE page_toast;
SELECT * FROM page_same('SELECT t.* FROM page_toast t JOIN page_dim ON t_key = k WHERE v = 3 AND t_8 < 50');

-- Dead and updated rows, chains of updates on one page, pages that are not all
-- visible, rows of a transaction that has not committed, of one that failed, and
-- of this one.
DELETE FROM page_rows WHERE f_last % 17 = 0;
UPDATE page_rows SET f_text = 'moved' WHERE f_last % 13 = 0;
UPDATE page_rows SET f_last = f_last + 1 WHERE f_last % 19 = 0;
UPDATE page_rows SET f_4 = f_4 + 1 WHERE f_last % 23 = 0;
BEGIN;
UPDATE page_rows SET f_2 = 1 WHERE f_last % 29 = 0;
ROLLBACK;
SELECT * FROM page_same('SELECT f.*, f.ctid FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');
BEGIN;
UPDATE page_rows SET f_2 = f_2 + 1 WHERE f_last % 31 = 0;
DELETE FROM page_rows WHERE f_last % 37 = 0;
SAVEPOINT s;
INSERT INTO page_rows (f_4, f_2) SELECT 13, 5 FROM generate_series(1, 500);
ROLLBACK TO s;
SELECT * FROM page_same('SELECT f.*, f.ctid FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');
COMMIT;
VACUUM page_rows;
SELECT * FROM page_same('SELECT f.*, f.ctid FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');
UPDATE page_rows SET f_last = f_last - 1 WHERE f_4 = 7;
SELECT * FROM page_same('SELECT f.*, f.ctid FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');

-- LIMIT in the midst of a page, order of rows, rescans, cursors.
SET ssdpar.star_access = sequential;
SET synchronize_seqscans = off;
SELECT f_2, f_4, f_8 FROM page_rows f JOIN page_dim ON f_4 = k
 WHERE v = 3 AND f_2 < 90 AND f_8 > 0 LIMIT 5;
SET ssdpar.enabled = off;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET enable_mergejoin = off;
SET enable_nestloop = off;
SELECT f_2, f_4, f_8 FROM page_rows f JOIN page_dim ON f_4 = k
 WHERE v = 3 AND f_2 < 90 AND f_8 > 0 LIMIT 5;
RESET enable_indexscan;
RESET enable_bitmapscan;
RESET enable_mergejoin;
RESET enable_nestloop;
SET ssdpar.enabled = on;
SELECT * FROM page_same('SELECT g, (SELECT count(*) FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < g * 10 AND f_8 > 0) FROM generate_series(1, 5) g');
SELECT * FROM page_same('SELECT g, (SELECT count(*) FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = g AND f_2 < 20) FROM generate_series(1, 5) g');
SELECT * FROM page_same('SELECT g, EXISTS (SELECT FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = g AND f_2 < 20) FROM generate_series(1, 5) g');

-- The tables whose rows may not be told are no different.
CREATE VIEW page_view WITH (security_barrier) AS
  SELECT * FROM page_rows WHERE f_last % 2 = 0;
SELECT * FROM page_same('SELECT f.* FROM page_view f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');

-- Rows read are counted as core counts them, all of them and up to a LIMIT.
CREATE FUNCTION page_read(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint := pg_stat_get_xact_tuples_returned('page_rows'::regclass);
BEGIN
  EXECUTE query;
  RETURN pg_stat_get_xact_tuples_returned('page_rows'::regclass) - before;
END $$;
SELECT page_read('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90')
  = page_read('SELECT f_text FROM page_rows') AS "as many";
SELECT page_read('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90 LIMIT 5') < 400 AS "few";

-- In parallel, and serializable.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');
SET plan_cache_mode = force_generic_plan;
EXECUTE page_by(20, 100, '2020-04-01');
EXECUTE page_by(20, NULL, '2020-04-01');
RESET plan_cache_mode;
SET max_parallel_workers_per_gather = 0;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT * FROM page_same('SELECT f.* FROM page_rows f JOIN page_dim ON f_4 = k WHERE v = 3 AND f_2 < 90');
COMMIT;

DROP VIEW page_view;
DROP TABLE page_dim, page_far, page_day, page_flag, page_oid, page_fact,
  page_rows, page_old, page_toast;
DROP FUNCTION page_same, page_run, page_filter, page_count, page_read;
