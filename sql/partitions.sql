-- Facts with partitions: one star scan for all of them, whose keys are collected
-- once and say which partitions need not be read.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;

CREATE TABLE pt_day (d_key int PRIMARY KEY, d_date date, d_month int, d_week int);
INSERT INTO pt_day
  SELECT to_char(d, 'YYYYMMDD')::int, d, extract(month FROM d), extract(week FROM d)
    FROM generate_series('2020-01-01'::timestamp, '2020-12-31', '1 day') d;
CREATE TABLE pt_shop (s_key bigint PRIMARY KEY, s_region int);
INSERT INTO pt_shop SELECT i, i % 5 FROM generate_series(1, 200) i;
CREATE TABLE pt_word (w_key text, w_kind int);
INSERT INTO pt_word SELECT 'word ' || i, i % 20 FROM generate_series(1, 400) i;

CREATE TABLE pt_one (f_id int, f_day int, f_date date, f_shop int, f_word text);
INSERT INTO pt_one
  SELECT i, CASE WHEN i % 50 > 0 THEN d_key END, d_date, nullif(i * 71 / 13 % 220, 7),
         'word ' || i % 450
    FROM generate_series(1, 20000) i,
         LATERAL (SELECT * FROM pt_day OFFSET i * 7 % 366 LIMIT 1) d;

-- By month.  January is attached with its columns in another order and one that
-- was dropped, February has partitions of its own, autumn is the default's.
CREATE TABLE pt_fact (LIKE pt_one) PARTITION BY RANGE (f_day);
CREATE TABLE pt_fact_1 (f_word text, gone int, f_shop int, f_date date, f_day int,
  f_id int);
ALTER TABLE pt_fact_1 DROP gone;
ALTER TABLE pt_fact ATTACH PARTITION pt_fact_1 FOR VALUES FROM (MINVALUE) TO (20200201);
CREATE TABLE pt_fact_2 PARTITION OF pt_fact FOR VALUES FROM (20200201) TO (20200301)
  PARTITION BY LIST (f_shop);
CREATE TABLE pt_fact_2a PARTITION OF pt_fact_2 FOR VALUES IN (1, 2, 3, 4, 5, 6, NULL);
CREATE TABLE pt_fact_2b PARTITION OF pt_fact_2 DEFAULT;
DO $$ BEGIN
  FOR i IN 3..8 LOOP
    EXECUTE format('CREATE TABLE pt_fact_%s PARTITION OF pt_fact FOR VALUES FROM (%s) TO (%s)',
                   i, 20200001 + i * 100, 20200101 + i * 100);
  END LOOP;
END $$;
CREATE TABLE pt_fact_rest PARTITION OF pt_fact DEFAULT;
CREATE TABLE pt_fact_12 PARTITION OF pt_fact FOR VALUES FROM (20201201) TO (MAXVALUE);
INSERT INTO pt_fact SELECT * FROM pt_one;
CREATE INDEX ON pt_fact (f_day);
CREATE INDEX ON pt_fact (f_shop);
CREATE INDEX ON pt_fact_3 (f_word);
VACUUM ANALYZE;

-- What became of partitions, and how often each dimension was read.
CREATE FUNCTION pt_read(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb; keys jsonb; reads text;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, FORMAT json) ' || query
    INTO plan;
  keys := jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarKeys")');
  IF keys IS NULL THEN RETURN 'no keys'; END IF;
  SELECT string_agg(child->>'Actual Loops', ',' ORDER BY n) INTO reads
    FROM jsonb_array_elements(keys->'Plans') WITH ORDINALITY c (child, n)
   WHERE n < jsonb_array_length(keys->'Plans');
  RETURN format('%s of %s pruned, dimensions read %s times',
                keys->>'Partitions Pruned by Keys', keys->>'Partitions', reads);
END $$;

-- The rows by each access against those of core.
CREATE FUNCTION pt_same(query text)
RETURNS TABLE (access text, rows text, partitions text) LANGUAGE plpgsql AS $$
DECLARE
  sum text := format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text)), '' '', count(*)) FROM (%s) r', query);
  off text;
  "on" text;
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', true);
  EXECUTE sum INTO off;
  PERFORM set_config('ssdpar.enabled', 'on', true);
  FOREACH access IN ARRAY '{bitmap,sequential}'::text[] LOOP
    PERFORM set_config('ssdpar.star_access', access, true);
    EXECUTE sum INTO "on";
    rows := CASE WHEN "on" = off THEN 'same ' || split_part(off, ' ', 2)
                 ELSE off || ' / ' || "on" END;
    partitions := pt_read(query);
    RETURN NEXT;
  END LOOP;
  PERFORM set_config('ssdpar.star_access', 'auto', true);
