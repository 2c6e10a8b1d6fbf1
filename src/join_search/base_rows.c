/*
 * base_rows.c
 *		Puts measured row counts into the relations of a query level.
 *
 * Core estimates the rows of all base relations of a level, then makes the
 * paths of one after the other.  No hook comes between; set_rel_pathlist_hook
 * of the first relation comes closest.  By then one relation has paths, which
 * are made anew; those of all others are made with the rows put here, which
 * also tell how often an index scan below a nested loop is repeated.
 *
 * A join that was not measured follows from those that were: the selectivity of
 * two tables' join is put into their clauses, where core looks for it.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/core_scan.h"
#include "base/plain_table.h"
#include "base/planner_compat.h"
#include "base/without.h"
#include "cost/page_cost_override.h"
#include "join_search/base_rows.h"
#include "join_search/corrected_rows.h"
#include "join_search/grouped_joins.h"
#include "join_search/passes.h"
#include "rowcount/pair_selectivity.h"

/*
 * Sample rows from which on larger joins are to rest on a join of two, whatever
 * core assumes.
 */
#define LEAST_FOUND 16

/* Of several conditions it is not known which one has been misjudged. */
static void
put_table_rows(PlannerInfo *root, const SsdparKnownRows *known)
{
	RelOptInfo *rel =
		root->simple_rel_array[bms_singleton_member(known->relids)];
	RestrictInfo *filter;

	if (rel == NULL || rel->reloptkind != RELOPT_BASEREL ||
		!ssdpar_is_plain_table(root, rel) || IS_DUMMY_REL(rel))
		return;
	rel->rows = ssdpar_corrected_rows(known, rel->rows);
	if (list_length(rel->baserestrictinfo) != 1 || rel->tuples <= 0.0)
		return;
	filter = linitial_node(RestrictInfo, rel->baserestrictinfo);
	if (!filter->pseudoconstant)
		filter->norm_selec = Min(rel->rows / rel->tuples, 1.0);
}

/*
 * What the selectivity of the clauses between two tables is to give; below 0:
 * what core makes of them.  A few rows found say little more than that core is
 * wrong, and then they count for that.
 */
static double
pair_rows(const SsdparKnownRows *known)
{
	double		rows;

	if (known->exact || known->found >= LEAST_FOUND)
		return known->rows;
	if (known->found <= 0.0 || known->assumed < 0.0)
		return -1.0;
	rows = ssdpar_corrected_rows(known, known->assumed);
	return rows == known->assumed ? -1.0 : rows;
}

static void
put_pair_selectivity(PlannerInfo *root, const SsdparKnownRows *known)
{
	int			rti = bms_next_member(known->relids, -1);
	RelOptInfo *one = root->simple_rel_array[rti];
	RelOptInfo *other =
		root->simple_rel_array[bms_next_member(known->relids, rti)];
	double		rows = pair_rows(known);

	if (one != NULL && other != NULL && rows >= 0.0)
		ssdpar_put_pair_selectivity(root, one, other, rows);
}

/* Tables first, by whose rows the selectivity of a join is reckoned. */
static void
put_rows(PlannerInfo *root)
{
	ListCell   *lc;

	foreach(lc, ssdpar_all_known_rows(root))
	{
		const SsdparKnownRows *known = lfirst(lc);

		if (bms_membership(known->relids) == BMS_SINGLETON &&
			!ssdpar_without(SSDPAR_BASE_ROWS))
			put_table_rows(root, known);
	}
	foreach(lc, ssdpar_all_known_rows(root))
	{
		const SsdparKnownRows *known = lfirst(lc);

		if (bms_num_members(known->relids) == 2 &&
			!ssdpar_without(SSDPAR_JOIN_ROWS))
			put_pair_selectivity(root, known);
	}
}

/*
 * TID scans are not made here: the few rows that they name need no measuring,
 * and with CURRENT OF nothing else may be made.
 */
static bool
may_make_paths(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *lc;

	if (!ssdpar_is_plain_table(root, rel) || !ssdpar_has_core_scan(rel))
		return false;
	foreach(lc, rel->pathlist)
		if (IsA(lfirst(lc), TidPath) || IsA(lfirst(lc), TidRangePath))
			return false;
	return true;
}

/* As core has made them, in set_plain_rel_pathlist(). */
static void
make_paths(PlannerInfo *root, RelOptInfo *rel)
{
	int			workers = 0;

	Assert(rel->cheapest_total_path == NULL && root->join_rel_list == NIL);
	ssdpar_core_costs_again(rel);
	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	rel->ppilist = NIL;
	add_path(rel, create_seqscan_path(root, rel, rel->lateral_relids, 0));
	if (rel->consider_parallel && rel->lateral_relids == NULL)
		workers = compute_parallel_worker(rel, rel->pages, -1,
										  max_parallel_workers_per_gather);
	if (workers > 0)
		add_partial_path(rel, create_seqscan_path(root, rel, NULL, workers));
	create_index_paths(root, rel);
}

void
ssdpar_put_base_rows(PlannerInfo *root, RelOptInfo *rel)
{
	PlannerInfo *first = ssdpar_passes_enter_level(root);

	if (first == NULL)
		return;
	ssdpar_put_grouped_joins(root);
	if (ssdpar_all_known_rows(first) == NIL)
		return;
	ssdpar_pass_on_known_rows(first, root);
	put_rows(root);
	if (may_make_paths(root, rel))
		make_paths(root, rel);
}
