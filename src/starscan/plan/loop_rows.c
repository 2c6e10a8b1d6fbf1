/*
 * loop_rows.c
 *		Corrects the rows that core's nested loops find by a dimension's
 *		keys.
 *
 * Core assumes that each key has the average number of the fact's rows.  If a
 * look at the dimension (star/key_look.h) has found that its filter selects
 * keys with far more rows, a loop over these finds as many rows as a star scan
 * does, and evaluates the fact's qual as often.  Its cost must reflect that;
 * otherwise a loop that seems to find next to nothing is chosen instead of the
 * star scan.
 *
 * This is done only if there are more rows than core expects.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/selfuncs.h"

#include "base/planner_compat.h"
#include "star/star.h"
#include "star/semijoin.h"
#include "starscan/page_estimate.h"
#include "starscan/plan/loop_rows.h"

/* A smaller factor is within the usual error of an average. */
#define LEAST_FACTOR 2.0

/* Is it the equality that joins the fact with the dimension? */
static bool
is_key_clause(const RestrictInfo *clause, const RelOptInfo *fact,
			  const SsdparDimension *dimension)
{
	const OpExpr *comparison = (const OpExpr *) clause->clause;
	Var		   *target = linitial(dimension->target_vars);
	Var		   *key = linitial(dimension->key_vars);
	Node	   *left;
	Node	   *right;

	if (!IsA(comparison, OpExpr) || list_length(comparison->args) != 2)
		return false;
	left = linitial(comparison->args);
	right = lsecond(comparison->args);
	return (equal(ssdpar_column_of(left, fact), target) &&
			equal(ssdpar_column_of(right, dimension->rel), key)) ||
		(equal(ssdpar_column_of(right, fact), target) &&
		 equal(ssdpar_column_of(left, dimension->rel), key));
}

static bool
looks_up_keys(const ParamPathInfo * parameters, const RelOptInfo *fact,
			  const SsdparDimension *dimension)
{
	ListCell   *lc;

	if (!bms_is_member(dimension->rel->relid, parameters->ppi_req_outer))
		return false;
	foreach(lc, parameters->ppi_clauses)
		if (is_key_clause(lfirst_node(RestrictInfo, lc), fact, dimension))
			return true;
	return false;
}

/*
 * Ratio of the rows of each of the dimension's keys to those of the average
 * key.
 */
static double
rows_factor(PlannerInfo *root, const SsdparDimension *dimension)
{
	double		kept = dimension->selectivity;
	VariableStatData target;
	double		keys;
	bool		guessed;
	ListCell   *lc;

	foreach(lc, dimension->below)
		kept /= ((SsdparDimension *) lfirst(lc))->selectivity;
	examine_variable(root, linitial(dimension->target_vars), 0, &target);
	keys = get_variable_numdistinct(&target, &guessed);
	ReleaseVariableStats(target);
	return guessed ? 1.0 :
		Min(kept, 1.0) * keys / Max(dimension->rel->rows, 1.0);
}

/*
 * Multiplies the path's rows by factor and adjusts its cost.  A run also reads
 * rows that the qual drops, whose number follows from its selectivity.
 */
static void
correct_path(Path *path, double factor)
{
	RelOptInfo *rel = path->parent;
	double		pages = Max(rel->pages, 1);
	double		rows = path->rows * Max(rel->tuples, 1) / Max(rel->rows, 1);
	Cost		run = path->total_cost - path->startup_cost;
	Cost		cpu = Min(run, rows * (cpu_tuple_cost +
									   rel->baserestrictcost.per_tuple));
	double		more_pages = ssdpar_pages_hit(pages, rows * factor) /
		ssdpar_pages_hit(pages, rows);

	path->total_cost = path->startup_cost + cpu * factor +
		(run - cpu) * more_pages;
	path->rows *= factor;
}

static int
compare_paths(const ListCell *a, const ListCell *b)
{
	return compare_path_costs(lfirst(a), lfirst(b), TOTAL_COST);
}

static void
correct_rows(RelOptInfo *fact, const SsdparDimension *dimension, double factor)
{
	ListCell   *lc;

	foreach(lc, fact->ppilist)
	{
		ParamPathInfo *parameters = lfirst(lc);
		double		most = Max(fact->rows / Max(parameters->ppi_rows, 1.0),
							   1.0);
		ListCell   *path;

		if (!looks_up_keys(parameters, fact, dimension))
			continue;
		foreach(path, fact->pathlist)
			if (((Path *) lfirst(path))->param_info == parameters)
				correct_path(lfirst(path), Min(factor, most));
		parameters->ppi_rows *= Min(factor, most);
	}
}

void
ssdpar_correct_loop_rows(PlannerInfo *root, RelOptInfo *fact, List *dimensions)
{
	bool		corrected = false;
	ListCell   *lc;

	if (ssdpar_is_parent(root, fact))
		return;
	foreach(lc, dimensions)
	{
		const SsdparDimension *dimension = lfirst(lc);
		double		factor;

		if (!dimension->looked_at)
			continue;
		factor = rows_factor(root, dimension);
		if (factor < LEAST_FACTOR)
			continue;
		correct_rows(fact, dimension, factor);
		corrected = true;
	}
	if (!corrected)
		return;

	/* core's order, and its choice of the cheapest parameterized paths */
	list_sort(fact->pathlist, compare_paths);
	set_cheapest(fact);
}