END $$;

SET ssdpar.star_access = sequential;
EXPLAIN (COSTS off)
  SELECT count(*) FROM pt_fact, pt_day, pt_shop
   WHERE f_day = d_key AND d_month = 2 AND f_shop = s_key AND s_region = 3
     AND f_day BETWEEN 20200115 AND 20200310;
RESET ssdpar.star_access;

-- By the column that partitions are made by, and by others.
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3');
SELECT * FROM pt_same('SELECT f_id, d_week FROM pt_fact, pt_day WHERE f_day = d_key AND d_week = 9');
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 10');
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_shop WHERE f_shop = s_key AND s_region = 3');
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_shop WHERE f_shop = s_key AND s_key BETWEEN 20 AND 30');
SELECT * FROM pt_same('SELECT f_id, s_key FROM pt_fact, pt_shop, pt_day WHERE f_shop = s_key AND s_region = 3 AND f_day = d_key AND d_week IN (5, 14)');
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_word WHERE f_word = w_key AND w_kind = 3');
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_word, pt_day WHERE f_word = w_key AND w_kind < 9 AND f_day = d_key AND d_month = 1');
-- no key at all; a whole row; nothing of the fact
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 13');
SELECT * FROM pt_same('SELECT pt_fact FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 1');
SELECT * FROM pt_same('SELECT pt_fact.tableoid::regclass AS part, d_week FROM pt_fact, pt_day WHERE f_day = d_key AND d_month < 3');
-- pruned by core as well; one that is left; semi joins; an outer join above
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3 AND f_day < 20200501');
SELECT * FROM pt_same('SELECT f_id FROM pt_fact, pt_shop WHERE f_shop = s_key AND s_region = 3 AND f_day BETWEEN 20200401 AND 20200420');
SELECT * FROM pt_same('SELECT f_id FROM pt_fact WHERE f_day IN (SELECT d_key FROM pt_day WHERE d_month = 6)');
SELECT * FROM pt_same('SELECT f_id, w_kind FROM pt_fact JOIN pt_day ON f_day = d_key LEFT JOIN pt_word ON f_word = w_key WHERE d_month = 6');

