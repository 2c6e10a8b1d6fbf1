-- Prefetching: same rows by every method, statistics, permissions.  There is
-- no daemon here; what one does is tested in t/008_prefetch.pl.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar_test CASCADE;
RESET client_min_messages;
LOAD 'ssdpar';
-- others write to the device meanwhile
SET ssdpar.write_protection = -1;
SET ssdpar.daemon_socket = 'elsewhere';
SET ssdpar.prefetch = 'always';
SET ssdpar.io_concurrency = 1025;
-- servers word the range differently
\set VERBOSITY sqlstate
SET ssdpar.prefetch_window = '512kB';
SET ssdpar.prefetch_io_size = '2MB';
\set VERBOSITY default
-- the test server has a small table to show it on
CREATE TABLE prefetched (id int, word text, k int);
INSERT INTO prefetched SELECT i / 2, repeat(md5(i::text), 10), i % 2 + 1
  FROM generate_series(1, 48000) i;
CREATE TABLE one AS SELECT i AS k, i AS v FROM generate_series(1, 10) i;
VACUUM ANALYZE prefetched, one;
-- read by a star scan, whose sequential scans are announced
CREATE VIEW scanned AS SELECT id, word FROM prefetched JOIN one USING (k) WHERE v = 1;
SET ssdpar.star_access = sequential;
SELECT pg_relation_size('prefetched') > 8 * 1024 * 1024 AS "large enough";
SET ssdpar.prefetch_min_size = 0;
SET ssdpar.prefetch_window = '2MB';
-- filter, no filter, rescans, an early end, a sample, a subquery
CREATE FUNCTION ask(method text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answer text := '';
  number bigint;
BEGIN
  PERFORM set_config('ssdpar.prefetch', method, true);
  SELECT sum(id) INTO number FROM scanned WHERE id % 3 = 0;
  answer := answer || number;
  SELECT sum(id) INTO number FROM scanned;
  answer := answer || ' ' || number;
  SELECT count(*) INTO number FROM scanned WHERE word = 'no such word';
  answer := answer || ' ' || number;
  SELECT count(*) INTO number
    FROM generate_series(1, 3) g
   CROSS JOIN LATERAL (SELECT * FROM scanned WHERE id > g OFFSET 0) p;
  answer := answer || ' ' || number;
  SELECT max(id) INTO number
    FROM (SELECT id FROM scanned WHERE id > 12000 LIMIT 5) p;
  answer := answer || ' ' || number;
  SELECT count(*) INTO number FROM scanned a
   WHERE a.id <= 20 AND a.id IN (SELECT b.id FROM scanned b WHERE b.id = a.id);
  RETURN answer || ' ' || number;
END $$;
SELECT method, ask(method)
  FROM unnest('{off,local,daemon,auto}'::text[]) method;
-- a cursor, both ways
SET ssdpar.prefetch = daemon;
BEGIN;
DECLARE rows SCROLL CURSOR FOR SELECT id FROM scanned;
MOVE 12000 IN rows;
FETCH 2 FROM rows;
MOVE BACKWARD 10000 IN rows;
FETCH BACKWARD 2 FROM rows;
MOVE FORWARD ALL IN rows;
FETCH BACKWARD 2 FROM rows;
CLOSE rows;
-- errors in the middle of a scan
SAVEPOINT before;
SELECT 1 / (id - 5000) FROM scanned WHERE id > 4999;
ROLLBACK TO before;
SELECT count(*) FROM scanned;
COMMIT;
-- a cursor goes on after an error
BEGIN;
DECLARE rows CURSOR FOR SELECT id FROM scanned WHERE id % 2 = 0;
MOVE 3000 IN rows;
SAVEPOINT before;
SELECT 1 / (id - 5000) FROM scanned WHERE id > 4999;
ROLLBACK TO before;
MOVE 4000 IN rows;
FETCH 1 FROM rows;
COMMIT;
-- held beyond its transaction
BEGIN;
DECLARE rows CURSOR WITH HOLD FOR SELECT id FROM scanned;
FETCH 1 FROM rows;
COMMIT;
MOVE 20000 IN rows;
FETCH 1 FROM rows;
CLOSE rows;
-- instrumented, with and without a filter, and compiled where the server can
SET jit_above_cost = 0;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, BUFFERS off)
  SELECT id FROM scanned WHERE id % 3 = 0 \g /dev/null
