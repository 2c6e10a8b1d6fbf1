-- Star scans: which tables reduce the fact, and which may not.  That rows are
-- the same is tested by t/012_star_rows.pl.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
LOAD 'ssdpar';
SET max_parallel_workers_per_gather = 0;
SET enable_nestloop = off;
SET enable_mergejoin = off;

CREATE TABLE star_shop (s_key bigint PRIMARY KEY, s_region int, s_city int);
INSERT INTO star_shop SELECT i, i % 5, i % 20 FROM generate_series(1, 200) i;
CREATE TABLE star_city (c_key int PRIMARY KEY, c_name text);
INSERT INTO star_city SELECT i, 'city ' || i FROM generate_series(0, 19) i;
CREATE TABLE star_day (d_date date PRIMARY KEY, d_year int);
INSERT INTO star_day SELECT '2020-01-01'::date + i, 2020 + i / 366
  FROM generate_series(0, 699) i;
CREATE TABLE star_stock (k_shop int, k_item int, k_box int,
  PRIMARY KEY (k_shop, k_item));
INSERT INTO star_stock SELECT i, j, (i + j) % 50
  FROM generate_series(1, 200) i, generate_series(1, 10) j;
CREATE TABLE star_sale (f_id int, f_shop int, f_date date, f_item int,
  f_amount int);
INSERT INTO star_sale
  SELECT i, 1 + i * 71 / 13 % 200, '2020-01-01'::date + i * 7919 % 700,
    1 + i % 10, i % 100
    FROM generate_series(1, 30000) i;
CREATE INDEX star_sale_shop ON star_sale (f_shop);
CREATE INDEX star_sale_date ON star_sale (f_date);
VACUUM ANALYZE star_shop, star_city, star_day, star_stock, star_sale;

-- The reducers of the query's star scans, by plan node.
CREATE FUNCTION star_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text; on_star boolean := false;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || query LOOP
    IF line LIKE '%->%' OR line NOT LIKE ' %' THEN
      on_star := line LIKE '%SsdparStarScan%';
      IF on_star THEN RETURN NEXT substring(line FROM 'on .*'); END IF;
    ELSIF on_star AND line ~ 'Access:|Reducer' THEN
      RETURN NEXT '  ' || trim(line);
    END IF;
  END LOOP;
END $$;

