/*
 * attempt.c
 *		Asks the data so that what fails on the way is the asking alone.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/attempt.h"
#include "base/compat.h"
#include "sample/attempt.h"

typedef struct Asking
{
	SsdparSampler *sampler;
	SsdparAsk	ask;
	void	   *arg;
} Asking;

/* What was opened is closed in the transaction that it was opened in. */
static void
ask_to_the_end(void *arg)
{
	Asking	   *asking = arg;

	MemoryContextSwitchTo(asking->sampler->context);
	asking->ask(asking->sampler, asking->arg);
	ssdpar_sampler_end(asking->sampler);
}

bool
ssdpar_sample_attempt(PlannerInfo *root, double seconds, SsdparAsk ask,
					  void *arg, SsdparMeasured *measured)
{
	Asking		asking = {ssdpar_sampler_begin(root, seconds), ask, arg};
	MemoryContext context = asking.sampler->context;
	SsdparSampleBudget budget = asking.sampler->budget;

	MemoryContextSwitchTo(asking.sampler->outer);
	measured->failed = !ssdpar_attempt(ask_to_the_end, &asking);
	if (measured->failed)
		MemoryContextDelete(context);
	measured->milliseconds = ssdpar_sample_elapsed(&budget) * 1000;
	return !measured->failed;
}
