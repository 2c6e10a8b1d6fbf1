-- Links to other servers: measured through postgres_fdw, kept with the device
-- profiles, and what keys for foreign tables are priced by.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
RESET client_min_messages;
LOAD 'ssdpar';
SET ssdpar.shard_keys = 100000;
SET max_parallel_workers_per_gather = 0;
DO $$ BEGIN
  EXECUTE format('CREATE SERVER sl_server FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host %L, port %L, dbname %L)',
    split_part(current_setting('unix_socket_directories'), ',', 1),
    current_setting('port'), current_database());
  EXECUTE format('CREATE SERVER sl_again FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (dbname ''another'', port %L, host %L)', current_setting('port'),
    split_part(current_setting('unix_socket_directories'), ',', 1));
END $$;
CREATE SERVER sl_away FOREIGN DATA WRAPPER postgres_fdw
  OPTIONS (host '/nowhere', port '1');
CREATE USER MAPPING FOR PUBLIC SERVER sl_away;
CREATE FOREIGN DATA WRAPPER sl_wrapper;
CREATE SERVER sl_other FOREIGN DATA WRAPPER sl_wrapper;
CREATE FUNCTION sl_try(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE message text; hint text;
BEGIN
  EXECUTE command;
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
  -- servers differ in what they say after it
  RETURN concat_ws(' / ', regexp_replace(message,
      '(user mapping not found|password).*', '\1 ..'), nullif(hint, ''));
END $$;

-- What is wrong, and what to do.
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_server')$$);
CREATE USER MAPPING FOR CURRENT_USER SERVER sl_server;
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_away')$$);
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_other')$$);
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_none')$$);
SELECT sl_try($$SELECT ssdpar.store_link('sl_other', 1, 1)$$);
SELECT sl_try($$SELECT ssdpar.store_link('sl_server', 0, 1)$$);
SELECT sl_try($$SELECT ssdpar.store_link('sl_server', 1, 'NaN')$$);
SELECT sl_try($$SELECT ssdpar.store_link('sl_server', 1, 'Infinity')$$);
BEGIN READ ONLY;
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_server')$$);
SELECT sl_try($$SELECT ssdpar.store_link('sl_server', 1, 1)$$);
ROLLBACK;
DO $$ BEGIN
  EXECUTE 'ALTER SERVER sl_away OPTIONS (SET host ''/' || repeat('x', 500) || ''')';
END $$;
SELECT sl_try($$SELECT ssdpar.store_link('sl_away', 1, 1)$$);
ALTER SERVER sl_away OPTIONS (SET host '/nowhere');
CREATE ROLE regress_sl_reader;
CREATE ROLE regress_sl_writer IN ROLE pg_write_server_files;
SET ROLE regress_sl_reader;
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_server')$$);
SELECT sl_try($$SELECT ssdpar.store_link('sl_server', 1, 1)$$);
SELECT sl_try($$SELECT ssdpar.forget_link('sl_server')$$);
SELECT server, latency_seconds FROM ssdpar.server_link ORDER BY 1;
-- Who is no superuser connects with a password, or not at all.
SET ROLE regress_sl_writer;
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_server')$$);
RESET ROLE;
GRANT USAGE ON FOREIGN SERVER sl_server TO regress_sl_writer;
CREATE USER MAPPING FOR regress_sl_writer SERVER sl_server;
SET ROLE regress_sl_writer;
SELECT sl_try($$SELECT ssdpar.calibrate_server('sl_server')$$);
RESET ROLE;
SELECT count(*) FROM ssdpar.stored_links();

-- Measured: numbers that make sense, for all servers at the same address.
SELECT server, address LIKE 'host=% port=%' AS address,
    latency_seconds BETWEEN 1e-7 AND 100 AS latency,
    bytes_per_second BETWEEN 1e3 AND 1e12 AS bandwidth
  FROM ssdpar.calibrate_server('sl_server');
SELECT server, latency_seconds IS NOT NULL AS known, measured_at <= now() AS at
  FROM ssdpar.server_link WHERE server LIKE 'sl\_%' ORDER BY 1;
SELECT count(*) FROM pg_class WHERE relname LIKE 'ssdpar\_%' AND relkind = 'f';
-- a server that goes while they are shown is not
BEGIN;
DECLARE sl_shown CURSOR FOR
  SELECT server FROM ssdpar.server_link WHERE server LIKE 'sl\_%' ORDER BY 1;
DROP SERVER sl_again;
FETCH ALL FROM sl_shown;
ROLLBACK;

-- What it is for: a filter that keeps most rows is worth its keys only where
-- rows are slow to come.
CREATE TABLE sl_far AS SELECT i % 1000 AS f_day, i AS f_n
  FROM generate_series(1, 10000) i;
CREATE FOREIGN TABLE sl_near (f_day int, f_n int) SERVER sl_server
  OPTIONS (table_name 'sl_far');
CREATE TABLE sl_day AS SELECT i AS d_key, i * 7 % 1000 AS d_n
  FROM generate_series(0, 999) i;
ALTER TABLE sl_day ADD PRIMARY KEY (d_key);
ANALYZE sl_far, sl_day, sl_near;
CREATE FUNCTION sl_sends() RETURNS bool LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) SELECT sum(f_n) FROM sl_near
    JOIN sl_day ON f_day = d_key WHERE d_n < 948' INTO plan;
  RETURN plan::text LIKE '%SsdparShardKeys%';
END $$;
SELECT ssdpar.store_link('sl_server', 1e-6, 1e12);
SELECT sl_sends();
SELECT ssdpar.store_link('sl_server', 0.1, 1e12);
SELECT sl_sends();
-- a rollback does not undo it
BEGIN;
SELECT ssdpar.store_link('sl_server', 1e-6, 1e12);
ROLLBACK;
SELECT sl_sends();
SELECT ssdpar.store_link('sl_again', 1e-6, 1e3);
SELECT sl_sends();
SELECT ssdpar.store_link('sl_again', 1e-6, 1e12);
SELECT sl_sends();
-- rows are the same
SET ssdpar.star_access = sequential;
SELECT sl_sends();
SELECT sum(f_n) FROM sl_near JOIN sl_day ON f_day = d_key WHERE d_n < 948;
RESET ssdpar.star_access;
SET ssdpar.enabled = off;
SELECT sum(f_n) FROM sl_near JOIN sl_day ON f_day = d_key WHERE d_n < 948;
RESET ssdpar.enabled;
-- a server that moves has another link
ALTER SERVER sl_server OPTIONS (ADD hostaddr '127.0.0.1');
SELECT sl_sends();
ALTER SERVER sl_server OPTIONS (DROP hostaddr);
SELECT sl_sends();
SELECT ssdpar.forget_link('sl_again'), ssdpar.forget_link('sl_server');
SELECT sl_sends();

-- What the server there has is kept with its link.
SELECT sl_try($$SELECT ssdpar.store_shard('sl_server', 1e8, 1e-6)$$);
SELECT ssdpar.store_link('sl_server', 1e-4, 1e8);
SELECT sl_try($$SELECT ssdpar.store_shard('sl_server', 0, 1e-6)$$);
SELECT sl_try($$SELECT ssdpar.store_shard('sl_server', 1e8, 'NaN')$$);
-- what the file of profiles could not be read with is not stored
SELECT sl_try($$SELECT ssdpar.store_link('sl_server', 1e-320, 1e8)$$);
SELECT sl_try($$SELECT ssdpar.store_shard('sl_server', 1e8, 1e-320)$$);
SELECT sl_try($$SELECT ssdpar.store_shard('sl_other', 1e8, 1e-6)$$);
SET ROLE regress_sl_reader;
SELECT sl_try($$SELECT ssdpar.store_shard('sl_server', 1e8, 1e-6)$$);
RESET ROLE;
SELECT ssdpar.store_shard('sl_server', 1e8, NULL);
SELECT ssdpar.store_link('sl_server', 1e-3, 1e8);
SELECT latency_seconds, device_bytes_per_second, cost_unit_seconds
  FROM ssdpar.server_link WHERE server = 'sl_server';
-- Servers at two addresses work at once, tables at one take turns.
ALTER SERVER sl_server OPTIONS (ADD async_capable 'true');
DO $$ BEGIN
  EXECUTE format('CREATE SERVER sl_beside FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host %L, port %L, dbname %L, async_capable ''true'')',
    split_part(current_setting('unix_socket_directories'), ',', 1) || '/',
    current_setting('port'), current_database());
END $$;
CREATE USER MAPPING FOR CURRENT_USER SERVER sl_beside;
SELECT ssdpar.store_link('sl_beside', 1e-3, 1e8);
SELECT ssdpar.store_shard('sl_beside', 1e8, 1e-6);
CREATE TABLE sl_parts (f_day int, f_n int) PARTITION BY RANGE (f_n);
CREATE FOREIGN TABLE sl_parts_2 PARTITION OF sl_parts
  FOR VALUES FROM (100000) TO (200000) SERVER sl_beside
  OPTIONS (table_name 'sl_far');
CREATE FOREIGN TABLE sl_parts_1 PARTITION OF sl_parts DEFAULT
  SERVER sl_server OPTIONS (table_name 'sl_far');
ANALYZE sl_parts_1, sl_parts_2;
-- what all take, as a share of what each takes
CREATE FUNCTION sl_share() RETURNS float LANGUAGE plpgsql AS $$
DECLARE plan jsonb; share float;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) SELECT sum(f_n) FROM sl_parts
    JOIN sl_day ON f_day = d_key WHERE d_n < 5' INTO plan;
  SELECT (a->>'Total Cost')::float /
      (SELECT sum((p->>'Total Cost')::float) FROM jsonb_array_elements(a->'Plans') p)
    INTO share FROM jsonb_path_query(plan, 'strict $.**?(@."Node Type" == "Append")') a;
  RETURN share;
END $$;
SELECT sl_share() BETWEEN 0.49 AND 0.7;
SET enable_async_append = off;
SELECT sl_share() BETWEEN 1 AND 1.1;
RESET enable_async_append;
SELECT ssdpar.forget_link('sl_beside');
DO $$ BEGIN
  EXECUTE format('ALTER SERVER sl_beside OPTIONS (SET host %L)',
    split_part(current_setting('unix_socket_directories'), ',', 1));
END $$;
SELECT sl_share() BETWEEN 1 AND 1.1;
-- a slow device there is in the cost
CREATE FUNCTION sl_cost() RETURNS float LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) SELECT sum(f_n) FROM sl_near
    JOIN sl_day ON f_day = d_key WHERE d_n < 5' INTO plan;
  RETURN plan->0->'Plan'->>'Total Cost';
END $$;
CREATE TABLE sl_costs AS SELECT sl_cost() AS fast;
SELECT ssdpar.store_shard('sl_server', 1e4, NULL);
SELECT sl_cost() > 10 * fast FROM sl_costs;
SELECT ssdpar.forget_link('sl_server');

SET client_min_messages = warning;
DROP TABLE sl_parts, sl_costs;
DROP FUNCTION sl_share, sl_cost;
DROP SERVER sl_server, sl_beside, sl_again, sl_away, sl_other CASCADE;
DROP FOREIGN DATA WRAPPER sl_wrapper;
DROP TABLE sl_far, sl_day;
DROP FUNCTION sl_try, sl_sends;
DROP ROLE regress_sl_reader, regress_sl_writer;
