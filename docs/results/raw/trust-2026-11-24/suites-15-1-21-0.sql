-- isolation/deadlock-parallel, line 11, split
-- src/test/isolation, test deadlock-parallel, line 11, with
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
step d2a1: <... completed>
-- without ssdpar:
  sum
-----
10000
(1 row)
lock_share
----------
         1
(1 row)
-- with it:
d2: NOTICE:  only 2 of 4 subqueries ran
HINT:  Other background workers count against max_worker_processes (now 16) and max_parallel_workers (now 8) too; raise them or wait for the others to end.
  sum
-----
10000
(1 row)
lock_share
----------
         1
(1 row)
