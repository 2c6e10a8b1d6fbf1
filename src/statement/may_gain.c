/*
 * may_gain.c
 *		Decides whether a statement may benefit.
 *
 * Nothing is gained if every table is small, or if unique keys lead to all
 * rows of every large table, because then only a few pages are read, one after
 * the other. Both are decided from what core has found out about the relations
 * of a query level before it creates paths, so such statements pay only some
 * comparisons per relation.
 *
 * A row that is reached leads to others by its columns.  Rows of a small table
 * that are read in another way do not count, because there may be hundreds of
 * thousands.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "optimizer/cost.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "cost/large_table.h"
#include "statement/may_gain.h"

/* Unique keys are not considered in a level with more relations. */
#define MOST_RELATIONS 64

typedef struct Keys
{
	PlannerInfo *root;
	RelOptInfo *last;			/* may not be in the level's array yet */
	uint64		reached;		/* relations with a single row */
} Keys;

static bool
is_reached(const Keys *keys, int rti)
{
	return (keys->reached >> rti & 1) != 0;
}

/* Does it have one value, given one row of each relation that is reached? */
static bool
is_given(const Keys *keys, const Node *value)
{
	if (IsA(value, RelabelType))
		value = (const Node *) ((const RelabelType *) value)->arg;
	if (IsA(value, Var))
		return ((const Var *) value)->varlevelsup == 0 &&
			is_reached(keys, ((const Var *) value)->varno);
	return IsA(value, Const) || IsA(value, Param);
}

static bool
is_column(const Node *node, int rti, AttrNumber column)
{
	const Var  *var = (const Var *) node;

	if (IsA(node, RelabelType))
		var = (const Var *) ((const RelabelType *) node)->arg;
	return IsA(var, Var) && var->varlevelsup == 0 && var->varno == rti &&
		var->varattno == column;
}

/*
 * Is it the equality operator of the family?  Recent results are cached.  A
 * family may change, but that affects only the cost of a plan.
 */
static bool
is_equality(Oid operator, Oid family)
{
	static struct
	{
		Oid			operator;
		Oid			family;
		bool		equality;
	}			known[8];
	int			place = operator % lengthof(known);

	if (known[place].operator != operator || known[place].family != family)
	{
		known[place].equality =
			get_op_opfamily_strategy(operator, family) == BTEqualStrategyNumber;
		known[place].operator = operator;
		known[place].family = family;
	}
	return known[place].equality;
}

static bool
is_equal(const Keys *keys, const Node *clause, const IndexOptInfo *index,
		 int place)
{
	const OpExpr *op = (const OpExpr *) clause;
	const Node *left;
	const Node *right;
	int			rti = index->rel->relid;

	if (!IsA(clause, OpExpr) || list_length(op->args) != 2 ||
		(OidIsValid(index->indexcollations[place]) &&
		 index->indexcollations[place] != op->inputcollid))
		return false;
	left = linitial(op->args);
	right = lsecond(op->args);
	return ((is_column(left, rti, index->indexkeys[place]) &&
			 is_given(keys, right)) ||
			(is_column(right, rti, index->indexkeys[place]) &&
			 is_given(keys, left))) &&
		is_equality(op->opno, index->opfamily[place]);
}

static bool
is_fixed(const Keys *keys, List *clauses, const IndexOptInfo *index, int place)
{
	ListCell   *lc;

	foreach(lc, clauses)
		if (is_equal(keys, lfirst(lc), index, place))
			return true;
	return false;
}

/*
 * Are all of the index's columns determined by conditions that the relation's
 * rows must satisfy?
 */
static bool
leads_to_one_row(const Keys *keys, List *clauses, const IndexOptInfo *index)
{
	if (!index->unique || !index->immediate || index->relam != BTREE_AM_OID ||
		index->indpred != NIL || index->indexprs != NIL)
		return false;
	for (int place = 0; place < index->nkeycolumns; place++)
		if (!is_fixed(keys, clauses, index, place))
			return false;
	return true;
}

static RelOptInfo *
find_relation(const Keys *keys, int rti)
{
	return rti == (int) keys->last->relid ? keys->last :
		keys->root->simple_rel_array[rti];
}

/* Marks the relations below a join that are reached by these conditions. */
static void
reach_one(Keys *keys, List *clauses, int rti)
{
	const RelOptInfo *rel = find_relation(keys, rti);
	ListCell   *lc;

	if (is_reached(keys, rti) || rel == NULL || rel->rtekind != RTE_RELATION)
		return;
	foreach(lc, rel->indexlist)
		if (leads_to_one_row(keys, clauses, lfirst(lc)))
			keys->reached |= UINT64CONST(1) << rti;
}

