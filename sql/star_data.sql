-- The parts of a star scan, one at a time: key codes, key sets, and the rows
-- of keys in an index.  What it does with them is tested in other files.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar_test CASCADE;
RESET client_min_messages;
-- key codes: equal values have equal codes, across types and sides
SELECT ssdpar_test.key_code('=(int4,int8)', false, 7) AS "left",
       ssdpar_test.key_code('=(int4,int8)', true, 7::bigint) AS "right",
       ssdpar_test.key_code('=(int2,int4)', false, (-7)::smallint) AS "int2",
       ssdpar_test.key_code('=(date,date)', true, date '2000-01-08') AS "date",
       ssdpar_test.key_code('=(oid,oid)', true, 4294967295::oid) AS "oid",
       ssdpar_test.key_code('=("char","char")', true, '\377'::"char") AS "char",
       ssdpar_test.key_code('=(bool,bool)', true, true) AS "bool",
       ssdpar_test.key_code('=(int4,int4)', true, NULL::int) AS "null";
SELECT ssdpar_test.key_code(operator, false, a) = ssdpar_test.key_code(operator, true, b)
       AS same
  FROM (VALUES ('=(float8,float8)'::regoperator, '0'::float8, '-0'::float8),
               ('=(float8,float8)', 'NaN', '-NaN')) v(operator, a, b);
SELECT ssdpar_test.key_code('=(float4,float8)', false, 0.5::float4) =
       ssdpar_test.key_code('=(float4,float8)', true, 0.5::float8) AS float,
       ssdpar_test.key_code('=(numeric,numeric)', false, 1.50) =
       ssdpar_test.key_code('=(numeric,numeric)', true, 1.5000) AS "numeric",
       ssdpar_test.key_code('=(bpchar,bpchar)', false, 'a'::char(3)) =
       ssdpar_test.key_code('=(bpchar,bpchar)', true, 'a'::char(9)) AS "bpchar",
       ssdpar_test.key_code('=(name,text)', false, 'a'::name) =
       ssdpar_test.key_code('=(name,text)', true, 'a'::text) AS "name",
       ssdpar_test.key_code('=(text,text)', false, 'a'::text) <>
       ssdpar_test.key_code('=(text,text)', true, 'b'::text) AS "different";
-- what cannot be hashed, or not without knowing its elements
SELECT ssdpar_test.key_code('=(date,timestamp)', false, date '2000-01-08') AS "date",
       ssdpar_test.key_code('=(anyarray,anyarray)', false, '{1}'::int[]) AS "array",
       ssdpar_test.key_code('=(record,record)', false, ROW(1, 2)) AS "record",
       ssdpar_test.key_code('<(int4,int4)', false, 1) AS "less";
-- key sets
CREATE FUNCTION try_set(codes bigint[], probes bigint[], memory int,
                        OUT kind text, OUT "order" bool, OUT members bool,
                        OUT missing bigint, OUT extra numeric)
LANGUAGE SQL AS $$
WITH s AS MATERIALIZED (SELECT * FROM ssdpar_test.key_set(codes, probes, memory)),
     c AS MATERIALIZED (SELECT DISTINCT code FROM unnest(codes) code),
     p AS MATERIALIZED (SELECT DISTINCT probe FROM unnest(probes) probe),
     f AS MATERIALIZED (SELECT DISTINCT code FROM s, unnest(found) code)
SELECT s.kind,
       s.sorted = (SELECT array_agg(code ORDER BY code) FROM c),
       s.members = (SELECT count(*) FROM c),
       (SELECT count(*) FROM p WHERE probe IN (SELECT code FROM c)
           AND probe NOT IN (SELECT code FROM f)),
       (SELECT round(count(*)::numeric / greatest((SELECT count(*) FROM p), 1), 2)
          FROM f WHERE code NOT IN (SELECT code FROM c))
  FROM s $$;
-- one code in three, in order and not
SELECT t.* FROM (SELECT array_agg(i * 3) AS codes FROM generate_series(-9000, 9000) i) c,
  try_set(codes, (SELECT array_agg(i) FROM generate_series(-30000, 30000) i), 1024) t;
