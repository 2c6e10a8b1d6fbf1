/*
 * star_index.c
 *		Finds the indexes that lead from a reducer's keys to rows of the fact.
 *
 * A btree whose first column is compared, in its own order and collation, and
 * that holds all rows that the query may want.  Keys of another type than the
 * column's only where key codes are exact, that is between integers.
 */
#include "postgres.h"

#include "access/genam.h"
#include "catalog/pg_am.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "planner/star_index.h"
#include "starscan/index_rows.h"
#include "starscan/key_code.h"

/* Can it be read page by page?  The planner holds its lock already. */
static bool
is_readable(IndexOptInfo *index)
{
	Relation	rel = index_open(index->indexoid, NoLock);
	bool		readable = ssdpar_index_readable(rel);

	index_close(rel, NoLock);
	return readable;
}

/* Are the key codes of this column alone its values? */
static bool
is_exact(const SsdparReducer *reducer, int column)
{
	SsdparReducer alone = *reducer;

	alone.ncolumns = 1;
	alone.target_columns[0] = reducer->target_columns[column];
	alone.key_columns[0] = reducer->key_columns[column];
	alone.operators[0] = reducer->operators[column];
	alone.collations[0] = reducer->collations[column];
	return ssdpar_key_code_is_exact(&alone);
}

/*
 * The number of reducer's column that is the first one of index, compared by
 * the same equality; -1 if none is.
 */
static int
indexed_column(IndexOptInfo *index, const SsdparReducer *reducer)
{
	for (int i = 0; i < reducer->ncolumns; i++)
	{
		Oid			left;
		Oid			right;

		if (index->indexkeys[0] != reducer->target_columns[i] ||
			!op_in_opfamily(reducer->operators[i], index->opfamily[0]) ||
			(OidIsValid(index->indexcollations[0]) &&
			 index->indexcollations[0] != reducer->collations[i]))
			continue;
		op_input_types(reducer->operators[i], &left, &right);
		if (left == right || is_exact(reducer, i))
			return i;
	}
	return -1;
}

IndexOptInfo *
ssdpar_star_index(RelOptInfo *rel, const SsdparReducer *reducer, int *column)
{
	IndexOptInfo *best = NULL;
	ListCell   *lc;

	if (reducer->target != SSDPAR_TARGET_FACT)
		return NULL;
	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);
		int			i;

		if (index->relam != BTREE_AM_OID || index->hypothetical ||
			(index->indpred != NIL && !index->predOK) ||
			(best != NULL && best->pages <= index->pages))
			continue;
		i = indexed_column(index, reducer);
		if (i < 0 || !is_readable(index))
			continue;
		best = index;
		*column = i;
	}
	return best;
}
