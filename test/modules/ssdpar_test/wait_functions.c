/*
 * wait_functions.c
 *		Sessions that do nothing until they are canceled, for others to observe
 *		(wait_as) or to wait for (hold_predicate_locks).
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "utils/builtins.h"
#include "utils/wait_event.h"

#include "ssdpar_test.h"

PG_FUNCTION_INFO_V1(ssdpar_test_wait_as);
PG_FUNCTION_INFO_V1(ssdpar_test_hold_predicate_locks);

static uint32
parse_event(const char *name)
{
	const struct
	{
		const char *name;
		uint32		event;
	}			events[] = {
		{"WALSync", WAIT_EVENT_WAL_SYNC},
		{"WALWrite", WAIT_EVENT_WAL_WRITE},
		{"WALWriteLock", PG_WAIT_LWLOCK | WALWriteLock->tranche},
		{"DataFileSync", WAIT_EVENT_DATA_FILE_SYNC},
		{"DataFileWrite", WAIT_EVENT_DATA_FILE_WRITE},
		{"DataFileExtend", WAIT_EVENT_DATA_FILE_EXTEND},
	};

	for (size_t i = 0; i < lengthof(events); i++)
		if (strcmp(events[i].name, name) == 0)
			return events[i].event;
	ssdpar_test_refuse("there is no such wait here",
					   "Use WALSync, WALWrite, WALWriteLock, DataFileSync, DataFileWrite or DataFileExtend.");
	return 0;					/* keep compilers quiet */
}

/* wait_as(event text) returns void, when it is canceled */
Datum
ssdpar_test_wait_as(PG_FUNCTION_ARGS)
{
	uint32		event = parse_event(text_to_cstring(PG_GETARG_TEXT_PP(0)));

	for (;;)
	{
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, 0,
						 event);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	PG_RETURN_VOID();
}

/*
 * hold_predicate_locks() returns void, when it is canceled
 *
 * A serializable transaction then stops at the first new predicate lock, while
 * one that only inserts rows continues.
 *
 * Interrupts are held while holding such a lock, so this function checks for
 * cancels itself.
 */
Datum
ssdpar_test_hold_predicate_locks(PG_FUNCTION_ARGS)
{
	LWLockAcquire(SerializablePredicateListLock, LW_EXCLUSIVE);
	while (!QueryCancelPending && !ProcDiePending)
	{
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, 0,
						 PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
	}
	LWLockRelease(SerializablePredicateListLock);
	CHECK_FOR_INTERRUPTS();
	PG_RETURN_VOID();
}
