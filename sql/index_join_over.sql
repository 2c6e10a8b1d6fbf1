-- An index join that more outer rows come to than were expected: it goes over to
-- reading its inner table once, with the same rows in the same order.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;
SET ssdpar.star_scan = off;

-- statistics from before most rows came: one in a hundred had a kind other than 1
CREATE TABLE ijo_outer (id int, k int, big bigint, word text, num numeric,
                        part int, day date, kind int)
  WITH (autovacuum_enabled = off);
INSERT INTO ijo_outer
  SELECT -i, i, i, 'none', 0, 1, '2020-01-01',
         CASE WHEN i % 100 = 0 THEN 7 ELSE 1 END
    FROM generate_series(1, 1000) i;
CREATE TABLE ijo_inner (id int, k int, word text COLLATE "C", num numeric,
                        part int, day date, gone int, pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO ijo_inner
  SELECT i, nullif(i * 71 % 1500, 77), 'word ' || i % 900,
         (i % 4100) / 4.00, i % 3, '2020-02-01'::date + i % 300, i,
         repeat('x', i % 30)
    FROM generate_series(1, 3000) i;
ALTER TABLE ijo_inner DROP COLUMN gone;
ALTER TABLE ijo_inner ADD COLUMN late int DEFAULT 5;
CREATE INDEX ijo_outer_id ON ijo_outer (id);
CREATE INDEX ijo_outer_kind ON ijo_outer (kind);
CREATE INDEX ijo_inner_id ON ijo_inner (id);
CREATE INDEX ijo_inner_k ON ijo_inner (k, part);
CREATE INDEX ijo_inner_word ON ijo_inner (word DESC);
CREATE INDEX ijo_inner_num ON ijo_inner (num);
CREATE INDEX ijo_inner_day ON ijo_inner (day);
DELETE FROM ijo_inner WHERE id % 97 = 0;
VACUUM ANALYZE ijo_outer, ijo_inner;
INSERT INTO ijo_outer
  SELECT i, CASE WHEN i % 13 > 0 THEN i * 7919 % 1800 END, i * 31 % 3600,
         'word ' || i * 17 % 1100, (i * 13 % 2000) / 4.0, i % 3,
         '2020-01-01'::date + i % 500, 7 + i % 2
    FROM generate_series(1, 6000) i;
-- dead rows, HOT chains, rows that moved
UPDATE ijo_inner SET pad = 'y' WHERE id % 89 = 0;
UPDATE ijo_inner SET k = k + 1 WHERE id % 83 = 0;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
-- a device that is slow at random, and sequentially as fast as can be
SELECT invent_device('CASE pattern WHEN ''random'' THEN 2000 + depth * 1000 ELSE depth * 2e4 END', 128, 5e-6);
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = 0;

-- How many joins of a query go over, once it is executed?
CREATE FUNCTION ijo_gone(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) ' || query INTO plan;
  RETURN coalesce((SELECT string_agg(concat(n->>'Join Type',
      CASE WHEN n->>'Index Cond' ~ ' AND ' THEN ' by two' END,
      CASE WHEN n ? 'Index Only' THEN ' index only' END,
      CASE WHEN (n->>'Gone Over')::int > 0 THEN ' gone over' END,
      CASE WHEN (n->>'Rows Not Fitting')::int > 0 THEN ' does not fit' END),
      ', ') FROM jsonb_path_query(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparIndexJoin")') n),
    'none');
END $$;

-- Its rows, in any order, against those of a server without ssdpar.
CREATE FUNCTION ijo_same(query text) RETURNS TABLE (used text, rows text)
LANGUAGE plpgsql AS $$
DECLARE
  sum text := format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text)), '' '', count(*)) FROM (%s OFFSET 0) r', query);
  off text;
  "on" text;
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', true);
  PERFORM set_config('enable_hashjoin', 'on', true);
  EXECUTE sum INTO off;
  PERFORM set_config('enable_hashjoin', 'off', true);
  PERFORM set_config('ssdpar.enabled', 'on', true);
  used := ijo_gone(query);
  EXECUTE sum INTO "on";
  rows := CASE WHEN "on" = off THEN 'same, ' || split_part(off, ' ', 2)
               ELSE 'DIFFERENT' END;
  RETURN NEXT;
