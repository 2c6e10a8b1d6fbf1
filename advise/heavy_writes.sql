--
-- Rule 4, "avoid long heavy writes": if a device has no erased block when a write
-- arrives, it collects garbage while the write waits.  The rule reports settings
-- that cause bursts of writes, if the counters show such bursts.
--
CREATE FUNCTION ssdpar.advise_checkpoints(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH written AS (
    SELECT evidence.checkpoint_pages * 8192 AS bytes,
           nullif(evidence.checkpoints_timed +
                  evidence.checkpoints_requested, 0) AS checkpoints,
           (SELECT min(p.written_byte) FROM unnest(evidence.prices) p) AS byte,
           (evidence.settings ->> 'checkpoint_completion_target')::float8
               AS target,
           (evidence.settings ->> 'checkpoint_flush_after')::integer AS flush,
           (evidence.settings ->> 'max_wal_size')::bigint AS max_mb
), harm AS (
    SELECT w.*, pg_size_pretty((w.bytes / w.checkpoints)::bigint) AS each,
           evidence.checkpoints_timed >= evidence.checkpoints_requested
               AS in_time,
           evidence.checkpoint_sync_seconds AS sync
      FROM written w
     WHERE w.bytes >= 16 * evidence.large_bytes AND NOT evidence.in_recovery
)
SELECT 'heavy writes', 'setting ' || s.setting, s.seen, s.costs, s.sure,
       ssdpar.set_text(evidence, s.setting, s.value),
       ssdpar.unset_text(evidence, s.setting, s.now),
       h.bytes::bigint, h.bytes * h.byte
  FROM harm h
 CROSS JOIN LATERAL (
       VALUES ('checkpoint_completion_target', h.target::text, '0.9',
               format('%s a checkpoint, in %s of the time between two',
                      h.each, h.target),
               format('written %s times as fast as need be',
                      round((0.9 / greatest(h.target, 0.01))::numeric, 1)),
               'certain', h.in_time AND h.target < 0.9),
              ('checkpoint_flush_after', h.flush::text, '256kB',
               format('%s a checkpoint, flushed in %s at its end',
                      h.each, ssdpar.time_text(h.sync / h.checkpoints)),
               ssdpar.time_text(h.sync) || ' of writing at once',
               'certain', h.flush = 0 AND h.sync >= 0.5 * h.checkpoints),
              ('max_wal_size', h.max_mb || 'MB', 4 * h.max_mb || 'MB',
               format('%s of %s checkpoints came before their time',
                      evidence.checkpoints_requested, h.checkpoints),
               concat_ws(', ', pg_size_pretty(h.bytes::bigint) ||
                               ' written by checkpoints',
                         ssdpar.time_text(h.bytes * h.byte)),
               'likely', NOT h.in_time AND
               evidence.wal_bytes >= evidence.checkpoints_requested *
                                     h.max_mb * 1048576.0 / 4))
       AS s (setting, now, value, seen, costs, sure, applies)
 WHERE s.applies
$$;
COMMENT ON FUNCTION ssdpar.advise_checkpoints(ssdpar.evidence) IS
    'rule of ssdpar.advise(): checkpoints that write in bursts';

CREATE FUNCTION ssdpar.advise_other_writers(evidence ssdpar.evidence)
    RETURNS SETOF ssdpar.advice
    STABLE PARALLEL RESTRICTED
    SET search_path = pg_catalog, pg_temp
    LANGUAGE SQL AS $$
WITH setting AS (
    SELECT (evidence.settings ->> 'bgwriter_lru_maxpages')::integer AS cleaned,
           (evidence.settings ->> 'autovacuum_vacuum_cost_delay')::float8
               AS delay,
           (SELECT min(p.written_byte) FROM unnest(evidence.prices) p) AS byte
)
SELECT 'heavy writes', 'setting ' || h.setting, h.seen,
       concat_ws(', ', format(h.costs, pg_size_pretty(h.bytes::bigint)),
                 ssdpar.time_text(h.bytes * s.byte)), 'likely',
       ssdpar.set_text(evidence, h.setting, h.value),
       ssdpar.unset_text(evidence, h.setting, h.now),
       h.bytes::bigint, h.bytes * s.byte
  FROM setting s
 CROSS JOIN LATERAL (
       VALUES ('bgwriter_lru_maxpages', s.cleaned::text,
               least(4 * s.cleaned, 1000)::text,
               format('the background writer stopped %s times as it had '
                      'written %s pages', evidence.cleaner_stops, s.cleaned),
               '%s or more left to sessions that wait for it',
               evidence.cleaner_stops * s.cleaned * 8192,
               s.cleaned BETWEEN 1 AND 999),
              ('autovacuum_vacuum_cost_delay', s.delay::text, '2ms',
               'autovacuum writes without a pause', '%s written at once',
               evidence.vacuum_bytes, s.delay = 0))
       AS h (setting, now, value, seen, costs, bytes, applies)
 WHERE h.applies AND h.bytes >= 16 * evidence.large_bytes AND
       NOT evidence.in_recovery
$$;
COMMENT ON FUNCTION ssdpar.advise_other_writers(ssdpar.evidence) IS
    'rule of ssdpar.advise(): a background writer that does too little, autovacuum that does too much at once';
