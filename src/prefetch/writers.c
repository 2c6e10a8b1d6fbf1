/*
 * writers.c
 *		Does any process of the server wait for a write?
 *
 * A waiting process stores its wait event in its PGPROC, for pg_stat_activity.
 * So writers are not slowed down by being observed.  No lock is taken: the
 * word is read as it is, and a slightly outdated value is good enough.
 * Waiting for the lock under which the log is written is also a wait for the
 * log.
 *
 * A wait shorter than the time between two looks is seen only sometimes, in
 * proportion to its duration.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"
#include "replication/walreceiver.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "utils/wait_event.h"

#include "prefetch/writers.h"

static SsdparWriteWait
kind_of_wait(uint32 event)
{
	switch (event)
	{
		case WAIT_EVENT_WAL_SYNC:
		case WAIT_EVENT_WAL_WRITE:
		case WAIT_EVENT_WAL_INIT_SYNC:
		case WAIT_EVENT_WAL_INIT_WRITE:
			return SSDPAR_WAL_WAITS;
		case WAIT_EVENT_DATA_FILE_SYNC:
		case WAIT_EVENT_DATA_FILE_IMMEDIATE_SYNC:
		case WAIT_EVENT_DATA_FILE_WRITE:
		case WAIT_EVENT_DATA_FILE_EXTEND:
			return SSDPAR_DATA_WAITS;
	}
	return event == (PG_WAIT_LWLOCK | WALWriteLock->tranche) ?
		SSDPAR_WAL_WAITS : SSDPAR_NO_WRITE_WAITS;
}

/* Does the process belong to another query, and is it alive? */
static bool
counts(const PGPROC *proc)
{
	return proc->pid != 0 && proc != MyProc &&
		(MyProc->lockGroupLeader == NULL ||
		 proc->lockGroupLeader != MyProc->lockGroupLeader);
}

SsdparWriteWait
ssdpar_writers_look(void)
{
	SsdparWriteWait found = SSDPAR_NO_WRITE_WAITS;

	for (uint32 i = 0; i < ProcGlobal->allProcCount; i++)
	{
		const PGPROC *proc = GetPGProcByNumber(i);
		uint32		event = *(const volatile uint32 *) &proc->wait_event_info;
		SsdparWriteWait kind;

		if (event == 0)
			continue;
		kind = kind_of_wait(event);
		if (kind > found && counts(proc))
			found = kind;
	}
	return found;
}

int
ssdpar_writers_processes(void)
{
	return (int) ProcGlobal->allProcCount;
}

/* A standby writes the log that it receives. */
uint64
ssdpar_writers_log_position(void)
{
	return RecoveryInProgress() ? GetWalRcvFlushRecPtr(NULL, NULL) :
		GetFlushRecPtr(NULL);
}