static void
reach_below(Keys *keys, List *clauses, Node *node)
{
	ListCell   *lc;

	if (IsA(node, RangeTblRef))
		reach_one(keys, clauses, ((RangeTblRef *) node)->rtindex);
	else if (IsA(node, JoinExpr))
	{
		/*
		 * conditions from above apply after the join, which core has made an
		 * inner one
		 */
		reach_below(keys, clauses, ((JoinExpr *) node)->larg);
		if (((JoinExpr *) node)->jointype == JOIN_INNER)
			reach_below(keys, clauses, ((JoinExpr *) node)->rarg);
	}
	else if (IsA(node, FromExpr))
		foreach(lc, ((FromExpr *) node)->fromlist)
			reach_below(keys, clauses, lfirst(lc));
}

/* An outer join's condition drops no rows of its outer side. */
static void
reach(Keys *keys, Node *node)
{
	ListCell   *lc;

	if (IsA(node, FromExpr))
	{
		FromExpr   *from = (FromExpr *) node;

		reach_below(keys, (List *) from->quals, node);
		foreach(lc, from->fromlist)
			reach(keys, lfirst(lc));
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		reach(keys, join->larg);
		if (join->jointype == JOIN_INNER)
			reach_below(keys, (List *) join->quals, join->larg);
		if (join->jointype != JOIN_FULL)
			reach_below(keys, (List *) join->quals, join->rarg);
		reach(keys, join->rarg);
	}
}

static bool
is_large(const RelOptInfo *rel)
{
	return ssdpar_is_large_table(rel->reltablespace, rel->pages);
}

static bool
all_large_are_reached(const Keys *keys)
{
	for (int rti = 1; rti < keys->root->simple_rel_array_size; rti++)
	{
		const RelOptInfo *rel = find_relation(keys, rti);

		if (rel == NULL || rel->rtekind == RTE_RESULT)
			continue;
		if (rel->rtekind != RTE_RELATION ||
			(is_large(rel) && !is_reached(keys, rti)))
			return false;
	}
	return true;
}

/* Repeats until no more relations are reached. */
static bool
keys_lead_to_all(PlannerInfo *root, RelOptInfo *last)
{
	Keys		keys = {root, last, 0};
	uint64		before;

	do
	{
		before = keys.reached;
		reach(&keys, (Node *) root->parse->jointree);
	} while (keys.reached != before);
	return all_large_are_reached(&keys);
}

/*
 * Is this level the whole statement, so that no rows of other levels are read?
 * Subqueries of expressions have been planned by now.
 */
static bool
is_only_level(const PlannerInfo *root)
{
	return root->parent_root == NULL && root->glob->subplans == NIL &&
		root->simple_rel_array_size <= MOST_RELATIONS;
}

static bool
is_table(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION && rte->relid >= FirstNormalObjectId;
}

/* The last table of a level that core examines, catalogs aside; 0 if none.  */
static int
last_table(const PlannerInfo *root, const Node *node)
{
	const List *below;
	int			last = 0;

	if (IsA(node, RangeTblRef))
	{
		int			rti = ((const RangeTblRef *) node)->rtindex;

		return is_table(root->simple_rte_array[rti]) ? rti : 0;
	}
	if (IsA(node, JoinExpr))
	{
		last = last_table(root, ((const JoinExpr *) node)->rarg);
		return last != 0 ? last :
			last_table(root, ((const JoinExpr *) node)->larg);
	}
	below = ((const FromExpr *) node)->fromlist;
	for (int i = list_length(below) - 1; last == 0 && i >= 0; i--)
		last = last_table(root, list_nth(below, i));
	return last;
}

bool
ssdpar_may_gain(SsdparTablesMet *met, PlannerInfo *root, RelOptInfo *rel)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];
	int			last;

	if (!is_table(rte))
		return false;
	met->any = true;

	/* what is below a parent, or on another server, is not known yet */
	if (rte->inh || (rte->relkind != RELKIND_RELATION &&
					 rte->relkind != RELKIND_MATVIEW))
		return true;
	met->large = met->large || is_large(rel);
	if (!met->large)
		return false;

	/* a table of a UNION ALL is known after all that the jointree has */
	if (!enable_indexscan || rel->reloptkind != RELOPT_BASEREL ||
		!is_only_level(root))
		return true;
	last = last_table(root, (Node *) root->parse->jointree);
	return last == (int) rel->relid && !keys_lead_to_all(root, rel);
}

const char *
ssdpar_why_no_gain(const SsdparTablesMet *met)
{
	if (!met->any)
		return NULL;
	return met->large ? "unique keys lead to the rows of each large table" :
		"each table is smaller than ssdpar.cost_model_min_size";
}
