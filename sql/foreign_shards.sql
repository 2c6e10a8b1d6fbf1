-- Foreign tables of postgres_fdw: keys of local dimensions go along with their
-- queries, so that only rows that can match come back.  The other server is
-- this one.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.shard_keys = 100000;
SET max_parallel_workers_per_gather = 0;
DO $$ BEGIN
  EXECUTE format('CREATE SERVER fs_server FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host %L, port %L, dbname %L, async_capable ''true'')',
    split_part(current_setting('unix_socket_directories'), ',', 1),
    current_setting('port'), current_database());
END $$;
CREATE USER MAPPING FOR CURRENT_USER SERVER fs_server;

-- What is there: two tables, one with its columns in another order and of other
-- types.
CREATE TABLE fs_far_1 (f_day int, f_shop int, f_note text, f_n int);
CREATE TABLE fs_far_2 (f_n numeric, f_note text, f_shop bigint, f_day bigint);
INSERT INTO fs_far_1
  SELECT nullif(i % 100, 17), nullif(i * 7 % 300, 5), 'note ' || i % 40, i
    FROM generate_series(1, 10000) i;
INSERT INTO fs_far_2
  SELECT i, 'note ' || i % 40, nullif(i * 7 % 300, 5), 100 + i % 100
    FROM generate_series(1, 10000) i;
-- What is here: a fact of these, and one partition of its own.
CREATE TABLE fs_fact (f_day int, f_shop smallint, f_note text, f_n int)
  PARTITION BY RANGE (f_day);
CREATE FOREIGN TABLE fs_fact_1 PARTITION OF fs_fact DEFAULT
  SERVER fs_server OPTIONS (table_name 'fs_far_1');
CREATE FOREIGN TABLE fs_fact_2 (f_n int, f_note text, f_shop smallint, f_day int)
  SERVER fs_server OPTIONS (table_name 'fs_far_2');
ALTER TABLE fs_fact ATTACH PARTITION fs_fact_2 FOR VALUES FROM (100) TO (200);
CREATE TABLE fs_fact_3 PARTITION OF fs_fact FOR VALUES FROM (200) TO (300);
INSERT INTO fs_fact_3
  SELECT 200 + i % 100, nullif(i * 7 % 300, 5), 'note ' || i % 40, i
    FROM generate_series(1, 10000) i;
CREATE FOREIGN TABLE fs_alone (f_day bigint, f_shop int, f_note text, f_n int)
  SERVER fs_server OPTIONS (table_name 'fs_far_1');

CREATE TABLE fs_day (d_key int PRIMARY KEY, d_month int, d_note text);
INSERT INTO fs_day SELECT i, i / 10, 'note ' || i FROM generate_series(0, 299) i;
CREATE TABLE fs_shop (s_key bigint PRIMARY KEY, s_town int);
INSERT INTO fs_shop SELECT i, i % 30 FROM generate_series(0, 299) i;
INSERT INTO fs_shop SELECT 100000000000 + i, i % 30 FROM generate_series(0, 299) i;
INSERT INTO fs_shop SELECT -100000 - i, i % 30 FROM generate_series(0, 299) i;
CREATE TABLE fs_town (t_key int PRIMARY KEY, t_land text);
INSERT INTO fs_town SELECT i, 'land ' || i % 5 FROM generate_series(0, 29) i;
ANALYZE;
ANALYZE fs_fact_1, fs_fact_2;

