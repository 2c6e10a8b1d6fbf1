--
-- Tables and indexes for the advisor's rules.  They are read once.  To limit the
-- time, only objects of a minimum size are read, at most the 1000 largest.
-- Sizes are those of the last VACUUM or ANALYZE, and no file is accessed.
--
CREATE TYPE ssdpar.seen_table AS (
    relation        oid,
    -- with the schema, quoted for SQL
    name            text,
    schema_name     name,
    table_name      name,
    bytes           double precision,
    -- null before the first VACUUM or ANALYZE
    rows            double precision,
    tablespace      oid,
    fill_factor     integer,
    is_partition    boolean,
    indexes         bigint,
    -- scans of the table and of its indexes
    scans           double precision,
    inserts         double precision,
    updates         double precision,
    hot_updates     double precision,
    deletes         double precision,
    live            double precision,
    dead            double precision,
    -- bytes per row that the column order wastes, for the 200 largest tables
    padding         double precision);
COMMENT ON TYPE ssdpar.seen_table IS 'a table or materialized view for the advisor';

CREATE TYPE ssdpar.seen_index AS (
    relation        oid,
    of_table        oid,
    name            text,
    table_name      text,
    bytes           double precision,
    rows            double precision,
    tablespace      oid,
    -- default of a btree if none is set
    fill_factor     integer,
    is_btree        boolean,
    -- no expressions and no predicate
    plain           boolean,
    -- enforces no constraint
    droppable       boolean,
    keys            integer,
    scans           double precision,
    entries         double precision,
    visits          double precision,
    table_scans     double precision,
    -- age of its file
    age_seconds     double precision);
COMMENT ON TYPE ssdpar.seen_index IS 'an index for the advisor';

-- Storage options are stored as they were written: 70.0 and 0x46 mean 70.
CREATE FUNCTION ssdpar.option_number(value text) RETURNS integer
    STRICT IMMUTABLE PARALLEL SAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_option_number';
COMMENT ON FUNCTION ssdpar.option_number(text) IS
    'an integer option of a table or tablespace as the server reads it; null if it is not a number';

-- Average number of bytes per row that the column order wastes.  After a column
-- of variable length, only the last alignment boundary is known, so all offsets
-- are equally likely.  Nulls, dropped columns and virtual generated columns take
-- no space, and columns that are null in most rows are left out.  A row is padded
-- to 8 bytes at its end.  If all rows have the same length, the result accounts
-- for this.
--
-- The names are read in subqueries for the reason that
-- ssdpar.column_statistics() gives.
CREATE FUNCTION ssdpar.row_padding(relation oid) RETURNS double precision
    STRICT STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH RECURSIVE statistics AS (
    SELECT s.attname, s.null_frac
      FROM pg_stats s
     WHERE s.schemaname = (SELECT n.nspname
                             FROM pg_class c
                             JOIN pg_namespace n ON n.oid = c.relnamespace
                            WHERE c.oid = relation) AND
           s.tablename = (SELECT c.relname
                            FROM pg_class c WHERE c.oid = relation) AND
           NOT s.inherited
), columns AS (
    SELECT row_number() OVER (ORDER BY a.attnum) AS place, a.attlen,
           CASE WHEN a.attlen < 0 THEN 1
                ELSE CASE a.attalign WHEN 'd' THEN 8 WHEN 'i' THEN 4
                                     WHEN 's' THEN 2 ELSE 1 END END AS align,
           -- null if unknown, and then the result is null too
           CASE WHEN a.attnotnull THEN 1 ELSE 1 - s.null_frac END AS filled
      FROM pg_attribute a
      LEFT JOIN statistics s ON s.attname = a.attname
     WHERE a.attrelid = relation AND a.attnum > 0 AND NOT a.attisdropped AND
           a.attgenerated <> 'v' AND coalesce(s.null_frac, 0) <= 0.5
), walk (place, at, known, padding) AS (
    SELECT 0::bigint, 0, 8, 0::double precision
    UNION ALL
    SELECT c.place,
           CASE WHEN c.attlen < 0 THEN 0
                WHEN c.align <= w.known
                THEN (w.at + c.align - 1) / c.align * c.align + c.attlen
                ELSE c.attlen END % 8,
           CASE WHEN c.attlen < 0 THEN 1 ELSE greatest(c.align, w.known) END,
           w.padding + c.filled *
           CASE WHEN c.align <= w.known
                THEN (c.align - w.at % c.align) % c.align
                ELSE (c.align - w.known) / 2.0 END
      FROM walk w
      JOIN columns c ON c.place = w.place + 1
)
SELECT CASE WHEN f.fixed
            THEN 8 * (ceil((f.bytes + w.padding) / 8) - ceil(f.bytes / 8))
            ELSE w.padding END
  FROM walk w,
       (SELECT bool_and(attlen > 0) AS fixed,
               sum(attlen)::double precision AS bytes FROM columns) f
 ORDER BY w.place DESC LIMIT 1
