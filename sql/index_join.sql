-- The index join: nested loops whose outer rows are looked up in batches.  Every
-- row that core's joins give, in their order, none twice; what is left to core.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
-- EXPLAIN ANALYZE tells when reads have yielded to another session's writes.
SET ssdpar.write_protection = -1;
SET max_parallel_workers_per_gather = 0;
SET ssdpar.star_scan = off;

CREATE TABLE ij_outer (id int, k int, big bigint, word text, num numeric,
                       part int, day date);
INSERT INTO ij_outer
  SELECT i, CASE WHEN i % 13 > 0 THEN i * 7919 % 12000 END, i * 31 % 12000,
         'word ' || i * 17 % 700, (i * 13 % 4000) / 4.0, i % 3,
         '2020-01-01'::date + i % 500
    FROM generate_series(1, 3000) i;
CREATE TABLE ij_inner (id int, k int, word text COLLATE "C", num numeric,
                       part int, day date, pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO ij_inner
  SELECT i, nullif(i * 71 % 10000, 77), 'word ' || i % 900,
         (i % 4100) / 4.00, i % 3, '2020-02-01'::date + i % 300,
         repeat('x', i % 300)
    FROM generate_series(1, 20000) i;
CREATE INDEX ij_inner_id ON ij_inner (id);
CREATE INDEX ij_inner_k ON ij_inner (k, part);
CREATE INDEX ij_inner_word ON ij_inner (word DESC);
CREATE INDEX ij_inner_num ON ij_inner (num);
CREATE INDEX ij_inner_day ON ij_inner (day);
-- dead rows, HOT chains, rows that moved
DELETE FROM ij_inner WHERE id % 97 = 0;
VACUUM ANALYZE ij_outer, ij_inner;
UPDATE ij_inner SET pad = 'y' WHERE id % 89 = 0;
UPDATE ij_inner SET k = k + 1 WHERE id % 83 = 0;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
-- a device that is a thousand times as fast with many requests
SELECT invent_device('CASE depth WHEN 1 THEN 100 ELSE depth * 1e4 END', 128, 5e-6);
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = 0;

-- How many index joins does a plan have?
CREATE FUNCTION ij_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN coalesce((SELECT string_agg(n->>'Join Type', ', ') FROM
    jsonb_path_query(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparIndexJoin")') n),
    'none');
END $$;

-- Its rows, in any order, against those of a server without ssdpar.
CREATE FUNCTION ij_same(query text) RETURNS TABLE (used text, rows text)
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
  used := ij_of(query);
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

-- join types, keys that are NULL, keys that come often, keys without partner
SELECT * FROM ij_same('SELECT o.id, o.word, i.id AS i, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
-- who asks for subqueries gets no index join instead
SET ssdpar.subqueries = 2;
SELECT * FROM ij_same('SELECT o.id, o.word, i.id AS i, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
RESET ssdpar.subqueries;
-- who does not gets it: one process at depth reads what many would
SET max_parallel_workers_per_gather = 2;
SELECT * FROM ij_same('SELECT o.part, count(*), sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k GROUP BY o.part');
SET max_parallel_workers_per_gather = 0;
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k');
SELECT * FROM ij_same('SELECT o.* FROM ij_outer o WHERE EXISTS (SELECT FROM ij_inner i WHERE o.k = i.k AND i.part > 0)');
SELECT * FROM ij_same('SELECT o.* FROM ij_outer o WHERE NOT EXISTS (SELECT FROM ij_inner i WHERE o.k = i.k)');
-- filters of both sides, of the pair, of the joined row
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND o.part = i.part WHERE o.id < 2000 AND i.pad LIKE ''x%''');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k AND o.part < i.part AND i.id % 2 = 0');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k AND o.id % 7 = 0 WHERE i.part IS DISTINCT FROM 1');
SELECT * FROM ij_same('SELECT o.id FROM ij_outer o WHERE NOT EXISTS (SELECT FROM ij_inner i WHERE o.k = i.k AND i.part = o.part)');
-- other keys: int8 against int4, text in a descending index, numeric, date
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.big = i.id');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.word COLLATE "C" = i.word');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.num = i.num');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.day = i.day WHERE o.id < 400');
-- what is left to core says why
CREATE FUNCTION ij_why_not(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN plan->1->>'ssdpar Index Join Not Used';
END $$;
SELECT name, ij_why_not(query) FROM (VALUES
  ('none needed', 'SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.k = i.k'),
  ('no index', 'SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.id % 100 = i.part'),
  ('locked', 'SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.k = i.k FOR UPDATE OF o'),
  ('changed', 'UPDATE ij_outer o SET word = i.pad FROM ij_inner i WHERE o.k = i.k'),
  ('volatile', 'SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND i.part + random() > o.part'),
  ('whole row', 'SELECT o.id, i FROM ij_outer o JOIN ij_inner i ON o.k = i.k'),
  ('may fail', 'SELECT o.id, i.id FROM (SELECT * FROM ij_outer WHERE 1 / id > 0) o JOIN ij_inner i ON o.k = i.k')
) q (name, query);
SET ssdpar.subqueries = 2;
SELECT ij_why_not('SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
RESET ssdpar.subqueries;
SET ssdpar.index_join = off;
SELECT ij_why_not('SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.k = i.k FOR UPDATE OF o');
RESET ssdpar.index_join;
DROP FUNCTION ij_why_not;
-- several joins, one above the other
SELECT * FROM ij_same('SELECT o.id, i.id AS i, j.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.id JOIN ij_inner j ON i.k = j.id');
SELECT * FROM ij_same('SELECT o.id, i.id AS i, j.pad FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.id LEFT JOIN ij_inner j ON i.k = j.id');
SELECT * FROM ij_same('SELECT o.part, count(*), sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k GROUP BY o.part');

SELECT * FROM ij_same('SELECT i.id, o.id AS o, sum(i.part) OVER (PARTITION BY i.part, o.part) FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SELECT * FROM ij_same('SELECT i.part + o.part AS s, max(i.id || o.word) FROM ij_outer o JOIN ij_inner i ON o.k = i.k GROUP BY i.part + o.part');

-- an index searched by several columns: of several types and orders, NULLs in
-- each, constants and parameters among them, keys that fill many leaves
CREATE INDEX ij_inner_two ON ij_inner (part DESC NULLS LAST, k);
CREATE INDEX ij_inner_three ON ij_inner (word, num DESC, part);
CREATE FUNCTION ij_cond(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  -- a part's result has had another name up to 16, and has one more since 19
  RETURN QUERY SELECT (n->>'Index') || ': ' ||
    regexp_replace(n->>'Index Cond', '\(InitPlan (1|expr_1)\).col1', '$0') ||
    coalesce('; ' || (n->>'Join Filter'), '') FROM
    jsonb_path_query(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparIndexJoin")') n;
END $$;
SELECT ij_cond(q), s.* FROM (VALUES
  ('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND o.part = i.part'),
  ('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.big = i.k AND i.part = o.part AND i.id > o.id'),
  ('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND i.part = 1'),
  ('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k AND 2::bigint = i.part AND i.pad <> ''y'''),
  ('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.word COLLATE "C" = i.word AND o.num = i.num'),
  ('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.word COLLATE "C" = i.word AND i.num = o.num AND i.part = 2'),
  ('SELECT o.id FROM ij_outer o WHERE NOT EXISTS (SELECT FROM ij_inner i WHERE o.k = i.k AND o.id % 3 = i.part AND o.part = i.part)')
  ) v (q), LATERAL ij_same(q) s;
DROP INDEX ij_inner_three;
CREATE TABLE ij_pairs AS
  SELECT i / 4000 AS a, i % 4000 / 300 AS b, i AS c, i % 2 AS d
    FROM generate_series(0, 19999) i;
INSERT INTO ij_pairs
  SELECT NULL, b, c, d FROM ij_pairs WHERE c < 500
   UNION ALL SELECT a, NULL, c, d FROM ij_pairs WHERE c < 500;
CREATE INDEX ON ij_pairs (a, b DESC, d)
  WITH (deduplicate_items = off, fillfactor = 20);
VACUUM ANALYZE ij_pairs;
SELECT ij_cond(q), s.* FROM (VALUES
  ('SELECT o.id, i.c FROM ij_outer o JOIN ij_pairs i ON o.part = i.a AND o.id = i.b'),
  ('SELECT o.id, i.c FROM ij_outer o JOIN ij_pairs i ON o.part = i.a AND o.id = i.b AND i.d = 1'),
  ('SELECT o.id, i.c FROM ij_outer o LEFT JOIN ij_pairs i ON o.id = i.b AND i.a = 3 WHERE o.id < 30')
  ) v (q), LATERAL ij_same(q) s;
-- parameters: of a statement, of the query around, of a part of it; NULL
PREPARE two (int) AS SELECT count(*), sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND i.part = $1;
SET plan_cache_mode = force_generic_plan;
SELECT ij_cond('EXECUTE two (1)');
EXECUTE two (1);
EXECUTE two (NULL);
SET ssdpar.enabled = off;
EXECUTE two (1);
RESET ssdpar.enabled;
RESET plan_cache_mode;
DEALLOCATE two;
SELECT ij_cond(q), s.* FROM (VALUES
  ('SELECT g, (SELECT sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND i.part = g) FROM (VALUES (0), (1), (NULL), (3), (1)) v(g)'),
  ('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND i.part = (SELECT max(part) - 1 FROM ij_outer)')
  ) v (q), LATERAL ij_same(q) s;
DROP INDEX ij_inner_two;
DROP TABLE ij_pairs;
DROP FUNCTION ij_cond;

-- what EXPLAIN says
CREATE FUNCTION ij_lines(query text, options text DEFAULT 'COSTS off')
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (%s) ', options) || query LOOP
    RETURN NEXT replace(line, 'SubPlan expr_1', 'SubPlan 1');
  END LOOP;
END $$;
SELECT ij_lines('SELECT o.id, i.pad FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k AND o.part = i.part AND i.id > 5 WHERE coalesce(i.part, 0) <> o.part + 1');
SELECT ij_lines('SELECT o.id, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND o.part < i.part WHERE i.id > 5');
SELECT regexp_replace(regexp_replace(line, '(Depth|Reached|Waits|Pages|Merged): \d+', '\1: N', 'g'), '(actual rows=\d+)\.00', '\1') FROM ij_lines('SELECT o.id, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line !~ 'Buffers|Index Searches|I/O';

-- one row at first where a LIMIT wants few, be it a level above
SELECT line FROM ij_lines('SELECT * FROM (SELECT o.id, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k OFFSET 0) s CROSS JOIN (VALUES (1), (2)) v(n) LIMIT 2', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line ~ 'Batches';
-- all at once where what is below the LIMIT takes all rows, but not of a constant
SELECT line FROM ij_lines('SELECT o.part, count(*) FROM ij_outer o JOIN ij_inner i ON o.k = i.k GROUP BY o.part ORDER BY 2 LIMIT 2', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line ~ 'Keys';
SELECT line FROM ij_lines('SELECT * FROM (SELECT 7 AS c, o.id, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k ORDER BY c OFFSET 0) s CROSS JOIN (VALUES (1), (2)) v(n) LIMIT 2', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line ~ 'Keys';
SELECT line FROM ij_lines('SELECT o.id, i.pad FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k AND i.part > o.part WHERE coalesce(i.id, 1) % 2 = 1', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line ~ 'Removed';

-- the order of the outer rows survives
SELECT ij_of('SELECT o.id, i.id AS i FROM (SELECT * FROM ij_outer ORDER BY id LIMIT 1000) o JOIN ij_inner i ON o.k = i.k ORDER BY o.id');
CREATE INDEX ij_outer_id ON ij_outer (id);
SET enable_seqscan = off;
SET enable_sort = off;
SELECT ij_lines('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k ORDER BY o.id');
SELECT count(*), bool_and(id >= before) FROM (SELECT o.id, lag(o.id, 1, 0) OVER () AS before FROM (SELECT o.id FROM ij_outer o JOIN ij_inner i ON o.k = i.k ORDER BY o.id OFFSET 0) o) x;
-- a few rows: no more is read than they need
SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.k = i.id ORDER BY o.id LIMIT 5;
RESET enable_seqscan;
RESET enable_sort;

-- rescans with parameters of the query around
SELECT ij_lines('SELECT g, (SELECT sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k WHERE o.part = g) FROM (VALUES (0), (1), (2), (3)) v(g)');
SELECT * FROM ij_same('SELECT g, (SELECT sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k WHERE o.part = g) FROM (VALUES (0), (1), (2), (3)) v(g)');
SELECT * FROM ij_same('SELECT g, l.* FROM generate_series(0, 3) g, LATERAL (SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k AND i.part = g WHERE o.part = g ORDER BY 1, 2 LIMIT 20 + g) l');
SELECT * FROM ij_same('SELECT g, EXISTS (SELECT FROM ij_outer o JOIN ij_inner i ON o.k = i.k WHERE o.id > 2900 + g * 20) FROM generate_series(0, 6) g');

-- memory for few rows at a time, and more partners of one row than fit
SET work_mem = '64kB';
SELECT * FROM ij_same('SELECT o.id, o.word, i.id AS i, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.day = i.day WHERE o.id < 400');
INSERT INTO ij_inner SELECT 100000 + i, 3595, 'many', 1, i % 3, NULL, repeat('z', 200) FROM generate_series(1, 3000) i;
SELECT * FROM ij_same('SELECT o.id, i.id AS i, i.pad FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SELECT * FROM ij_same('SELECT o.id FROM ij_outer o WHERE NOT EXISTS (SELECT FROM ij_inner i WHERE o.k = i.k AND i.part = 5)');
RESET work_mem;
-- wide rows: as wide as the table's are, wider than these, in the index
CREATE TABLE ij_wide AS SELECT i AS k, repeat('w', 1500) AS pad FROM generate_series(1, 3000) i;
CREATE TABLE ij_uneven AS SELECT i AS k, repeat('w', CASE WHEN i <= 3000 THEN 1500 ELSE 9 END) AS pad
  FROM generate_series(1, 60000) i;
CREATE TABLE ij_index AS TABLE ij_wide;
ALTER TABLE ij_index ALTER pad SET STORAGE PLAIN; -- of an index: not compressed
CREATE INDEX ON ij_wide (k);
CREATE INDEX ON ij_uneven (k);
CREATE INDEX ON ij_index (k) INCLUDE (pad);
VACUUM ANALYZE ij_wide, ij_uneven, ij_index;
CREATE FUNCTION ij_memory(query text) RETURNS TABLE (used text, megabytes bigint)
LANGUAGE plpgsql AS $$
DECLARE
  c refcursor;
BEGIN
  used := ij_of(query);
  OPEN c FOR EXECUTE query;
  MOVE c;
  megabytes := (SELECT sum(total_bytes) / 1024 / 1024 FROM pg_backend_memory_contexts
                 WHERE name LIKE 'SsdparIndexJoin%');
  CLOSE c;
  RETURN NEXT;
END $$;
SET work_mem = '1MB';
SET hash_mem_multiplier = 2;
SET cursor_tuple_fraction = 1;
SELECT inner_rows, used, CASE WHEN megabytes > 2 THEN megabytes || ' MB' ELSE 'as allowed' END
  FROM (VALUES ('ij_wide'), ('ij_uneven'), ('ij_index')) v (inner_rows),
  LATERAL ij_memory(format('SELECT o.id, i.pad FROM ij_outer o JOIN %s i ON o.id = i.k', inner_rows));
SELECT inner_rows, s.* FROM (VALUES ('ij_wide'), ('ij_uneven'), ('ij_index')) v (inner_rows),
  LATERAL ij_same(format('SELECT o.id, i.pad FROM ij_outer o JOIN %s i ON o.id = i.k', inner_rows)) s;
RESET work_mem;
RESET hash_mem_multiplier;
RESET cursor_tuple_fraction;
DROP FUNCTION ij_memory;
DROP TABLE ij_wide, ij_uneven, ij_index;
-- far wider: what did not fit is not tried again with each group
CREATE TABLE ij_broad (k int, pad text);
ALTER TABLE ij_broad ALTER pad SET STORAGE PLAIN;
INSERT INTO ij_broad SELECT i, repeat('w', CASE WHEN i <= 3000 THEN 6000 ELSE 9 END) FROM generate_series(1, 200000) i;
CREATE INDEX ON ij_broad (k);
VACUUM ANALYZE ij_broad;
SET work_mem = '1MB';
SET hash_mem_multiplier = 2;
SELECT substring(string_agg(line, ' '), 'Heap Pages: (\d+)')::int < 5 * 3000 AS seldom
  FROM ij_lines('SELECT o.id, i.pad FROM ij_outer o JOIN ij_broad i ON o.id = i.k', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line;
RESET work_mem;
RESET hash_mem_multiplier;
DROP TABLE ij_broad;
-- no match at all says nothing of how wide they are: all of a batch are still
-- looked up at once
CREATE TABLE ij_fat (k int, pad text);
ALTER TABLE ij_fat ALTER pad SET STORAGE PLAIN;
INSERT INTO ij_fat SELECT i, repeat('w', 3900) FROM generate_series(10001, 12000) i;
CREATE INDEX ON ij_fat (k);
VACUUM ANALYZE ij_fat;
PREPARE fat AS SELECT o.id, i.pad FROM ij_outer o LEFT JOIN ij_fat i ON o.id = i.k;
SELECT ij_of('EXECUTE fat');
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT substring(string_agg(line, ' '), 'Batches: (\d+)')::int > 5 AS batches,
       substring(string_agg(line, ' '), 'Leaf Pages: (\d+)') = substring(string_agg(line, ' '), 'Batches: (\d+)') AS together
  FROM ij_lines('EXECUTE fat', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line;
RESET work_mem;
RESET hash_mem_multiplier;
DEALLOCATE fat;
DROP TABLE ij_fat;

-- rows of this transaction and of this command
BEGIN;
DELETE FROM ij_inner WHERE id % 5 = 0;
UPDATE ij_inner SET k = k + 2 WHERE id % 7 = 0;
INSERT INTO ij_inner SELECT 200000 + i, i, 'new', i, 1, NULL, 'new' FROM generate_series(1, 100) i;
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SAVEPOINT s;
DELETE FROM ij_inner;
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k');
ROLLBACK TO s;
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k');
ROLLBACK;

-- cursors, forward and, over a Material, backward
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT o.id, i.id AS i FROM (SELECT * FROM ij_outer WHERE id < 100) o LEFT JOIN ij_inner i ON o.k = i.id;
FETCH 3 FROM c;
MOVE 10 IN c;
DELETE FROM ij_inner;
FETCH 2 FROM c;
FETCH BACKWARD 3 FROM c;
MOVE ALL IN c;
FETCH PRIOR FROM c;
FETCH FIRST FROM c;
ROLLBACK;
-- prepared, with a parameter
PREPARE p (int) AS SELECT count(*), sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k WHERE o.part = $1;
SET plan_cache_mode = force_generic_plan;
SELECT ij_of('EXECUTE p (1)');
EXECUTE p (1);
EXECUTE p (2);
EXECUTE p (NULL);
DROP INDEX ij_inner_k;
SET enable_hashjoin = on;
EXECUTE p (1);
SET enable_hashjoin = off;
CREATE INDEX ij_inner_k ON ij_inner (k, part);
EXECUTE p (1);
RESET plan_cache_mode;
-- an index that is being rebuilt, by a plan that is older: core's error
CREATE TABLE ij_built AS SELECT i AS id, i % 3000 AS k FROM generate_series(1, 9000) i;
CREATE FUNCTION ij_looks(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF $1 = 4 THEN
    PERFORM sum(i.id) FROM public.ij_outer o JOIN public.ij_built i ON o.k = i.k;
  END IF;
  RETURN $1;
END $$;
CREATE INDEX ij_built_k ON ij_built (k, public.ij_looks(id));
ANALYZE ij_built;
SELECT ij_of('SELECT sum(i.id) FROM public.ij_outer o JOIN public.ij_built i ON o.k = i.k');
SELECT ij_looks(4);
REINDEX INDEX ij_built_k;
SELECT ij_looks(4);
DROP TABLE ij_built;
DROP FUNCTION ij_looks;
-- a materialized view that has lost its rows: no join without rows, but core's error
CREATE MATERIALIZED VIEW ij_view AS SELECT id, k, pad FROM ij_inner;
CREATE INDEX ij_view_k ON ij_view (k);
ANALYZE ij_view;
PREPARE from_view AS SELECT count(i.pad) FROM ij_outer o JOIN ij_view i ON o.k = i.k;
SELECT ij_of('EXECUTE from_view');
EXECUTE from_view;
REFRESH MATERIALIZED VIEW ij_view WITH NO DATA;
SELECT ij_of('EXECUTE from_view');
EXECUTE from_view;
DEALLOCATE from_view;
DROP MATERIALIZED VIEW ij_view;
SET default_transaction_isolation = serializable;
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
RESET default_transaction_isolation;

-- in parallel
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SELECT ij_lines('SELECT count(*), sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k');
SELECT * FROM ij_same('SELECT count(*), sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SELECT * FROM ij_same('SELECT o.id FROM ij_outer o WHERE NOT EXISTS (SELECT FROM ij_inner i WHERE o.k = i.k AND i.part = o.part)');
-- by workers that are started again
SELECT * FROM ij_same('SELECT g, x.* FROM generate_series(1, 3) g LEFT JOIN (SELECT o.part, count(*), sum(i.id) FROM ij_outer o JOIN ij_inner i ON o.k = i.k GROUP BY 1) x ON x.part < g');
-- executed whole by each worker, whose numbers nobody has: they are not 0
CREATE TABLE ij_driver AS SELECT i % 3000 AS id FROM generate_series(1, 60000) i;
ANALYZE ij_driver;
ALTER TABLE ij_outer SET (parallel_workers = 0);
SET parallel_leader_participation = off;
SELECT regexp_replace(trim(line), ' \(actual.*', '') FROM ij_lines('SELECT count(*) FROM ij_driver WHERE id NOT IN (SELECT o.id FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND i.pad <> '''' WHERE o.id < 50)', 'ANALYZE, COSTS off, TIMING off, SUMMARY off') line WHERE line ~ 'Ssdpar|Counted|Keys:';
RESET parallel_leader_participation;
ALTER TABLE ij_outer RESET (parallel_workers);
DROP TABLE ij_driver;
SET max_parallel_workers_per_gather = 0;

-- Lookups in an index alone: where the visibility map vouches for the page no
-- row is read; of rows changed since it is.
CREATE TABLE ij_only (a int, b int, c numeric, d name, e text)
  WITH (autovacuum_enabled = off);
INSERT INTO ij_only
  SELECT i % 700, i % 3, CASE WHEN i % 2 = 0 THEN i::numeric / 2
         ELSE (i / 2)::numeric(10, 3) END, 'n' || i % 10,
         repeat('e', 100) || i % 7
    FROM generate_series(1, 20000) i;
CREATE INDEX ij_only_a ON ij_only (a, b DESC) INCLUDE (c);
CREATE INDEX ij_only_d ON ij_only (d, a);
CREATE INDEX ij_only_e ON ij_only (e, a);
VACUUM ANALYZE ij_only;
CREATE FUNCTION ij_only(query text) RETURNS TABLE (used text, rows text, fetches text)
LANGUAGE plpgsql AS $$
DECLARE
  plan jsonb;
  node jsonb;
BEGIN
  SELECT * INTO used, rows FROM ij_same(query);
  PERFORM set_config('ssdpar.enabled', 'on', true);
  PERFORM set_config('enable_hashjoin', 'off', true);
  EXECUTE 'EXPLAIN (FORMAT json, ANALYZE, TIMING off) ' || query INTO plan;
  node := jsonb_path_query_first(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparIndexJoin")');
  used := concat(used, ' ' || (node->>'Index'), CASE WHEN node ? 'Index Only' THEN ' only' END);
  fetches := concat_ws(' ', CASE WHEN (node->>'Heap Fetches')::int > 0 THEN 'some' ELSE node->>'Heap Fetches' END,
    CASE WHEN (node->>'Heap Pages')::int > 0 THEN 'of pages' ELSE 'of no page' END);
  RETURN NEXT;
END $$;
SELECT s.* FROM (VALUES
  ('SELECT o.id FROM ij_outer o WHERE EXISTS (SELECT FROM ij_only i WHERE o.k = i.a AND i.b = o.part)'),
  ('SELECT o.id FROM ij_outer o WHERE NOT EXISTS (SELECT FROM ij_only i WHERE o.k = i.a AND i.b = o.part)'),
  ('SELECT o.id, i.a FROM ij_outer o JOIN ij_only i ON o.k = i.a'),
  ('SELECT o.id, i.a, i.b, i.c FROM ij_outer o LEFT JOIN ij_only i ON o.id = i.a AND i.c > 5000'),
  ('SELECT o.id, i.c, i.b FROM ij_outer o LEFT JOIN ij_only i ON o.big = i.a AND i.b = 2'),
  ('SELECT count(*) FROM ij_outer o JOIN ij_only i ON o.k = i.a AND o.part = i.b'),
  ('SELECT o.id, i.d FROM ij_outer o JOIN ij_only i ON o.k = i.a'),
  ('SELECT o.id, i.e, i.a FROM (SELECT id, word FROM ij_outer WHERE id < 20) o LEFT JOIN ij_only i ON o.word = i.e')
  ) v (q), LATERAL ij_only(q) s;
SET enable_indexonlyscan = off;
SELECT * FROM ij_only('SELECT o.id, i.a FROM ij_outer o JOIN ij_only i ON o.k = i.a');
RESET enable_indexonlyscan;
-- more matches of one row than fit, with their columns and without
CREATE TABLE ij_many AS
  SELECT i AS a, i % 4 AS b, repeat('m', 50) || i AS c FROM generate_series(1, 20000) i;
CREATE INDEX ON ij_many (a, b) INCLUDE (c);
VACUUM ANALYZE ij_many;
INSERT INTO ij_many SELECT 5000, i % 3, 'many' || i FROM generate_series(1, 6000) i;
VACUUM ij_many;
UPDATE ij_outer SET k = 5000 WHERE id IN (6, 1800);
SET work_mem = '64kB';
SELECT s.* FROM (VALUES
  ('SELECT o.id, i.a, i.c FROM ij_outer o JOIN ij_many i ON o.k = i.a'),
  ('SELECT o.id, i.a, i.b, i.c FROM ij_outer o LEFT JOIN ij_many i ON o.k = i.a AND i.b < o.part'),
  ('SELECT o.id, count(*) FROM ij_outer o JOIN ij_many i ON o.k = i.a GROUP BY 1'),
  ('SELECT o.id FROM ij_outer o WHERE NOT EXISTS (SELECT FROM ij_many i WHERE o.k = i.a)')
  ) v (q), LATERAL ij_only(q) s;
RESET work_mem;
DROP TABLE ij_many;
-- rows changed since, by others, by this transaction, by its commands
DELETE FROM ij_only WHERE a % 50 = 3;
UPDATE ij_only SET e = 'x' WHERE a % 50 = 4;
UPDATE ij_only SET a = a + 1 WHERE a % 50 = 5;
SELECT * FROM ij_only('SELECT o.id, i.c FROM ij_outer o LEFT JOIN ij_only i ON o.k = i.a');
BEGIN;
DELETE FROM ij_only WHERE a % 9 = 3;
INSERT INTO ij_only SELECT i, 1, i FROM generate_series(1, 100) i;
SELECT * FROM ij_only('SELECT o.id, i.c FROM ij_outer o LEFT JOIN ij_only i ON o.k = i.a');
DECLARE c CURSOR FOR SELECT count(*) FROM ij_outer o JOIN ij_only i ON o.k = i.a;
DELETE FROM ij_only;
FETCH c;
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT * FROM ij_only('SELECT o.id, i.c FROM ij_outer o LEFT JOIN ij_only i ON o.k = i.a');
SELECT count(*) > 0 FROM pg_locks WHERE mode = 'SIReadLock' AND relation = 'ij_only'::regclass;
COMMIT;
VACUUM ij_only;
SELECT * FROM ij_only('SELECT o.id, i.c FROM ij_outer o LEFT JOIN ij_only i ON o.k = i.a');
DROP TABLE ij_only;
DROP FUNCTION ij_only;

-- many pairs of one batch that no condition lets pass: cancelled in between
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar_test CASCADE;
RESET client_min_messages;
CREATE TABLE ij_pairs_outer (id, k) WITH (autovacuum_enabled = off) AS
  SELECT i, i FROM generate_series(1, 3000) i;
CREATE TABLE ij_pairs (id, k) WITH (autovacuum_enabled = off) AS
  SELECT i, i * 7919 % 100000 FROM generate_series(1, 100000) i;
CREATE INDEX ON ij_pairs (k);
VACUUM ANALYZE ij_pairs_outer, ij_pairs;
INSERT INTO ij_pairs SELECT i, 5 FROM generate_series(1, 2000) i;
SELECT ij_of('SELECT 1 FROM ij_pairs_outer o JOIN ij_pairs i ON o.k = i.k AND ssdpar_test.cancel_at(100, o.id - i.id)');
SELECT 1 FROM ij_pairs_outer o JOIN ij_pairs i ON o.k = i.k AND ssdpar_test.cancel_at(100, o.id - i.id);
SELECT ssdpar_test.calls();
DROP TABLE ij_pairs_outer, ij_pairs;

-- left to core: rows that are locked or changed, volatile conditions, outer rows
-- that may raise an error, subqueries in conditions, whole rows, partial indexes
CREATE FUNCTION ij_chance() RETURNS int LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN 1; END';
SELECT ij_of('SELECT 1 FROM ij_outer o JOIN ij_inner i ON o.k = i.k FOR UPDATE');
SELECT ij_of('UPDATE ij_outer o SET part = i.part FROM ij_inner i WHERE o.k = i.k');
SELECT ij_of('SELECT 1 FROM ij_outer o JOIN ij_inner i ON o.k = i.k AND i.part + ij_chance() = o.part');
SELECT ij_of('SELECT 1 FROM ij_outer o JOIN ij_inner i ON o.k = i.k WHERE 1 / o.part = 1');
-- groups of outer rows, hashed: of what is made of others, by the others' functions
CREATE TABLE ij_arrays AS SELECT k, word, ARRAY[word] AS words FROM ij_outer;
ANALYZE ij_arrays;
SET enable_sort = off;
SELECT ij_of(format('SELECT 1 FROM (SELECT DISTINCT k, %s FROM ij_arrays) o JOIN ij_inner i ON o.k = i.k', grouped)),
       ij_of(format('SELECT 1 FROM (SELECT k FROM ij_arrays GROUP BY k, %s) o JOIN ij_inner i ON o.k = i.k', grouped)),
       ij_of(format('SELECT 1 FROM (SELECT k, %1$s FROM ij_arrays UNION SELECT k, %1$s FROM ij_arrays) o JOIN ij_inner i ON o.k = i.k', grouped))
  FROM (VALUES ('word'), ('words')) v (grouped);
RESET enable_sort;
DROP TABLE ij_arrays;
SELECT ij_of('SELECT 1 FROM ij_outer o JOIN ij_inner i ON o.k = i.k WHERE i.part = (SELECT max(x.part) FROM ij_outer x WHERE x.id = o.id)');
SELECT ij_of('SELECT i FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SELECT ij_of('SELECT i.ctid FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
SELECT ij_of('SELECT 1 FROM ij_outer o JOIN ij_inner i ON o.k::oid = i.k::oid');
SET ssdpar.index_join = off;
SELECT ij_of('SELECT 1 FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
RESET ssdpar.index_join;
SET enable_nestloop = off;
SELECT ij_of('SELECT 1 FROM ij_outer o JOIN ij_inner i ON o.k = i.k');
RESET enable_nestloop;
-- an error of a pair's condition comes with its row, not before
SELECT o.id, i.id FROM (SELECT * FROM ij_outer WHERE id IN (1, 2, 3, 4, 5)) o JOIN ij_inner i ON o.k = i.id AND 10 / (o.id - 5) < 100 LIMIT 1;
-- nor where a cheaper condition keeps it away
CREATE FUNCTION ij_inverse(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 10 / $1; END';
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o JOIN ij_inner i ON o.k = i.k WHERE ij_inverse(i.part) > 0 AND i.part <> 0');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k AND ij_inverse(o.id - i.id) > 0 AND o.id <> i.id');
SELECT * FROM ij_same('SELECT o.id, i.id AS i FROM ij_outer o LEFT JOIN ij_inner i ON o.k = i.k WHERE ij_inverse(i.part) IS NULL AND i.part IS NULL');
-- arrays, ranges and records: what they are made of may have any comparison
CREATE TYPE ij_pair AS (a int, b text);
CREATE TABLE ij_made AS
  SELECT id, ARRAY[k] AS items, int4range(id, id + 5) AS span,
         ROW(k, word)::ij_pair AS pair FROM ij_inner;
CREATE INDEX ON ij_made (items);
CREATE INDEX ON ij_made (span);
CREATE INDEX ON ij_made (pair);
ANALYZE ij_made;
SELECT ij_of(format('SELECT 1 FROM ij_made o JOIN ij_made i USING (%s) WHERE o.id < 1000', key)) FROM unnest('{items,span,pair}'::text[]) key;

-- a key of two columns that depend on each other finds as many rows as joined:
-- looked up by both it costs what it does by one column that stands for both
CREATE TABLE ij_part (a int, b int, ab int UNIQUE, UNIQUE (a, b));
INSERT INTO ij_part SELECT i, i * 7 % 1000, i FROM generate_series(1, 2000) i;
CREATE TABLE ij_line (a int, b int, ab int,
                      FOREIGN KEY (a, b) REFERENCES ij_part (a, b));
INSERT INTO ij_line SELECT i % 2000 + 1, (i % 2000 + 1) * 7 % 1000, i % 2000 + 1
  FROM generate_series(1, 40000) i;
CREATE INDEX ON ij_line (a, b);
CREATE INDEX ON ij_line (ab);
VACUUM ANALYZE ij_part, ij_line;
CREATE FUNCTION ij_cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN jsonb_path_query_first(plan, 'strict $.**?(@."Custom Plan Provider" == "SsdparIndexJoin" && @."Inner Relation" == "ij_line")')->'Total Cost';
END $$;
SELECT ij_cost('SELECT ij_line.ab FROM ij_part JOIN ij_line USING (a, b)') /
       ij_cost('SELECT ij_line.a FROM ij_part JOIN ij_line USING (ab)')
       BETWEEN 0.8 AND 1.25 AS alike;

-- Another access method's row addresses need not be places.
CREATE ACCESS METHOD ij_other TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE ij_odd USING ij_other AS TABLE ij_inner;
CREATE TABLE ij_even AS TABLE ij_inner;
CREATE INDEX ON ij_odd (k);
CREATE INDEX ON ij_even (k);
VACUUM ANALYZE ij_odd, ij_even;
SELECT * FROM ij_same('SELECT o.id, i.id, i.pad FROM ij_outer o JOIN ij_even i USING (k) WHERE o.id < 500');
SELECT * FROM ij_same('SELECT o.id, i.id, i.pad FROM ij_outer o JOIN ij_odd i USING (k) WHERE o.id < 500');
DROP TABLE ij_odd, ij_even;
DROP ACCESS METHOD ij_other;

-- Of a query that is planned for all rows PL/pgSQL asks for one.
SELECT ij_of('SELECT i.pad FROM ij_outer o JOIN ij_inner i USING (k)');
CREATE FUNCTION ij_read() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  found text;
  before bigint := pg_stat_get_xact_tuples_returned('ij_outer'::regclass);
BEGIN
  SELECT i.pad INTO found FROM ij_outer o JOIN ij_inner i USING (k);
  RETURN pg_stat_get_xact_tuples_returned('ij_outer'::regclass) - before;
END $$;
SELECT ij_read() AS outer_rows;
DROP FUNCTION ij_read;

-- A join may have more columns than a row that is kept.
DO $$ BEGIN
  EXECUTE (SELECT 'CREATE TABLE ij_wide_a AS SELECT i AS id, i % 50 AS k, ' || string_agg('i AS a' || n, ', ') ||
    ' FROM generate_series(1, 100) i' FROM generate_series(1, 900) n);
  EXECUTE (SELECT 'CREATE TABLE ij_wide_b AS SELECT i AS id, ' || string_agg('i AS b' || n, ', ') ||
    ' FROM generate_series(1, 100) i' FROM generate_series(1, 900) n);
END $$;
VACUUM ANALYZE ij_wide_a, ij_wide_b;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET join_collapse_limit = 1;
SELECT string_agg('a' || n || '+b' || n, '+') AS columns FROM generate_series(1, 900) n \gset
SELECT * FROM ij_same('SELECT i.id, ' || :'columns' || ' FROM ij_wide_a a JOIN ij_wide_b b USING (id) JOIN ij_inner i ON i.id = a.k');
SELECT * FROM ij_same('SELECT i.id FROM ij_wide_a a JOIN ij_wide_b b USING (id) JOIN ij_inner i ON i.id = a.k');
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET join_collapse_limit;
DROP TABLE ij_wide_a, ij_wide_b;

-- An equality that cannot be turned round is core's to look up by.
CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq, MERGES,
                     RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR CLASS ij_ops FOR TYPE text USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 ===, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 bttextcmp(text, text);
CREATE INDEX ij_inner_odd ON ij_inner (pad ij_ops);
SET enable_mergejoin = off;
SELECT rows FROM ij_same('SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON o.word === i.pad');
SELECT rows FROM ij_same('SELECT o.id, i.id FROM ij_outer o JOIN ij_inner i ON i.pad === o.word');
RESET enable_mergejoin;
DROP INDEX ij_inner_odd;
DROP OPERATOR FAMILY ij_ops USING btree;
DROP OPERATOR === (text, text);

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION ij_cost;
DROP TABLE ij_line, ij_part;
DROP FUNCTION ij_lines, ij_same, ij_of, ij_chance, ij_inverse, invent_device;
DROP TABLE ij_outer, ij_inner, ij_made;
DROP TYPE ij_pair;
