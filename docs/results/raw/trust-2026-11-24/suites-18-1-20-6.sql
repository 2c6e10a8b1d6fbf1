-- regress/select_parallel, line 83, split
-- src/test/regress, test select_parallel, line 83, with
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
select count(*) from tenk1 where stringu1 = 'GRAAAA';
-- without ssdpar:
 count 
-------
    15
(1 row)
-- with it:
NOTICE:  only 0 of 4 subqueries can run at once
HINT:  Raise max_parallel_workers (now 0) to at least 4.
 count 
-------
    15
(1 row)