SELECT t.* FROM (SELECT array_agg(i * i * i) AS codes FROM generate_series(-9000::bigint, 9000) i) c,
  try_set(codes || codes, (SELECT codes || array_agg(i) FROM generate_series(-30000, 30000) i), 1024) t;
-- the ends of the range, and what marks an empty slot
SELECT t.* FROM try_set('{0,9223372036854775807,-9223372036854775808,-1}',
  '{0,1,-1,9223372036854775807,9223372036854775806,-9223372036854775808}', 1) t;
SELECT t.* FROM try_set('{9223372036854775807,-9223372036854775808}',
  '{0,1,-1,9223372036854775807,9223372036854775806,-9223372036854775808}', 1) t;
SELECT t.* FROM try_set('{9223372036854775807,9223372036854775806}',
  '{0,-1,9223372036854775807,9223372036854775806,-9223372036854775808,9223372036854775805}', 1) t;
SELECT kind, members, sorted, found FROM ssdpar_test.key_set('{}', '{0,1,-1}', 1);
SELECT kind, members, sorted, found FROM ssdpar_test.key_set('{0}', '{0,1,-1}', 1);
-- too many for the memory: may say yes too often, never no
SELECT t.* FROM (SELECT array_agg(i * i * i) AS codes FROM generate_series(-9000::bigint, 9000) i) c,
  try_set(codes, (SELECT codes || array_agg(i) FROM generate_series(-30000, 30000) i), 64) t;
SELECT kind, members, sorted, bytes <= 65536 + 64 AS small
  FROM (SELECT array_agg(i * 1000003) AS codes FROM generate_series(0, 100000::bigint) i) c,
       ssdpar_test.key_set(codes, '{}', 128);
-- rows of keys in an index: random tables with duplicates and NULLs
CREATE TABLE star_rows (id int, i2 int2, i4 int4, i8 int8, d date, t text,
                        n numeric, c text COLLATE "C");
ALTER TABLE star_rows SET (autovacuum_enabled = false);
CREATE FUNCTION add_rows(low int, high int) RETURNS void LANGUAGE SQL AS $$
INSERT INTO star_rows
SELECT i, nullif(k % 300, 7) - 100, nullif(k, 0), k * 5000000000,
       date '1992-01-01' + k % 2556, repeat(chr(97 + k % 20), 200) || k,
       k % 50 + 0.50, nullif(md5((k % 100)::text), md5('3'))
  FROM generate_series(low, high) i,
       LATERAL (SELECT (hashint4(i) & 2047) * (1 + i % 3)) k(k)
$$;
SELECT add_rows(1, 15000);
CREATE INDEX star_i2 ON star_rows (i2);
CREATE INDEX star_i4 ON star_rows (i4);
CREATE INDEX star_i4_desc ON star_rows (i4 DESC);
CREATE INDEX star_i4_last ON star_rows (i4 DESC NULLS LAST, id);
CREATE INDEX star_i4_more ON star_rows (i4 NULLS FIRST, t DESC, i8);
CREATE INDEX star_i4_plain ON star_rows (i4) WITH (deduplicate_items = off);
CREATE INDEX star_i8 ON star_rows (i8) INCLUDE (id);
CREATE INDEX star_d ON star_rows (d);
CREATE INDEX star_t ON star_rows (t);
CREATE INDEX star_n ON star_rows (n, id);
CREATE INDEX star_c ON star_rows (c DESC);
CREATE UNIQUE INDEX star_id ON star_rows (id);
-- indexes filled row by row, too
SELECT add_rows(15001, 25000);
-- rows that a plain query finds and the index reader does not, or the other
-- way around; lossy pages count as all of their rows
CREATE FUNCTION compare_rows(index regclass, keys anyarray, memory int,
                             OUT missing bigint, OUT extra bigint,
                             OUT any_rows bool)
LANGUAGE plpgsql AS $$
DECLARE name text := (SELECT attname FROM pg_attribute
                       WHERE attrelid = index AND attnum = 1);
