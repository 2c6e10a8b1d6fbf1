/*
 * budget.c
 *		How long, and in how much memory, the data may be asked.
 *
 * The wall clock counts, not what is expected: a device that is slow today
 * costs the statement no more than it has allowed, and what is known by then
 * is used.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "sample/budget.h"

/* The size of a context is the sum over its blocks: not looked at each time. */
#define LOOKS_A_SIZE 64

void
ssdpar_sample_budget_begin(SsdparSampleBudget *budget, double seconds,
						   MemoryContext context)
{
	memset(budget, 0, sizeof(SsdparSampleBudget));
	INSTR_TIME_SET_CURRENT(budget->start);
	budget->seconds = seconds;
	budget->context = context;
}

double
ssdpar_sample_elapsed(const SsdparSampleBudget *budget)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, budget->start);
	return INSTR_TIME_GET_DOUBLE(now);
}

bool
ssdpar_sample_is_over(SsdparSampleBudget *budget)
{
	if (++budget->looks == LOOKS_A_SIZE)
	{
		budget->looks = 0;
		budget->memory_spent =
			MemoryContextMemAllocated(budget->context, true) >
			SSDPAR_SAMPLE_MEMORY;
	}
	return budget->memory_spent ||
		ssdpar_sample_elapsed(budget) >= budget->seconds;
}
