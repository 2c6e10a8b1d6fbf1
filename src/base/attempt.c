/*
 * attempt.c
 *		Reads pages that a statement can do without.
 *
 * They are read for planning, and the plan may never read them.  If one of
 * them is damaged or too new for an old snapshot, if the device fails, or if
 * there is no free buffer, the statement must be planned as if nothing had
 * been read, because its own rows may be intact.  The same holds if a filter
 * raises an error for a row that the plan may never evaluate, although
 * star/error_free.c should prevent that.  Only the end of a transaction cleans
 * up what such an error leaves (pins, locks, outstanding reads), so the pages
 * are read in a subtransaction, like a block with an EXCEPTION clause.  It
 * writes nothing, so it needs no transaction ID.
 *
 * Three cases cannot use a subtransaction, so an error there reaches the
 * statement.  A function that plans a statement in parallel mode cannot start
 * one. On a standby, a recovery conflict cancels a statement, but would
 * terminate the session within a subtransaction.  And Citus would send a
 * savepoint to all servers that the transaction has reached.  That takes a
 * round trip to each, and ends a COPY to it, while functions called for its
 * rows may plan statements.
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

/* Was the statement interrupted by a cancel, a timeout or a shutdown? */
static bool
is_intervention(int code)
{
	return ERRCODE_TO_CATEGORY(code) == ERRCODE_OPERATOR_INTERVENTION;
}

/* Runs it in a subtransaction; returns false if it failed. */
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

/*
 * Prefix of the application_name of Citus's sessions on workers, which do not
 * contact other servers.
 */
#define CITUS_SESSION "citus_internal "

/*
 * A top-level statement of a client is planned before anything in its
 * transaction could have contacted another server.
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
