-- wide_star.sql: a fact of 5,000 pages, eight rows each, whose rows of a key lie
-- 1,000 apart, and a dimension of 125 pages.
CREATE TABLE dim AS SELECT i AS k, i % 10 AS v, repeat('x', 900) AS pad
  FROM generate_series(1, 1000) i;
CREATE UNIQUE INDEX ON dim (k);
CREATE TABLE fact AS
  SELECT i::bigint AS id, i * 7 % 1000 + 1 AS k, repeat('x', 900) AS pad
    FROM generate_series(1, 40000) i;
CREATE INDEX ON fact (k);
VACUUM ANALYZE dim, fact;
