-- Queries that core surely answers in a short time, of which nothing is
-- considered and for which no dimension is read while they are planned.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);

-- 40 rows of the fact a brand.  That much is short on this device if tables
-- from 8 MB on are planned by time, and so is not what has a thousand rows.
CREATE TABLE item (item int PRIMARY KEY, brand int, shade int, name text);
INSERT INTO item SELECT i, i / 2, i / 2 % 10, 'item ' || i
  FROM generate_series(1, 5000) i;
CREATE INDEX ON item (brand);
CREATE TABLE day (day int PRIMARY KEY, d date);
INSERT INTO day SELECT i, date '2000-01-01' + i FROM generate_series(1, 20000) i;
CREATE INDEX ON day (d);
CREATE TABLE customer (customer int PRIMARY KEY, state int);
INSERT INTO customer SELECT i, i % 40 FROM generate_series(1, 10000) i;
CREATE TABLE fact AS SELECT 1 + i * 7919 % 5000 AS item, i / 50 AS day,
    1 + i * 31 % 10000 AS customer, CASE WHEN i % 100 < 20 THEN 4711
      ELSE 1 + i * 7919 % 5000 END AS often, repeat('x', 60) AS pad
  FROM generate_series(1, 100000) i;
CREATE INDEX ON fact (item);
CREATE INDEX ON fact (day);
CREATE INDEX ON fact (often);
VACUUM ANALYZE item, day, customer, fact;
CREATE TABLE item_now (LIKE item INCLUDING ALL);
ALTER TABLE item_now SET (autovacuum_enabled = off);
INSERT INTO item_now SELECT * FROM item LIMIT 200;

SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '8MB';

CREATE FUNCTION plan_of(query text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, BUFFERS, FORMAT JSON) ' || query INTO plan;
  RETURN json_build_object('Planning', plan -> 0 -> 'Planning',
                           'ssdpar', plan -> 1);
END $$;

-- What planning reads of tables and indexes, with all caches filled.
CREATE FUNCTION pages_planning(query text) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  PERFORM plan_of(query), plan_of(query);
  RETURN (SELECT (p ->> 'Shared Hit Blocks')::int +
                 (p ->> 'Shared Read Blocks')::int
            FROM (SELECT plan_of(query) -> 'Planning') x (p));
END $$;

CREATE FUNCTION show(name text, query text,
                     OUT query_ text, OUT star_scan text, OUT index_join text,
                     OUT pages_more int) LANGUAGE plpgsql AS $$
BEGIN
  query_ := name;
  star_scan := plan_of(query) -> 'ssdpar' ->> 'ssdpar Star Scan Not Used';
  index_join := plan_of(query) -> 'ssdpar' ->> 'ssdpar Index Join Not Used';
  pages_more := pages_planning(query);
  PERFORM set_config('ssdpar.enabled', 'off', true);
  pages_more := pages_more - pages_planning(query);
  PERFORM set_config('ssdpar.enabled', 'on', true);
END $$;

