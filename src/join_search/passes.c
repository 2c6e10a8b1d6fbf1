/*
 * passes.c
 *		A statement is planned, measured, and planned again.
 *
 * What to measure is known when a level's joins have been searched: by then
 * there are relations, their clauses, and a time that the result is predicted
 * to take, of which measuring is worth a share.  To search the joins of that
 * level again would mean to take back all that core has derived from the rows
 * that it had assumed: paths and their order, repeated scans that were counted
 * on, selectivities and hash buckets kept in clauses, sizes of parameterised
 * paths.  So all of the statement is planned once more, from a copy of its
 * query, which leaves nothing of the first pass behind.  Levels of the second
 * pass are those of the first, in the same order: core decides by the query
 * alone which subqueries it plans, and when.
 */
#include "postgres.h"

#include "parser/parsetree.h"
#include "portability/instr_time.h"

#include "base/settings.h"
#include "join_search/passes.h"
#include "prefetch/counters.h"

/* Less is not worth beginning with: some dozens of pages in memory. */
#define MIN_BUDGET_SECONDS 0.5e-3

/*
 * A prediction may be right, though other times are at stake: then measuring
 * may make the query longer by no more than this share.
 */
#define MOST_OF_PREDICTED 0.1

/*
 * To plan a second time takes what the first time took.  Where that is more
 * than so many times what is to be spent on what is at stake, as with many
 * joins of little data, it is planned once.  What is predicted does not count
 * here: it is planned a second time only if that was wrong.
 */
#define MAX_PLANNING_FACTOR 5.0

struct SsdparPasses
{
	bool		may_measure;
	bool		again;			/* this is the second pass */
	bool		matters;		/* something that is known alters plans */
	bool		failed;			/* what was asked */
	instr_time	begun;
	double		spent;			/* seconds, measuring */
	double		new_stake;		/* seconds, where a budget was given last */
	double		stakes;			/* of all where something matters */
	List	   *levels;			/* PlannerInfo of the first pass, as met */
	List	   *levels_again;	/* of the second */
};

static SsdparPasses *passes = NULL; /* of the statement being planned */

SsdparPasses *
ssdpar_passes_begin(bool may_measure)
{
	SsdparPasses *outer = passes;

	passes = palloc0_object(SsdparPasses);
	passes->may_measure = may_measure;
	INSTR_TIME_SET_CURRENT(passes->begun);
	return outer;
}

void
ssdpar_passes_end(SsdparPasses *outer)
{
	passes = outer;
}

bool
ssdpar_is_second_pass(void)
{
	return passes != NULL && passes->again;
}

static double
seconds_planning(void)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, passes->begun);
	return INSTR_TIME_GET_DOUBLE(now) - passes->spent;
}

/* Planning once more, for what is at stake? */
static bool
takes_too_long(double at_stake)
{
	return seconds_planning() > at_stake * ssdpar_estimate_share / 100.0 *
		MAX_PLANNING_FACTOR;
}

bool
ssdpar_passes_again(void)
{
	if (!passes->matters || passes->again ||
		takes_too_long(passes->stakes))
		return false;
	passes->again = true;
	ssdpar_count(SSDPAR_COUNT_REPLANNED, 1);
	return true;
}

double
ssdpar_measuring_budget(double predicted_seconds, double at_stake)
{
	double		most = ssdpar_estimate_share / 100.0;
	double		share = Min(at_stake * most,
							predicted_seconds * Max(most, MOST_OF_PREDICTED));
	double		left;

	if (passes == NULL || !passes->may_measure || passes->again ||
		passes->failed || share < MIN_BUDGET_SECONDS ||
		takes_too_long(at_stake))
		return 0.0;
	passes->new_stake = at_stake;
	left = ssdpar_estimate_budget / 1000.0 - passes->spent;
	return Max(Min(share, left), 0.0);
}

void
ssdpar_passes_asked(const SsdparMeasured *measured)
{
	passes->spent += measured->milliseconds / 1000.0;
	passes->failed |= measured->failed;
}

bool
ssdpar_passes_failed(void)
{
	return passes->failed;
}

void
ssdpar_passes_measured(bool matters)
{
	passes->matters |= matters;
	if (!matters)
		return;
	passes->stakes += passes->new_stake;
	passes->new_stake = 0.0;
}

bool
ssdpar_passes_matter(void)
{
	return passes->matters;
}

/*
 * Do the levels read the same tables under the same numbers?  The first one has
 * been planned to its end: star scans may have appended relations of their own
 * to it (star/array_keys.c), after those that are joined.
 */
static bool
is_same_level(PlannerInfo *first, PlannerInfo *entered)
{
	int			ntables = list_length(entered->parse->rtable);

	if (first->query_level != entered->query_level ||
		list_length(first->parse->rtable) < ntables)
		return false;
	for (int rti = 1; rti <= ntables; rti++)
		if (rt_fetch(rti, first->parse->rtable)->relid !=
			rt_fetch(rti, entered->parse->rtable)->relid)
			return false;
	return true;
}

PlannerInfo *
ssdpar_passes_enter_level(PlannerInfo *root)
{
	List	  **levels;
	PlannerInfo *first;
	int			place;

	if (passes == NULL || !passes->may_measure)
		return NULL;
	levels = passes->again ? &passes->levels_again : &passes->levels;
	if (list_member_ptr(*levels, root))
		return NULL;
	place = list_length(*levels);
	*levels = lappend(*levels, root);
	if (!passes->again || place >= list_length(passes->levels))
		return NULL;
	first = list_nth(passes->levels, place);
	return is_same_level(first, root) ? first : NULL;
}
