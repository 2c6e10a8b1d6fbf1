/*
 * semijoin.c
 *		Finds the relations by whose keys a large table, the fact, may be
 *		reduced before it is joined.
 *
 * Why it is safe to drop a row f of the fact that has no equal row in
 * dimension d for the columns of a clause f.k = d.k:
 *
 * The planner may reorder joins because every order that it allows returns the
 * same rows for any contents of the base relations.  Suppose that one of these
 * orders begins with the inner join or semijoin of f and d.  Without the
 * dropped rows the fact gives that join the same result, so the whole query
 * has the same result in that order, and hence in each other order.
 *
 * Only clauses of equivalence classes are used.  They are the equalities that
 * hold in every row that the query level forms, and that core would check at a
 * join of f and d.  What remains is the position of f and d relative to
 * special joins:
 *
 *		LEFT, ANTI	both within the nullable side, or both outside of it.
 *					Within, they can be joined before the nullable side is
 *					joined; outside, before they are joined with it.  If they
 *					are on different sides, the dimension is refused, because
 *					an f without a match may still be returned, or may keep
 *					another row from being null-extended.
 *		FULL		both on the same side, or both on none.
 *		SEMI		anywhere.  x IN (select .. f ..) is true because of an f
 *					for which all clauses hold, including those with d, whether
 *					d is in the subquery or outside; f .. IN (select .. d ..) is
 *					true only if there is such a d.
 *
 * A dimension may be reduced by further dimensions.  By the same argument, the
 * query does not change when d is replaced by its remaining rows.
 *
 * The dimension is read twice, once for its keys and once in the join, and
 * both reads must return the same rows.  So it must contain nothing volatile,
 * no sampling, no LIMIT, and its rows must not depend on another relation
 * (LATERAL).  It is also read before it is known that the fact has any rows,
 * so it must not raise errors (repeatable.c).
 *
 * If the target has security barriers (row-level security), the comparison
 * must be one that may precede the barrier's quals.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "base/planner_compat.h"
#include "cost/short_level.h"
#include "keys/key_code.h"
#include "keys/key_set.h"
#include "rowcount/pair_selectivity.h"
#include "star/dimension.h"
#include "star/error_free.h"
#include "star/key_look.h"
#include "star/key_range.h"
#include "star/refusal.h"
#include "star/semijoin.h"
#include "star/unique_key.h"

/*
 * If a dimension keeps more than this share of its target, building a key set
 * and testing every row does not pay off.
 */
#define USELESS_SELECTIVITY 0.95

/*
 * The same limit for many keys of which no exact set can be kept.  Testing one
 * takes as long as the join that the test may save, and collecting them takes
 * time as well.
 */
#define USELESS_OF_MANY 0.33

/*
 * Cost that looks at dimensions may take: a share of the cost of the fact's
 * scan, or a few milliseconds.
 */
#define LOOK_SHARE 0.01
#define LEAST_LOOK_BUDGET 2000.0

/*
 * The same share of the cost of core's plan, if that is known not to be long:
 * no more can be lost without a look.
 */
#define LOOK_SHARE_OF_SHORT 0.05

/* Maximum depth of dimensions below dimensions.  */
#define MAX_LEVELS 3

/* State of the search.  */
typedef struct Search
{
	PlannerInfo *root;
	RelOptInfo *fact;
	Relids		used;			/* the fact and the dimensions found so far */
	int			ndimensions;
	Cost		look_budget;	/* for looks at dimensions (key_look.h) */
	SsdparRefusal refusal;		/* of the last dimension refused */
} Search;

/* May rows of one relation be dropped if they have no partner in the other?  */
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
 * Can keys be coded for this operator without an error?  A join would compute
 * hash codes only if the other side has rows.
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
 * Adds the columns of one clause to dimension if it is "target column = key
 * column" with an operator that key sets support.  Clauses that core can use
 * for hashing are not volatile.
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

/*
 * Returns a dimension with the equalities between target and rel; NULL if
 * there are none.
 */
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
 * Estimates the share of the target's rows that have a partner in the
 * dimension.  For one column this is core's estimate for a semijoin.  For
 * several columns core would multiply the shares as if they were independent,
 * so we compare the numbers of distinct combinations instead.
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
	/* Use a new clause, because core caches selectivities in its own.  */
	clause = make_opclause(linitial_oid(dimension->operators), BOOLOID, false,
						   linitial(dimension->target_vars),
						   linitial(dimension->key_vars),
						   InvalidOid, linitial_oid(dimension->collations));
	return clauselist_selectivity(root, list_make1(clause), 0, JOIN_SEMI,
								  join);
}

/* The same if the dimension's keys cover a wider range than the target's.  */
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

/* Is each of rel's rows joined with all of its partners, not asked for one? */
static bool
counts_partners(PlannerInfo *root, const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		const SpecialJoinInfo *join = lfirst(lc);

		if (join->jointype == JOIN_SEMI &&
			bms_is_member(rel->relid, join->syn_righthand))
			return false;
	}
	return true;
}

/*
 * What joining the two by one column gives, after their own filters, where a
 * look at one of them tells, or the range of the target's keys.  One of them
 * has one row a key; core's number would be the rows that pass its filter
 * through all of its keys, whichever of them the other has.  Below 0: nothing
 * is known that core does not.
 */
