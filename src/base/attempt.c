/*
 * attempt.c
 *		Reads pages that a statement can do without.
 *
 * They are read to plan it, and the plan may never come to them.  Where one of
 * them is damaged or too new for an old snapshot, or the device fails, or no
 * buffer is free for it, the statement must be planned as if nothing had been
 * asked: its own rows may be whole.  So it must where a filter that should not
 * (star/error_free.c) raises an error of a row, which the plan may never
 * compute.  What such an error leaves behind (pins,
 * locks, reads under way) only the end of a transaction cleans up, so the
 * reading is one of its own within the statement's, as a block with an
 * EXCEPTION clause is.  It writes nothing and so needs no transaction ID.
 *
 * While processes work in parallel there can be no such transaction: a function
 * that plans a statement there meets the error itself.  So does any statement
 * on a standby, where replay cancels one that is in its way, but terminates the
 * session if that is in a subtransaction.  And so does one where Citus would
 * send a savepoint for each to all servers that the transaction has reached: a
 * round trip to each, and the end of a COPY to it, under whose rows a function
 * may plan statements.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "tcop/pquery.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "base/attempt.h"
#include "base/compat.h"

/* Does somebody end the statement: by a cancel, a timeout, a shutdown? */
static bool
is_intervention(int code)
{
	return ERRCODE_TO_CATEGORY(code) == ERRCODE_OPERATOR_INTERVENTION;
}

/* In a transaction of its own; false if that has failed. */
static bool
attempt_apart(SsdparAttempt function, void *arg)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool succeeded = true;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		function(arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
		if (is_intervention(error->sqlerrcode))
			ReThrowError(error);
		ereport(DEBUG1,
				(errmsg_internal("planned without what was asked of the data: %s",
								 error->message)));
		FreeErrorData(error);
		succeeded = false;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return succeeded;
}

/* What Citus calls its sessions on workers, which reach no others. */
#define CITUS_SESSION "citus_internal "

/*
 * A client's statement that is planned by itself comes before anything that
 * could have reached another server.
 */
static bool
are_savepoints_sent(void)
{
	return (IsTransactionBlock() || ActivePortal != NULL) &&
		GetConfigOption("citus.version", true, false) != NULL &&
		strncmp(application_name, CITUS_SESSION, strlen(CITUS_SESSION)) != 0;
}

bool
ssdpar_attempt(SsdparAttempt function, void *arg)
{
	if (!IsInParallelMode() && !RecoveryInProgress() && !are_savepoints_sent())
		return attempt_apart(function, arg);
	function(arg);
	return true;
}
