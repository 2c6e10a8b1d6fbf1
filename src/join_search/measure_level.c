/*
 * measure_level.c
 *		Measures the row counts of a query level whose joins were searched.
 *
 * Measuring is worth a share of the time that is at stake (stake.c), so that a
 * query that is certainly short pays nothing.  Without a device profile no time
 * is known, and nothing is measured.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/paths.h"
#include "utils/float.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "cost/part_cost.h"
#include "join_search/corrected_rows.h"
#include "join_search/distinct_columns.h"
#include "join_search/measure_keys.h"
#include "join_search/measure_level.h"
#include "join_search/passes.h"
#include "join_search/report.h"
#include "join_search/stake.h"
#include "sample/measure.h"

/* Rows that are wrong by less than this seldom change a plan. */
#define MIN_FACTOR 1.2

/* Measuring for a plan that may not be executed pays from so many on. */
#define LEAST_ALTERNATIVE_SECONDS 1.0

/* Of so many of its rows as the level's own LIMIT is expected to ask for. */
static Cost
fetched_cost(PlannerInfo *root, const Path *path)
{
	bool		ordered = pathkeys_contained_in(root->query_pathkeys,
												path->pathkeys);
	double		share = root->tuple_fraction <= 0.0 ? 1.0 :
		ssdpar_share_wanted(root, path->parent, ordered);

	return ssdpar_cost_of_share(path->startup_cost, path->total_cost, share);
}

/* The least cost of those paths that have as few disabled nodes as any. */
typedef struct Cheapest
{
	int			disabled;
	Cost		cost;
} Cheapest;

static void
look_for_cheaper(PlannerInfo *root, List *paths, Cheapest *cheapest)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		const Path *path = lfirst(lc);
		int			disabled = ssdpar_disabled_nodes(path);
		Cost		cost;

		if (path->param_info != NULL || disabled > cheapest->disabled)
			continue;
		cost = fetched_cost(root, path);
		if (disabled < cheapest->disabled || cost < cheapest->cost)
			*cheapest = (Cheapest) {disabled, cost};
	}
}

/* Of the level, by the cheapest of its plans; 0 if unknown. */
static double
predict_seconds(PlannerInfo *root, RelOptInfo *rel)
{
	Cheapest	cheapest = {INT_MAX, get_float8_infinity()};

	/* core is still going to make a Gather of the partial ones */
	look_for_cheaper(root, rel->pathlist, &cheapest);
	look_for_cheaper(root, rel->partial_pathlist, &cheapest);

	/* that of a plan that is disabled is no time */
	return cheapest.cost < disable_cost ?
		cheapest.cost * ssdpar_notes()->seconds_per_unit : 0.0;
}

double
ssdpar_assumed_rows(PlannerInfo *root, Relids relids)
{
	double		rows = -1.0;
	int			rti;
	ListCell   *lc;

	if (bms_get_singleton_member(relids, &rti))
		return root->simple_rel_array[rti]->rows;
	foreach(lc, root->join_rel_list)
	{
		RelOptInfo *rel = lfirst(lc);
		Relids		tables;

		/* there may be thousands */
		if (!bms_is_subset(relids, rel->relids))
			continue;
		tables = bms_intersect(rel->relids, root->all_baserels);
		if (bms_equal(tables, relids))
			rows = rel->rows;
		bms_free(tables);
	}
	return rows;
}

static bool
matters(const SsdparKnownRows *known, double assumed)
{
	double		corrected;

	if (assumed < 0.0)
		return true;
	corrected = ssdpar_corrected_rows(known, assumed);
	return corrected > assumed * MIN_FACTOR ||
		corrected * MIN_FACTOR < assumed;
}

/*
 * The second of two ways that core plans a subquery of EXISTS in: to be hashed,
 * where the first is run for each row.  Which one is executed is chosen when
 * all is planned.  Columns that a user asks for have names, those that core
 * makes for the comparison have none.
 */
static bool
is_alternative(const PlannerInfo *root)
{
	const List *columns = root->parse->targetList;

	return root->parent_root != NULL && root->tuple_fraction <= 0.0 &&
		columns != NIL && linitial_node(TargetEntry, columns)->resname == NULL;
}

/* What is at stake takes long to find out: not for what is short at any. */
static double
choose_budget(PlannerInfo *root, RelOptInfo *rel)
{
	double		predicted = predict_seconds(root, rel);

	if (ssdpar_measuring_budget(predicted, get_float8_infinity()) <= 0.0 ||
		(is_alternative(root) && predicted < LEAST_ALTERNATIVE_SECONDS))
		return 0.0;
	return ssdpar_measuring_budget(predicted,
								   ssdpar_seconds_at_stake(root, rel,
														   predicted));
}

void
ssdpar_measure_level(PlannerInfo *root, RelOptInfo *rel, List *initial_rels)
{
	int			before = list_length(ssdpar_all_known_rows(root));
	SsdparMeasured measured = {0};
	double		budget = choose_budget(root, rel);
	bool		any = false;
	bool		asked;
	ListCell   *lc;

	if (budget <= 0.0)
		return;
	budget = ssdpar_measure_keys(root, initial_rels, budget);
	if (ssdpar_passes_failed())
		return;
	asked = ssdpar_measure_rows(root, initial_rels, budget, &measured);
	ssdpar_passes_asked(&measured);
	if (!asked)
		return;
	ssdpar_report_measured(&measured);
	for_each_from(lc, ssdpar_all_known_rows(root), before)
	{
		const SsdparKnownRows *known = lfirst(lc);
		double		assumed = ssdpar_assumed_rows(root, known->relids);

		ssdpar_note_assumed_rows(root, known->relids, assumed);
		any |= matters(known, assumed);
		ssdpar_report_rows(root, known, assumed);
	}
	any |= ssdpar_keep_distinct(root, measured.distinct);
	ssdpar_passes_measured(any);
}
