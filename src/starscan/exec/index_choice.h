/*
 * index_choice.h
 *		Chooses which of the fact's indexes a star scan reads, after it has
 *		the keys.
 */
#ifndef SSDPAR_INDEX_CHOICE_H
#define SSDPAR_INDEX_CHOICE_H

#include "starscan/star_plan.h"

/* An index that can be read.  */
typedef struct SsdparIndexOption
{
	const SsdparReducer *reducer;
	bool		first;			/* is read before all others */
	bool		read;
	double		fraction;		/* of the fact's rows that it finds */
	double		area_share;		/* of the fact's pages where these may lie */
	double		leaves;			/* to be read */
} SsdparIndexOption;

typedef struct SsdparIndexChoice
{
	const SsdparStarPlan *plan;
	SsdparIndexOption *options;
	int			noptions;
	bool		any_read;

	double		fact_rows;

	/* Expected contents of the bitmap after the indexes read so far.  */
	double		rows;
	double		area;			/* pages where the rows may lie */
} SsdparIndexChoice;

/*
 * Estimates what an index with this many pages finds for this many keys.
 */
extern void ssdpar_index_option_init(SsdparIndexOption *option,
									 const SsdparReducer *reducer,
									 double keys, double pages,
									 double fact_pages);

/*
 * Starts a choice for a fact of which no index has been read.  The options are
 * set separately.
 */
extern void ssdpar_index_choice_begin(SsdparIndexChoice *choice,
									  const SsdparStarPlan *plan,
									  double fact_rows, double fact_pages);

/* Returns the number of the index to read next, or -1 if no index pays off.  */
extern int	ssdpar_choose_index(const SsdparIndexChoice *choice);

/* Notes that index i has been read, or assumes so.  */
extern void ssdpar_index_was_read(SsdparIndexChoice *choice, int i);

/*
 * Would reading this many pages of the bitmap take longer than a sequential
 * scan of the whole fact?
 */
extern bool ssdpar_reads_too_many(const SsdparStarPlan *plan, double pages);

/* Returns the number of pages that the best choice is expected to leave.  */
extern double ssdpar_expected_pages(const SsdparIndexChoice *choice);

#endif							/* SSDPAR_INDEX_CHOICE_H */
