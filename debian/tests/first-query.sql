-- first-query.sql: what somebody who has just installed ssdpar would do, in a
-- server that preloads it.  By ON_ERROR_STOP, as a superuser; it fails where
-- something is missing, and leaves the server as it was.

CREATE EXTENSION ssdpar;

-- a short look at the device: what it says does not matter here
SET client_min_messages = warning;
SELECT tablespace, saturation_depth > 0 AS measured, problem
  FROM ssdpar.calibrate('pg_default', seconds => 2, file_size_mb => 64);

CREATE TABLE sales AS
SELECT i AS sale_id, i % 2000 AS product_id, i % 997 AS amount,
       repeat('.', 40) AS note
  FROM generate_series(1, 200000) i;
CREATE TABLE products AS
SELECT i AS product_id, i % 40 AS category FROM generate_series(0, 1999) i;
ALTER TABLE products ADD PRIMARY KEY (product_id);
CREATE INDEX sales_product ON sales (product_id);
VACUUM ANALYZE sales, products;

-- the table is too small for ssdpar to bother, unless forced
SET ssdpar.star_access = 'bitmap';
EXPLAIN (COSTS OFF)
SELECT sum(amount) FROM sales JOIN products USING (product_id)
 WHERE category = 7;

DO $$
DECLARE
    query text := 'SELECT sum(amount) FROM sales'
                  ' JOIN products USING (product_id) WHERE category = 7';
    line text;
    scanned boolean := false;
    with_it bigint;
    without bigint;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
        scanned := scanned OR line LIKE '%SsdparStarScan%';
    END LOOP;
    ASSERT scanned, 'the plan has no star scan';
    EXECUTE query INTO with_it;
    SET LOCAL ssdpar.enabled = off;
    EXECUTE query INTO without;
    ASSERT with_it = without, 'the rows differ';
    ASSERT (SELECT problem IS NULL FROM ssdpar.device_summary),
        'the profile cannot be used';

    -- the server has found and started the program of the other package
    FOR attempt IN 1..600 LOOP
        IF (SELECT problem IS NULL FROM ssdpar.daemon_status()) THEN
            RETURN;
        END IF;
        PERFORM pg_sleep(0.1);
    END LOOP;
    RAISE 'there is no daemon after a minute: %',
        (SELECT problem FROM ssdpar.daemon_status());
END $$;

SELECT method, problem FROM ssdpar.daemon_status();
DROP TABLE sales, products;

-- the profile is the server's, and would outlive the extension
SELECT ssdpar.forget_profile(tablespace) FROM ssdpar.device;
DROP EXTENSION ssdpar;
