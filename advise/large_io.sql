--
-- Rule 6, "prefer large I/O, aligned on pages".
--

-- Duration of a scan with the kernel's read-ahead, by the cost model's rule:
-- requests of at most 256 kB, and as many of them outstanding as fit into the
-- read-ahead.
CREATE FUNCTION ssdpar.read_ahead_byte(tablespace name, kb double precision)
    RETURNS double precision
    STRICT STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT 1 / (size * ssdpar.profile_iops(tablespace, 'sequential', size::integer,
                                       greatest(floor(kb / 256), 1)))
  FROM (SELECT 1024 * least(greatest(kb, 8), 256)) s (size)
$$;
COMMENT ON FUNCTION ssdpar.read_ahead_byte(name, double precision) IS
    'seconds for a byte of a scan, with that much of the kernel''s read-ahead';

-- The least read-ahead that is nearly as good as any.
CREATE FUNCTION ssdpar.advise_read_ahead(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH now AS (
    SELECT DISTINCT ON (l.device) l.device, p.name, l.read_ahead_kb,
           coalesce('block/' || l.disk || '/queue', 'class/bdi/' || l.device)
               AS place,
           ssdpar.read_ahead_byte(p.name::name, l.read_ahead_kb) AS byte,
           ssdpar.read_ahead_byte(p.name::name, 16384) AS best
      FROM unnest(evidence.places) l
      JOIN unnest(evidence.prices) p ON p.tablespace = l.tablespace
     WHERE l.read_ahead_kb IS NOT NULL AND
           evidence.pages_read * 8192 >= 16 * evidence.large_bytes
     ORDER BY l.device, p.name
), enough AS (
    SELECT n.*, w.kb, w.byte AS wanted
      FROM now n
     CROSS JOIN LATERAL (
           SELECT kb, ssdpar.read_ahead_byte(n.name::name, kb) AS byte
             FROM unnest('{128,256,512,1024,2048,4096,8192,16384}'::integer[])
                  AS k (kb)
            WHERE ssdpar.read_ahead_byte(n.name::name, kb) * 0.9 <= n.best
            ORDER BY kb LIMIT 1) w
)
SELECT 'large I/O', 'device ' || e.device,
       format('the kernel reads ahead %s kB', e.read_ahead_kb),
       format('1 GB of a scan takes %s, with %s kB it takes %s',
              ssdpar.time_text(e.byte * 1073741824), e.kb,
              ssdpar.time_text(e.wanted * 1073741824)),
       'likely',
       format(E'# as root\necho %s > /sys/%s/read_ahead_kb', e.kb, e.place),
       format(E'# as root\necho %s > /sys/%s/read_ahead_kb', e.read_ahead_kb,
              e.place),
       NULL::bigint, NULL::double precision
  FROM enough e
 WHERE e.byte >= 1.25 * e.wanted
$$;
COMMENT ON FUNCTION ssdpar.advise_read_ahead(ssdpar.evidence) IS
    'rule of ssdpar.advise(): the kernel''s read-ahead';

-- Number of blocks that the server reads in one request, since 17 up to 256 kB.
-- 18 also has an upper limit for the whole server.
CREATE FUNCTION ssdpar.advise_combined_reads(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH now AS (
    SELECT s.setting,
           (evidence.settings ->> s.setting)::integer * 8192 AS size,
           greatest((evidence.settings ->> 'effective_io_concurrency')
                    ::integer, 1) AS depth
      FROM unnest('{io_combine_limit,io_max_combine_limit}'::text[])
           AS s (setting)
     WHERE evidence.settings ? s.setting
), compared AS (
    SELECT n.*, p.name,
           1 / (n.size * ssdpar.profile_iops(p.name::name, 'sequential',
                                             n.size, n.depth)) AS byte,
           1 / (262144 * ssdpar.profile_iops(p.name::name, 'sequential',
                                             262144, n.depth)) AS wanted
      FROM now n, unnest(evidence.prices) p
     WHERE n.size < 262144
)
SELECT 'large I/O', 'setting ' || c.setting,
       format('reads of at most %s kB', c.size / 1024),
       format('1 GB in tablespace %s takes %s, by 256 kB it takes %s', c.name,
              ssdpar.time_text(c.byte * 1073741824),
              ssdpar.time_text(c.wanted * 1073741824)),
       'likely', ssdpar.set_text(evidence, c.setting, '256kB'),
       ssdpar.unset_text(evidence, c.setting, c.size / 1024 || 'kB'),
       NULL::bigint, NULL::double precision
  FROM (SELECT DISTINCT ON (setting) * FROM compared
         WHERE byte >= 1.15 * wanted
         ORDER BY setting, byte / wanted DESC, name) c
 WHERE evidence.pages_read * 8192 >= 16 * evidence.large_bytes
$$;
COMMENT ON FUNCTION ssdpar.advise_combined_reads(ssdpar.evidence) IS
    'rule of ssdpar.advise(): how much the server reads at once';

-- If a partition begins within a block or a stripe of the device, some pages
-- extend over two of them.  Large stripes, where this concerns fewer than one page
-- in twenty, are not reported.  Neither is 32 MB, the maximum size of a request,
-- which some devices report as optimal.
CREATE FUNCTION ssdpar.advise_alignment(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH off AS (
    SELECT DISTINCT ON (l.device) l.device, l.disk, l.tablespace,
           l.partition_start, u.unit, u.bytes,
           least(u.bytes, 8192)::double precision / greatest(u.bytes, 8192)
               AS more
      FROM unnest(evidence.places) l
     CROSS JOIN LATERAL (
           VALUES ('blocks', greatest(l.physical_block, 4096)),
                  ('stripes', nullif(l.stripe, 0))) AS u (unit, bytes)
     WHERE l.partition_start % u.bytes <> 0 AND u.bytes <= 20 * 8192 AND
           (u.unit = 'blocks' OR l.partition_start % 8192 <> 0 OR
            u.bytes % 8192 <> 0)
     ORDER BY l.device, u.unit, l.place
)
SELECT 'large I/O', 'device ' || o.device,
       format('its partition begins at byte %s, within one of its %s of %s '
              'bytes', o.partition_start, o.unit, o.bytes),
       concat_ws(', ',
                 format('%s %% more %s for each page', round(100 * o.more),
                        o.unit),
                 ssdpar.time_text(evidence.pages_read * p.page * o.more) ||
                 ' of reads so far'),
       'certain',
       format(E'# after the data has been moved elsewhere\n'
              'parted -a optimal /dev/%s mkpart data 1MiB 100%%', o.disk),
       '# nothing to undo',
       NULL::bigint, NULL::double precision
  FROM off o
  LEFT JOIN unnest(evidence.prices) p ON p.tablespace = o.tablespace
$$;
COMMENT ON FUNCTION ssdpar.advise_alignment(ssdpar.evidence) IS
    'rule of ssdpar.advise(): partitions that begin within a block of the device';

-- WAL is written in whole pages.  Many small commits therefore write the same page
-- many times.
CREATE FUNCTION ssdpar.advise_small_wal_writes(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
SELECT 'large I/O', 'setting commit_delay',
       format('%s writes of WAL, of %s bytes on average', evidence.wal_writes,
              round(evidence.wal_bytes / nullif(evidence.wal_writes, 0))),
       concat_ws(', ', format('%s written for %s',
                              pg_size_pretty((evidence.wal_writes *
                                              8192)::bigint),
                              pg_size_pretty(evidence.wal_bytes::bigint)),
                 ssdpar.time_text(evidence.wal_writes * w.page)),
       'possible', ssdpar.set_text(evidence, 'commit_delay', '100'),
       ssdpar.unset_text(evidence, 'commit_delay', '0'),
       (evidence.wal_writes * 8192 - evidence.wal_bytes)::bigint,
       evidence.wal_writes * w.page
  FROM (SELECT min(p.written_page) FROM unnest(evidence.prices) p) w (page)
 WHERE evidence.wal_writes * 8192 >= 16 * evidence.large_bytes AND
       evidence.wal_writes * 8192 >= 4 * evidence.wal_bytes AND
       evidence.settings ->> 'commit_delay' = '0' AND
       evidence.settings ->> 'synchronous_commit' <> 'off' AND
       NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_small_wal_writes(ssdpar.evidence) IS
    'rule of ssdpar.advise(): WAL written in small pieces';
