-- Index joins by keys that have many matches.  Where one partner a row is enough,
-- and they take much of the memory, only the first are taken, once for all rows
-- that have the key; and more of a row where none of the first is its partner.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.write_protection = -1;
SET max_parallel_workers_per_gather = 0;
SET ssdpar.star_scan = off;

-- Two keys of 30,000 rows each came when statistics had been collected.
CREATE TABLE ijh_outer AS
  SELECT i AS id, CASE WHEN i % 10 < 5 THEN 1 WHEN i % 10 < 9 THEN 2
                       WHEN i % 20 = 9 THEN i END AS k, NULL::text AS word
    FROM generate_series(1, 600) i;
UPDATE ijh_outer SET word = 'key ' || k;
CREATE TABLE ijh_inner (id int, k int, word text, pad text)
  WITH (autovacuum_enabled = off);
INSERT INTO ijh_inner SELECT -i, i, 'key ' || i, 'x' FROM generate_series(3, 30000) i;
CREATE INDEX ijh_k ON ijh_inner (k) INCLUDE (id);
CREATE INDEX ijh_word ON ijh_inner (word DESC);
VACUUM ANALYZE ijh_outer, ijh_inner;
INSERT INTO ijh_inner SELECT i, i % 2 + 1, 'key ' || i % 2 + 1, 'y' FROM generate_series(0, 59999) i;
DELETE FROM ijh_inner WHERE id BETWEEN 0 AND 999;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('CASE depth WHEN 1 THEN 100 ELSE depth * 1e4 END', 128, 5e-6);
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = 0;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET enable_memoize = off;
SET enable_material = off;
SET enable_seqscan = on;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1.0;

-- Rows against those of a server without ssdpar; what EXPLAIN counted.
CREATE FUNCTION ijh_same(query text) RETURNS TABLE (used text, rows text, index_rows int8, cut int8, alone int8)
LANGUAGE plpgsql AS $$
DECLARE
  sum text := format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text)), '' '', count(*)) FROM (%s OFFSET 0) r', query);
  off text;
  "on" text;
  plan jsonb;
  node jsonb;
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', true);
  PERFORM set_config('enable_hashjoin', 'on', true);
  EXECUTE sum INTO off;
  PERFORM set_config('enable_hashjoin', 'off', true);
  PERFORM set_config('ssdpar.enabled', 'on', true);
  EXECUTE sum INTO "on";
  rows := CASE WHEN "on" = off THEN 'same, ' || split_part(off, ' ', 2)
               ELSE 'DIFFERENT' END;
  EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) ' || query INTO plan;
  node := jsonb_path_query_first(plan,
    'strict $.**?(@."Custom Plan Provider" == "SsdparIndexJoin")');
  used := concat_ws(' by ', node->>'Join Type', node->>'Index');
  index_rows := node->'Index Rows';
  cut := node->'Keys Cut Short';
  alone := node->'Looked Up Alone';
  RETURN NEXT;
END $$;
-- EXPLAIN counts all entries of the leaves that are read: of one key some
-- hundreds on each of its first.
CREATE FUNCTION ijh(query text, most int8) RETURNS TABLE (used text, rows text, few bool, cut bool, alone int8)
LANGUAGE sql AS 'SELECT used, rows, index_rows <= most, cut > 0, alone FROM ijh_same(query)';

-- the first match is a partner: semi, anti, from the index alone
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.pad <> '''')', 10000);
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE NOT EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.pad <> '''')', 10000);
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k)', 10000);
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE NOT EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.id <> o.id)', 10000);
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE EXISTS (SELECT FROM ijh_inner i WHERE i.word = o.word)', 40000);
-- it is not, but a later one is; or none
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.id > 2000 + o.id)', 1000000);
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE o.id < 40 AND NOT EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.id > 59990 + o.id)', 500000);
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE o.id < 40 AND EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.id > 100000 + o.id)', 500000);
-- a batch of one row
SELECT * FROM ijh('SELECT count(*) FROM (SELECT FROM ijh_outer o WHERE EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.id > o.id) LIMIT 3) r', 3000);
-- all are wanted: none is cut
SELECT * FROM ijh('SELECT o.id, count(i.pad) FROM ijh_outer o JOIN ijh_inner i ON i.k = o.k WHERE o.id < 40 GROUP BY o.id', 1500000);
-- there is memory for all
SET work_mem = '256MB';
SELECT * FROM ijh('SELECT o.* FROM ijh_outer o WHERE EXISTS (SELECT FROM ijh_inner i WHERE i.k = o.k AND i.id > 2000 + o.id)', 100000);
SET work_mem = '64kB';

-- Matches of a row by itself are tested in the index's order, as core does: if
-- that may raise an error, none that core does not come to.
CREATE TABLE ijh_pair (k int, x int) WITH (autovacuum_enabled = off);
INSERT INTO ijh_pair SELECT i, 1 FROM generate_series(3, 30000) i;
CREATE INDEX ijh_k_x ON ijh_pair (k, x);
VACUUM ANALYZE ijh_pair;
INSERT INTO ijh_pair SELECT 1, 10 - i FROM generate_series(1, 3000) i;
SELECT * FROM ijh('SELECT o.id FROM ijh_outer o WHERE EXISTS (SELECT FROM ijh_pair i WHERE i.k = o.k AND 10 / i.x < 0)', 500000);
SELECT * FROM ijh('SELECT count(*) FROM (SELECT FROM ijh_outer o JOIN ijh_pair i ON i.k = o.k AND 10 / i.x < 5 LIMIT 500) r', 500000);

SELECT ssdpar.forget_profile('pg_default');
DROP FUNCTION ijh, ijh_same, invent_device;
DROP TABLE ijh_outer, ijh_inner, ijh_pair;
