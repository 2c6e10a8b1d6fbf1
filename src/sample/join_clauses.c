/*
 * join_clauses.c
 *		By what a set of relations is joined with one more, if core could join
 *		them.
 *
 * Equalities of inner and semi joins are those of core's equivalence classes,
 * so that those implied count as well as those written.  Other clauses, and
 * all of outer and anti joins, are those that the table keeps for joins.  A set
 * of which a clause cannot be evaluated here is not measured: what such a
 * clause does is not independent of the others, or core's estimate would do.
 *
 * Legality follows join_is_legal() of joinrels.c, but for what it allows by
 * making the inner side of a semi join unique and by exchanging outer joins.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"

#include "base/planner_compat.h"
#include "keys/key_code.h"
#include "sample/filters.h"
#include "sample/join_clauses.h"
#include "star/access.h"
#include "star/error_free.h"

/* Rows that are joined without an equality at most. */
#define FEW_ROWS 20

/*
 * The type of the join by which table is added to the set.  Semi, anti and
 * outer joins are made with their whole right side at once: the table alone.
 */
static bool
find_type(PlannerInfo *root, Relids set, int relid, SsdparSampleJoin *join)
{
	Relids		both = bms_add_member(bms_copy(set), relid);
	ListCell   *lc;

	join->type = JOIN_INNER;
	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *special = lfirst(lc);

		if (!bms_overlap(special->min_righthand, both) ||
			bms_is_subset(both, special->min_righthand) ||
			(bms_is_subset(special->min_lefthand, set) &&
			 bms_is_subset(special->min_righthand, set)))
			continue;
		if (join->type != JOIN_INNER || special->jointype == JOIN_FULL ||
			!bms_is_subset(special->min_lefthand, set) ||
			bms_num_members(special->min_righthand) != 1 ||
			!bms_is_member(relid, special->min_righthand) ||
			!bms_equal(special->min_righthand, special->syn_righthand))
			return false;
		join->type = special->jointype;
		join->joined = ssdpar_outer_join_relid(special);
	}
	return true;
}

