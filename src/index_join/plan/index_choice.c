/*
 * index_choice.c
 *		Chooses the index that an index join searches, and the conditions for
 *		it.
 *
 * The conditions are equalities on the first columns of a btree, as far as
 * they reach without a gap.  Each compares the column with a column of the
 * outer side, or with a constant or a parameter; at least one must use the
 * outer side.  Conditions on further columns are tested on the pairs found.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/nbtree.h"
#include "catalog/pg_am.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "btree/btree_keys.h"
#include "btree/btree_meta.h"
#include "index_join/plan/index_choice.h"
#include "index_join/plan/index_only.h"
#include "keys/key_code.h"
#include "star/error_free.h"

/*
 * One comparison and one column.
 */

/* The Var itself, or the Var below a relabeling, which keeps its bytes. */
static Var *
as_column(Node *expr, Relids relids)
{
	if (IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	return IsA(expr, Var) && ((Var *) expr)->varattno > 0 &&
		bms_is_member(((Var *) expr)->varno, relids) ? (Var *) expr : NULL;
}

static bool
take_sides(const SsdparJoinCandidate *candidate, Node *inner, Node *other,
		   const RelOptInfo *outer, SsdparSearchedColumn *key)
{
	key->inner = as_column(inner, candidate->inner->relids);
	key->outer = as_column(other, outer->relids);
	key->constant = IsA(other, Const) || IsA(other, Param) ? (Expr *) other
		: NULL;
	return key->inner != NULL &&
		(key->outer != NULL || key->constant != NULL);
}

/* Is the clause evaluated only above this outer join? */
static bool
is_above_join(const SsdparJoinCandidate *candidate, RestrictInfo *clause)
{
	return IS_OUTER_JOIN(candidate->type) &&
		RINFO_IS_PUSHED_DOWN(clause, candidate->joinrel->relids) &&
		!list_member_ptr(candidate->inner->baserestrictinfo, clause);
}

/* Does the clause compare an index column, on either side, with a key? */
static bool
take_clause(const SsdparJoinCandidate *candidate, RestrictInfo *clause,
			const RelOptInfo *outer, SsdparSearchedColumn *key)
{
	OpExpr	   *comparison = (OpExpr *) clause->clause;

	if (!IsA(comparison, OpExpr) || list_length(comparison->args) != 2 ||
		clause->mergeopfamilies == NIL || is_above_join(candidate, clause))
		return false;
	key->clause = clause;
	if (take_sides(candidate, linitial(comparison->args),
				   lsecond(comparison->args), outer, key))
		return true;

	/* the plan needs the index's column on the left */
	return OidIsValid(get_commutator(comparison->opno)) &&
		take_sides(candidate, lsecond(comparison->args),
				   linitial(comparison->args), outer, key);
}

/*
 * Are integers compared as integers?  Not below a relabeling, because the same
 * bytes may be another number (-1 as an oid).
 */
static bool
are_integers(const SsdparSearchedColumn *key)
{
	const OpExpr *comparison = (const OpExpr *) key->clause->clause;
	SsdparJoinKey compared = {
		.ncolumns = 1,
		.target_columns = {1},
		.key_columns = {1},
		.operators = {comparison->opno},
		.collations = {comparison->inputcollid},
	};
	ListCell   *lc;

	foreach(lc, comparison->args)
		if (IsA(lfirst(lc), RelabelType) ||
			ssdpar_integer_type(exprType(lfirst(lc))) == SSDPAR_NOT_INTEGER)
			return false;
	return ssdpar_key_code_is_exact(&compared);
}

/*
 * Does column i of the index have the order of the comparison, and can it be
 * compared without an error?  The index reader compares either integers or by
 * a support function, depending on the index, so the comparison must allow the
 * same.
 */
static bool
is_ordered_alike(Relation index, const IndexOptInfo *info, int i,
				 const SsdparSearchedColumn *key)
{
	const OpExpr *comparison = (const OpExpr *) key->clause->clause;
	Oid			family = info->opfamily[i];
	bool		integers = ssdpar_index_orders_integers(index, i + 1);
	Oid			left;
	Oid			right;

	if (ssdpar_type_depends_on_elements(info->opcintype[i]) ||
		get_op_opfamily_strategy(comparison->opno, family) !=
		BTEqualStrategyNumber ||
		(OidIsValid(info->indexcollations[i]) &&
		 info->indexcollations[i] != comparison->inputcollid))
		return false;
	op_input_types(comparison->opno, &left, &right);
	if (!ssdpar_support_is_error_free(get_opfamily_proc(family, left, right,
														BTORDER_PROC)))
		return false;
	if (integers)
		return are_integers(key);
	return !are_integers(key) && left == right && left == info->opcintype[i];
}

/*
 * One index.
 */

/* Finds a clause that compares column i of the candidate's index. */
static bool
find_key(SsdparJoinCandidate *candidate, const RelOptInfo *outer,
		 Relation index, List *clauses, int i)
{
	const IndexOptInfo *info = candidate->index;
	SsdparSearchedColumn *key = &candidate->keys[i];
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (take_clause(candidate, lfirst(lc), outer, key) &&
			key->inner->varattno == info->indexkeys[i] &&
			is_ordered_alike(index, info, i, key))
			return true;
	}
	return false;
}

