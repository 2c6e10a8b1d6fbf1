/*
 * recovery_end.c
 *		ssdpar.recovery_ended(): since when this server does its own work.
 *
 * What replay does is not counted, and a promotion leaves the counters of the
 * standby as they are.  Its time is nowhere in shared memory; but it begins a
 * timeline, and that a file whose name no other has, and which the server does
 * not remove.
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
 * needs no promotion; null in recovery, and where the file is not there.
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
