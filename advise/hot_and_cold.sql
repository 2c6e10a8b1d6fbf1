--
-- Rule 2, "separate hot data from cold data": rarely used data should not be
-- mixed with frequently used data, be indexed like it, or occupy its fast device.
--

-- If a table only grows, its newest rows are at its end, and a range of a column
-- that grows with the table is a range of pages.  Indexes that include other
-- columns are not reported, because they can replace reading the table, which
-- BRIN cannot.
--
-- MATERIALIZED and OFFSET 0 keep the planner from searching the best join order
-- of all ten relations, which takes longer than the query.
CREATE FUNCTION ssdpar.advise_grown_index(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH grown AS (
    SELECT t.*, t.updates + t.deletes AS changes
      FROM unnest(evidence.tables) t
     WHERE t.bytes >= 16 * evidence.large_bytes
), candidate AS MATERIALIZED (
    SELECT i.*, g.inserts, g.changes, k.attname, k.correlation
      FROM grown g
      JOIN unnest(evidence.indexes) i ON i.of_table = g.relation
     CROSS JOIN LATERAL (
           SELECT a.attname, s.correlation
             FROM pg_index x
             JOIN pg_attribute a ON a.attrelid = x.indrelid AND
                                    a.attnum = x.indkey[0]
             JOIN ssdpar.column_statistics(g.schema_name, g.table_name) s
                  ON s.column_name = a.attname
             JOIN pg_opclass o ON o.opcintype = a.atttypid AND o.opcdefault
             JOIN pg_am m ON m.oid = o.opcmethod AND m.amname = 'brin'
            WHERE x.indexrelid = i.relation AND x.indnatts = 1
           OFFSET 0) k
     WHERE g.inserts * 100 >= g.rows AND g.changes * 100 <= g.inserts AND
           i.is_btree AND i.droppable AND i.plain AND
           i.scans > 0 AND i.entries >= 1000 * i.scans AND
           k.correlation >= 0.99
)
SELECT 'hot and cold data', 'index ' || c.name,
       format('%s on a table with %s rows inserted and %s changed; its '
              'column grows with the table (correlation %s); %s rows a scan',
              pg_size_pretty(c.bytes::bigint), c.inserts, c.changes,
              round(c.correlation::numeric, 2), round(c.entries / c.scans)),
       concat_ws(', ', pg_size_pretty(c.bytes::bigint) || ' on the device',
                 ssdpar.time_text(c.bytes * p.byte) || ' to read it'),
       'likely',
       format(E'CREATE INDEX CONCURRENTLY %I ON %s USING brin (%I);\n'
              'DROP INDEX CONCURRENTLY %s', brin, c.table_name, c.attname,
              c.name),
       ssdpar.index_text(c.relation) ||
       format(E';\nDROP INDEX CONCURRENTLY %I.%I', n.nspname, brin),
       c.bytes::bigint, c.bytes * p.byte
  FROM candidate c
  JOIN pg_class b ON b.oid = c.relation
  JOIN pg_namespace n ON n.oid = b.relnamespace
 CROSS JOIN ssdpar.free_name(c.relation, b.relname || '_brin') brin
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = c.tablespace
 WHERE NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_grown_index(ssdpar.evidence) IS
    'rule of ssdpar.advise(): a btree where BRIN is enough';

-- A partition that was not used for a week on a device with used partitions of
-- the same table, if another device without such partitions has enough space.
CREATE FUNCTION ssdpar.advise_cold_partition(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH used AS (
    SELECT t.*, h.inhparent, l.place, coalesce(l.disk, l.device) AS disk,
           t.scans + t.inserts + t.updates + t.deletes AS uses
      FROM unnest(evidence.tables) t
      JOIN pg_inherits h ON h.inhrelid = t.relation
      JOIN unnest(evidence.places) l ON l.tablespace = t.tablespace
     WHERE t.is_partition
), hot AS (
    SELECT inhparent, array_agg(DISTINCT disk) AS disks
      FROM used
     WHERE uses > 0
     GROUP BY inhparent
), cold AS (
    SELECT u.*, h.disks AS hot_disks
      FROM used u
      JOIN hot h ON h.inhparent = u.inhparent
     WHERE u.uses = 0 AND u.disk = ANY (h.disks)
)
SELECT 'hot and cold data', 'table ' || c.name,
       format('%s not read and not written for %s days',
              pg_size_pretty(c.bytes::bigint),
              floor(evidence.counted_seconds / 86400)),
       pg_size_pretty(c.bytes::bigint) || ' of the device of the others',
       'likely',
       format('ALTER TABLE %s SET TABLESPACE %I', c.name, other.place),
       format('ALTER TABLE %s SET TABLESPACE %I', c.name, c.place),
       c.bytes::bigint, NULL::double precision
  FROM cold c
 CROSS JOIN LATERAL (
       SELECT o.place
         FROM unnest(evidence.places) o
        WHERE o.tablespace <> 0 AND o.place <> 'pg_global' AND
              ssdpar.lasts(o) AND
              coalesce(o.disk, o.device) <> ALL (c.hot_disks) AND
              ssdpar.room(o) - c.bytes >= 0.2 * o.total_bytes
        ORDER BY ssdpar.room(o) DESC, o.place LIMIT 1) other
 WHERE evidence.counted_seconds >= 7 * 86400 AND NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_cold_partition(ssdpar.evidence) IS
    'rule of ssdpar.advise(): a partition that nothing touches';

-- Deleting old rows one by one leaves holes in the whole table, which VACUUM has
-- to clean up.  A partition could be dropped as a whole.
CREATE FUNCTION ssdpar.advise_deleted_rows(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT 'hot and cold data', 'table ' || a.name,
       format('%s rows deleted, %s inserted, %s updated; column %I grows with '
              'the table (correlation %s)', a.deletes, a.inserts, a.updates,
              k.attname, round(k.correlation::numeric, 2)),
       concat_ws(', ',
                 format('%s of deleted rows cleaned up by VACUUM',
                        pg_size_pretty(k.deleted_bytes::bigint)),
                 ssdpar.time_text(k.deleted_bytes * p.byte) ||
                 ' to read them'),
       'possible',
       format('CREATE TABLE %I.%I (LIKE %s INCLUDING DEFAULTS) '
              'PARTITION BY RANGE (%I)', a.schema_name, parts, a.name,
              k.attname),
       format('DROP TABLE %I.%I', a.schema_name, parts),
       k.deleted_bytes::bigint, k.deleted_bytes * p.byte
  FROM unnest(evidence.tables) a
 CROSS JOIN LATERAL (
       SELECT c.attname, s.correlation,
              a.deletes * a.bytes / a.rows AS deleted_bytes
         FROM ssdpar.column_statistics(a.schema_name, a.table_name) s
         JOIN pg_attribute c ON c.attrelid = a.relation AND
                                c.attname = s.column_name
        WHERE c.atttypid IN ('date'::regtype, 'timestamp'::regtype,
                             'timestamptz'::regtype) AND
              s.correlation >= 0.9
        ORDER BY s.correlation DESC, c.attnum LIMIT 1) k
 CROSS JOIN ssdpar.free_name(a.relation,
                             a.table_name || '_by_' || k.attname) parts
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = a.tablespace
 WHERE a.bytes >= 16 * evidence.large_bytes AND NOT a.is_partition AND
       a.rows > 0 AND a.deletes * 5 >= a.rows AND
       a.updates * 10 <= a.deletes AND a.inserts > 0 AND NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_deleted_rows(ssdpar.evidence) IS
    'rule of ssdpar.advise(): old rows deleted where a partition could be dropped';