/* Returns false if no key uses the outer side. */
static bool
find_keys(SsdparJoinCandidate *candidate, const RelOptInfo *outer,
		  Relation index, List *clauses)
{
	int			most = Min(candidate->index->nkeycolumns,
						   SSDPAR_MAX_KEY_COLUMNS);
	bool		joins = false;

	candidate->nkeys = 0;
	while (candidate->nkeys < most &&
		   find_key(candidate, outer, index, clauses, candidate->nkeys))
	{
		if (candidate->keys[candidate->nkeys++].outer != NULL)
			joins = true;
	}
	return joins;
}

/*
 * Is the index's first column compared at all?  Checked before the index is
 * opened.
 */
static bool
is_compared(const SsdparJoinCandidate *candidate, const RelOptInfo *outer,
			const IndexOptInfo *index, List *clauses)
{
	SsdparSearchedColumn key;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (take_clause(candidate, lfirst(lc), outer, &key) &&
			key.inner->varattno == index->indexkeys[0])
			return true;
	}
	return false;
}

/*
 * Is it a complete btree that we can read and have keys for?  The planner
 * already holds its lock.
 */
static bool
can_search(SsdparJoinCandidate *candidate, const RelOptInfo *outer,
		   IndexOptInfo *index, List *clauses)
{
	Relation	rel;
	bool		found;

	if (index->relam != BTREE_AM_OID || index->hypothetical ||
		index->indpred != NIL ||
		!is_compared(candidate, outer, index, clauses))
		return false;
	candidate->index = index;
	rel = index_open(index->indexoid, NoLock);
	found = ssdpar_index_readable(rel) &&
		find_keys(candidate, outer, rel, clauses);
	candidate->index_only = found &&
		ssdpar_join_reads_index_only(candidate, rel);
	index_close(rel, NoLock);
	return found;
}

/*
 * All indexes.
 */

/* Pages over which the lookups are spread. */
static double
pages_of(const SsdparJoinCandidate *candidate)
{
	return candidate->index->pages +
		candidate->inner->pages * ssdpar_join_heap_share(candidate);
}

bool
ssdpar_choose_join_index(SsdparJoinCandidate *candidate,
						 const RelOptInfo *outer)
{
	List	   *clauses = list_concat_copy(candidate->restrictlist,
										   candidate->inner->baserestrictinfo);
	SsdparJoinCandidate one = *candidate;
	ListCell   *lc;

	candidate->index = NULL;
	foreach(lc, candidate->inner->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		if (!can_search(&one, outer, index, clauses))
			continue;
		one.selected = clauselist_selectivity(one.root,
											  ssdpar_searched_clauses(&one),
											  one.inner->relid, JOIN_INNER,
											  NULL);
		if (candidate->index != NULL &&
			(one.selected > candidate->selected ||
			 (one.selected == candidate->selected &&
			  pages_of(&one) >= pages_of(candidate))))
			continue;
		*candidate = one;
	}
	return candidate->index != NULL;
}
