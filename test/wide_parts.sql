-- wide_parts.sql: the fact of wide_fact.sql in partitions of 250 pages.
CREATE TABLE parts (LIKE fact) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE part_%s PARTITION OF parts FOR VALUES FROM (%s) TO (%s)',
  i, i * 2000, (i + 1) * 2000) FROM generate_series(0, 10) i \gexec
INSERT INTO parts SELECT * FROM fact;
CREATE INDEX ON parts (k);
VACUUM ANALYZE parts;
