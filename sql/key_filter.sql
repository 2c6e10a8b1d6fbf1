-- Keys as a filter for other servers: what it says of a key, and that
-- foreign tables are asked by it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
CREATE EXTENSION IF NOT EXISTS ssdpar_test CASCADE;
RESET client_min_messages;
LOAD 'ssdpar';

-- The bytes are the same on all machines, for ever or with another version.
SELECT length(f), md5(f), encode(substr(f, 1, 8), 'hex')
  FROM ssdpar_test.key_filter('{1, -7, 5000000000, 9223372036854775807}') f;
-- No key is missed; of others few pass, if they have ten bits each.
CREATE TABLE kf_keys AS SELECT i * 7919::bigint - 300000000 AS k
  FROM generate_series(1, 20000) i;
CREATE TABLE kf_filters AS SELECT how, f FROM (VALUES
  ('of keys', ssdpar_test.key_filter((SELECT array_agg(k) FROM kf_keys))),
  ('of a set', ssdpar_test.key_filter((SELECT array_agg(k) FROM kf_keys), 256)),
  ('of less', ssdpar_test.key_filter((SELECT array_agg(k) FROM kf_keys), 4096, 13))) v (how, f);
SELECT how, length(f) AS bytes,
    (SELECT count(*) FROM kf_keys WHERE NOT ssdpar.in_key_filter(f, k)) AS missed,
    (SELECT count(*) FROM kf_keys WHERE ssdpar.in_key_filter(f, k + 1)) < 400 AS few,
    (SELECT count(*) FROM kf_keys WHERE ssdpar.in_key_filter(f, k + 1)) < 4000 AS less
  FROM kf_filters ORDER BY 1;
SELECT ssdpar_test.key_filter((SELECT array_agg(k) FROM kf_keys), 4096, 9) IS NULL AS too_little,
  ssdpar_test.key_filter((SELECT array_agg(k) FROM kf_keys), 16) IS NULL AS too_full,
  ssdpar_test.key_filter('{1}', 64, 0) IS NULL AS none;
-- Of every type of integers; what is no integer may be in it; NULL is not.
SELECT ssdpar.in_key_filter(f, 7::int2) AS i2, ssdpar.in_key_filter(f, 7) AS i4,
    ssdpar.in_key_filter(f, 7::int8) AS i8, ssdpar.in_key_filter(f, 8::int2) AS not_i2,
    ssdpar.in_key_filter(f, 8) AS not_i4, ssdpar.in_key_filter(f, 8::int8) AS not_i8,
    ssdpar.in_key_filter(f, -7) AS not_minus, ssdpar.in_key_filter(f, 8.5) AS number,
    ssdpar.in_key_filter(f, 'a'::text) AS text, ssdpar.in_key_filter(f, 8::oid) AS oid,
    ssdpar.in_key_filter(f, NULL::int) AS nothing
  FROM ssdpar_test.key_filter('{7}') f;
SELECT count(*) FROM generate_series(1, 1000) i, ssdpar_test.key_filter('{}') f
  WHERE ssdpar.in_key_filter(f, i);
-- Of a version to come everything may be in it; what is no filter is an error.
SELECT ssdpar.in_key_filter(set_byte(f, 3, 2), 8) AS newer,
    ssdpar.in_key_filter(set_byte(f, 3, 0), 8) AS none
  FROM ssdpar_test.key_filter('{7}') f;
