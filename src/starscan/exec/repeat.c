/*
 * repeat.c
 *		What a star scan that is run again need not find out again.
 *
 * In a correlated subquery, or on the inner side of a nested loop, a star scan
 * runs once for each outer row.  A reducer is constant if no parameter comes
 * into its child or into those below it: its keys stay, and what the indexes
 * of all constant reducers say stays as one bitmap, which the others' is ANDed
 * with (bitmap.c).  Which are constant is known from the plan, before the
 * first run, so that this can keep what the later ones will want.
 *
 * Only where one process does it alone.  What several share is made anew: a
 * leader that takes no part does not know which parameters have changed.
 */
#include "postgres.h"

#include "starscan/exec/repeat.h"

/* A reducer stands before its target, so one pass reaches all above it. */
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

/* One that was not planned to be read may not be, the next time. */
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
 * Only what the constant bitmap says is known of the pages to come.  A constant
 * reducer's index that came to be worth its leaves after a variable one's is
 * not in it, and not read again for want of keys: the reducer is tested.
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
 * The pages stay if no index of a variable reducer may have been read for
 * them.  Else they are made of the constant bitmap, which has to be there if
 * any index is to contribute to it: what it would be made of has been
 * forgotten.
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