BEGIN
  EXECUTE format('
WITH i AS MATERIALIZED (SELECT block, "row" FROM ssdpar_test.index_row_ids($1, $2, $3)),
     r AS MATERIALIZED (SELECT ctid, (ctid::text::point)[0]::bigint AS block
                          FROM star_rows WHERE %I = ANY ($2))
SELECT (SELECT count(*) FROM r
         WHERE ctid NOT IN (SELECT "row" FROM i WHERE "row" IS NOT NULL)
           AND block NOT IN (SELECT block FROM i WHERE "row" IS NULL)),
       (SELECT count(*) FROM i WHERE "row" NOT IN (SELECT ctid FROM r))
     + (SELECT count(*) FROM i WHERE block NOT IN (SELECT block FROM r)),
       (SELECT count(*) > 0 FROM r)', name)
  INTO missing, extra, any_rows USING index, keys, memory;
END $$;
CREATE FUNCTION compare_all(memory int)
  RETURNS TABLE (index text, missing bigint, extra bigint, any_rows bool)
LANGUAGE plpgsql AS $$
DECLARE
  index text;
  keys text;
BEGIN
  -- many keys, few keys, neighbours, one key, keys that are not there
  FOR index, keys IN
    SELECT i, k
      FROM unnest('{star_i2,star_i4,star_i4_desc,star_i4_last,star_i4_more,star_i4_plain}'::text[]) i,
           unnest('{k % 5 = 1, k % 397 = 1, k BETWEEN 100 AND 140, k = 120, k > 9000, true}'::text[]) k
  LOOP
    RETURN QUERY EXECUTE format(
      'SELECT %L, c.missing, c.extra, c.any_rows
         FROM (SELECT array_agg(k) FROM generate_series(-1000::bigint, 12000) k WHERE %s) a(a),
              compare_rows(%L, a, %s) c', index || ': ' || keys, keys, index, memory);
  END LOOP;
  RETURN QUERY SELECT 'star_i8', c.missing, c.extra, c.any_rows
    FROM (SELECT array_agg(k * 5000000000) FROM generate_series(0, 7000::bigint, 3) k) a(a),
         compare_rows('star_i8', a, memory) c;
  RETURN QUERY SELECT 'star_id', c.missing, c.extra, c.any_rows
    FROM (SELECT array_agg(k) FROM generate_series(0, 30000, 7) k) a(a),
         compare_rows('star_id', a, memory) c;
  RETURN QUERY SELECT 'star_d', c.missing, c.extra, c.any_rows
    FROM (SELECT array_agg(date '1993-01-01' + k) FROM generate_series(0, 364) k) a(a),
         compare_rows('star_d', a, memory) c;
  RETURN QUERY SELECT 'star_t', c.missing, c.extra, c.any_rows
    FROM (SELECT array_agg(DISTINCT t) FROM star_rows WHERE hashtext(t) % 3 = 0) a(a),
         compare_rows('star_t', a || ARRAY['', 'zzz'], memory) c;
  RETURN QUERY SELECT 'star_n', c.missing, c.extra, c.any_rows
    FROM compare_rows('star_n', '{3.5,7.5000,NaN,8,-1}'::numeric[], memory) c;
  RETURN QUERY SELECT 'star_c', c.missing, c.extra, c.any_rows
    FROM (SELECT array_agg(md5(k::text) COLLATE "C") FROM generate_series(90, 110) k) a(a),
         compare_rows('star_c', a, memory) c;
END $$;
SELECT * FROM compare_all(65536);
-- too little memory: lossy, nothing missing
SELECT memory, sum(missing) AS missing, sum(extra) AS extra, count(*)
  FROM unnest('{1,2,5,10,30}'::int[]) memory, compare_all(memory) GROUP BY 1 ORDER BY 1;
SELECT memory, lossy > 0 AS some_lossy, lossy < pages AS some_exact
  FROM unnest('{1,65536}'::int[]) memory,
       ssdpar_test.index_rows('star_i4', (SELECT array_agg(i) FROM generate_series(1, 5000) i), memory);
-- so little that whole regions of 1024 pages are taken for one row
CREATE TABLE star_sparse (i int) WITH (fillfactor = 10);
INSERT INTO star_sparse SELECT hashint4(i) & 4095 FROM generate_series(1, 150000) i;
CREATE INDEX star_sparse_i ON star_sparse (i);
SELECT memory, pages > 2500 AS whole_regions, pages = lossy AS all_lossy,
       (SELECT count(*) FROM star_sparse
         WHERE i < 40
           AND NOT ctid = ANY ((SELECT array_agg("row") FROM ssdpar_test.index_row_ids('star_sparse_i', keys, memory) WHERE "row" IS NOT NULL)::tid[])
           AND (ctid::text::point)[0] NOT IN (SELECT block FROM ssdpar_test.index_row_ids('star_sparse_i', keys, memory) WHERE "row" IS NULL)) AS missing
  FROM (SELECT array_agg(i) AS keys FROM generate_series(0, 39) i) k,
       unnest('{1,3,8,20,65536}'::int[]) memory,
       ssdpar_test.index_rows('star_sparse_i', keys, memory);
SELECT memory, (SELECT count(*) FROM star_sparse
         WHERE i < 20
           AND NOT ctid = ANY (coalesce(array_remove(i.rows, NULL), '{}'))
           AND NOT (ctid::text::point)[0] = ANY (i.lossy)) AS missing
  FROM (SELECT array_agg(ctid) AS inner_rows FROM star_sparse WHERE i < 20) r,
       unnest('{1,3,8,20,65536}'::int[]) memory,
       LATERAL (SELECT array_agg("row") AS rows,
                       coalesce(array_agg(block::float8) FILTER (WHERE "row" IS NULL), '{}') AS lossy
                  FROM ssdpar_test.index_row_ids('star_sparse_i', (SELECT array_agg(i) FROM generate_series(0, 39) i),
                                            memory, inner_rows)) i;
-- the same from several sets that are joined
SELECT memory, parts, (SELECT count(*) FROM star_sparse
         WHERE i < 40
           AND NOT ctid = ANY (coalesce(array_remove(i.rows, NULL), '{}'))
           AND NOT (ctid::text::point)[0] = ANY (i.lossy)) AS missing,
       CASE WHEN memory = 65536 THEN cardinality(i.rows) -
         (SELECT count(*) FROM star_sparse WHERE i < 40) END AS extra
  FROM unnest('{1,3,8,20,65536}'::int[]) memory, unnest('{2,7}'::int[]) parts,
       LATERAL (SELECT array_agg("row") AS rows,
                       coalesce(array_agg(block::float8) FILTER (WHERE "row" IS NULL), '{}') AS lossy
                  FROM ssdpar_test.index_row_ids('star_sparse_i', (SELECT array_agg(i) FROM generate_series(0, 39) i),
                                            memory, parts => parts)) i
 ORDER BY 1, 2;
SELECT memory, (SELECT count(*) FROM star_sparse
         WHERE i < 20
           AND NOT ctid = ANY (coalesce(array_remove(i.rows, NULL), '{}'))
           AND NOT (ctid::text::point)[0] = ANY (i.lossy)) AS missing
  FROM (SELECT array_agg(ctid) AS inner_rows FROM star_sparse WHERE i < 20) r,
       unnest('{1,3,8,20,65536}'::int[]) memory,
       LATERAL (SELECT array_agg("row") AS rows,
                       coalesce(array_agg(block::float8) FILTER (WHERE "row" IS NULL), '{}') AS lossy
                  FROM ssdpar_test.index_row_ids('star_sparse_i', (SELECT array_agg(i) FROM generate_series(0, 39) i),
                                            memory, inner_rows, parts => 3)) i;
SELECT count(*) FROM ssdpar_test.index_row_ids('star_sparse_i', '{1,2}'::int[], parts => 0);
DROP TABLE star_sparse;
-- few keys read few leaves of a large index
SELECT index, leaves <= 2 AS few, found > 0 AS found
  FROM unnest('{star_i4,star_i4_desc,star_i8,star_id}'::text[]) index,
       ssdpar_test.index_rows(index, ARRAY[0::bigint, 1, 40]);
-- within another set
SELECT (SELECT count(*) FROM star_rows WHERE i4 % 3 = 0 AND i2 < 50) AS rows, count(*),
       count(*) FILTER (WHERE "row" IN (SELECT ctid FROM star_rows WHERE i4 % 3 = 0 AND i2 < 50))
  FROM ssdpar_test.index_row_ids('star_i4', (SELECT array_agg(i * 3) FROM generate_series(0, 3000) i), 4096,
                            (SELECT array_agg(ctid) FROM star_rows WHERE i2 < 50)) i;
SELECT memory, (SELECT count(*) FROM star_rows r
         WHERE r.i4 % 3 = 0 AND r.i2 < 50 AND r.ctid <> ALL (array_remove(i.rows, NULL))
           AND NOT (r.ctid::text::point)[0] = ANY (i.lossy)) AS missing
  FROM unnest('{1,3,10,40}'::int[]) memory,
       LATERAL (SELECT array_agg("row") AS rows,
                       coalesce(array_agg(block::float8) FILTER (WHERE "row" IS NULL), '{}') AS lossy
                  FROM ssdpar_test.index_row_ids('star_i4', (SELECT array_agg(i * 3) FROM generate_series(0, 3000) i), memory,
                                            (SELECT array_agg(ctid) FROM star_rows WHERE i2 < 50))) i;
-- where that one is lossy, rows that it did not name
SELECT memory, beyond
  FROM unnest('{1,10,4096}'::int[]) memory,
       ssdpar_test.index_rows('star_i4', (SELECT array_agg(i * 3) FROM generate_series(0, 3000) i), memory,
                              (SELECT array_agg(ctid) FROM star_rows WHERE i2 < 50));
-- joined from several, pages with many rows and with few
WITH one AS MATERIALIZED (SELECT * FROM ssdpar_test.index_row_ids('star_i4', (SELECT array_agg(i * 3) FROM generate_series(0, 3000) i))),
     joined AS MATERIALIZED (SELECT * FROM ssdpar_test.index_row_ids('star_i4', (SELECT array_agg(i * 3) FROM generate_series(0, 3000) i), parts => 7))
SELECT (SELECT count(*) FROM one) = (SELECT count(*) FROM joined) AS as_many,
       (SELECT count(*) FROM (TABLE one EXCEPT TABLE joined) d) AS missing;
-- rows deleted, pages deleted, rows added where they were
DELETE FROM star_rows WHERE i4 BETWEEN 500 AND 3000 OR id % 11 = 0;
SELECT sum(missing) AS missing FROM compare_all(4096);
VACUUM star_rows;
SELECT sum(missing) AS missing, sum(extra) AS extra FROM compare_all(4096);
SELECT add_rows(30001, 40000);
VACUUM star_rows;
SELECT sum(missing) AS missing, sum(extra) AS extra FROM compare_all(4096);
DELETE FROM star_rows;
VACUUM star_rows;
SELECT sum(missing) AS missing, sum(extra) AS extra FROM compare_all(4096);
-- what cannot be read that way
CREATE INDEX star_expression ON star_rows ((i4 + 1));
CREATE INDEX star_hash ON star_rows USING hash (i4);
SELECT * FROM ssdpar_test.index_rows('star_expression', '{1}'::int[]);
SELECT * FROM ssdpar_test.index_rows('star_hash', '{1}'::int[]);
SELECT * FROM ssdpar_test.index_rows('star_rows', '{1}'::int[]);
SELECT * FROM ssdpar_test.index_rows('star_t', '{1}'::int[]);
SELECT * FROM ssdpar_test.index_rows('star_i4', '{1,NULL}'::int[]);
SELECT * FROM ssdpar_test.index_rows('star_i4', NULL::int[]);
-- an empty index, and one that orders integers in its own way
CREATE TABLE star_empty (i int);
CREATE INDEX star_empty_i ON star_empty (i);
SELECT leaves, found, pages FROM ssdpar_test.index_rows('star_empty_i', '{1,2}'::int[]);
CREATE FUNCTION backwards(int, int) RETURNS int LANGUAGE SQL IMMUTABLE STRICT
AS 'SELECT btint4cmp($2, $1)';
CREATE OPERATOR CLASS backwards_ops FOR TYPE int USING btree AS
  OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <,
  FUNCTION 1 backwards(int, int);
CREATE INDEX star_backwards ON star_rows (i4 backwards_ops);
SELECT * FROM ssdpar_test.index_rows('star_backwards', '{1}'::int[]);
DROP TABLE star_rows, star_empty;
DROP OPERATOR FAMILY backwards_ops USING btree;
DROP FUNCTION backwards, try_set, add_rows, compare_rows, compare_all;
