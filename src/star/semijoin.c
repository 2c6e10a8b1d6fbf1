/*
 * semijoin.c
 *		Finds the relations by whose keys a large table, the fact, may be
 *		reduced before it is joined.
 *
 * Why it is safe to drop a row f of the fact that equals no row of dimension d
 * in the columns of a clause f.k = d.k:
 *
 * The planner may reorder joins because every order it allows gives the same
 * rows whatever the base relations contain.  If one of the orders begins with
 * the inner or semi join of f and d, a fact without those rows gives that
 * join the same result, hence the whole query, hence each other order.
 *
 * Only clauses of equivalence classes are taken: these are the equalities that
 * hold in every row that the query level forms, and that core itself would
 * check at a join of f and d.  What remains is on which side of the special
 * joins the two stand:
 *
 *		LEFT, ANTI	both within the nullable side, or both outside of it.
 *					Within, they are joined before the side is; outside, before
 *					it is joined to them.  One here, one there: refused, since
 *					an f that matches nothing may still come out, or keep
 *					another row from being null-extended.
 *		FULL		both on the same side, or both on none.
 *		SEMI		anywhere.  x IN (select .. f ..) is true because of an f
 *					for which all clauses hold, those with d too, whether d is
 *					beside it or outside; f .. IN (select .. d ..) comes out
 *					only if there is such a d.
 *
 * A dimension may be reduced by dimensions of its own: by the same argument
 * the query does not change when d is replaced by what is left of it.
 *
 * The dimension is read twice, once for its keys and once in the join, and
 * both times must give the same rows.  So nothing volatile, sampled or cut off
 * by LIMIT, and nothing whose rows depend on another relation's (LATERAL).  And
 * it is read before it is known that the fact has any row: nothing that can
 * raise an error (repeatable.c).
 *
 * With security barriers (row-level security) on the target, the comparison
 * must be one that may run before the barrier's own quals.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "nodes/makefuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "base/planner_compat.h"
#include "keys/key_code.h"
#include "rowcount/known_rows.h"
#include "rowcount/posterior.h"
#include "star/dimension.h"
#include "star/error_free.h"
#include "star/key_range.h"
#include "star/refusal.h"
#include "star/semijoin.h"

/*
 * A dimension that keeps more than this of its target is not worth building a
 * key set for: every row is tested, to drop one in twenty.
 */
#define USELESS_SELECTIVITY 0.95

/* Dimensions of dimensions of dimensions, and no deeper. */
#define MAX_LEVELS 3

/* What is being searched. */
typedef struct Search
{
	PlannerInfo *root;
	RelOptInfo *fact;
	Relids		used;			/* the fact and the dimensions found so far */
	int			ndimensions;
	SsdparRefusal refusal;		/* of the last that was refused */
} Search;

/* May rows of one be dropped for lack of a partner in the other? */
static bool
on_compatible_sides(PlannerInfo *root, Index one, Index other)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *join = lfirst(lc);

		if (join->jointype == JOIN_SEMI)
			continue;
		if (bms_is_member(one, join->syn_righthand) !=
			bms_is_member(other, join->syn_righthand))
			return false;
		if (join->jointype == JOIN_FULL &&
			bms_is_member(one, join->syn_lefthand) !=
			bms_is_member(other, join->syn_lefthand))
			return false;
	}
	return true;
}

Var *
ssdpar_column_of(Node *expr, const RelOptInfo *rel)
{
	Var		   *var;

	while (expr && IsA(expr, RelabelType))
		expr = (Node *) ((RelabelType *) expr)->arg;
	if (expr == NULL || !IsA(expr, Var))
		return NULL;
	var = (Var *) expr;
	if (var->varno != (int) rel->relid || var->varlevelsup != 0 ||
		var->varattno <= 0 || ssdpar_is_null_extended(var))
		return NULL;
	return var;
}

/*
 * Can keys be coded for this operator without an error?  A join would do that
 * only where the other side has rows as well.
 */
static bool
can_code_keys(Oid operator, Oid collation, Var *var)
{
	Oid			target;
	Oid			key;

	if (!ssdpar_key_can_be_coded(operator, collation) ||
		(OidIsValid(var->varcollid) && !OidIsValid(collation)))
		return false;

	/* integers are coded without a function */
	ssdpar_key_functions(operator, &target, &key);
	return (!OidIsValid(target) || ssdpar_support_is_error_free(target)) &&
		(!OidIsValid(key) || ssdpar_support_is_error_free(key));
}

