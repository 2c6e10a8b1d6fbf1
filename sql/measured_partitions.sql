-- Row counts of joins with a parent are measured where those with one table are.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.star_scan = off;
SET ssdpar.residency = cold;
SET ssdpar.cost_model_min_size = '1MB';
SET ssdpar.prefetch = off;
SET ssdpar.subqueries = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- Two columns of items say the same: core expects one row of twenty.
CREATE TABLE mp_item (i_id int PRIMARY KEY, i_kind int, i_group int);
INSERT INTO mp_item SELECT i, i % 100, i % 100 FROM generate_series(1, 2000) i;
CREATE TABLE mp_one (f_id int, f_item int, f_pad text);
INSERT INTO mp_one SELECT i, 1 + i % 2000, repeat('x', 200)
  FROM generate_series(1, 60000) i;
CREATE INDEX ON mp_one (f_item);

-- As partitions, one of which has its own; and inherited from.
CREATE TABLE mp_fact (LIKE mp_one) PARTITION BY RANGE (f_id);
CREATE TABLE mp_fact_1 PARTITION OF mp_fact FOR VALUES FROM (MINVALUE) TO (20000);
CREATE TABLE mp_fact_2 PARTITION OF mp_fact FOR VALUES FROM (20000) TO (40000)
  PARTITION BY RANGE (f_id);
CREATE TABLE mp_fact_2a PARTITION OF mp_fact_2 FOR VALUES FROM (20000) TO (30000);
CREATE TABLE mp_fact_2b PARTITION OF mp_fact_2 DEFAULT;
CREATE TABLE mp_fact_3 PARTITION OF mp_fact DEFAULT;
INSERT INTO mp_fact SELECT * FROM mp_one;
CREATE INDEX ON mp_fact (f_item);
CREATE TABLE mp_old (LIKE mp_one);
CREATE TABLE mp_new () INHERITS (mp_old);
INSERT INTO mp_old SELECT * FROM mp_one WHERE f_id <= 30000;
INSERT INTO mp_new SELECT * FROM mp_one WHERE f_id > 30000;
CREATE INDEX ON mp_old (f_item);
CREATE INDEX ON mp_new (f_item);
VACUUM ANALYZE mp_item, mp_one, mp_fact, mp_old, mp_new;

\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
-- What is predicted for one item is worth no measuring at a share of 1 percent;
-- reading the facts is.
SELECT invent_device('depth * 40 * (262144 / size) ^ 0.6', 128, 2e-5);
SET ssdpar.estimate_share = 1;
SET ssdpar.estimate_budget = '10s';

CREATE FUNCTION measured(fact text, filter text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE format('EXPLAIN (VERBOSE, FORMAT json) SELECT count(*) FROM %s f, mp_item WHERE f_item = i_id %s',
                 fact, filter) INTO plan;
  RETURN QUERY SELECT n->>'Tables' FROM jsonb_array_elements(plan->1->'ssdpar Rows') n;
END $$;
\set few 'AND i_kind = 7 AND i_group = 7'
SELECT measured('mp_one', :'few');
SELECT measured('mp_fact', :'few');
SELECT measured('mp_old', :'few');
SELECT measured('(SELECT * FROM mp_old UNION ALL SELECT * FROM mp_new)', :'few');
-- Nothing can be wrong about these rows, of one table or of many.
SELECT measured('mp_one', '');
SELECT measured('mp_fact', '');

DROP TABLE mp_item, mp_one, mp_fact, mp_old, mp_new;
DROP FUNCTION measured, invent_device;
SELECT ssdpar.forget_profile('pg_default');