-- How keys were sent for each dimension, rows that came from foreign tables,
-- and whether the result is that without.
CREATE FUNCTION fs_plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb; sent text; fetched text;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, FORMAT json) ' || query
    INTO plan;
  SELECT string_agg(coalesce(n->>'Sent As', 'not asked for')
                    || coalesce(' ' || (n->>'Keys Sent'), ''), ', ')
    INTO sent FROM jsonb_path_query(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparShardKeys")') n;
  -- servers before 18 give rows of a loop as a whole number
  SELECT string_agg((round((n->>'Actual Rows')::numeric) * (n->>'Actual Loops')::int)::text,
                    ' + ' ORDER BY n->>'Relation Name')
    INTO fetched FROM jsonb_path_query(plan,
      'strict $.**?(@."Node Type" == "Foreign Scan")') n;
  RETURN coalesce('keys: ' || sent, 'no keys') || '; rows ' || fetched;
END $$;
CREATE FUNCTION fs_digest(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE digest text;
BEGIN
  EXECUTE 'SELECT concat(md5(string_agg(r::text, ''|'' ORDER BY r::text)), count(*)) FROM ('
    || query || ') r' INTO digest;
  RETURN digest;
END $$;
CREATE FUNCTION fs_try(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan text := fs_plan(query); digest text := fs_digest(query);
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', false);
  plan := plan || CASE WHEN fs_digest(query) = digest THEN '; same' ELSE '; DIFFERENT' END;
  PERFORM set_config('ssdpar.enabled', 'on', false);
  RETURN plan;
END $$;

-- One dimension, two, one that another reduces.
SELECT fs_try('SELECT * FROM fs_fact JOIN fs_day ON f_day = d_key WHERE d_month = 3');
SELECT fs_try('SELECT count(*), sum(f_n) FROM fs_fact JOIN fs_day ON f_day = d_key
  JOIN fs_shop ON f_shop = s_key WHERE d_month IN (3, 13, 23) AND s_town < 3');
SELECT fs_try('SELECT count(*), sum(f_n) FROM fs_fact JOIN fs_shop ON f_shop = s_key
  JOIN fs_town ON s_town = t_key WHERE t_land = ''land 2''');
-- A foreign table alone; no key; keys of a semi-join.
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month < 0');
SELECT fs_try('SELECT * FROM fs_fact WHERE f_day IN (SELECT d_key FROM fs_day WHERE d_month = 3)');
SELECT fs_try('SELECT f_note, count(*) FROM fs_fact WHERE f_n > 5000
  AND EXISTS (SELECT FROM fs_day WHERE d_key = f_day AND d_month = 3) GROUP BY 1');
-- Keys in one order may not be in the other: not the outer side of these.
SELECT fs_try('SELECT * FROM fs_fact LEFT JOIN fs_day ON f_day = d_key AND d_month = 3');
SELECT fs_try('SELECT * FROM fs_fact WHERE NOT EXISTS
  (SELECT FROM fs_day WHERE d_key = f_day AND d_month = 3)');
-- Within the nullable side.
SELECT fs_try('SELECT * FROM fs_town LEFT JOIN (fs_alone JOIN fs_shop ON f_shop = s_key
  AND s_town = 3) ON s_town = t_key');
-- Arrays of keys add relations to the query level after the keys have their plan.
SET ssdpar.star_access = sequential;
SELECT fs_try('SELECT * FROM fs_alone JOIN (SELECT DISTINCT d_key FROM fs_day WHERE d_month IN (1, 4, 9)) d
  ON f_day = d_key JOIN fs_shop ON f_shop = s_key WHERE s_town IN (1, 4, 7)
  AND f_shop IN (SELECT t_key FROM fs_town WHERE t_key IN (1, 4, 7, 9, 11))');
RESET ssdpar.star_access;
-- More than may be listed are sent as a range, or, estimated so, not at all.
SET ssdpar.shard_keys = 9;
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
-- Where the filter says how far apart they are, a range is priced.
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key
  WHERE d_key BETWEEN 10 AND 29 AND d_note <> ''note 15''');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key
  WHERE 30 > d_key AND d_key > 9::bigint AND d_month < 99');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_key % 2 = 0');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_key < d_month * 3');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_key >= 0 AND d_month < 12');
SET ssdpar.star_access = sequential;
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_shop ON f_shop = s_key WHERE s_key % 7 = 3');
RESET ssdpar.star_access;
-- None at all.
SET ssdpar.shard_keys = 0;
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
SET ssdpar.shard_keys = 100000;
-- Where few rows are wanted, or there are few, reading the dimension is not worth it.
SELECT fs_plan('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month < 20 LIMIT 1')
  ~ '^no keys';
-- Only integers: another server may compare others otherwise.
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_note = d_note WHERE d_month = 3');
-- Too many columns, nothing equal, and conditions that change.
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key AND f_n = d_month');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day < d_key WHERE d_month = 0');
SELECT fs_plan('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key
  WHERE d_month = 3 AND random() >= 0') ~ '^no keys';
SELECT fs_plan('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3
  FOR UPDATE OF fs_alone') ~ '^no keys';
-- A dimension whose filter can fail is not read before it must be.
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE 10 / (d_key + 1) = 3');
-- Foreign dimensions may have other rows the second time.
SELECT fs_try('SELECT * FROM fs_alone a JOIN fs_fact_2 b ON a.f_day = b.f_n WHERE b.f_note = ''note 3''');

-- Keys that depend on others: of an InitPlan, of the outer query, of a parameter.
SELECT fs_try('SELECT * FROM fs_fact JOIN fs_day ON f_day = d_key
  WHERE d_month = (SELECT min(d_month) FROM fs_day WHERE d_month > 2)');
SELECT fs_try('SELECT t_key, (SELECT count(*) FROM fs_alone JOIN fs_day ON f_day = d_key
  WHERE d_month = t_key) FROM fs_town WHERE t_key < 4');
SELECT fs_try('SELECT t_key, n FROM fs_town, LATERAL (SELECT count(*) AS n FROM fs_fact
  JOIN fs_day ON f_day = d_key JOIN fs_shop ON f_shop = s_key
  WHERE d_month = 3 AND s_town = t_key) s WHERE t_key < 4');
PREPARE fs_prepared (int) AS SELECT count(*), sum(f_n) FROM fs_fact
  JOIN fs_day ON f_day = d_key WHERE d_month = $1;
SET plan_cache_mode = force_generic_plan;
SELECT fs_plan('EXECUTE fs_prepared (3)'), fs_plan('EXECUTE fs_prepared (14)');
EXECUTE fs_prepared (3);
EXECUTE fs_prepared (14);
RESET plan_cache_mode;
DEALLOCATE fs_prepared;
-- All partitions but one are pruned.
SELECT fs_try('SELECT * FROM fs_fact JOIN fs_shop ON f_shop = s_key
  WHERE s_town = 3 AND f_day BETWEEN 120 AND 130');
-- Estimates from the other server.
ALTER SERVER fs_server OPTIONS (ADD use_remote_estimate 'true');
SELECT fs_try('SELECT count(*), sum(f_n) FROM fs_fact JOIN fs_day ON f_day = d_key
  JOIN fs_shop ON f_shop = s_key WHERE d_month IN (3, 13, 23) AND s_town < 3');
ALTER SERVER fs_server OPTIONS (DROP use_remote_estimate);
-- One row at a time, and without asynchronous execution.
ALTER SERVER fs_server OPTIONS (ADD fetch_size '1');
SET enable_async_append = off;
SELECT fs_try('SELECT * FROM fs_fact JOIN fs_day ON f_day = d_key WHERE d_month = 3');
RESET enable_async_append;
-- As many at a time as postgres_fdw reads that to be.
ALTER SERVER fs_server OPTIONS (SET fetch_size '1e2');
ALTER FOREIGN TABLE fs_alone OPTIONS (ADD fetch_size ' 0x10');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
ALTER FOREIGN TABLE fs_alone OPTIONS (DROP fetch_size);
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
ALTER SERVER fs_server OPTIONS (DROP fetch_size);
-- Beside a star scan of the partition that is here.
SET ssdpar.star_access = sequential;
SELECT fs_try('SELECT * FROM fs_fact JOIN fs_day ON f_day = d_key WHERE d_month IN (3, 13, 23)');
RESET ssdpar.star_access;

-- Who may see what: rows of a dimension, rows of the fact there, a view here.
CREATE ROLE regress_fs_user;
GRANT SELECT ON fs_day, fs_fact, fs_alone TO regress_fs_user;
DO $$ BEGIN
  EXECUTE format('CREATE USER MAPPING FOR regress_fs_user SERVER fs_server
    OPTIONS (user %L, password_required ''false'')', current_user);
END $$;
ALTER TABLE fs_day ENABLE ROW LEVEL SECURITY;
CREATE POLICY fs_even ON fs_day USING (d_key % 2 = 0);
SET ROLE regress_fs_user;
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
RESET ROLE;
ALTER TABLE fs_day DISABLE ROW LEVEL SECURITY;
ALTER TABLE fs_fact ENABLE ROW LEVEL SECURITY;
CREATE POLICY fs_fifth ON fs_fact USING (f_n % 5 = 0);
SET ROLE regress_fs_user;
SET ssdpar.star_access = sequential;
SELECT fs_try('SELECT * FROM fs_fact JOIN fs_day ON f_day = d_key WHERE d_month = 3');
RESET ssdpar.star_access;
RESET ROLE;
ALTER TABLE fs_fact DISABLE ROW LEVEL SECURITY;
CREATE ROLE regress_fs_far;
GRANT SELECT ON fs_far_1 TO regress_fs_far;
ALTER TABLE fs_far_1 ENABLE ROW LEVEL SECURITY;
CREATE POLICY fs_third ON fs_far_1 USING (f_n % 3 = 0);
ALTER SERVER fs_server OPTIONS (ADD options '-crole=regress_fs_far');
SELECT fs_try('SELECT * FROM fs_alone JOIN fs_day ON f_day = d_key WHERE d_month = 3');
ALTER SERVER fs_server OPTIONS (DROP options);

-- An int4 as an oid, of which -1 is the greatest; an oid that is an int4 here.
CREATE TABLE fs_far_signed (f_n int, f_key int);
INSERT INTO fs_far_signed SELECT i, i % 300 - 50 FROM generate_series(1, 3000) i;
CREATE FOREIGN TABLE fs_signed (f_n int, f_key int)
  SERVER fs_server OPTIONS (table_name 'fs_far_signed');
CREATE TABLE fs_oid (o_key oid, o_kind int);
INSERT INTO fs_oid SELECT i::oid, abs(i) % 7 FROM generate_series(-50, 250) i;
CREATE TABLE fs_far_oid (f_key oid, f_n int);
INSERT INTO fs_far_oid SELECT i, i FROM generate_series(1, 1000) i;
CREATE FOREIGN TABLE fs_unsigned (f_key int, f_n int)
  SERVER fs_server OPTIONS (table_name 'fs_far_oid');
CREATE TABLE fs_number (n_key bigint, n_kind int);
INSERT INTO fs_number SELECT i, i % 10 FROM generate_series(1, 500) i;
INSERT INTO fs_number VALUES (-1, 3);
ANALYZE fs_signed, fs_unsigned, fs_oid, fs_number;
SET ssdpar.star_access = sequential;
SELECT most, fs_try('SELECT * FROM fs_signed JOIN fs_oid ON f_key = o_key WHERE o_kind = 1'),
    fs_try('SELECT * FROM fs_unsigned JOIN fs_number ON f_key = n_key WHERE n_kind = 3')
  FROM (VALUES (1000), (3)) v (most), set_config('ssdpar.shard_keys', most::text, false);
SET ssdpar.shard_keys = 100000;
RESET ssdpar.star_access;

-- A server that is not there fails as without keys, and not before it is asked.
CREATE SERVER fs_gone FOREIGN DATA WRAPPER postgres_fdw
  OPTIONS (host '/nonexistent', port '1', dbname 'none');
CREATE USER MAPPING FOR CURRENT_USER SERVER fs_gone;
CREATE FOREIGN TABLE fs_lost (f_day int, f_n int) SERVER fs_gone;
CREATE FUNCTION fs_state(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN EXECUTE query; RETURN 'none'; EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE; END $$;
SET ssdpar.star_access = sequential;
SELECT fs_state('SELECT * FROM fs_lost JOIN fs_day ON f_day = d_key WHERE d_month = 3');
SELECT fs_state('EXPLAIN SELECT * FROM fs_lost JOIN fs_day ON f_day = d_key WHERE d_month = 3');
SELECT fs_state('SELECT * FROM fs_lost JOIN fs_day ON f_day = d_key WHERE d_month = 3 AND false');
RESET ssdpar.star_access;

-- What EXPLAIN says of the keys.
CREATE FUNCTION fs_explain(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, BUFFERS off) '
    || query
  LOOP
    IF line ~ 'Foreign Tables|Reducer|Sent|SsdparShardKeys' THEN
      RETURN NEXT regexp_replace(line, ' *\(actual rows.*', '');
    END IF;
  END LOOP;
END $$;
SELECT fs_explain('SELECT * FROM fs_fact JOIN fs_shop ON f_shop = s_key
  JOIN fs_town ON s_town = t_key WHERE t_land = ''land 2''');

DROP SERVER fs_server, fs_gone CASCADE;
DROP TABLE fs_fact, fs_far_1, fs_far_2, fs_day, fs_shop, fs_town,
  fs_far_signed, fs_far_oid, fs_oid, fs_number CASCADE;
DROP FUNCTION fs_plan, fs_digest, fs_try, fs_state, fs_explain;
DROP ROLE regress_fs_user, regress_fs_far;
