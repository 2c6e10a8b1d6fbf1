-- shop.sql: the tables that the pages' snippets are about, a star: sales with
-- products, stores and days.
--
-- The fact has 80 MB, a little more than ssdpar.cost_model_min_size: smaller
-- tables are left to core.  The seed is fixed, so plans and rows repeat.
CREATE TABLE products (
    product_id  integer PRIMARY KEY,
    category    integer NOT NULL,
    brand       text NOT NULL);
CREATE TABLE stores (
    store_id    integer PRIMARY KEY,
    city        text NOT NULL,
    country     text NOT NULL);
CREATE TABLE days (
    day_id      integer PRIMARY KEY,
    day         date NOT NULL,
    month       integer NOT NULL);
CREATE TABLE sales (
    sale_id     integer NOT NULL,
    product_id  integer NOT NULL,
    store_id    integer NOT NULL,
    day_id      integer NOT NULL,
    amount      integer NOT NULL,
    note        text);

INSERT INTO products
SELECT i, i % 40, 'brand ' || i % 1000 FROM generate_series(1, 20000) i;
INSERT INTO stores
SELECT i, 'city ' || i % 100, 'country ' || i % 10 FROM generate_series(1, 500) i;
INSERT INTO days
SELECT i, date '2024-01-01' + i, i / 30 FROM generate_series(1, 1000) i;

SELECT setseed(0.5);
INSERT INTO sales
SELECT i, 1 + floor(random() * 20000), 1 + floor(random() * 500),
       1 + i / 820, i % 997, repeat('.', 40)
  FROM generate_series(1, 800000) i;

CREATE INDEX sales_product ON sales (product_id);
CREATE INDEX sales_store ON sales (store_id);
VACUUM (FREEZE, ANALYZE) products, stores, days, sales;