/*
 * Add the columns of one clause to dimension if it is target column = key
 * column by an operator that key sets know.  Clauses that core can hash by
 * are not volatile.
 */
static void
add_clause(RelOptInfo *target, SsdparDimension *dimension,
		   RestrictInfo *clause)
{
	OpExpr	   *comparison = (OpExpr *) clause->clause;
	Oid			operator;
	Var		   *target_var;
	Var		   *key_var;

	if (!IsA(comparison, OpExpr) || !OidIsValid(clause->hashjoinoperator) ||
		list_length(dimension->key_vars) == SSDPAR_MAX_KEY_COLUMNS)
		return;
	operator = comparison->opno;
	target_var = ssdpar_column_of(linitial(comparison->args), target);
	key_var = ssdpar_column_of(lsecond(comparison->args), dimension->rel);
	if (target_var == NULL)
	{
		operator = get_commutator(operator);
		target_var = ssdpar_column_of(lsecond(comparison->args), target);
		key_var = ssdpar_column_of(linitial(comparison->args), dimension->rel);
	}
	if (target_var == NULL || key_var == NULL || !OidIsValid(operator) ||
		!can_code_keys(operator, comparison->inputcollid, key_var))
		return;
	dimension->target_vars = lappend(dimension->target_vars, target_var);
	dimension->key_vars = lappend(dimension->key_vars, key_var);
	dimension->operators = lappend_oid(dimension->operators, operator);
	dimension->collations = lappend_oid(dimension->collations,
										comparison->inputcollid);
}

/* The equalities between target and rel, as a dimension; NULL: none. */
static SsdparDimension *
join_dimension(Search *search, RelOptInfo *target, RelOptInfo *rel)
{
	SsdparDimension *dimension;
	List	   *clauses;
	ListCell   *lc;
	bool		promotable = true;

	if (!have_relevant_eclass_joinclause(search->root, target, rel))
		return NULL;
	dimension = palloc0_object(SsdparDimension);
	dimension->rel = rel;
	clauses = ssdpar_join_equalities(search->root, target, rel);
	foreach(lc, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (restriction_is_securely_promotable(clause, target))
			add_clause(target, dimension, clause);
		else
			promotable = false;
	}
	dimension->complete =
		list_length(dimension->key_vars) == list_length(clauses);
	if (dimension->key_vars != NIL)
		return dimension;
	if (clauses != NIL)
		search->refusal =
			promotable ? SSDPAR_REFUSED_NO_PLAIN_KEY :
			SSDPAR_REFUSED_SECURITY_BARRIER;
	return NULL;
}

/*
 * Share of the target's rows that has a partner among rel's: for one column
 * as core estimates a semi join.  For several, core would multiply as if they
 * were independent, so compare the numbers of combinations.
 */
static double
estimate_selectivity(PlannerInfo *root, RelOptInfo *target,
					 SsdparDimension *dimension)
{
	SpecialJoinInfo *join;
	Expr	   *clause;

	if (list_length(dimension->key_vars) > 1)
		return dimension->keys /
			estimate_num_groups(root, dimension->target_vars,
								Max(target->tuples, 1), NULL, NULL);
	join = makeNode(SpecialJoinInfo);
	join->min_lefthand = join->syn_lefthand = target->relids;
	join->min_righthand = join->syn_righthand = dimension->rel->relids;
	join->jointype = JOIN_SEMI;
	/* A clause of its own: core's caches its selectivities. */
	clause = make_opclause(linitial_oid(dimension->operators), BOOLOID, false,
						   linitial(dimension->target_vars),
						   linitial(dimension->key_vars),
						   InvalidOid, linitial_oid(dimension->collations));
	return clauselist_selectivity(root, list_make1(clause), 0, JOIN_SEMI,
								  join);
}

/* The same where the dimension's domain is wider than the target's. */
static double
selectivity_in_range(PlannerInfo *root, const SsdparDimension *dimension)
{
	if (list_length(dimension->key_vars) > 1)
		return 0.0;
	return ssdpar_share_in_key_range(root, linitial(dimension->target_vars),
									 linitial(dimension->key_vars),
									 linitial_oid(dimension->operators),
									 dimension->keys);
}

/*
 * Set how many keys there are, and what they keep of the target: as measured,
 * or else as estimated.
 */