-- What is left of the joins: which dimensions' columns ride along.  None with
-- a key that is not unique, of which a system column is wanted, or below an
-- outer join; a semi join has none to give.
CREATE FUNCTION pt_joined(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb; joined text;
BEGIN
  EXECUTE 'EXPLAIN (COSTS off, FORMAT json) ' || query INTO plan;
  SELECT string_agg(concat(r->>'Dimension', r->'Joined'), ' ' ORDER BY r->>'Dimension')
    INTO joined
    FROM jsonb_path_query(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparStarKeys").Reducers[*]') r;
  RETURN coalesce(joined, 'no keys');
END $$;
SET ssdpar.star_access = sequential;
SELECT pt_joined('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3');
SELECT pt_joined('SELECT f_id, d_week, d_date FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3');
SELECT pt_joined('SELECT f_id, s_region, d_week FROM pt_fact, pt_shop, pt_day WHERE f_shop = s_key AND s_region < 3 AND f_day = d_key AND d_month = 3');
SELECT pt_joined('SELECT f_id FROM pt_fact WHERE f_day IN (SELECT d_key FROM pt_day WHERE d_month = 6)');
SELECT pt_joined('SELECT f_id, pt_day.ctid FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3');
SELECT pt_joined('SELECT f_id, w_kind FROM pt_fact, pt_word WHERE f_word = w_key AND w_kind = 3');
RESET ssdpar.star_access;
SELECT * FROM pt_same('SELECT f_id, f_word, s_region, s_key, d_week, d_date, f_date FROM pt_fact, pt_shop, pt_day WHERE f_shop = s_key AND s_region < 3 AND f_day = d_key AND d_month IN (1, 2, 10)');
SELECT * FROM pt_same('SELECT d_week + s_region AS sum, count(*) FROM pt_fact, pt_shop, pt_day WHERE f_shop = s_key AND s_region < 3 AND f_day = d_key AND d_month < 4 GROUP BY 1');
SELECT * FROM pt_same('SELECT f_id, s_region, d_week FROM pt_fact, pt_shop, pt_day WHERE f_shop = s_key AND s_region = 9 AND f_day = d_key AND d_month < 4');
SELECT * FROM pt_same('SELECT a.f_id, a.d_week, b.f_id AS other FROM (SELECT f_id, f_shop, d_week FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3 AND f_id < 900) a JOIN pt_one b ON a.f_shop = b.f_shop AND b.f_id < 400');

-- A partition that core scans: no key has been tested before its rows come, nor
-- collected, if it is the first or the others are pruned.
CREATE ACCESS METHOD pt_other TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE pt_mixed (LIKE pt_one) PARTITION BY RANGE (f_day);
CREATE TABLE pt_mixed_1 PARTITION OF pt_mixed FOR VALUES FROM (MINVALUE) TO (20200301) USING pt_other;
CREATE TABLE pt_mixed_2 PARTITION OF pt_mixed DEFAULT;
CREATE TABLE pt_mixed_3 PARTITION OF pt_mixed FOR VALUES FROM (20200701) TO (20200901);
INSERT INTO pt_mixed SELECT * FROM pt_one;
CREATE INDEX ON pt_mixed (f_day);
VACUUM ANALYZE pt_mixed;
SELECT * FROM pt_same('SELECT f_id, d_week FROM pt_mixed, pt_day WHERE f_day = d_key AND d_month IN (2, 8, 10)');
SELECT * FROM pt_same('SELECT f_id, d_week FROM pt_mixed, pt_day WHERE f_day = d_key AND d_month = 2');
SELECT * FROM pt_same('SELECT f_id, d_week FROM pt_mixed, pt_day WHERE f_day = d_key AND d_month = 13');
SELECT * FROM pt_same('SELECT f_id, d_week FROM pt_mixed, pt_day WHERE f_day = d_key AND d_month = 2 AND f_day < 20200215');

-- Of partitions that are alike one is priced.
CREATE TABLE pt_even (LIKE pt_one) PARTITION BY RANGE (f_id);
DO $$ BEGIN
  FOR i IN 0..39 LOOP
    EXECUTE format('CREATE TABLE pt_even_%s PARTITION OF pt_even FOR VALUES FROM (%s) TO (%s)',
                   i, i * 500, i * 500 + 500);
  END LOOP;
END $$;
INSERT INTO pt_even SELECT * FROM pt_one WHERE f_id < 19500;
INSERT INTO pt_even SELECT p.* FROM pt_one p, generate_series(1, 8) WHERE f_id BETWEEN 19500 AND 19999;
CREATE INDEX ON pt_even (f_day);
VACUUM ANALYZE pt_even;
CREATE FUNCTION pt_priced(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, COSTS off, FORMAT json) ' || query INTO plan;
  plan := jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparStarKeys")');
  RETURN format('%s of %s priced', plan->>'Partitions Priced', plan->>'Partitions');
END $$;
SET ssdpar.star_access = bitmap;
SELECT pt_priced('SELECT f_id FROM pt_even, pt_day WHERE f_day = d_key AND d_week = 9');
DROP INDEX pt_even_f_day_idx;
CREATE INDEX ON pt_even_7 (f_day);
SET ssdpar.star_access = sequential;
SELECT pt_priced('SELECT f_id FROM pt_even, pt_day WHERE f_day = d_key AND d_week = 9');
RESET ssdpar.star_access;
SELECT * FROM pt_same('SELECT f_id, d_date FROM pt_even, pt_day WHERE f_day = d_key AND d_week = 9') WHERE access = 'sequential';

-- By list and by hash, by dates, by two columns, and by inheritance.
CREATE TABLE pt_list (LIKE pt_one) PARTITION BY LIST (f_shop);
CREATE TABLE pt_list_1 PARTITION OF pt_list FOR VALUES IN (1, 3, 5, 11);
CREATE TABLE pt_list_2 PARTITION OF pt_list FOR VALUES IN (2, 4, NULL);
CREATE TABLE pt_list_3 PARTITION OF pt_list DEFAULT;
CREATE TABLE pt_hash (LIKE pt_one) PARTITION BY HASH (f_shop);
CREATE TABLE pt_hash_1 PARTITION OF pt_hash FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE pt_hash_2 PARTITION OF pt_hash FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE pt_date (LIKE pt_one) PARTITION BY RANGE (f_date);
CREATE TABLE pt_date_1 PARTITION OF pt_date FOR VALUES FROM (MINVALUE) TO ('2020-03-01');
CREATE TABLE pt_date_2 PARTITION OF pt_date FOR VALUES FROM ('2020-03-01') TO ('2020-08-01');
CREATE TABLE pt_date_3 PARTITION OF pt_date FOR VALUES FROM ('2020-08-01') TO ('infinity');
CREATE TABLE pt_two (LIKE pt_one) PARTITION BY RANGE (f_shop, f_id);
CREATE TABLE pt_two_1 PARTITION OF pt_two FOR VALUES FROM (MINVALUE, MINVALUE) TO (50, 1000);
CREATE TABLE pt_two_2 PARTITION OF pt_two FOR VALUES FROM (50, 1000) TO (50, MAXVALUE);
CREATE TABLE pt_two_3 PARTITION OF pt_two FOR VALUES FROM (50, MAXVALUE) TO (MAXVALUE, MAXVALUE);
CREATE TABLE pt_two_4 PARTITION OF pt_two DEFAULT;
CREATE TABLE pt_heir (LIKE pt_one);
CREATE TABLE pt_heir_1 (more text) INHERITS (pt_heir);
INSERT INTO pt_list SELECT * FROM pt_one;
INSERT INTO pt_hash SELECT * FROM pt_one;
INSERT INTO pt_date SELECT * FROM pt_one;
INSERT INTO pt_two SELECT * FROM pt_one;
INSERT INTO pt_heir SELECT * FROM pt_one WHERE f_id % 2 = 0;
INSERT INTO pt_heir_1 SELECT * FROM pt_one WHERE f_id % 2 = 1;
VACUUM ANALYZE;
SELECT * FROM pt_same('SELECT f_id FROM pt_list, pt_shop WHERE f_shop = s_key AND s_key IN (5, 6)') WHERE access = 'sequential';
SELECT * FROM pt_same('SELECT f_id FROM pt_list, pt_shop WHERE f_shop = s_key AND s_key IN (2, 11)') WHERE access = 'sequential';
SELECT * FROM pt_same('SELECT f_id FROM pt_hash, pt_shop WHERE f_shop = s_key AND s_key IN (2, 11)') WHERE access = 'sequential';
SELECT * FROM pt_same('SELECT f_id FROM pt_date, pt_day WHERE f_date = d_date AND d_month IN (1, 9)') WHERE access = 'sequential';
SELECT * FROM pt_same('SELECT f_id FROM pt_two, pt_shop WHERE f_shop = s_key AND s_key BETWEEN 48 AND 49') WHERE access = 'sequential';
SELECT * FROM pt_same('SELECT f_id FROM pt_two, pt_shop WHERE f_shop = s_key AND s_key BETWEEN 49 AND 50') WHERE access = 'sequential';
SELECT * FROM pt_same('SELECT f_id FROM pt_two, pt_shop WHERE f_shop = s_key AND s_key BETWEEN 51 AND 52') WHERE access = 'sequential';
SELECT * FROM pt_same('SELECT f_id FROM pt_heir, pt_shop WHERE f_shop = s_key AND s_region = 2') WHERE access = 'sequential';

-- Rescans: parameters in a dimension, in one of two, in the fact alone, and in
-- none; the keys of the other dimension stay.
SET ssdpar.star_access = sequential;
CREATE FUNCTION pt_months(months int[], OUT sums text) LANGUAGE sql AS $$
  SELECT string_agg(concat(m, ':', (SELECT count(*) FROM pt_fact, pt_day, pt_shop
    WHERE f_day = d_key AND d_month = m AND f_shop = s_key AND s_region = 3)), ' ')
    FROM unnest(months) m $$;
SELECT pt_months('{3,3,10,13,2,12}');
SELECT pt_read('SELECT m, (SELECT count(*) FROM pt_fact, pt_day, pt_shop WHERE f_day = d_key AND d_month = m AND f_shop = s_key AND s_region = 3) FROM unnest(''{3,3,10,13,2,12}''::int[]) m');
SELECT pt_read('SELECT m, (SELECT count(*) FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3 AND f_shop = m) FROM unnest(''{3,4,5}''::int[]) m');
SELECT m, (SELECT count(*) FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3 AND f_shop = m) FROM unnest('{3,4,5}'::int[]) m;
SET ssdpar.enabled = off;
SELECT pt_months('{3,3,10,13,2,12}');
SELECT m, (SELECT count(*) FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3 AND f_shop = m) FROM unnest('{3,4,5}'::int[]) m;
RESET ssdpar.enabled;

-- A query that wants no rows reads no dimension; one that wants few, few.
SELECT pt_read('SELECT * FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3 LIMIT 0');
BEGIN;
DECLARE pt_cursor CURSOR FOR
  SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month IN (2, 3);
FETCH 0 FROM pt_cursor;
MOVE 500 FROM pt_cursor;
MOVE ALL FROM pt_cursor;
COMMIT;

-- Indexes stay open while a cursor is, as core's do, also before they are read.
CREATE INDEX ON pt_one (f_day);
ANALYZE pt_one;
SET ssdpar.star_access = bitmap;
BEGIN;
DECLARE pt_cursor CURSOR FOR
  SELECT f_id FROM pt_one, pt_day WHERE f_day = d_key AND d_month = 3;
DECLARE pt_parts CURSOR FOR
  SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month IN (2, 3);
MOVE 1 FROM pt_parts;
SAVEPOINT pt_before;
DROP INDEX pt_one_f_day_idx;
ROLLBACK TO pt_before;
REINDEX INDEX pt_fact_3_f_day_idx;
ROLLBACK TO pt_before;
MOVE ALL FROM pt_cursor;
MOVE ALL FROM pt_parts;
COMMIT;
DROP INDEX pt_one_f_day_idx;
SET ssdpar.star_access = sequential;

-- Plans that are kept: values that core prunes by, partitions that come and go.
SET plan_cache_mode = force_generic_plan;
PREPARE pt_from (int) AS
  SELECT count(*) FROM pt_fact, pt_day WHERE f_day = d_key AND d_month IN (3, 4, 10)
     AND f_day >= $1;
EXECUTE pt_from (20200320);
EXECUTE pt_from (20200915);
ALTER TABLE pt_fact DETACH PARTITION pt_fact_3;
EXECUTE pt_from (20200101);
ALTER TABLE pt_fact ATTACH PARTITION pt_fact_3 FOR VALUES FROM (20200301) TO (20200401);
EXECUTE pt_from (20200101);
CREATE TABLE pt_fact_10 (LIKE pt_one);
WITH moved AS (DELETE FROM pt_fact_rest WHERE f_day BETWEEN 20201001 AND 20201031
               RETURNING *)
INSERT INTO pt_fact_10 SELECT * FROM moved;
ALTER TABLE pt_fact ATTACH PARTITION pt_fact_10 FOR VALUES FROM (20201001) TO (20201101);
EXECUTE pt_from (20200101);
SELECT pt_read('EXECUTE pt_from (20200101)');
SET ssdpar.enabled = off;
DEALLOCATE pt_from;
SELECT count(*) FROM pt_fact, pt_day
 WHERE f_day = d_key AND d_month IN (3, 4, 10) AND f_day >= 20200101;
RESET ssdpar.enabled;
RESET plan_cache_mode;

-- Run again for each outer row, where the dimension that changes has no key at
-- first: the one behind it is first read in a later run.
CREATE TABLE pt_range (a int, b int) PARTITION BY RANGE (a);
CREATE TABLE pt_range_1 PARTITION OF pt_range FOR VALUES FROM (0) TO (500);
CREATE TABLE pt_range_2 PARTITION OF pt_range FOR VALUES FROM (500) TO (1000);
INSERT INTO pt_range SELECT i % 1000, i % 777 FROM generate_series(1, 20000) i;
CREATE INDEX ON pt_range (a);
CREATE INDEX ON pt_range (b);
CREATE TABLE pt_kind (k int PRIMARY KEY, g int);
INSERT INTO pt_kind SELECT i, i % 13 FROM generate_series(1, 600) i;
ANALYZE pt_range, pt_kind;
SET ssdpar.star_access = sequential;
SELECT * FROM pt_same('SELECT q, (SELECT count(*) FROM pt_range JOIN pt_kind x ON b = x.k JOIN pt_kind y ON a = y.k WHERE x.g = 6 AND x.k < q AND y.g < 11) FROM generate_series(1, 21, 4) q');

-- Beside joins and aggregates of partitions.
SET enable_partitionwise_join = on;
SET enable_partitionwise_aggregate = on;
RESET ssdpar.star_access;
CREATE TABLE pt_list2 (LIKE pt_one) PARTITION BY LIST (f_shop);
CREATE TABLE pt_list2_1 PARTITION OF pt_list2 FOR VALUES IN (1, 3, 5, 11);
CREATE TABLE pt_list2_2 PARTITION OF pt_list2 FOR VALUES IN (2, 4, NULL);
CREATE TABLE pt_list2_3 PARTITION OF pt_list2 DEFAULT;
INSERT INTO pt_list2 SELECT * FROM pt_one WHERE f_id % 20 = 0;
ANALYZE pt_list2;
SELECT access, rows FROM pt_same('SELECT a.f_id, b.f_id FROM pt_list a, pt_list2 b, pt_day WHERE a.f_shop = b.f_shop AND a.f_day = d_key AND d_month = 3 AND a.f_id < 3000');
SELECT access, rows FROM pt_same('SELECT f_shop, count(*) FROM pt_list, pt_day WHERE f_day = d_key AND d_month = 3 GROUP BY f_shop');
RESET enable_partitionwise_join;
RESET enable_partitionwise_aggregate;

-- Several processes, each of which has the keys; with and without the leader,
-- and as parts of an Append that is not parallel.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SELECT access, rows, left(partitions, 11) FROM pt_same('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3');
SELECT access, rows FROM pt_same('SELECT f_id, s_key FROM pt_fact, pt_shop, pt_day WHERE f_shop = s_key AND s_region = 3 AND f_day = d_key AND d_week IN (5, 14)');
SELECT access, rows FROM pt_same('SELECT f_id FROM pt_fact, pt_word WHERE f_word = w_key AND w_kind = 3');
SET parallel_leader_participation = off;
SELECT access, rows, left(partitions, 11) FROM pt_same('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3');
RESET parallel_leader_participation;
SET enable_parallel_append = off;
SELECT access, rows, left(partitions, 11) FROM pt_same('SELECT f_id FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3');
RESET enable_parallel_append;
SET enable_material = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT access, rows FROM pt_same('SELECT g, x.* FROM generate_series(1, 3) g LEFT JOIN (SELECT d_week, count(*) FROM pt_fact, pt_day WHERE f_day = d_key AND d_month = 3 GROUP BY 1) x ON x.d_week < g * 5');
RESET enable_material;
RESET enable_hashjoin;
RESET enable_mergejoin;
SET ssdpar.star_access = sequential;
SELECT pt_months('{3,10,13,2}');

-- Compared as another type has its values, of which an int4's -1 is the greatest.
SET max_parallel_workers_per_gather = 0;
CREATE TABLE pt_signed (f_id int, f_k int, f_s int2) PARTITION BY RANGE (f_k);
CREATE TABLE pt_below PARTITION OF pt_signed FOR VALUES FROM (-100) TO (0);
CREATE TABLE pt_above PARTITION OF pt_signed FOR VALUES FROM (0) TO (1000);
INSERT INTO pt_signed SELECT i, i % 300 - 50, i % 300 - 50 FROM generate_series(1, 3000) i;
CREATE TABLE pt_oid (o_key oid PRIMARY KEY, o_kind int);
INSERT INTO pt_oid SELECT i::oid, abs(i) % 7 FROM generate_series(-50, 250) i;
ANALYZE pt_signed, pt_oid;
SELECT access, rows, left(partitions, 11) FROM pt_same('SELECT f_id FROM pt_signed, pt_oid WHERE f_k = o_key AND o_kind = 1');
SELECT access, rows, left(partitions, 11) FROM pt_same('SELECT f_id FROM pt_signed, pt_oid WHERE f_k = o_key AND f_k = ANY (''{4294967295,4294967290,5,6}''::oid[])');
SELECT access, rows, left(partitions, 11) FROM pt_same('SELECT f_id FROM pt_signed WHERE f_s IN (SELECT o_key FROM pt_oid WHERE o_kind = 1)');

DROP FUNCTION pt_months;
DROP FUNCTION pt_same;
DROP FUNCTION pt_read;
DROP FUNCTION pt_joined;
DROP FUNCTION pt_priced;
DROP TABLE pt_range, pt_kind, pt_day, pt_shop, pt_word, pt_one, pt_fact,
  pt_list, pt_list2, pt_hash, pt_date, pt_two, pt_heir, pt_even, pt_mixed, pt_signed, pt_oid CASCADE;
DROP ACCESS METHOD pt_other;
