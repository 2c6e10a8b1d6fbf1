/*
 * foreign_keys.c
 *		Replaces foreign keys between two tables whose join's rows are known.
 *
 * If tables are joined by several columns, a larger join may compare one of
 * these columns with an equal column of a third table instead.  Then the known
 * selectivity, which we divide among the clauses of the pair, is lost: an
 * example is the lines of returned orders, joined by order and item, and the
 * items, which both equal.  A foreign key tells core that its columns belong
 * together, no matter which members of their equivalence classes are compared.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/planmain.h"
#include "utils/lsyscache.h"

#include "rowcount/foreign_keys.h"

/* A selectivity that is off by less than this is considered correct. */
#define RIGHT_FACTOR 1.2

static bool
is_between(const ForeignKeyOptInfo *key, Relids pair)
{
	return bms_is_member(key->con_relid, pair) &&
		bms_is_member(key->ref_relid, pair);
}

/* Is each row of the others joined to one row of this table? */
static bool
is_one_each(const RelOptInfo *table, double selectivity)
{
	double		rows = selectivity * table->tuples;

	return rows < RIGHT_FACTOR && rows * RIGHT_FACTOR > 1.0;
}

/*
 * Finds a key of several columns that covers all of the clauses, because core
 * guesses the selectivity of clauses that the key does not cover.
 */
static ForeignKeyOptInfo *
find_key(PlannerInfo *root, Relids pair, const List *clauses)
{
	ListCell   *lc;

	foreach(lc, root->fkey_list)
	{
		ForeignKeyOptInfo *key = lfirst(lc);

		if (is_between(key, pair) && key->nkeys > 1 &&
			key->nmatched_ec - key->nconst_ec + key->nmatched_ri ==
			list_length(clauses))
			return key;
	}
	return NULL;
}

static const Var *
column_of(Node *expr)
{
	while (IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	return IsA(expr, Var) ? (const Var *) expr : NULL;
}

/*
 * Adds the clause as the key's next column; returns false if it does not
 * compare two columns.
 */
static bool
add_column(ForeignKeyOptInfo *key, const RestrictInfo *clause)
{
	const OpExpr *comparison = (const OpExpr *) clause->clause;
	const Var  *left;
	const Var  *right;
	bool		refers;

	if (!is_opclause(clause->clause) || clause->mergeopfamilies == NIL ||
		key->nkeys == INDEX_MAX_KEYS)
		return false;
	left = column_of(linitial(comparison->args));
	right = column_of(lsecond(comparison->args));
	if (left == NULL || right == NULL)
		return false;
	refers = left->varno == (int) key->con_relid;
	key->conkey[key->nkeys] = refers ? left->varattno : right->varattno;
	key->confkey[key->nkeys] = refers ? right->varattno : left->varattno;
	key->conpfeqop[key->nkeys] = refers ?
		get_commutator(comparison->opno) : comparison->opno;
	key->nkeys++;
	return true;
}

/* Lets core find the query's clauses that match the key, as it does itself. */
static bool
match_key(PlannerInfo *root, ForeignKeyOptInfo *key)
{
	List	   *others = root->fkey_list;
	bool		matched;

	root->fkey_list = list_make1(key);
	match_foreign_keys_to_quals(root);
	matched = root->fkey_list != NIL;
	root->fkey_list = others;
	return matched;
}

static ForeignKeyOptInfo *
invent_key(PlannerInfo *root, const RelOptInfo *referring,
		   const RelOptInfo *referred, List *clauses)
{
	ForeignKeyOptInfo *key = makeNode(ForeignKeyOptInfo);
	ListCell   *lc;

	key->con_relid = referring->relid;
	key->ref_relid = referred->relid;
	foreach(lc, clauses)
	{
		if (!add_column(key, lfirst_node(RestrictInfo, lc)))
			return NULL;
	}
	return match_key(root, key) ? key : NULL;
}

static ForeignKeyOptInfo *
choose_key(PlannerInfo *root, Relids pair, List *clauses, double selectivity)
{
	ForeignKeyOptInfo *key = find_key(root, pair, clauses);
	int			rti = bms_next_member(pair, -1);
	const RelOptInfo *one = root->simple_rel_array[rti];
	const RelOptInfo *other =
		root->simple_rel_array[bms_next_member(pair, rti)];

	if (key != NULL)
		return is_one_each(root->simple_rel_array[key->ref_relid],
						   selectivity) ? key : NULL;
	if (is_one_each(one, selectivity))
		key = invent_key(root, other, one, clauses);
	if (key == NULL && is_one_each(other, selectivity))
		key = invent_key(root, one, other, clauses);
	return key;
}

void
ssdpar_forget_foreign_keys(PlannerInfo *root, Relids pair)
{
	ListCell   *lc;

	foreach(lc, root->fkey_list)
	{
		if (is_between(lfirst(lc), pair))
			root->fkey_list = foreach_delete_current(root->fkey_list, lc);
	}
}

/*
 * Puts the key first, because an earlier key of one column would claim its
 * clause.
 */
void
ssdpar_put_foreign_key(PlannerInfo *root, Relids pair, List *clauses,
					   double selectivity)
{
	ForeignKeyOptInfo *key = list_length(clauses) < 2 ? NULL :
		choose_key(root, pair, clauses, selectivity);

	ssdpar_forget_foreign_keys(root, pair);
	if (key != NULL)
		root->fkey_list = lcons(key, root->fkey_list);
}
