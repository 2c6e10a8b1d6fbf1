/*
 * index_choice.c
 *		Chooses which of the fact's indexes a star scan reads, after it has
 *		the keys.
 *
 * The planner chose by the expected number of keys.  Now the actual number is
 * known, and the estimates for each index are corrected by it.  The choice
 * follows the planner's (starscan/plan/search.c) and uses its prices: first
 * the index that gives the cheapest bitmap, then the best additional one, as
 * long as reading it costs less than the heap pages that it saves.  After each
 * index, the number of rows that it actually found is known too.
 *
 * If the planner had no prices, only planned indexes are read, beginning with
 * the one that finds the fewest rows.  An index is skipped if it has more
 * leaves to read than there are heap pages left to save.
 */
#include "postgres.h"

#include "starscan/exec/index_choice.h"
#include "starscan/page_estimate.h"

/*
 * Approximate number of row addresses on a leaf page.  With one integer key
 * each takes 20 bytes including its line pointer, so a page has 367 at the
 * default fillfactor.  Random insertions make it fewer, deduplication more.
 */
#define ROWS_PER_LEAF 256.0

void
ssdpar_index_option_init(SsdparIndexOption *option,
						 const SsdparReducer *reducer, double keys,
						 double pages, double fact_pages)
{
	option->reducer = reducer;
	option->first = false;
	option->read = false;
	option->fraction = Min(reducer->selectivity *
						   (keys / Max(reducer->keys, 1.0)), 1.0);
	option->area_share = ssdpar_area_share(reducer->ordered, option->fraction,
										   keys, fact_pages);
	option->leaves = ssdpar_leaves_hit(pages, keys, option->fraction);
}

/*
 * Returns the factor by which all reducers together keep fewer rows than if
 * they were independent.  A factor above 1 is ignored, because the indexes
 * show how many rows there are.
 */
static double
dependence(const SsdparStarPlan *plan)
{
	double		independent = 1.0;

	for (int i = 0; i < plan->nreducers; i++)
	{
		if (plan->reducers[i].target == SSDPAR_TARGET_FACT)
			independent *= plan->reducers[i].selectivity;
	}
	return plan->kept < independent ? plan->kept / independent : 1.0;
}

void
ssdpar_index_choice_begin(SsdparIndexChoice *choice,
						  const SsdparStarPlan *plan, double fact_rows,
						  double fact_pages)
{
	choice->plan = plan;
	choice->any_read = false;
	choice->fact_rows = Max(fact_rows, 1.0);
	choice->rows = choice->fact_rows * dependence(plan);
	choice->area = fact_pages;
}

/*
 * Returns the number of places in the table that hold this many of an index's
 * rows.
 */
static double
places_of(const SsdparIndexChoice *choice, const SsdparIndexOption *option,
		  double rows)
{
	return ssdpar_places_left(choice->fact_rows * option->fraction, rows,
							  option->reducer->together);
}

/*
 * Estimates the pages of the bitmap, after reading option too unless it is
 * NULL.
 */
static double
heap_pages(const SsdparIndexChoice *choice, const SsdparIndexOption *option)
{
	double		rows = choice->rows;
	double		area = choice->area;
	double		places;

	if (option != NULL)
	{
		rows *= option->fraction;
		area *= option->area_share;
	}
	places = option != NULL ? places_of(choice, option, rows) : rows;
	for (int i = 0; i < choice->noptions; i++)
	{
		if (choice->options[i].read)
			places = Min(places, places_of(choice, &choice->options[i], rows));
	}
	return ssdpar_pages_hit(Max(area, 1.0), Min(places, rows));
}

/* Returns the remaining cost if this index is read next.  */
static Cost
cost_with(const SsdparIndexChoice *choice, const SsdparIndexOption *option)
{
	if (choice->plan->page_cost <= 0)
		return choice->rows * option->fraction;
	return option->leaves * option->reducer->leaf_cost +
		heap_pages(choice, option) * choice->plan->page_cost;
}

/* Is that less than the cost without this index?  */
static bool
pays(const SsdparIndexChoice *choice, const SsdparIndexOption *option)
{
	const SsdparStarPlan *plan = choice->plan;

	if (!choice->any_read)
		return true;
	if (plan->page_cost > 0)
		return cost_with(choice, option) <
			heap_pages(choice, NULL) * plan->page_cost;
	return choice->fact_rows * option->fraction / ROWS_PER_LEAF < choice->rows;
}

/* Finds the cheapest unread index among those with this value of first.  */
static int
best_option(const SsdparIndexChoice *choice, bool first)
{
	int			best = -1;

	for (int i = 0; i < choice->noptions; i++)
	{
		const SsdparIndexOption *option = &choice->options[i];

		if (option->read || option->first != first ||
			(choice->plan->page_cost <= 0 && !option->reducer->index_planned))
			continue;
		if (best < 0 || cost_with(choice, option) <
			cost_with(choice, &choice->options[best]))
			best = i;
	}
	return best;
}

int
ssdpar_choose_index(const SsdparIndexChoice *choice)
{
	int			best = best_option(choice, true);

	if (best >= 0 && pays(choice, &choice->options[best]))
		return best;
	best = best_option(choice, false);
	return best >= 0 && pays(choice, &choice->options[best]) ? best : -1;
}

void
ssdpar_index_was_read(SsdparIndexChoice *choice, int i)
{
	SsdparIndexOption *option = &choice->options[i];

	Assert(!option->read);
	option->read = true;
	choice->any_read = true;
	choice->rows *= option->fraction;
	choice->area *= option->area_share;
}

bool
ssdpar_reads_too_many(const SsdparStarPlan *plan, double pages)
{
	return plan->most_pages > 0 && pages > plan->most_pages;
}

double
ssdpar_expected_pages(const SsdparIndexChoice *choice)
{
	SsdparIndexChoice trial = *choice;
	Size		size = choice->noptions * sizeof(SsdparIndexOption);
	double		pages;
	int			next;

	trial.options = palloc(size);
	memcpy(trial.options, choice->options, size);
	while ((next = ssdpar_choose_index(&trial)) >= 0)
		ssdpar_index_was_read(&trial, next);
	pages = heap_pages(&trial, NULL);
	pfree(trial.options);
	return pages;
}
