/*
 * budget.h
 *		How long, and in how much memory, the data may be asked.
 */
#ifndef SSDPAR_SAMPLE_BUDGET_H
#define SSDPAR_SAMPLE_BUDGET_H

#include "portability/instr_time.h"
#include "utils/palloc.h"

/* Bytes of sampled rows, and of what finds them, for one query level. */
#define SSDPAR_SAMPLE_MEMORY (32 * 1024 * 1024)

typedef struct SsdparSampleBudget
{
	instr_time	start;
	double		seconds;		/* by the clock */
	double		work;			/* what was asked, in predicted seconds */
	double		most_work;
	MemoryContext context;		/* whose size is bounded */
	int			looks;			/* at the clock, since the size was looked at */
	bool		memory_spent;
} SsdparSampleBudget;

extern void ssdpar_sample_budget_begin(SsdparSampleBudget *budget,
									   double seconds, MemoryContext context);

/* Since the beginning, in seconds. */
extern double ssdpar_sample_elapsed(const SsdparSampleBudget *budget);

/* Something was asked that was to take so long (work_price.h). */
extern void ssdpar_sample_worked(SsdparSampleBudget *budget, double seconds);

/* What may still be asked, in predicted seconds. */
extern double ssdpar_sample_work_left(const SsdparSampleBudget *budget);

/*
 * Is the work done, or the time over, or the memory spent?  Cheap enough for
 * each page.
 */
extern bool ssdpar_sample_is_over(SsdparSampleBudget *budget);

/*
 * The same for what joins are made of: some work is left for the joins
 * themselves, without which no table need have been read.
 */
extern bool ssdpar_sample_tables_are_over(SsdparSampleBudget *budget);

/* Is the time over, or the memory spent, though a little work may be left? */
extern bool ssdpar_sample_is_late(SsdparSampleBudget *budget);

#endif							/* SSDPAR_SAMPLE_BUDGET_H */
