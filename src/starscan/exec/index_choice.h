/*
 * index_choice.h
 *		Which of the fact's indexes a star scan reads, now that it has the
 *		keys.
 */
#ifndef SSDPAR_INDEX_CHOICE_H
#define SSDPAR_INDEX_CHOICE_H

#include "starscan/star_plan.h"

/* An index that can be read. */
typedef struct SsdparIndexOption
{
	const SsdparReducer *reducer;
	bool		first;			/* before all that are not */
	bool		read;
	double		fraction;		/* of the fact's rows that it finds */
	double		area_share;		/* of its pages that these may lie in */
	double		leaves;			/* to be read */
} SsdparIndexOption;

typedef struct SsdparIndexChoice
{
	const SsdparStarPlan *plan;
	SsdparIndexOption *options;
	int			noptions;
	bool		any_read;

	double		fact_rows;

	/* What is expected to be in the bitmap of those that were read. */
	double		rows;
	double		area;			/* pages they may lie in */
} SsdparIndexChoice;

/*
 * What an index would find for that many keys, of that many pages, where the
 * fact has fact_pages.
 */
extern void ssdpar_index_option_init(SsdparIndexOption *option,
									 const SsdparReducer *reducer,
									 double keys, double pages,
									 double fact_pages);

/* Begin with a fact of which no index is read; its options are set apart. */
extern void ssdpar_index_choice_begin(SsdparIndexChoice *choice,
									  const SsdparStarPlan *plan,
									  double fact_rows, double fact_pages);

/* The number of the index to read next; -1: none that pays. */
extern int	ssdpar_choose_index(const SsdparIndexChoice *choice);

/* Index number i has been read, or is taken to have been. */
extern void ssdpar_index_was_read(SsdparIndexChoice *choice, int i);

/*
 * Would so many pages of the bitmap take longer than all of the fact, one after
 * the other?
 */
extern bool ssdpar_reads_too_many(const SsdparStarPlan *plan, double pages);

/* Those that the best choice is expected to leave. */
extern double ssdpar_expected_pages(const SsdparIndexChoice *choice);

#endif							/* SSDPAR_INDEX_CHOICE_H */