static void
estimate_dimension(PlannerInfo *root, RelOptInfo *target,
				   SsdparDimension *dimension)
{
	const SsdparKnownShare *known;
	double		kept = 1.0;
	ListCell   *lc;

	foreach(lc, dimension->below)
		kept *= ((SsdparDimension *) lfirst(lc))->selectivity;
	dimension->keys = estimate_num_groups(root, dimension->key_vars,
										  Max(dimension->rel->rows, 1),
										  NULL, NULL);
	dimension->selectivity = kept *
		estimate_selectivity(root, target, dimension);
	dimension->keys = Max(dimension->keys * kept, 1);
	dimension->selectivity = Max(dimension->selectivity,
								 selectivity_in_range(root, dimension));
	CLAMP_PROBABILITY(dimension->selectivity);

	dimension->relids = bms_union(dimension->rel->relids,
								  ssdpar_dimension_relids(dimension->below));
	known = ssdpar_known_share(root, target->relid, dimension->relids);
	if (known != NULL)
		dimension->selectivity = known->exact ? known->share :
			Min(ssdpar_corrected(dimension->selectivity, SSDPAR_JOIN_WORTH,
								 known->share, known->found), 1.0);
}

int
ssdpar_compare_dimensions(const ListCell *a, const ListCell *b)
{
	double		left = ((SsdparDimension *) lfirst(a))->selectivity;
	double		right = ((SsdparDimension *) lfirst(b))->selectivity;

	return left < right ? -1 : left > right ? 1 : 0;
}

/* Relations joined with target that may reduce it, without estimates yet. */
static List *
join_dimensions(Search *search, RelOptInfo *target)
{
	PlannerInfo *root = search->root;
	List	   *dimensions = NIL;

	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];
		SsdparDimension *dimension;
		SsdparRefusal refusal;

		/* smaller than the fact: its keys have to fit into memory */
		if (rel == NULL || rel->reloptkind != RELOPT_BASEREL ||
			bms_is_member(rti, search->used) || !rel->has_eclass_joins ||
			rel->rows >= Max(search->fact->tuples, search->fact->rows) ||
			search->ndimensions >= SSDPAR_MAX_REDUCERS)
			continue;
		dimension = join_dimension(search, target, rel);
		if (dimension == NULL)
			continue;
		if (!on_compatible_sides(root, target->relid, rel->relid))
			refusal = SSDPAR_REFUSED_OUTER_JOIN;
		else
			refusal = ssdpar_dimension_problem(root, rel);
		if (refusal != SSDPAR_ACCEPTED)
		{
			search->refusal = refusal;
			continue;
		}
		search->used = bms_add_member(search->used, rti);
		search->ndimensions++;
		dimensions = lappend(dimensions, dimension);
	}
	return dimensions;
}

/*
 * All dimensions of target that are useful.  Those joined with it directly
 * come before those below them: a table that is joined with both reduces the
 * target itself.
 */
static List *
find_dimensions(Search *search, RelOptInfo *target, int level,
				List **keeping_all)
{
	List	   *found = join_dimensions(search, target);
	List	   *useful = NIL;
	ListCell   *lc;

	foreach(lc, found)
	{
		SsdparDimension *dimension = lfirst(lc);

		if (level < MAX_LEVELS)
			dimension->below = find_dimensions(search, dimension->rel,
											   level + 1, NULL);
		estimate_dimension(search->root, target, dimension);
		if (dimension->selectivity <= USELESS_SELECTIVITY)
		{
			useful = lappend(useful, dimension);
			continue;
		}
		search->refusal = SSDPAR_REFUSED_KEEPS_ALL;
		if (keeping_all != NULL)
			*keeping_all = lappend(*keeping_all, dimension);
	}
	list_sort(useful, ssdpar_compare_dimensions);
	return useful;
}

List *
ssdpar_find_dimensions(PlannerInfo *root, RelOptInfo *fact,
					   SsdparRefusal *refusal, List **keeping_all)
{
	Search		search = {
		.root = root,
		.fact = fact,
		.used = bms_copy(fact->relids),
	};
	List	   *dimensions = find_dimensions(&search, fact, 1, keeping_all);

	*refusal = search.refusal;
	return dimensions;
}

Relids
ssdpar_dimension_relids(List *dimensions)
{
	Relids		relids = NULL;
	ListCell   *lc;

	foreach(lc, dimensions)
	{
		SsdparDimension *dimension = lfirst(lc);

		relids = bms_add_members(relids, dimension->relids);
	}
	return relids;
}
