-- wide_fact.sql: a fact of 2,500 pages, eight rows each, and its dimension.
-- Rows of a key lie 1,000 apart.
CREATE TABLE dimension AS SELECT i AS k, i % 10 AS v
  FROM generate_series(1, 1000) i;
CREATE TABLE fact AS SELECT i AS id, i % 1000 + 1 AS k, repeat('x', 900) AS pad
  FROM generate_series(1, 20000) i;
CREATE INDEX ON fact (k);
VACUUM ANALYZE;
