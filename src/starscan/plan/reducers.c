/*
 * reducers.c
 *		Creates a dimension's part of the plan of a star scan: the paths
 *		that read it and those below it, and the reducers that compare their
 *		keys.
 *
 * A child is projected to the columns that are compared: its own keys, and
 * those by which the dimensions below it are joined.  So the column numbers
 * are known here, long before there is a plan.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"

#include "star/dimension.h"
#include "starscan/plan/leaves.h"
#include "starscan/plan/reducers.h"

/* One for the dimension, and one for each below it. */
static int
count_reducers(const SsdparDimension *dimension)
{
	int			count = 1;
	ListCell   *lc;

	foreach(lc, dimension->below)
		count += count_reducers(lfirst(lc));
	return count;
}

/*
 * Returns the number of column var in the columns of a child; adds it if
 * needed.
 */
static AttrNumber
child_column(List **columns, Var *var)
{
	ListCell   *lc;

	foreach(lc, *columns)
	{
		if (equal(lfirst(lc), var))
			return foreach_current_index(lc) + 1;
	}
	*columns = lappend(*columns, var);
	return list_length(*columns);
}

/* A scan of the dimension that returns exactly these columns. */
static Path *
make_child(PlannerInfo *root, RelOptInfo *dimension, List *columns,
		   bool parallel_safe)
{
	Path	   *path = ssdpar_dimension_path(dimension, parallel_safe);
	PathTarget *target = create_empty_pathtarget();
	ListCell   *lc;

	if (path == NULL)
		return NULL;
	foreach(lc, columns)
		add_column_to_pathtarget(target, lfirst(lc), 0);
	set_pathtarget_cost_width(root, target);
	path = (Path *) create_projection_path(root, dimension, path, target);
	return path->parallel_safe || !parallel_safe ? path : NULL;
}

/*
 * Adds the reducer of dimension, after those below it, which the executor must
 * have read by then.  Returns its number, or -1 if it cannot be read.
 */
static int
add_reducer(PlannerInfo *root, const SsdparDimension *dimension,
			bool parallel_safe, SsdparEstimate *estimate)
{
	int			below[SSDPAR_MAX_REDUCERS];
	List	   *columns = NIL;
	SsdparReducer *reducer;
	Path	   *child;
	ListCell   *lc;

	foreach(lc, dimension->below)
	{
		int			number = add_reducer(root, lfirst(lc), parallel_safe,
										 estimate);

		if (number < 0)
			return -1;
		below[foreach_current_index(lc)] = number;
	}
	Assert(estimate->nreducers < SSDPAR_MAX_REDUCERS);
	reducer = &estimate->reducers[estimate->nreducers];
	reducer->target = SSDPAR_TARGET_FACT;
	reducer->key.ncolumns = list_length(dimension->key_vars);
	for (int i = 0; i < reducer->key.ncolumns; i++)
	{
		reducer->key.key_columns[i] =
			child_column(&columns, list_nth(dimension->key_vars, i));
		reducer->key.operators[i] = list_nth_oid(dimension->operators, i);
		reducer->key.collations[i] = list_nth_oid(dimension->collations, i);
	}
	reducer->dimension = dimension->rel->relid;
	reducer->keys = dimension->keys;
	reducer->selectivity = dimension->selectivity;

	/* Those below compare with the output of this one's child. */
	foreach(lc, dimension->below)
	{
		const SsdparDimension *lower = lfirst(lc);
		SsdparReducer *lower_reducer =
			&estimate->reducers[below[foreach_current_index(lc)]];

		lower_reducer->target = estimate->nreducers;
		for (int i = 0; i < lower_reducer->key.ncolumns; i++)
			lower_reducer->key.target_columns[i] =
				child_column(&columns, list_nth(lower->target_vars, i));
	}
	child = make_child(root, dimension->rel, columns, parallel_safe);
	if (child == NULL)
		return -1;
	estimate->children = lappend(estimate->children, child);
	return estimate->nreducers++;
}

bool
ssdpar_make_reducers(const SsdparStarTable *table, bool parallel_safe,
					 SsdparEstimate *estimate)
{
	const SsdparDimension *dimension = estimate->dimension;
	SsdparReducer *own;
	int			number;

	estimate->reducers = palloc0(count_reducers(dimension) *
								 sizeof(SsdparReducer));
	estimate->nreducers = 0;
	estimate->children = NIL;
	number = add_reducer(table->root, dimension, parallel_safe, estimate);
	if (number < 0)
		return false;
	own = &estimate->reducers[number];
	for (int i = 0; i < own->key.ncolumns; i++)
	{
		Var		   *var = list_nth(dimension->target_vars, i);

		own->key.target_columns[i] =
			ssdpar_leaf_column(table->root, table->rel->relid,
							   table->fact->relid, var->varattno);
	}
	return true;
}