END $$;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET enable_memoize = off;
SET enable_material = off;
SET enable_seqscan = off;

-- join types, keys that are NULL, that come often, that have no partner
SELECT * FROM ijo_same('SELECT o.id, o.word, i.id AS i, i.pad, i.late FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind = 7');
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.* FROM ijo_outer o WHERE kind > 6 AND EXISTS (SELECT FROM ijo_inner i WHERE o.k = i.k AND i.part > 0)');
SELECT * FROM ijo_same('SELECT o.* FROM ijo_outer o WHERE kind > 6 AND NOT EXISTS (SELECT FROM ijo_inner i WHERE o.k = i.k)');
-- filters of both sides, of the pair, of the joined row
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k AND o.part = i.part WHERE o.kind > 6 AND i.pad LIKE ''x%''');
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k AND o.part < i.part AND i.id > 100 WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k AND o.id > 700 WHERE o.kind > 6 AND i.part IS DISTINCT FROM 1');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND NOT EXISTS (SELECT FROM ijo_inner i WHERE o.k = i.k AND i.part = o.part)');
-- other keys: int8 against int4, text in a descending index, numeric, date
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.big = i.id WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.word COLLATE "C" = i.word WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.num = i.num WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.day = i.day WHERE o.kind > 6');
-- several joins, one above the other
SELECT * FROM ijo_same('SELECT o.id, i.id AS i, j.pad FROM ijo_outer o JOIN ijo_inner i ON o.k = i.id LEFT JOIN ijo_inner j ON i.k = j.id WHERE o.kind > 6');

-- what EXPLAIN says
CREATE FUNCTION ijo_lines(query text, options text DEFAULT 'COSTS off')
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (%s) ', options) || query LOOP
    RETURN NEXT line;
  END LOOP;
END $$;
SELECT regexp_replace(regexp_replace(line, '(Depth|Reached|Pages|Merged): \d+', '\1: N', 'g'), '(actual rows=\d+)\.00', '\1') FROM ijo_lines('SELECT o.id, i.pad FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line !~ 'Buffers|Index Searches|I/O|ssdpar';
-- as many rows as were expected: no
SELECT ijo_gone('SELECT o.id FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 0');

-- the order of the outer rows survives
SET enable_sort = off;
SELECT ijo_gone('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6 ORDER BY o.id');
SELECT count(*), bool_and(id >= before) FROM (SELECT o.id, lag(o.id, 1, o.id) OVER () AS before FROM (SELECT o.id FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6 ORDER BY o.id OFFSET 0) o) x;
-- few rows: it does not come to that
SELECT ijo_gone('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6 ORDER BY o.id LIMIT 50');
RESET enable_sort;

-- rescans: it stays gone over
SELECT * FROM ijo_same('SELECT g, (SELECT sum(i.id) FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6 AND o.part <> g) FROM (VALUES (0), (1), (5)) v(g)');
SELECT * FROM ijo_same('SELECT g, l.* FROM (VALUES (0), (1)) v(g), LATERAL (SELECT count(*), sum(i.id) FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k AND i.part = g WHERE o.kind > 6 AND o.part <> g) l');

-- a table that does not fit in memory is looked up on
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT * FROM ijo_same('SELECT o.id, o.word, i.id AS i, i.pad FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
RESET work_mem;
RESET hash_mem_multiplier;
-- rows of this transaction and of this command
BEGIN;
DELETE FROM ijo_inner WHERE id % 5 = 0;
UPDATE ijo_inner SET k = k + 2 WHERE id % 7 = 0;
INSERT INTO ijo_inner SELECT 200000 + i, i, 'new', i, 1, NULL, 'new' FROM generate_series(1, 100) i;
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
SAVEPOINT s;
DELETE FROM ijo_inner;
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
ROLLBACK TO s;
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
ROLLBACK;

-- a cursor sees what it was opened on, however late it reads that
BEGIN;
DECLARE c CURSOR FOR SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6;
FETCH 3 FROM c;
DELETE FROM ijo_inner;
INSERT INTO ijo_inner SELECT i, i, 'new', i, 1, NULL, 'new' FROM generate_series(1, 100) i;
MOVE ALL IN c;
TRUNCATE ijo_inner;
CLOSE c;
ROLLBACK;

-- prepared while the table was full, executed when it is empty
PREPARE p AS SELECT count(*), count(i.id), sum(i.id) FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6;
EXECUTE p;
BEGIN;
DELETE FROM ijo_inner;
EXECUTE p;
TRUNCATE ijo_inner;
EXECUTE p;
ROLLBACK;
EXECUTE p;
SET default_transaction_isolation = serializable;
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
BEGIN;
SELECT count(*) FROM (SELECT i.id FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6 OFFSET 0) x;
SELECT DISTINCT locktype FROM pg_locks WHERE mode = 'SIReadLock' AND relation = 'ijo_inner'::regclass;
ROLLBACK;
RESET default_transaction_isolation;

-- a statement that runs out of time, or fails, leaves nothing behind
CREATE FUNCTION ijo_slow(int) RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN PERFORM pg_sleep(0.01); RETURN $1; END';
BEGIN;
SET LOCAL statement_timeout = '300ms';
SELECT sum(ijo_slow(i.id)) FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6;
ROLLBACK;
SELECT sum(1 / (o.id - 5999)) FROM ijo_outer o JOIN ijo_inner i ON o.big = i.id WHERE o.kind > 6;

-- in parallel each process goes over by itself
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT rows FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o LEFT JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
SELECT rows FROM ijo_same('SELECT count(*), sum(i.id) FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
SELECT rows FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND NOT EXISTS (SELECT FROM ijo_inner i WHERE o.k = i.k AND i.part = o.part)');
SET max_parallel_workers_per_gather = 0;

-- not where a condition may raise an error: the order of partners matters to it
CREATE FUNCTION ijo_inverse(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 10 / $1; END';
SELECT * FROM ijo_same('SELECT o.id, i.id AS i FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE ijo_inverse(i.part) > 0 AND i.part <> 0 AND o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE o.kind > 6 AND EXISTS (SELECT FROM ijo_inner i WHERE o.k = i.k AND 7 / (i.id - 97) < 5)');


-- by several columns, each of which is compared; and in the index alone, which
-- rows come from the table instead of
CREATE TABLE ijo_two (a int, b numeric, c text COLLATE "C", d int)
  WITH (autovacuum_enabled = off);
INSERT INTO ijo_two
  SELECT k, CASE WHEN id % 11 > 0 THEN num * 1.00 END, word, id
    FROM ijo_outer WHERE id > 0 AND id % 3 = 0;
INSERT INTO ijo_two
  SELECT k, num + 1, word, -id FROM ijo_outer WHERE id > 0 AND id % 4 = 0;
INSERT INTO ijo_two
  SELECT k + 1, num, word, -id FROM ijo_outer WHERE id > 0 AND id % 5 = 0;
CREATE INDEX ijo_two_ab ON ijo_two (a, b);
CREATE INDEX ijo_two_ca ON ijo_two (c DESC, a) INCLUDE (d);
VACUUM ANALYZE ijo_two;
-- the planner is told that the table is looked at for each row all the same
UPDATE pg_class SET relallvisible = 0 WHERE oid = 'ijo_two'::regclass;
SELECT * FROM ijo_same('SELECT o.id, t.d FROM ijo_outer o JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.* FROM ijo_outer o LEFT JOIN ijo_two t ON o.num = t.b AND o.k = t.a AND t.d > o.part WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.d FROM ijo_outer o JOIN ijo_two t ON o.big = t.a AND o.num = t.b WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.b FROM ijo_outer o JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.a FROM ijo_outer o LEFT JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.d FROM ijo_outer o JOIN ijo_two t ON o.word COLLATE "C" = t.c AND o.k = t.a WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.a, t.d FROM ijo_outer o LEFT JOIN ijo_two t ON o.word COLLATE "C" = t.c AND o.part < t.d WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.b FROM ijo_outer o JOIN ijo_two t ON o.k = t.a AND o.num <> t.b WHERE o.kind > 6');
-- no column of the inner table is read
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND EXISTS (SELECT FROM ijo_two t WHERE o.k = t.a AND o.num = t.b)');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND NOT EXISTS (SELECT FROM ijo_two t WHERE o.k = t.a AND o.num = t.b)');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND EXISTS (SELECT FROM ijo_two t WHERE o.k = t.a)');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND NOT EXISTS (SELECT FROM ijo_two t WHERE o.k = t.a AND t.b > o.part)');
SELECT * FROM ijo_same('SELECT g, (SELECT sum(t.b) FROM ijo_outer o JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6 AND o.id <> g) FROM (VALUES (0), (1), (5)) v(g)');
-- the hash has no place for a constant or a parameter
SELECT * FROM ijo_same('SELECT o.id, t.d FROM ijo_outer o JOIN ijo_two t ON o.k = t.a AND t.b = 12.5 WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id, t.a FROM ijo_outer o LEFT JOIN ijo_two t ON o.k = t.a AND t.b = 12.5 WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND EXISTS (SELECT FROM ijo_two t WHERE o.word COLLATE "C" = t.c AND t.a = 357)');
SELECT * FROM ijo_same('SELECT g, (SELECT sum(o.id + t.d) FROM ijo_outer o LEFT JOIN ijo_two t ON o.k = t.a AND t.b = g WHERE o.kind > 6) FROM (VALUES (12.5), (100), (499.0)) v(g)');
-- pages that the visibility map no longer vouches for
UPDATE ijo_two SET b = b + 1 WHERE d % 7 = 0;
DELETE FROM ijo_two WHERE d % 10 = 0;
SELECT * FROM ijo_same('SELECT o.id, t.b FROM ijo_outer o LEFT JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6');
SELECT * FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND EXISTS (SELECT FROM ijo_two t WHERE o.k = t.a AND o.num = t.b)');
SELECT regexp_replace(regexp_replace(line, '(Depth|Reached|Pages|Merged): \d+', '\1: N', 'g'), '(actual rows=\d+)\.00', '\1') FROM ijo_lines('SELECT o.id, t.b FROM ijo_outer o JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line !~ 'Buffers|Index Searches|I/O|ssdpar';
SET max_parallel_workers_per_gather = 2;
SELECT rows FROM ijo_same('SELECT o.id, t.b FROM ijo_outer o LEFT JOIN ijo_two t ON o.k = t.a AND o.num = t.b WHERE o.kind > 6');
SELECT rows FROM ijo_same('SELECT o.id FROM ijo_outer o WHERE kind > 6 AND EXISTS (SELECT FROM ijo_two t WHERE o.k = t.a AND o.num = t.b)');
SET max_parallel_workers_per_gather = 0;

-- more rows than the planner was told, which do not fit in memory: they are
-- looked up on
DELETE FROM ijo_inner WHERE id % 30 > 0;
VACUUM ANALYZE ijo_inner;
INSERT INTO ijo_inner SELECT i, i % 1800, 'many', 1, i % 3, NULL, 'many' FROM generate_series(1, 9000) i;
SET work_mem = '128kB';
SELECT * FROM ijo_same('SELECT o.id, i.id AS i, i.pad FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6');
SELECT regexp_replace(line, '\d+', 'N') AS line FROM ijo_lines('SELECT o.id, i.pad FROM ijo_outer o JOIN ijo_inner i ON o.k = i.k WHERE o.kind > 6', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line ~ 'Gone Over';
RESET work_mem;

SELECT ssdpar.forget_profile('pg_default');
DEALLOCATE p;
DROP FUNCTION ijo_lines, ijo_same, ijo_gone, ijo_slow, ijo_inverse, invent_device;
DROP TABLE ijo_outer, ijo_inner, ijo_two;
