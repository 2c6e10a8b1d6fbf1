-- regress/stats, line 117, split
-- src/test/regress, test stats, line 117, with
-- shared_preload_libraries = ssdpar
-- wal_level = replica
-- max_wal_senders = 5
-- max_wal_size = 4GB
-- fsync = off
-- ssdpar.cost_model_min_size = 0
-- ssdpar.prefetch_min_size = 0
-- track_activity_query_size = 65536
-- ssdpar.subqueries = 4
-- ssdpar.residency = cold
SELECT st.seq_scan >= pr.seq_scan + 1,
       st.seq_tup_read >= pr.seq_tup_read + cl.reltuples,
       st.idx_scan >= pr.idx_scan + 1,
       st.idx_tup_fetch >= pr.idx_tup_fetch + 1
  FROM pg_stat_user_tables AS st, pg_class AS cl, prevstats AS pr
 WHERE st.relname='tenk2' AND cl.relname='tenk2';
-- without ssdpar:
 ?column? | ?column? | ?column? | ?column? 
----------+----------+----------+----------
 t        | t        | t        | t
(1 row)
-- with it:
 ?column? | ?column? | ?column? | ?column? 
----------+----------+----------+----------
 t        | t        | f        | f
(1 row)