static double
rows_by_look(Search *search, RelOptInfo *target, SsdparDimension *dimension)
{
	PlannerInfo *root = search->root;
	Var		   *target_var = linitial(dimension->target_vars);
	Var		   *key = linitial(dimension->key_vars);
	Oid			operator = linitial_oid(dimension->operators);
	SsdparKeyLook look;

	if (ssdpar_look_at_keys(root, dimension->rel, target_var, key, operator,
							&search->look_budget, &look))
	{
		dimension->looked_at = true;
		if (look.keys >= 0.0)
			dimension->keys = Max(look.keys, 1.0);
		return target->rows * look.kept;
	}
	if (ssdpar_is_unique_by(root, dimension->rel, dimension->key_vars))
	{
		double		kept = selectivity_in_range(root, dimension);

		return kept > 0.0 ? target->rows * kept : -1.0;
	}
	operator = get_commutator(operator);
	if (OidIsValid(operator) && counts_partners(root, dimension->rel) &&
		ssdpar_look_at_keys(root, target, key, target_var, operator,
							&search->look_budget, &look))
		return dimension->rel->rows * look.kept;
	return -1.0;
}

/*
 * The same by several columns, if at least one of the two tables has each
 * combination of values once.  Then the rows of the other are assumed to have
 * a partner there; if both have each combination once, those of the smaller
 * table.  Core multiplies the selectivities of the columns, as if they were
 * independent.
 */
static double
rows_by_unique_key(PlannerInfo *root, RelOptInfo *target,
				   SsdparDimension *dimension)
{
	RelOptInfo *rel = dimension->rel;
	double		keys;			/* combinations of values that a row may have */
	bool		is_unique;

	if (rel->rtekind != RTE_RELATION)
		return -1.0;
	is_unique = ssdpar_is_unique_by(root, rel, dimension->key_vars);
	keys = is_unique ? Max(rel->tuples, rel->rows) : 0.0;
	if (target->rtekind == RTE_RELATION &&
		(is_unique || counts_partners(root, rel)) &&
		ssdpar_is_unique_by(root, target, dimension->target_vars))
		keys = Max(keys, Max(target->tuples, target->rows));
	return keys > 0.0 ? target->rows * rel->rows / keys : -1.0;
}

/*
 * Make all joins of the two go by what is known of them.  Returns the share of
 * the target's rows that is kept; below 0: that is not known.
 */
static double
put_known_rows(Search *search, RelOptInfo *target, SsdparDimension *dimension)
{
	bool		single = list_length(dimension->key_vars) == 1;
	double		rows;

	if (!dimension->complete && !single)
		return -1.0;
	rows = single ? rows_by_look(search, target, dimension) :
		rows_by_unique_key(search->root, target, dimension);
	if (rows < 0.0)
		return -1.0;
	if (dimension->complete)
		ssdpar_put_pair_selectivity(search->root, target, dimension->rel,
									rows);
	return ssdpar_is_unique_by(search->root, dimension->rel,
							   dimension->key_vars) ?
		rows / target->rows : -1.0;
}

/* Sets the number of keys and the share of the target that they keep. */
static void
estimate_dimension(Search *search, RelOptInfo *target,
				   SsdparDimension *dimension)
{
	PlannerInfo *root = search->root;
	double		kept = 1.0;
	double		own;
	ListCell   *lc;

	foreach(lc, dimension->below)
		kept *= ((SsdparDimension *) lfirst(lc))->selectivity;
	dimension->keys = estimate_num_groups(root, dimension->key_vars,
										  Max(dimension->rel->rows, 1),
										  NULL, NULL);
	own = put_known_rows(search, target, dimension);
	if (own < 0.0)
		own = Max(estimate_selectivity(root, target, dimension),
				  selectivity_in_range(root, dimension));
	dimension->selectivity = kept * own;
	dimension->keys = Max(dimension->keys * kept, 1);
	CLAMP_PROBABILITY(dimension->selectivity);

	dimension->relids = bms_union(dimension->rel->relids,
								  ssdpar_dimension_relids(dimension->below));
}

int
ssdpar_compare_dimensions(const ListCell *a, const ListCell *b)
{
	double		left = ((SsdparDimension *) lfirst(a))->selectivity;
	double		right = ((SsdparDimension *) lfirst(b))->selectivity;

	return left < right ? -1 : left > right ? 1 : 0;
}

/*
 * Returns the relations joined with target that may reduce it, not yet
 * estimated.
 */
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

		/*
		 * must be smaller than the fact, because its keys have to fit into
		 * memory
		 */
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

/* What a dimension may keep to be worth building a key set for. */
static double
most_selectivity(const SsdparDimension *dimension)
{
	return dimension->keys > SSDPAR_MANY_CODES &&
		!ssdpar_key_builder_holds(get_hash_memory_limit() / 2,
								  dimension->keys) ?
		USELESS_OF_MANY : USELESS_SELECTIVITY;
}

/*
 * Returns all useful dimensions of target.  Those joined with target directly
 * precede those below them, so a table that is joined with both reduces the
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
		estimate_dimension(search, target, dimension);
		if (dimension->selectivity <= most_selectivity(dimension))
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

static Cost
look_budget(PlannerInfo *root, const RelOptInfo *fact)
{
	if (fact->cheapest_total_path == NULL)
		return 0.0;
	return Min(Max(fact->cheapest_total_path->total_cost * LOOK_SHARE,
				   LEAST_LOOK_BUDGET),
			   ssdpar_surely_joined(root) * LOOK_SHARE_OF_SHORT);
}

List *
ssdpar_find_dimensions(PlannerInfo *root, RelOptInfo *fact,
					   SsdparRefusal *refusal, List **keeping_all)
{
	Search		search = {
		.root = root,
		.fact = fact,
		.used = bms_copy(fact->relids),
		.look_budget = look_budget(root, fact),
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
