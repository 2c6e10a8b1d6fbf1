/*
 * repeat.c
 *		Avoids repeated work when a star scan is run again.
 *
 * In a correlated subquery or on the inner side of a nested loop, a star scan
 * runs once for each outer row.  A reducer is constant if neither its child
 * nor the children that reduce it depend on parameters.  Its keys are kept.
 * The result of the indexes of all constant reducers is kept as one bitmap,
 * with which the bitmaps of the others are ANDed (bitmap.c).  The plan shows
 * which reducers are constant, so the first run can already keep what later
 * runs need.
 *
 * This works only in a single process.  Shared results are always rebuilt,
 * because a leader that does not participate does not know which parameters
 * have changed.
 */
#include "postgres.h"

#include "starscan/exec/repeat.h"

/* A reducer precedes its target, so one pass reaches all targets.  */
void
ssdpar_star_find_constant(const SsdparStarPlan *plan,
						  const SsdparStarChild *children,
						  SsdparStarData *data)
{
	for (int i = 0; i < plan->nreducers; i++)
		data->constant[i] = bms_is_empty(children[i].plan->plan->allParam);
	for (int i = 0; i < plan->nreducers; i++)
	{
		int			target = plan->reducers[i].target;

		Assert(target == SSDPAR_TARGET_FACT || target > i);
		if (!data->constant[i] && target != SSDPAR_TARGET_FACT)
			data->constant[target] = false;
	}
}

/* An index that was not planned to be read may not be read in the next run.  */
bool
ssdpar_star_keeps_index(const SsdparStarPlan *plan,
						const SsdparStarData *data, int n)
{
	return data->constant[n] && plan->reducers[n].index_planned;
}

static bool
has_constant(const SsdparStarData *data)
{
	for (int i = 0; i < data->nreducers; i++)
	{
		if (data->constant[i])
			return true;
	}
	return false;
}

static bool
has_kept_index(const SsdparStarPlan *plan, const SsdparStarData *data)
{
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (ssdpar_star_keeps_index(plan, data, i))
			return true;
	}
	return false;
}

static bool
has_variable_index(const SsdparStarPlan *plan, const SsdparStarData *data)
{
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (!data->constant[i] && OidIsValid(plan->reducers[i].index))
			return true;
	}
	return false;
}

bool
ssdpar_star_is_repeated(const SsdparStarPlan *plan,
						const SsdparStarData *data)
{
	return data->area == NULL && has_kept_index(plan, data) &&
		has_variable_index(plan, data);
}

/*
 * Only the constant bitmap is known of the pages to come.  It does not include
 * a constant reducer's index that was read after a variable one, because it
 * only then paid off.  The keys for that index are gone, so it is not read
 * again, and the reducer tests rows instead.
 */
static void
forget_pages(SsdparStarData *data)
{
	ssdpar_star_data_forget_pages(data);
	for (int i = 0; i < data->nreducers; i++)
	{
		if (!data->in_constant_tids[i])
			data->result->reducers[i].by_index = false;
	}
}

/*
 * The pages are kept if no index of a variable reducer can have contributed to
 * them.  Otherwise they are rebuilt from the constant bitmap.  If any index is
 * to contribute to that bitmap, it must exist, because the keys to build it
 * from are gone.
 */
bool
ssdpar_star_forget_variable(const SsdparStarPlan *plan, SsdparStarData *data)
{
	bool		variable_index = has_variable_index(plan, data);

	Assert(data->result != NULL && data->area == NULL);
	if (!has_constant(data))
		return false;
	if (plan->access == SSDPAR_STAR_BITMAP &&
		(variable_index ? has_kept_index(plan, data) &&
		 data->constant_tids == NULL : !data->result->bitmap))
		return false;
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (!data->constant[i])
			ssdpar_star_data_forget_reducer(data, i);
	}
	if (variable_index)
		forget_pages(data);
	return true;
}