\pset null -
SELECT star_scan IS NOT DISTINCT FROM
         'core is predicted to join the tables in a short time' AS short,
       index_join IS NOT DISTINCT FROM star_scan AS the_same,
       pages_more, query_
  FROM (VALUES
  ('a brand', 'SELECT count(*), min(state) FROM fact JOIN item USING (item)
     JOIN customer USING (customer) WHERE brand = 700'),
  ('a day', 'SELECT count(*), min(state) FROM fact JOIN day USING (day)
     JOIN customer USING (customer) WHERE d BETWEEN ''2001-01-01'' AND ''2001-01-01'''),
  ('an outer join', 'SELECT count(*), min(state) FROM fact JOIN item USING (item)
     LEFT JOIN customer USING (customer) WHERE brand = 700'),
  ('a semijoin', 'SELECT count(*), min(pad) FROM fact
     WHERE item IN (SELECT item FROM item WHERE brand = 700)'),
  ('a part of many', 'SELECT pad, name FROM fact JOIN item USING (item)
     WHERE brand BETWEEN 700 AND 710 LIMIT 3')
  ) q (name, query), show(name, query);

-- Many rows: all are needed, or only core's estimate of them is small.
SELECT star_scan IS DISTINCT FROM
         'core is predicted to join the tables in a short time' AS long, query_
  FROM (VALUES
  ('many', 'SELECT count(*), min(name) FROM fact JOIN item USING (item)
     WHERE brand BETWEEN 700 AND 900'),
  ('columns that depend on each other', 'SELECT count(*), min(name)
     FROM fact JOIN item USING (item)
     WHERE brand BETWEEN 700 AND 900 AND shade < 3 AND shade + 0 = 1'),
  ('a filter without statistics', 'SELECT count(*), min(name)
     FROM fact JOIN item USING (item) WHERE brand + 0 = 700 AND shade + 0 = 0'),
  ('no statistics', 'SELECT count(*), min(name)
     FROM fact JOIN item_now USING (item) WHERE brand = 7'),
  ('a key that is common', 'SELECT count(*), min(name)
     FROM fact JOIN item ON item.item = often WHERE brand = 700'),
  ('read as a whole', 'SELECT count(*), min(name)
     FROM fact JOIN item USING (item)')
  ) q (name, query), show(name, query);
SET enable_nestloop = off;
SELECT star_scan IS DISTINCT FROM
         'core is predicted to join the tables in a short time' AS without_loops
  FROM show('', 'SELECT count(*), min(name) FROM fact JOIN item USING (item)
  WHERE brand = 700');
RESET enable_nestloop;

-- A plan that is asked for is made, and so are all if there is no least size.
SET ssdpar.star_access = bitmap;
EXPLAIN (COSTS OFF) SELECT count(*), min(name) FROM fact JOIN item USING (item)
  WHERE brand = 700;
RESET ssdpar.star_access;
SET ssdpar.cost_model_min_size = 0;
SELECT plan_of('SELECT count(*), min(name) FROM fact JOIN item USING (item)
  WHERE brand = 700') -> 'ssdpar' ->> 'ssdpar Star Scan Not Used' AS refused;

-- EXPLAIN shows what planning did, in all formats, and nothing where it did
-- nothing or where its time is not wanted.  Profiles and indexes are looked at
-- once a session.
CREATE FUNCTION work_of(options text, query text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE format('EXPLAIN (%s) %s', options, query) LOOP
    RETURN QUERY SELECT regexp_replace(l, '\d+\.\d+', 'N')
                   FROM regexp_split_to_table(line, '\n') l
                  WHERE l ~ 'ssdpar.Planning|Work\W';
  END LOOP;
END $$;
CREATE FUNCTION work_done(query text)
RETURNS TABLE (work text, times int, pages int, timed bool)
LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, SUMMARY, FORMAT JSON) ' || query INTO plan;
  RETURN QUERY SELECT w ->> 'Work', (w ->> 'Times')::int, (w ->> 'Pages')::int,
                      (w ->> 'Time')::float8 >= 0
                 FROM json_array_elements(plan -> 1 -> 'ssdpar Planning') w;
END $$;
\set long 'SELECT count(*), min(name) FROM fact JOIN item USING (item) WHERE brand BETWEEN 700 AND 900'
\set short 'SELECT count(*), min(name) FROM fact JOIN item USING (item) WHERE brand = 700'
SELECT * FROM work_done(:'long');
SELECT relpages AS pages_of_item FROM pg_class WHERE oid = 'item'::regclass;
SELECT work_of('VERBOSE, SUMMARY', :'long');
SELECT work_of('VERBOSE, SUMMARY, FORMAT XML', :'long');
SELECT work_of('VERBOSE, SUMMARY, FORMAT YAML', :'long');
SELECT count(*) FROM work_of('VERBOSE, ANALYZE', :'long') w WHERE w ~ 'ssdpar Planning';
SELECT work_of('VERBOSE', :'long');
SELECT work_of('SUMMARY', :'long');
SET ssdpar.cost_model_min_size = '8MB';
SELECT work_of('VERBOSE, SUMMARY', :'short');

RESET ssdpar.cost_model_min_size;
RESET ssdpar.residency;
DROP TABLE item, item_now, day, customer, fact;
DROP FUNCTION plan_of, pages_planning, show, work_of, work_done,
  invent_device, change_profile, change_points, add_point;
SELECT ssdpar.forget_profile('pg_default');
