-- recovery/026_overwrite_contrecord.pl: exit status 2
ok 1 - 000000010000000000000001 differs from 000000010000000000000002
# Tests were run but no plan was declared and done_testing() was not seen.
# Looks like your test exited with 2 just after 1.
-- 026_overwrite_contrecord_primary.log
	        INSERT into filler
	        select g, repeat(md5(g::text), (random() * 60 + 1)::int)
	        from generate_series(1, 10) g;
	
	        remain := wal_segsize - (pg_current_wal_insert_lsn() - '0/0') % wal_segsize;
	        IF remain < 2 * setting::int from pg_settings where name = 'block_size' THEN
	            RAISE log 'exiting after % iterations, % bytes to end of WAL segment', iters, remain;
	            EXIT;
	        END IF;
	        iters := iters + 1;
	    END LOOP;
	END
	$$;
2026-11-24 03:15:40.122 UTC [7883] 026_overwrite_contrecord.pl LOG:  exiting after 1112 iterations, 15352 bytes to end of WAL segment
2026-11-24 03:15:40.122 UTC [7883] 026_overwrite_contrecord.pl CONTEXT:  PL/pgSQL function inline_code_block line 14 at RAISE
2026-11-24 03:15:40.122 UTC [7883] 026_overwrite_contrecord.pl STATEMENT:  DO $$
	DECLARE
	    wal_segsize int := setting::int FROM pg_settings WHERE name = 'wal_segment_size';
	    remain int;
	    iters  int := 0;
	BEGIN
	    LOOP
	        INSERT into filler
	        select g, repeat(md5(g::text), (random() * 60 + 1)::int)
	        from generate_series(1, 10) g;
	
	        remain := wal_segsize - (pg_current_wal_insert_lsn() - '0/0') % wal_segsize;
	        IF remain < 2 * setting::int from pg_settings where name = 'block_size' THEN
	            RAISE log 'exiting after % iterations, % bytes to end of WAL segment', iters, remain;
	            EXIT;
	        END IF;
	        iters := iters + 1;
	    END LOOP;
	END
	$$;
2026-11-24 03:15:40.195 UTC [8027] 026_overwrite_contrecord.pl LOG:  statement: SELECT pg_walfile_name(pg_current_wal_insert_lsn())
2026-11-24 03:15:40.261 UTC [8039] 026_overwrite_contrecord.pl LOG:  statement: SELECT pg_logical_emit_message(true, 'test 026', repeat('xyzxz', 123456))
2026-11-24 03:15:40.341 UTC [8050] 026_overwrite_contrecord.pl LOG:  statement: SELECT pg_walfile_name(pg_current_wal_insert_lsn())
2026-11-24 03:15:40.359 UTC [7872] LOG:  received immediate shutdown request
2026-11-24 03:15:40.367 UTC [7872] LOG:  database system is shut down