$$;
COMMENT ON FUNCTION ssdpar.row_padding(oid) IS
    'average bytes per row that the order of a table''s columns wastes; null if it is unknown how many values are null';

-- A small table can be written often, so such tables are included.
CREATE FUNCTION ssdpar.seen_tables(least_bytes double precision)
    RETURNS SETOF ssdpar.seen_table
    STRICT STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT c.oid, format('%I.%I', n.nspname, c.relname), n.nspname, c.relname,
       c.relpages * 8192.0::double precision,
       nullif(c.reltuples, -1)::double precision,
       CASE WHEN c.reltablespace <> 0 THEN c.reltablespace
            ELSE d.dattablespace END,
       coalesce((SELECT ssdpar.option_number(o.option_value)
                   FROM pg_options_to_table(c.reloptions) o
                  WHERE o.option_name = 'fillfactor'), 100),
       c.relispartition, i.indexes, pg_stat_get_numscans(c.oid) + i.scans,
       pg_stat_get_tuples_inserted(c.oid), pg_stat_get_tuples_updated(c.oid),
       pg_stat_get_tuples_hot_updated(c.oid),
       pg_stat_get_tuples_deleted(c.oid), pg_stat_get_live_tuples(c.oid),
       pg_stat_get_dead_tuples(c.oid),
       CASE WHEN c.place <= 200 THEN ssdpar.row_padding(c.oid) END
  FROM (SELECT *, row_number() OVER (ORDER BY relpages DESC, oid) AS place
          FROM pg_class
         WHERE relkind IN ('r', 'm') AND relpersistence <> 't' AND
               (relpages >= least_bytes / 8192 OR
                pg_stat_get_tuples_updated(oid) >= least_bytes / 8192)
         ORDER BY place LIMIT 1000) c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_database d ON d.datname = current_database()
 CROSS JOIN LATERAL (
       SELECT count(*) AS indexes,
              coalesce(sum(pg_stat_get_numscans(x.indexrelid)), 0) AS scans
         FROM pg_index x WHERE x.indrelid = c.oid) i
 WHERE n.nspname !~ '^pg_' AND
       n.nspname NOT IN ('information_schema', 'ssdpar')
$$;
COMMENT ON FUNCTION ssdpar.seen_tables(double precision) IS
    'tables of at least that size, or with as many updates';

CREATE FUNCTION ssdpar.file_age(relation oid) RETURNS double precision
    STRICT VOLATILE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_file_age';
COMMENT ON FUNCTION ssdpar.file_age(oid) IS
    'age of a relation''s file in seconds; null if the file system does not store it';