-- Why was a query left to core?
CREATE FUNCTION star_why_not(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN plan->1->>'ssdpar Star Scan Not Used';
END $$;

-- Without a profile nothing but by force.
SELECT star_of('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1');
SET ssdpar.star_access = sequential;
SELECT star_of('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1');
EXPLAIN (COSTS off)
  SELECT sum(f_amount) FROM star_sale, star_shop, star_day
   WHERE f_shop = s_key AND s_region = 1 AND f_date = d_date
     AND d_date < '2020-02-01';
-- A nested loop for one row that is expected and more that are found reads the
-- fact once.  (There is a join where a whole row of the dimension is wanted.)
SET enable_nestloop = on;
SET enable_hashjoin = off;
EXPLAIN (COSTS off)
  SELECT sum(f_amount) FROM star_sale, star_shop
   WHERE f_shop = s_key AND s_region = 3 AND s_city = 3 AND s_city % 20 = 3
  HAVING count(star_shop) > 0;
SELECT sum(f_amount) FROM star_sale, star_shop
 WHERE f_shop = s_key AND s_region = 3 AND s_city = 3 AND s_city % 20 = 3
HAVING count(star_shop) > 0;
SET enable_nestloop = off;
RESET enable_hashjoin;
-- Each process of a parallel join would read the fact on its own.
ALTER TABLE star_sale SET (parallel_workers = 0);
ALTER TABLE star_shop SET (parallel_workers = 0);
ALTER TABLE star_stock SET (parallel_workers = 2);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
EXPLAIN (COSTS off)
  SELECT count(*) FROM star_sale, star_shop, star_stock
   WHERE f_shop = s_key AND s_region = 3 AND s_city = 3 AND s_city % 20 = 3
     AND f_item = k_item;
ALTER TABLE star_sale RESET (parallel_workers);
ALTER TABLE star_shop RESET (parallel_workers);
ALTER TABLE star_stock RESET (parallel_workers);
SET max_parallel_workers_per_gather = 0;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;

-- By index: also from bigint keys to an int column.
SET ssdpar.star_access = bitmap;
SELECT star_of('SELECT count(*) FROM star_sale, star_day WHERE f_date = d_date AND d_date < ''2020-01-05''');
SELECT star_of('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_key < 5');
-- No index on the item.
SELECT star_why_not('SELECT count(*) FROM star_sale, (VALUES (1), (2)) v (i) WHERE f_item = i');

SET ssdpar.star_access = sequential;
-- Two columns, one of them known by the index of the other dimension too.
SELECT star_of('SELECT count(*) FROM star_sale, star_stock WHERE f_shop = k_shop AND f_item = k_item AND k_box = 3');
-- A dimension of a dimension, though the dimension has no filter.
SELECT star_of('SELECT count(*) FROM star_sale, star_shop, star_city WHERE f_shop = s_key AND s_city = c_key AND c_name = ''city 3''');
-- IN and EXISTS, both ways round.
SELECT star_of('SELECT count(*) FROM star_sale WHERE f_shop IN (SELECT s_key FROM star_shop WHERE s_region = 1)');
SELECT star_of('SELECT count(*) FROM star_shop WHERE s_region = 1 AND EXISTS (SELECT FROM star_sale WHERE f_shop = s_key AND f_amount < 5)');
-- A subquery, a view.
SELECT star_of('SELECT count(*) FROM star_sale, (SELECT DISTINCT s_key FROM star_shop WHERE s_region = 1) s WHERE f_shop = s_key');
-- not where equal values may look different: 1.0 and 1.00 as texts
CREATE TABLE star_rate (r_rate numeric, r_shop int);
INSERT INTO star_rate VALUES (1.0, 1), (1.00, 2), (2.0, 1);
SELECT star_of('SELECT count(*) FROM star_sale, (SELECT DISTINCT r_rate, r_shop FROM star_rate WHERE r_shop = 1) s WHERE f_shop = r_shop');
SELECT star_of('SELECT count(*) FROM star_sale, (SELECT DISTINCT r_shop FROM star_rate WHERE r_rate = 1) s WHERE f_shop = r_shop');
CREATE VIEW star_view AS SELECT * FROM star_sale JOIN star_shop ON f_shop = s_key;
SELECT star_of('SELECT count(*) FROM star_view WHERE s_region = 1');
-- The fact with itself.
SELECT star_of('SELECT count(*) FROM star_sale a, star_sale b WHERE a.f_id = b.f_id AND b.f_amount = 7 AND b.f_item = 8');

-- Outer joins: the star within one side of them.
SELECT star_of('SELECT count(*) FROM star_city LEFT JOIN (star_sale JOIN star_shop ON f_shop = s_key AND s_region = 1) ON f_item = c_key');
SELECT star_of('SELECT count(*) FROM (star_sale JOIN star_shop ON f_shop = s_key AND s_region = 1) FULL JOIN star_city ON f_item = c_key');
SELECT star_of('SELECT count(*) FROM star_sale JOIN star_shop ON f_shop = s_key AND s_region = 1 LEFT JOIN star_city ON f_item = c_key');
-- A dimension that may not drop rows of the fact.
SELECT star_of('SELECT count(*) FROM star_sale LEFT JOIN star_shop ON f_shop = s_key AND s_region = 1');
SELECT star_of('SELECT count(*) FROM star_shop RIGHT JOIN star_sale ON f_shop = s_key AND s_region = 1');
SELECT star_of('SELECT count(*) FROM star_sale FULL JOIN star_shop ON f_shop = s_key');
SELECT star_of('SELECT count(*) FROM star_sale WHERE NOT EXISTS (SELECT FROM star_shop WHERE f_shop = s_key AND s_region = 1)');
-- The clause holds for the outer join's other side only.
SELECT star_of('SELECT count(*) FROM star_sale JOIN star_shop ON true LEFT JOIN star_city ON f_shop = s_key AND s_region = 1 WHERE f_id < 3');

-- Not provable, or of no use: why.
SELECT star_why_not('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key');
SELECT star_why_not('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND random() < s_region');
SELECT star_why_not('SELECT count(*) FROM star_sale, (SELECT s_key FROM star_shop LIMIT 5) s WHERE f_shop = s_key');
SELECT star_why_not('SELECT count(*) FROM star_sale, star_shop TABLESAMPLE bernoulli (10) WHERE f_shop = s_key');
SELECT star_why_not('SELECT count(*) FROM star_sale, generate_series(1, 3) s WHERE f_shop = s');
SELECT star_why_not('WITH s AS MATERIALIZED (SELECT s_key FROM star_shop WHERE s_region = 1) SELECT count(*) FROM star_sale, s WHERE f_shop = s_key');
SELECT star_why_not('SELECT count(*) FROM star_sale, star_shop WHERE f_shop + 1 = s_key AND s_region = 1');
SELECT star_why_not('SELECT 1 FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1 FOR UPDATE OF star_sale');
-- not what is said of a statement that is planned while this one is
CREATE FUNCTION star_planned_inside(i int) RETURNS int STABLE LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'SELECT count(*) FROM star_sale, star_shop WHERE f_shop + 1 = s_key AND s_region = 1';
  RETURN i;
END $$;
SELECT star_why_not('SELECT count(*) FROM star_city WHERE c_key = star_planned_inside(7)');
DROP FUNCTION star_planned_inside;

-- What is proven empty is refused nothing; another part of the query may be.
SET constraint_exclusion = on;
SELECT why, star_why_not(query) FROM (VALUES
  ('false', 'SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND false'),
  ('fact', 'SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND f_id < 5 AND f_id > 9'),
  ('dimension', 'SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region < 5 AND s_region > 9'),
  ('one of two', 'SELECT count(*) FROM star_sale, star_shop, star_day WHERE f_shop = s_key AND f_date = d_date AND d_year < 5 AND d_year > 9'),
  ('semijoin', 'SELECT count(*) FROM star_sale WHERE f_shop IN (SELECT s_key FROM star_shop WHERE false)'),
  ('beside', 'SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key UNION ALL SELECT count(*) FROM star_sale, star_day WHERE f_date = d_date AND false')
  ) v (why, query);
RESET constraint_exclusion;

-- A foreign table may give other rows the second time; so may a parent of one,
-- but not where that one is pruned.
CREATE EXTENSION file_fdw;
CREATE SERVER star_files FOREIGN DATA WRAPPER file_fdw;
CREATE TABLE star_mixed (m_key int, m_year int) PARTITION BY RANGE (m_year);
CREATE FOREIGN TABLE star_mixed_1 PARTITION OF star_mixed
  FOR VALUES FROM (0) TO (100)
  SERVER star_files OPTIONS (filename '/dev/null', format 'csv');
CREATE TABLE star_mixed_2 PARTITION OF star_mixed
  FOR VALUES FROM (100) TO (200);
CREATE TABLE star_mixed_3 PARTITION OF star_mixed
  FOR VALUES FROM (200) TO (300) PARTITION BY LIST (m_year);
CREATE FOREIGN TABLE star_mixed_31 PARTITION OF star_mixed_3 DEFAULT
  SERVER star_files OPTIONS (filename '/dev/null', format 'csv');
CREATE TABLE star_heir (m_key int, m_year int);
CREATE FOREIGN TABLE star_heir_1 () INHERITS (star_heir)
  SERVER star_files OPTIONS (filename '/dev/null', format 'csv');
SELECT star_why_not('SELECT count(*) FROM star_sale, star_mixed_1 WHERE f_shop = m_key AND m_year = 3');
SELECT star_why_not('SELECT count(*) FROM star_sale, star_mixed WHERE f_shop = m_key AND m_year = 3');
SELECT star_why_not('SELECT count(*) FROM star_sale, star_mixed WHERE f_shop = m_key AND m_year = 203');
SELECT star_why_not('SELECT count(*) FROM star_sale WHERE f_shop IN (SELECT m_key FROM star_mixed WHERE m_year < 150)');
SELECT star_of('SELECT count(*) FROM star_sale, star_mixed WHERE f_shop = m_key AND m_year BETWEEN 103 AND 150');
SELECT star_why_not('SELECT count(*) FROM star_sale, star_heir WHERE f_shop = m_key AND m_year = 3');
SELECT star_of('SELECT count(*) FROM star_sale, ONLY star_heir WHERE f_shop = m_key AND m_year = 3');
SELECT star_why_not('SELECT count(*) FROM star_sale, (SELECT DISTINCT m_key FROM star_mixed WHERE m_year = 3) m WHERE f_shop = m_key');

-- Row-level security: comparing integers cannot tell what is in a row that the
-- policy hides, so it may come first.
CREATE ROLE regress_star_reader;
GRANT SELECT ON star_sale, star_shop TO regress_star_reader;
ALTER TABLE star_sale ENABLE ROW LEVEL SECURITY;
CREATE POLICY star_policy ON star_sale USING (f_amount < 50);
SET ROLE regress_star_reader;
SELECT star_of('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1');
RESET ROLE;
ALTER TABLE star_sale DISABLE ROW LEVEL SECURITY;

-- Partitions, with their columns in another order; two of the three are read.
CREATE TABLE star_parts (f_id int, f_shop int) PARTITION BY RANGE (f_id);
CREATE TABLE star_part_1 PARTITION OF star_parts FOR VALUES FROM (0) TO (10000);
CREATE TABLE star_part_2 (f_shop int, f_id int);
ALTER TABLE star_parts ATTACH PARTITION star_part_2 FOR VALUES FROM (10000) TO (20000);
CREATE TABLE star_part_3 PARTITION OF star_parts FOR VALUES FROM (20000) TO (40000);
INSERT INTO star_parts SELECT f_id, f_shop FROM star_sale;
ANALYZE star_parts;
SELECT star_of('SELECT count(*) FROM star_parts, star_shop WHERE f_shop = s_key AND s_region = 1 AND f_id < 20000');
SELECT count(*), sum(f_id) FROM star_parts, star_shop WHERE f_shop = s_key AND s_region = 1 AND f_id < 20000;
SET ssdpar.star_scan = off;
SELECT count(*), sum(f_id) FROM star_parts, star_shop WHERE f_shop = s_key AND s_region = 1 AND f_id < 20000;
RESET ssdpar.star_scan;

-- The dimension is on the outer side of a nested loop and read by the star
-- scan on the inner one, through an index: its columns are no parameters there.
RESET enable_nestloop;
SET enable_hashjoin = off;
SET enable_seqscan = off;
SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_key < 3;
RESET enable_hashjoin;
RESET enable_seqscan;
SET enable_nestloop = off;

-- In parallel, and never with ssdpar.subqueries = 1.
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
EXPLAIN (COSTS off) SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1;
SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1;
-- A correlated star scan: for each outer row the keys are read anew, those of
-- the shops by other processes only.
SET parallel_leader_participation = off;
SELECT s_key, (SELECT count(*) FROM star_sale, star_shop s, star_day
    WHERE f_shop = s.s_key AND s.s_region = 1 AND f_date = d_date
      AND d_date < '2020-02-01' AND extract(day FROM d_date) > o.s_city)
  FROM star_shop o WHERE s_key < 5 ORDER BY 1;
RESET parallel_leader_participation;
SET ssdpar.subqueries = 1;
EXPLAIN (COSTS off) SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1;
RESET ssdpar.subqueries;
SET ssdpar.subqueries = 3;
SELECT star_of('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1');

SET ssdpar.enabled = off;
SELECT star_of('SELECT count(*) FROM star_sale, star_shop WHERE f_shop = s_key AND s_region = 1');

DROP VIEW star_view;
DROP FOREIGN TABLE star_heir_1;
DROP TABLE star_sale, star_shop, star_city, star_day, star_stock, star_parts,
  star_rate, star_mixed, star_heir;
DROP SERVER star_files;
DROP EXTENSION file_fdw;
DROP FUNCTION star_of, star_why_not;
DROP ROLE regress_star_reader;
