/*
 * key_index.c
 *		Finds the indexes that lead from a reducer's keys to rows of the
 *		fact.
 *
 * The index must be a btree whose first column is compared, with its default
 * order and collation, and must contain all rows that the query may need.
 * Keys of a type other than the column's are allowed only if key codes are
 * exact, that is, between integers.  The comparison must not raise errors,
 * because the server would not search the index for all keys.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/nbtree.h"
#include "catalog/pg_am.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "btree/btree_meta.h"
#include "keys/key_code.h"
#include "star/error_free.h"
#include "starscan/plan/key_index.h"

/*
 * Does the index pass one of these tests, for reading it page by page?  The
 * planner already holds its lock.
 */
static bool
passes(const IndexOptInfo *index, bool (*test) (Relation index))
{
	Relation	rel = index_open(index->indexoid, NoLock);
	bool		passed = test(rel);

	index_close(rel, NoLock);
	return passed;
}

/*
 * Returns the number of the key's column that is the first one of index and is
 * compared by the same equality, or -1.
 */
static int
indexed_column(IndexOptInfo *index, const SsdparJoinKey *key)
{
	for (int i = 0; i < key->ncolumns; i++)
	{
		SsdparJoinKey alone = ssdpar_join_key_column(key, i);
		Oid			left;
		Oid			right;

		if (index->indexkeys[0] != key->target_columns[i] ||
			!op_in_opfamily(key->operators[i], index->opfamily[0]) ||
			(OidIsValid(index->indexcollations[0]) &&
			 index->indexcollations[0] != key->collations[i]))
			continue;
		op_input_types(key->operators[i], &left, &right);
		if (!ssdpar_support_is_error_free(get_opfamily_proc(index->opfamily[0],
															left, right,
															BTORDER_PROC)))
			continue;
		if (left == right || ssdpar_key_code_is_exact(&alone))
			return i;
	}
	return -1;
}

/* Does the index contain all rows that the query may need? */
static bool
may_serve(const IndexOptInfo *index)
{
	return index->relam == BTREE_AM_OID && !index->hypothetical &&
		(index->indpred == NIL || index->predOK);
}

IndexOptInfo *
ssdpar_find_key_index(RelOptInfo *rel, const SsdparReducer *reducer,
					  int *column)
{
	IndexOptInfo *best = NULL;
	ListCell   *lc;

	if (reducer->target != SSDPAR_TARGET_FACT)
		return NULL;
	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);
		int			i;

		if (!may_serve(index) ||
			(best != NULL && best->pages <= index->pages))
			continue;
		i = indexed_column(index, &reducer->key);
		if (i < 0 || !passes(index, ssdpar_index_readable))
			continue;
		best = index;
		*column = i;
	}
	return best;
}

IndexOptInfo *
ssdpar_find_alike_index(RelOptInfo *rel, AttrNumber column,
						const IndexOptInfo *alike)
{
	IndexOptInfo *best = NULL;
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		/*
		 * the catalog checks made for the other index also hold for this one
		 */
		if (may_serve(index) &&
			index->indexkeys[0] == column &&
			index->opfamily[0] == alike->opfamily[0] &&
			index->opcintype[0] == alike->opcintype[0] &&
			index->indexcollations[0] == alike->indexcollations[0] &&
			(best == NULL || index->pages < best->pages) &&
			passes(index, ssdpar_index_is_current))
			best = index;
	}
	return best;
}
