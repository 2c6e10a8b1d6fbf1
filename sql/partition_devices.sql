-- A fact whose partitions lie on several devices.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
\getenv srcdir PG_ABS_SRCDIR
\set invent_device :srcdir '/test/invent_device.sql'
\set ECHO none
\i :invent_device
\set ECHO all
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE pd_a LOCATION '';
CREATE TABLESPACE pd_b LOCATION '';
CREATE TABLESPACE pd_c LOCATION '';

-- Devices that nobody measured, each one of its own: 5,000 reads a second for
-- each outstanding.
CREATE FUNCTION pd_invent(space name, iops float8 DEFAULT 5000, identity text DEFAULT 'any device')
RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  PERFORM invent_device(format('%s * depth', iops), 128, NULL, space);
  PERFORM change_profile(jsonb_build_object('device', jsonb_build_object('identity', identity)), space);
END $$;
SELECT pd_invent('pd_a'), pd_invent('pd_b'), pd_invent('pd_c');

CREATE TABLE pd_dim (d_key int PRIMARY KEY, d_kind int, d_name text);
INSERT INTO pd_dim SELECT i, i % 10, 'dim ' || i FROM generate_series(1, 1000) i;
-- Eight partitions: the first four on one device, the others on two.
CREATE TABLE pd_fact (f_id int, f_part int, f_key int, f_text text) PARTITION BY LIST (f_part);
DO $$ BEGIN
  FOR i IN 0..7 LOOP
    EXECUTE format('CREATE TABLE pd_fact_%s PARTITION OF pd_fact FOR VALUES IN (%s) TABLESPACE %s',
                   i, i, CASE WHEN i < 4 THEN 'pd_a' WHEN i < 6 THEN 'pd_b' ELSE 'pd_c' END);
  END LOOP;
END $$;
INSERT INTO pd_fact SELECT i, i % 8, i / 8 * 7919 % 1000 + 1, repeat('x', 200)
  FROM generate_series(1, 32000) i;
CREATE INDEX ON pd_fact (f_key);
VACUUM ANALYZE;

SET ssdpar.star_access = sequential;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_nestloop = off;
EXPLAIN (COSTS off) SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3;
RESET enable_hashjoin; RESET enable_mergejoin; RESET enable_nestloop;

RESET ssdpar.star_access;

-- The same rows as without: sum and number of those of a query.
CREATE FUNCTION pd_same(query text) RETURNS TABLE (access text, rows text) LANGUAGE plpgsql AS $$
DECLARE sum text := format('SELECT concat(md5(string_agg(r::text, chr(10) ORDER BY r::text)), '' '', count(*)) FROM (%s) r', query);
  off text; "on" text;
BEGIN
  PERFORM set_config('ssdpar.enabled', 'off', true);
  EXECUTE sum INTO off;
  PERFORM set_config('ssdpar.enabled', 'on', true);
  FOREACH access IN ARRAY '{bitmap,sequential}'::text[] LOOP
    PERFORM set_config('ssdpar.star_access', access, true);
    EXECUTE sum INTO "on";
    rows := CASE WHEN "on" = off THEN 'same ' || split_part(off, ' ', 2) ELSE off || ' / ' || "on" END;
    RETURN NEXT;
  END LOOP;
  PERFORM set_config('ssdpar.star_access', 'auto', true);
END $$;
SELECT * FROM pd_same('SELECT f_id, d_name FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3');
SELECT * FROM pd_same('SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3 AND f_part IN (1, 5)');
SELECT * FROM pd_same('SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 11');
SELECT * FROM pd_same('SELECT pd_fact FROM pd_fact, pd_dim WHERE f_key = d_key AND d_key < 30');
-- scanned again and again; a cursor that stops in between
SELECT * FROM pd_same('SELECT x, (SELECT count(*) FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = x) FROM generate_series(1, 4) x');
SELECT * FROM pd_same('SELECT count(*) FROM (SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3 LIMIT 700) l');
-- A cursor's rows go out while indexes are being read, and others are deleted:
-- it does not see that.  One that ends there leaves nothing open.
CREATE FUNCTION pd_loop() RETURNS int LANGUAGE plpgsql AS $$
DECLARE id int; n int := 0;
BEGIN
  PERFORM set_config('ssdpar.star_access', 'bitmap', true);
  FOR id IN SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3 LOOP
    IF n = 0 THEN
      DELETE FROM pd_fact WHERE f_part IN (5, 7);
      BEGIN
        PERFORM 1 / (n * id);
      EXCEPTION WHEN division_by_zero THEN
        PERFORM count(*) FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 4;
      END;
    END IF;
    n := n + 1;
  END LOOP;
  FOR id IN SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3 LOOP
    RETURN n;
  END LOOP;
END $$;
BEGIN;
SELECT pd_loop();
ROLLBACK;
-- ends and begins anew there, with the same keys and with others
SELECT * FROM pd_same('SELECT x, (SELECT count(*) FROM (SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3 OFFSET 0 LIMIT x) l) FROM generate_series(1, 4) x');
SELECT * FROM pd_same('SELECT x, (SELECT count(*) FROM (SELECT f_id FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = x LIMIT 1) l) FROM generate_series(1, 4) x');
-- two such facts in one query
SELECT * FROM pd_same('SELECT a.f_id, b.f_id AS other FROM pd_fact a, pd_fact b, pd_dim WHERE a.f_key = d_key AND d_key < 8 AND b.f_key = d_key AND b.f_part = 2');
-- partitions pruned when the query starts
PREPARE pruned (int) AS SELECT count(*), sum(f_id) FROM pd_fact, pd_dim
  WHERE f_key = d_key AND d_kind = 3 AND f_part = ANY (ARRAY[$1, $1 + 4]);
SET plan_cache_mode = force_generic_plan;
SET ssdpar.star_access = sequential;
EXECUTE pruned (1);
EXECUTE pruned (9);
SET ssdpar.enabled = off;
EXECUTE pruned (1);
RESET ssdpar.enabled;
RESET ssdpar.star_access;
DEALLOCATE pruned;
RESET plan_cache_mode;

-- In several processes.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT * FROM pd_same('SELECT f_id, d_name FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3');
SET enable_parallel_append = off;
SELECT * FROM pd_same('SELECT f_id, d_name FROM pd_fact, pd_dim WHERE f_key = d_key AND d_kind = 3');
RESET enable_parallel_append;
SET max_parallel_workers_per_gather = 0;

SELECT ssdpar.forget_profile(tablespace) FROM ssdpar.device;
DROP TABLE pd_fact, pd_dim;
DROP FUNCTION invent_device, pd_invent, pd_same, pd_loop;
DROP TABLESPACE pd_a;
DROP TABLESPACE pd_b;
DROP TABLESPACE pd_c;
