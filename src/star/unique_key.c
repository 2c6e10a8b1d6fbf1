/*
 * unique_key.c
 *		Whether no two rows of a relation share a key.
 *
 * A partial index does not count, because its predicate would have to hold for
 * the rows that are read for their keys, and core may have used clauses of
 * other joins to prove that.
 */
#include "postgres.h"

#include "catalog/pg_am_d.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "star/unique_key.h"

/* Rows with as many distinct keys have one each. */
#define UNIQUE_SHARE 0.99

IndexOptInfo *
ssdpar_unique_key_index(PlannerInfo *root, RelOptInfo *rel, const Var *key,
						Oid operator)
{
	ListCell   *lc;

	if (root->simple_rte_array[rel->relid]->inh)
		return NULL;
	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->unique && index->immediate && !index->hypothetical &&
			index->relam == BTREE_AM_OID && index->indpred == NIL &&
			index->nkeycolumns == 1 &&
			index->indexkeys[0] == key->varattno &&
			op_in_opfamily(operator, index->opfamily[0]))
			return index;
	}
	return NULL;
}

/*
 * A table's column that core knows to be unique, and that no index above says
 * so of, is unique only among rows that pass a predicate.
 */
static bool
has_distinct_values(PlannerInfo *root, const RelOptInfo *rel, Var *key)
{
	VariableStatData values;
	bool		guessed;
	bool		partly;
	double		distinct;

	examine_variable(root, (Node *) key, 0, &values);
	distinct = get_variable_numdistinct(&values, &guessed);
	partly = values.isunique && rel->rtekind == RTE_RELATION;
	ReleaseVariableStats(values);
	return !guessed && !partly && distinct >= rel->tuples * UNIQUE_SHARE;
}

/* Are all columns of the index among keys? */
static bool
is_covered_by(const IndexOptInfo *index, List *keys)
{
	for (int i = 0; i < index->nkeycolumns; i++)
	{
		bool		found = false;
		ListCell   *lc;

		foreach(lc, keys)
			found |= lfirst_node(Var, lc)->varattno == index->indexkeys[i];
		if (!found)
			return false;
	}
	return true;
}

bool
ssdpar_is_unique_by(PlannerInfo *root, RelOptInfo *rel, List *keys)
{
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		const IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->unique && index->immediate && index->indpred == NIL &&
			is_covered_by(index, keys))
			return true;
	}
	foreach(lc, keys)
		if (has_distinct_values(root, rel, lfirst_node(Var, lc)))
			return true;
	return false;
}
