-- recovery/020_archive_status.pl: exit status 2
ok 1 - .ready file exists for WAL segment 000000010000000000000001 waiting to be archived
ok 2 - .done file does not exist for WAL segment 000000010000000000000001 waiting to be archived
ok 3 - pg_stat_archiver failed to archive 000000010000000000000001
# Tests were run but no plan was declared and done_testing() was not seen.
# Looks like your test exited with 2 just after 3.
-- 020_archive_status_primary.log
2026-11-24 03:12:55.288 UTC [28763] LOG:  starting PostgreSQL 15.18 on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14+deb12u1) 12.2.0, 64-bit
2026-11-24 03:12:55.302 UTC [28763] LOG:  listening on Unix socket "8m_9nwdw5T/.s.PGSQL.27045"
2026-11-24 03:12:55.330 UTC [28775] LOG:  started the prefetch daemon with process ID 28777
2026-11-24 03:12:55.345 UTC [28774] LOG:  database system was shut down at 2026-11-24 03:12:55 UTC
2026-11-24 03:12:55.348 UTC [28763] LOG:  database system is ready to accept connections
ssdpard: ready, reading with io_uring
2026-11-24 03:12:55.427 UTC [28785] 020_archive_status.pl LOG:  statement: ALTER SYSTEM SET archive_command TO 'cp "%p_does_not_exist" "%f_does_not_exist"';
2026-11-24 03:12:55.430 UTC [28785] 020_archive_status.pl LOG:  statement: SELECT pg_reload_conf();
2026-11-24 03:12:55.437 UTC [28763] LOG:  received SIGHUP, reloading configuration files
2026-11-24 03:12:55.437 UTC [28763] LOG:  parameter "archive_command" changed to "cp "%p_does_not_exist" "%f_does_not_exist""
ssdpard: settings read again
2026-11-24 03:12:55.477 UTC [28792] 020_archive_status.pl LOG:  statement: SELECT pg_walfile_name(pg_current_wal_lsn())
2026-11-24 03:12:55.519 UTC [28798] 020_archive_status.pl LOG:  statement: CREATE TABLE mine AS SELECT generate_series(1,10) AS x;
2026-11-24 03:12:55.533 UTC [28798] 020_archive_status.pl LOG:  statement: SELECT pg_switch_wal();
cp: cannot stat 'pg_wal/000000010000000000000001_does_not_exist': No such file or directory
2026-11-24 03:12:55.546 UTC [28798] 020_archive_status.pl LOG:  statement: CHECKPOINT;
2026-11-24 03:12:55.547 UTC [28782] LOG:  archive command failed with exit code 1
2026-11-24 03:12:55.547 UTC [28782] DETAIL:  The failed archive command was: cp "pg_wal/000000010000000000000001_does_not_exist" "000000010000000000000001_does_not_exist"
2026-11-24 03:12:55.548 UTC [28772] LOG:  checkpoint starting: immediate force wait
2026-11-24 03:12:55.563 UTC [28772] LOG:  checkpoint complete: wrote 26 buffers (20.3%); 0 WAL file(s) added, 0 removed, 0 recycled; write=0.001 s, sync=0.001 s, total=0.016 s; sync files=0, longest=0.000 s, average=0.000 s; distance=11700 kB, estimate=11700 kB
2026-11-24 03:12:55.629 UTC [28812] 020_archive_status.pl LOG:  statement: SELECT failed_count > 0 FROM pg_stat_archiver
2026-11-24 03:12:55.682 UTC [28817] 020_archive_status.pl LOG:  statement: SELECT archived_count, last_failed_wal
			FROM pg_stat_archiver
		
2026-11-24 03:12:55.710 UTC [28763] LOG:  received immediate shutdown request
2026-11-24 03:12:55.717 UTC [28763] LOG:  database system is shut down
