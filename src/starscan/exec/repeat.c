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

/* Is there a reducer of that kind, and one with an index? */
static void
count_kind(const SsdparStarPlan *plan, const SsdparStarData *data,
		   bool constant, int *reducers, int *indexes)
{
	*reducers = 0;
	*indexes = 0;
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (data->constant[i] != constant)
			continue;
		++*reducers;
		*indexes += OidIsValid(plan->reducers[i].index) ? 1 : 0;
	}
}

/*
 * The pages stay if no index of a variable reducer was to be read for them.
 * Else they are made of the constant bitmap, which has to be there if any
 * index is to contribute to it: what it would be made of has been forgotten.
 */
bool
ssdpar_star_forget_variable(const SsdparStarPlan *plan, SsdparStarData *data)
{
	bool		by_bitmap = plan->access == SSDPAR_STAR_BITMAP;
	int			constant;
	int			constant_indexes;
	int			variable;
	int			variable_indexes;

	Assert(data->result != NULL && data->area == NULL);
	count_kind(plan, data, true, &constant, &constant_indexes);
	count_kind(plan, data, false, &variable, &variable_indexes);
	if (constant == 0 ||
		(by_bitmap && variable_indexes == 0 && !data->result->bitmap) ||
		(by_bitmap && variable_indexes > 0 && constant_indexes > 0 &&
		 data->constant_tids == NULL))
		return false;
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (!data->constant[i])
			ssdpar_star_data_forget_reducer(data, i);
	}
	if (variable_indexes > 0)
		ssdpar_star_data_forget_pages(data);
	return true;
}