SELECT sum(id) FROM scanned WHERE id % 3 = 0;
SELECT count(*) FROM (SELECT id FROM scanned) p;
RESET jit_above_cost;
-- other timers still fire
BEGIN;
SET LOCAL statement_timeout = '300ms';
SELECT count(*) FROM scanned a, scanned b WHERE a.id < b.id + 0 * a.id;
ROLLBACK;
SELECT count(*) FROM scanned;
-- off is off: nothing is counted
SELECT ssdpar.stat_reset();
SET ssdpar.prefetch = off;
SELECT count(*) FROM scanned;
SET ssdpar.prefetch = daemon;
SET ssdpar.enabled = off;
SELECT count(*) FROM scanned;
RESET ssdpar.enabled;
SELECT requests, served, cached, stale, dropped, wasted, bytes, fallbacks,
       local_blocks, scope
  FROM ssdpar.pg_stat_ssdpar WHERE datname = current_database();
-- without a daemon each range is a fallback; what is in shared buffers is not
-- announced, and a table is not there when it has been written anew
VACUUM FULL prefetched;
SELECT count(md5(repeat(word, 5))) AS count FROM scanned;
SELECT requests, served, bytes, fallbacks > 0 AS fallbacks
  FROM ssdpar.pg_stat_ssdpar WHERE datname = current_database();
-- the total is another row
SELECT count(*), count(datid) FROM ssdpar.pg_stat_ssdpar;
-- EXPLAIN, in all formats
CREATE FUNCTION explain_lines(format text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (ANALYZE, COSTS off, TIMING off, '
                             'SUMMARY off, FORMAT %s) '
                             'SELECT count(md5(repeat(word, 5))) FROM scanned', format)
  LOOP
    RETURN QUERY SELECT regexp_replace(part, '\d+', 'N', 'g')
      FROM regexp_split_to_table(line, E'\n') part
     WHERE part ~ 'refetch: |Method|Requests|Fallbacks|Pending|ssdpar';
  END LOOP;
END $$;
VACUUM FULL prefetched;
SELECT explain_lines('text');
VACUUM FULL prefetched;
SELECT explain_lines('json');
VACUUM FULL prefetched;
SELECT explain_lines('yaml');
VACUUM FULL prefetched;
SELECT explain_lines('xml');
SET ssdpar.prefetch = off;
SELECT explain_lines('text');
RESET ssdpar.prefetch;
-- no daemon
SELECT pid, depth, problem LIKE 'could not connect to %' AS problem
  FROM ssdpar.daemon_status();
-- page lists
SELECT method, ssdpar_test.read_pages('prefetched', 500, 1, 16, method)
  FROM unnest('{none,local,daemon}'::text[]) method;
SELECT ssdpar_test.read_pages('prefetched', 0, 1, 0, 'local');
SELECT ssdpar_test.read_pages('prefetched', 10, 1, 1, 'magic');
SELECT ssdpar_test.read_pages('prefetched', 10, 1, 1025, 'local');
CREATE VIEW not_a_table AS SELECT 1;
SELECT ssdpar_test.read_pages('not_a_table', 10, 1, 1, 'local');
CREATE TEMP TABLE temporary (id int);
SELECT ssdpar_test.read_pages('temporary', 10, 1, 1, 'local');
-- permissions
CREATE ROLE regress_ssdpar_reader;
SET ROLE regress_ssdpar_reader;
SELECT count(*) AS "own database", count(*) FILTER (WHERE datname IS DISTINCT FROM current_database()) AS others
  FROM ssdpar.pg_stat_ssdpar;
SELECT ssdpar.stat_reset();
SELECT count(*) FROM ssdpar.daemon_status();
RESET ROLE;
GRANT pg_read_all_stats TO regress_ssdpar_reader;
SET ROLE regress_ssdpar_reader;
SELECT count(*) FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL;
RESET ROLE;
DROP ROLE regress_ssdpar_reader;
DROP VIEW scanned;
DROP TABLE prefetched, one;
DROP FUNCTION ask, explain_lines;
DROP VIEW not_a_table;
