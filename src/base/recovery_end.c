/*
 * recovery_end.c
 *		ssdpar.recovery_ended(): the time since which this server runs as a
 *		primary.
 *
 * Replay does not change the statistics counters, and a promotion keeps the
 * standby's counters.  Shared memory does not have the time of the promotion.
 * However, a promotion starts a timeline, whose history file the server never
 * removes.
 */
#include "postgres.h"

#include <sys/stat.h>

#include "access/xlog.h"
#include "access/xlog_internal.h"
#include "fmgr.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_recovery_ended);

/*
 * recovery_ended() returns timestamptz: -infinity on the first timeline, which
 * needs no promotion; NULL in recovery, or if the file does not exist.
 */
Datum
ssdpar_sql_recovery_ended(PG_FUNCTION_ARGS)
{
	char		path[MAXPGPATH];
	struct stat history;
	TimeLineID	timeline;

	if (RecoveryInProgress())
		PG_RETURN_NULL();
	timeline = GetWALInsertionTimeLine();
	if (timeline == 1)
		PG_RETURN_TIMESTAMPTZ(DT_NOBEGIN);
	TLHistoryFilePath(path, timeline);
	if (stat(path, &history) != 0)
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(time_t_to_timestamptz(history.st_mtime));
}
