/*
 * attempt.c
 *		Asks the data so that what fails on the way is the asking alone.
 *
 * Pages are read that the plan may never come to.  Where one of them is
 * damaged, or the device fails, or no buffer is free for it, the statement
 * must be planned as if nothing had been asked: its own rows may be whole.
 * What such an error leaves behind (pins, locks, reads under way) only the end
 * of a transaction cleans up, so the asking is one of its own within the
 * statement's, as a block with an EXCEPTION clause is.  It writes nothing and
 * so needs no transaction ID.
 *
 * While processes work in parallel there can be no such transaction: a function
 * that plans a statement there meets the error itself.
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "base/compat.h"
#include "sample/attempt.h"

/* Does the error say something of a page, rather than of the statement? */
static bool
is_of_reading(int code)
{
	switch (code)
	{
		case ERRCODE_DATA_CORRUPTED:
		case ERRCODE_INDEX_CORRUPTED:
		case ERRCODE_IO_ERROR:
		case ERRCODE_UNDEFINED_FILE:
		case ERRCODE_OUT_OF_MEMORY:
		case ERRCODE_INSUFFICIENT_RESOURCES:
			return true;
		default:
			return false;
	}
}

static void
ask_to_the_end(SsdparSampler *sampler, SsdparAsk ask, void *arg)
{
	ask(sampler, arg);
	ssdpar_sampler_end(sampler);
}

/* In a transaction of its own; false if that has failed. */
static bool
ask_apart(SsdparSampler *sampler, SsdparAsk ask, void *arg)
{
	MemoryContext planners = sampler->outer;
	MemoryContext asking = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool asked = true;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(asking);
	PG_TRY();
	{
		ask_to_the_end(sampler, ask, arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(planners);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		CurrentResourceOwner = owner;
		if (!is_of_reading(error->sqlerrcode))
			ReThrowError(error);
		FreeErrorData(error);
		MemoryContextDelete(asking);
		asked = false;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(planners);
	CurrentResourceOwner = owner;
	return asked;
}

bool
ssdpar_sample_attempt(PlannerInfo *root, double seconds, SsdparAsk ask,
					  void *arg)
{
	SsdparSampler *sampler = ssdpar_sampler_begin(root, seconds);

	if (!IsInParallelMode())
		return ask_apart(sampler, ask, arg);
	ask_to_the_end(sampler, ask, arg);
	return true;
}
