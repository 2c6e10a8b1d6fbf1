-- regress/join_hash, line 257, split
-- src/test/regress, test join_hash, line 257, with
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
select count(*) from simple r join extremely_skewed s using (id);
-- without ssdpar:
 count 
-------
 20000
(1 row)
-- with it:
NOTICE:  the query cannot be split while max_parallel_workers_per_gather is 0
HINT:  Raise max_parallel_workers_per_gather to at least 1; ssdpar.subqueries says how many workers a split query uses.
 count 
-------
 20000
(1 row)