CREATE FUNCTION ssdpar.seen_indexes(least_bytes double precision)
    RETURNS SETOF ssdpar.seen_index
    STRICT STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT c.oid, i.indrelid, format('%I.%I', n.nspname, c.relname),
       format('%I.%I', n.nspname, t.relname),
       c.relpages * 8192.0::double precision,
       nullif(c.reltuples, -1)::double precision,
       CASE WHEN c.reltablespace <> 0 THEN c.reltablespace
            ELSE d.dattablespace END,
       coalesce((SELECT ssdpar.option_number(o.option_value)
                   FROM pg_options_to_table(c.reloptions) o
                  WHERE o.option_name = 'fillfactor'), 90),
       a.amname = 'btree', i.indexprs IS NULL AND i.indpred IS NULL,
       i.indisvalid AND NOT i.indisunique AND NOT i.indisexclusion AND
       NOT i.indisreplident AND NOT i.indisclustered AND
       NOT c.relispartition AND
       NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid),
       i.indnkeyatts, pg_stat_get_numscans(c.oid),
       pg_stat_get_tuples_returned(c.oid), pg_stat_get_blocks_fetched(c.oid),
       pg_stat_get_numscans(t.oid) +
       (SELECT sum(pg_stat_get_numscans(x.indexrelid))
          FROM pg_index x WHERE x.indrelid = t.oid),
       ssdpar.file_age(c.oid)
  FROM (SELECT * FROM pg_class
         WHERE relkind = 'i' AND relpersistence <> 't' AND
               relpages >= least_bytes / 8192
         ORDER BY relpages DESC, oid LIMIT 1000) c
  JOIN pg_index i ON i.indexrelid = c.oid
  JOIN pg_class t ON t.oid = i.indrelid
  JOIN pg_am a ON a.oid = c.relam
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_database d ON d.datname = current_database()
 WHERE n.nspname !~ '^pg_' AND
       n.nspname NOT IN ('information_schema', 'ssdpar')
$$;
COMMENT ON FUNCTION ssdpar.seen_indexes(double precision) IS
    'indexes of at least that size';

-- Columns of a table whose statistics this role may see.  The names are
-- arguments, because no other condition gets into the view pg_stats, which would
-- then compute all of its rows.  A rule's query calls the function for each
-- table, and the function is planned once.
CREATE FUNCTION ssdpar.column_statistics(schema_name name, table_name name)
    RETURNS TABLE (column_name name, width double precision,
                   null_fraction real, correlation real)
    STRICT STABLE PARALLEL RESTRICTED ROWS 10
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT s.attname, (1 - s.null_frac) * s.avg_width, s.null_frac, s.correlation
  FROM pg_stats s
 WHERE s.schemaname = schema_name AND s.tablename = table_name AND
       NOT s.inherited
$$;
COMMENT ON FUNCTION ssdpar.column_statistics(name, name) IS
    'average width, fraction of nulls and correlation of the columns of a table';

CREATE FUNCTION ssdpar.index_definition(index oid) RETURNS text
    STRICT STABLE PARALLEL RESTRICTED
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_sql_index_definition';
COMMENT ON FUNCTION ssdpar.index_definition(oid) IS
    'pg_get_indexdef(), but null if it would have to wait for a lock on the table, or if the index or table was dropped';

-- The TABLESPACE clause must precede the predicate, whose position in the result
-- of pg_get_indexdef() is unknown.  So an index with a predicate is created first
-- and moved then.
CREATE FUNCTION ssdpar.index_text(relation oid) RETURNS text
    STRICT STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT concat_ws(E';\n',
                 regexp_replace(d.definition,
                                '^CREATE (UNIQUE )?INDEX ',
                                E'\\&CONCURRENTLY ') ||
                 CASE WHEN i.indpred IS NULL AND t.spcname IS NOT NULL
                      THEN format(' TABLESPACE %I', t.spcname) ELSE '' END,
                 CASE WHEN i.indpred IS NOT NULL AND t.spcname IS NOT NULL
                      THEN format('ALTER INDEX %I.%I SET TABLESPACE %I',
                                  n.nspname, c.relname, t.spcname) END,
                 -- if not set: null since 17, negative before
                 (SELECT string_agg(format('ALTER INDEX %I.%I ALTER COLUMN %s '
                                           'SET STATISTICS %s', n.nspname,
                                           c.relname, a.attnum,
                                           a.attstattarget),
                                    E';\n' ORDER BY a.attnum)
                    FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attstattarget >= 0),
                 format('COMMENT ON INDEX %I.%I IS ', n.nspname, c.relname) ||
                 quote_literal(obj_description(c.oid, 'pg_class')))
  FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
 CROSS JOIN ssdpar.index_definition(relation) d (definition)
 WHERE i.indexrelid = relation AND d.definition IS NOT NULL
$$;
COMMENT ON FUNCTION ssdpar.index_text(oid) IS
    'statements that recreate an index while its table is used; null while the table is locked';