CREATE FUNCTION kf_try(filter bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN RETURN ssdpar.in_key_filter(filter, 7); EXCEPTION WHEN OTHERS THEN
RETURN SQLSTATE || ': ' || SQLERRM; END $$;
SELECT n, kf_try(bad) FROM ssdpar_test.key_filter('{7}') f, LATERAL (VALUES
  (1, ''::bytea), (2, '\x53'), (3, substr(f, 1, 7)), (4, substr(f, 1, 8)),
  (5, substr(f, 1, 71)), (6, f || '\x00'), (7, set_byte(f, 0, 1)),
  (8, set_byte(f, 4, 0)), (9, set_byte(f, 4, 2)), (10, set_byte(f, 7, 255)),
  (11, decode(repeat('ff', 80), 'hex'))) bad (n, bad) ORDER BY n;

-- Foreign tables.  The server lists the extension, or does not.
DO $$ BEGIN
  EXECUTE format('CREATE SERVER kf_server FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host %L, port %L, dbname %L, extensions ''ssdpar'', fetch_size ''10000'')',
    split_part(current_setting('unix_socket_directories'), ',', 1),
    current_setting('port'), current_database());
  EXECUTE format('CREATE SERVER kf_plain FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host %L, port %L, dbname %L, fetch_size ''10000'')',
    split_part(current_setting('unix_socket_directories'), ',', 1),
    current_setting('port'), current_database());
END $$;
CREATE USER MAPPING FOR CURRENT_USER SERVER kf_server;
CREATE USER MAPPING FOR CURRENT_USER SERVER kf_plain;
CREATE TABLE kf_far (f_n int, f_key bigint, f_other numeric);
INSERT INTO kf_far SELECT i, i * 17 % 20000, i * 17 % 20000 FROM generate_series(1, 40000) i;
CREATE FOREIGN TABLE kf_near (f_n int, f_key int, f_other int)
  SERVER kf_server OPTIONS (table_name 'kf_far');
CREATE FOREIGN TABLE kf_without (f_n int, f_key int)
  SERVER kf_plain OPTIONS (table_name 'kf_far');
CREATE TABLE kf_both (f_n int, f_key int) PARTITION BY RANGE (f_n);
CREATE FOREIGN TABLE kf_both_1 PARTITION OF kf_both FOR VALUES FROM (0) TO (100000)
  SERVER kf_server OPTIONS (table_name 'kf_far');
CREATE FOREIGN TABLE kf_both_2 PARTITION OF kf_both DEFAULT
  SERVER kf_plain OPTIONS (table_name 'kf_far_2');
CREATE TABLE kf_far_2 AS SELECT f_n + 100000 AS f_n, f_key FROM kf_far;
-- A twentieth of the keys, all over their range.
CREATE TABLE kf_dim (d_key int PRIMARY KEY, d_v int);
INSERT INTO kf_dim SELECT i, i % 20 FROM generate_series(0, 19999) i;
ANALYZE kf_far, kf_far_2, kf_dim, kf_near, kf_without, kf_both_1, kf_both_2;
ANALYZE kf_both;
CREATE FUNCTION kf_plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb; sent text; remote text; with_keys text; without text;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, VERBOSE, COSTS off, TIMING off, SUMMARY off, FORMAT json) '
    || query INTO plan;
  SELECT string_agg(concat_ws(' ', n->>'Sent As', n->>'Keys Sent',
                              n->>'Filter Size'), ', ')
    INTO sent FROM jsonb_path_query(plan,
      'strict $.**?(@."Custom Plan Provider" == "SsdparShardKeys")') n;
  SELECT string_agg(CASE WHEN n->>'Remote SQL' ~ 'in_key_filter' THEN 'asked' ELSE 'not asked' END
      || CASE WHEN (n->>'Actual Rows')::numeric < 2400 THEN ', few' ELSE ', many' END,
      '; ' ORDER BY n->>'Relation Name')
    INTO remote FROM jsonb_path_query(plan,
      'strict $.**?(@."Node Type" == "Foreign Scan")') n;
  EXECUTE 'SELECT md5(string_agg(r::text, ''|'' ORDER BY r::text)) FROM (' || query || ') r' INTO with_keys;
  PERFORM set_config('ssdpar.enabled', 'off', true);
  EXECUTE 'SELECT md5(string_agg(r::text, ''|'' ORDER BY r::text)) FROM (' || query || ') r' INTO without;
  PERFORM set_config('ssdpar.enabled', 'on', true);
  RETURN concat_ws('; ', coalesce(sent, 'no keys'), remote,
                   CASE WHEN with_keys = without THEN 'same' ELSE 'DIFFERENT' END);
END $$;
SET max_parallel_workers_per_gather = 0;
SET ssdpar.shard_keys = 100;
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_dim ON f_key = d_key WHERE d_v = 3');
SELECT kf_plan('SELECT * FROM kf_without JOIN kf_dim ON f_key = d_key WHERE d_v = 3');
SELECT kf_plan('SELECT * FROM kf_both JOIN kf_dim ON f_key = d_key WHERE d_v = 3');
-- Narrow ranges are sent beside it; keys that are few are listed.
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_dim ON f_key = d_key WHERE d_v = 3 AND d_key < 4000');
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_dim ON f_key = d_key WHERE d_v = 3 AND d_key < 400');
-- What the column is there is no integer: all rows come.
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_dim ON f_other = d_key WHERE d_v = 3');
-- More than expected, and without memory to list them.
CREATE TABLE kf_odd AS SELECT * FROM kf_dim;
ANALYZE kf_odd;
UPDATE kf_odd SET d_v = 100 WHERE d_v = 5;
SET enable_nestloop = off;
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_odd ON f_key = d_key WHERE d_v = 100');
RESET enable_nestloop;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_dim ON f_key = d_key WHERE d_v IN (3, 4, 5)');
RESET work_mem;
RESET hash_mem_multiplier;
-- A filter that would keep nearly all rows is not worth it.
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_dim ON f_key = d_key WHERE d_v <> 3');
-- A function of that name that is not the extension's is not sent.
ALTER EXTENSION ssdpar DROP FUNCTION ssdpar.in_key_filter(bytea, "any");
SELECT kf_plan('SELECT * FROM kf_near JOIN kf_dim ON f_key = d_key WHERE d_v = 3');
ALTER EXTENSION ssdpar ADD FUNCTION ssdpar.in_key_filter(bytea, "any");

SET client_min_messages = warning;
DROP SERVER kf_server, kf_plain CASCADE;
DROP TABLE kf_both, kf_far, kf_far_2, kf_dim, kf_odd, kf_keys, kf_filters;
DROP FUNCTION kf_try, kf_plan;
