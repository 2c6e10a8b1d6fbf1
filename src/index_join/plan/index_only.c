/*
 * index_only.c
 *		Checks whether an index has all inner columns that an index join reads.
 *
 * These are the columns in the join's target list and in its conditions,
 * except for the index conditions.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "index_join/plan/index_only.h"

static void
add_columns(const SsdparJoinCandidate *candidate, List *clauses,
			Bitmapset * *columns)
{
	List	   *searched = ssdpar_searched_clauses(candidate);
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (!list_member_ptr(searched, lfirst(lc)))
			pull_varattnos((Node *) lfirst_node(RestrictInfo, lc)->clause,
						   candidate->inner->relid, columns);
	}
}

/* An index column that is stored as another type (name) does not count. */
static bool
has_column(const SsdparJoinCandidate *candidate, Relation index,
		   AttrNumber column)
{
	const IndexOptInfo *info = candidate->index;
	Oid			table =
		candidate->root->simple_rte_array[candidate->inner->relid]->relid;

	for (int i = 0; i < info->ncolumns; i++)
	{
		if (info->indexkeys[i] == column && info->canreturn[i] &&
			TupleDescAttr(RelationGetDescr(index), i)->atttypid ==
			get_atttype(table, column))
			return true;
	}
	return false;
}

bool
ssdpar_join_reads_index_only(const SsdparJoinCandidate *candidate,
							 Relation index)
{
	Bitmapset  *columns = NULL;
	int			column = -1;

	if (!enable_indexonlyscan)
		return false;
	pull_varattnos((Node *) candidate->joinrel->reltarget->exprs,
				   candidate->inner->relid, &columns);
	add_columns(candidate, candidate->restrictlist, &columns);
	add_columns(candidate, candidate->inner->baserestrictinfo, &columns);
	while ((column = bms_next_member(columns, column)) >= 0)
	{
		AttrNumber	number = column + FirstLowInvalidHeapAttributeNumber;

		if (number <= 0 || !has_column(candidate, index, number))
			return false;
	}
	return true;
}