/* A column of one of these relations that is kept; -1: it is none. */
static int
column_of(SsdparSampler *sampler, Node *expr, Relids relids, int *table)
{
	SsdparSampleTable *found;
	Var		   *var;

	while (expr && IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	if (expr == NULL || !IsA(expr, Var))
		return -1;
	var = (Var *) expr;
	found = ssdpar_sample_table_of(sampler, var->varno);
	if (var->varlevelsup != 0 || var->varattno <= 0 || found == NULL ||
		!bms_is_member(var->varno, relids))
		return -1;
	*table = found->number;
	return ssdpar_sample_column(found, var->varattno);
}

/* Hash and comparison functions of outer = inner, if none can fail. */
bool
ssdpar_sample_prepare_key(SsdparSampleKey *key)
{
	Oid			outer;
	Oid			inner;

	if (!OidIsValid(key->operator) ||
		!ssdpar_key_can_be_coded(key->operator, key->collation) ||
		!get_op_hash_functions(key->operator, &outer, &inner) ||
		!ssdpar_support_is_error_free(outer) ||
		!ssdpar_support_is_error_free(inner))
		return false;
	fmgr_info(outer, &key->outer_hash);
	fmgr_info(inner, &key->inner_hash);
	fmgr_info(get_opcode(key->operator), &key->equal);
	return true;
}

/* Is the clause column = column?  Then it is a key. */
static bool
add_key(SsdparSampler *sampler, Relids set, SsdparSampleJoin *join,
		OpExpr *comparison)
{
	SsdparSampleKey *key;
	Node	   *outer;
	Node	   *inner;
	int			same;

	if (!IsA(comparison, OpExpr) || list_length(comparison->args) != 2)
		return false;
	key = palloc0_object(SsdparSampleKey);
	outer = linitial(comparison->args);
	inner = lsecond(comparison->args);
	key->operator = comparison->opno;
	if (column_of(sampler, inner, join->table->rel->relids, &same) < 0)
	{
		outer = lsecond(comparison->args);
		inner = linitial(comparison->args);
		key->operator = get_commutator(comparison->opno);
	}
	key->outer_column = column_of(sampler, outer, set, &key->outer);
	key->inner_column = column_of(sampler, inner, join->table->rel->relids,
								  &same);
	key->collation = comparison->inputcollid;
	key->outer_type = exprType(outer);
	if (key->outer_column < 0 || key->inner_column < 0 ||
		!ssdpar_sample_prepare_key(key))
		return false;
	join->keys = lappend(join->keys, key);
	return true;
}

/* Are all columns of the clause kept? */
static bool
has_columns(SsdparSampler *sampler, Relids both, Node *clause)
{
	List	   *vars = pull_var_clause(clause, 0);
	ListCell   *lc;
	int			table;

	foreach(lc, vars)
	{
		if (column_of(sampler, lfirst(lc), both, &table) < 0)
			return false;
	}
	return true;
}

/* A clause that can be evaluated, as a key if it is one. */
static bool
add_clause(SsdparSampler *sampler, Relids set, SsdparSampleJoin *join,
		   RestrictInfo *clause)
{
	Relids		both = bms_union(set, join->table->rel->relids);
	Node	   *expr = (Node *) clause->clause;

	if (clause->pseudoconstant || ssdpar_is_clone(clause) ||
		!ssdpar_sample_can_evaluate(sampler->root, expr) ||
		!has_columns(sampler, both, expr))
		return false;
	if (!add_key(sampler, set, join, (OpExpr *) expr))
		join->others = lappend(join->others, expr);
	return true;
}

/* The clauses that the table keeps for joins and that can be asked here. */
static bool
add_join_clauses(SsdparSampler *sampler, const SsdparSampleJoined *set,
				 SsdparSampleJoin *join)
{
	Relids		relids = bms_union(set->with_joins, join->table->rel->relids);
	ListCell   *lc;

	if (join->joined > 0)
		relids = bms_add_member(relids, join->joined);
	foreach(lc, join->table->rel->joininfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (!bms_is_subset(clause->required_relids, relids))
			continue;
		/* asked after an outer join, of rows that it has extended */
		if (join->type != JOIN_INNER && join->type != JOIN_SEMI &&
			RINFO_IS_PUSHED_DOWN(clause, relids))
			return false;
		if (!add_clause(sampler, set->relids, join, clause))
			return false;
	}
	return true;
}

static bool
add_equalities(SsdparSampler *sampler, const SsdparSampleJoined *set,
			   SsdparSampleJoin *join)
{
	List	   *clauses = ssdpar_set_equalities(sampler->root, set->with_joins,
												join->table->rel);
	ListCell   *lc;

	if (clauses != NIL && join->type != JOIN_INNER && join->type != JOIN_SEMI)
		return false;
	foreach(lc, clauses)
	{
		if (!add_clause(sampler, set->relids, join, lfirst(lc)))
			return false;
	}
	return true;
}

/*
 * Without an equality every pair of rows is looked at, so of few rows.  That
 * happens where both sides are compared with one constant.
 */
static bool
can_match(const SsdparSampleJoin *join)
{
	return join->keys != NIL ||
		(join->table->complete && join->table->nrows <= FEW_ROWS);
}

bool
ssdpar_sample_find_join(SsdparSampler *sampler, const SsdparSampleJoined *set,
						SsdparSampleTable *table, SsdparSampleJoin *join)
{
	memset(join, 0, sizeof(SsdparSampleJoin));
	join->table = table;
	if (!find_type(sampler->root, set->with_joins, table->rel->relid, join) ||
		!add_equalities(sampler, set, join) ||
		!add_join_clauses(sampler, set, join) || !can_match(join))
		return false;
	join->condition = ssdpar_sample_prepare_join(sampler, join->others);
	return true;
}

bool
ssdpar_sample_is_in_line(SsdparSampler *sampler, const SsdparSampleJoin *join)
{
	ListCell   *lc;

	foreach(lc, join->keys)
	{
		const SsdparSampleKey *key = lfirst(lc);

		if (bms_is_member(key->outer_column,
						  sampler->tables[key->outer].out_of_line) ||
			bms_is_member(key->inner_column, join->table->out_of_line))
			return false;
	}
	foreach(lc, pull_var_clause((Node *) join->others, 0))
	{
		const Var  *var = lfirst(lc);
		const SsdparSampleTable *table =
			ssdpar_sample_table_of(sampler, var->varno);

		if (bms_is_member(ssdpar_sample_column(table, var->varattno),
						  table->out_of_line))
			return false;
	}
	return true;
}

bool
ssdpar_sample_keys_equal(const SsdparSampleJoin *join,
						 SsdparSampleRow *const *members,
						 const SsdparSampleRow *row)
{
	ListCell   *lc;

	foreach(lc, join->keys)
	{
		SsdparSampleKey *key = lfirst(lc);
		const SsdparSampleRow *outer = members[key->outer];

		if (outer == NULL || outer->nulls[key->outer_column] ||
			row->nulls[key->inner_column] ||
			!DatumGetBool(FunctionCall2Coll(&key->equal, key->collation,
											outer->values[key->outer_column],
											row->values[key->inner_column])))
			return false;
	}
	return true;
}
