/*
 * budget.c
 *		How long, and in how much memory, the data may be asked.
 *
 * What ends the asking is counted work: pages, keys and rows at their predicted
 * times.  So the same statement on the same data asks for the same, and gets
 * the same plan.  The wall clock stands above it: a device or a processor that
 * is slower today than predicted costs the statement no more than it has
 * allowed, and what is known by then is used.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "sample/budget.h"

/*
 * Of the time that may be spent, what is planned to be: so far predictions may
 * be wrong before the clock makes one plan differ from the next.
 */
#define PLANNED_SHARE 0.6

/* Of that, what tables may have taken before the last joins with their rows. */
#define TABLES_SHARE 0.85

/* The size of a context is the sum over its blocks: not looked at each time. */
#define LOOKS_A_SIZE 64

void
ssdpar_sample_budget_begin(SsdparSampleBudget *budget, double seconds,
						   MemoryContext context)
{
	memset(budget, 0, sizeof(SsdparSampleBudget));
	INSTR_TIME_SET_CURRENT(budget->start);
	budget->seconds = seconds;
	budget->most_work = seconds * PLANNED_SHARE;
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

void
ssdpar_sample_worked(SsdparSampleBudget *budget, double seconds)
{
	budget->work += seconds;
}

double
ssdpar_sample_work_left(const SsdparSampleBudget *budget)
{
	return Max(budget->most_work - budget->work, 0.0);
}

bool
ssdpar_sample_is_late(SsdparSampleBudget *budget)
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

bool
ssdpar_sample_is_over(SsdparSampleBudget *budget)
{
	return budget->work >= budget->most_work || ssdpar_sample_is_late(budget);
}

bool
ssdpar_sample_tables_are_over(SsdparSampleBudget *budget)
{
	return budget->work >= budget->most_work * TABLES_SHARE ||
		ssdpar_sample_is_late(budget);
}
