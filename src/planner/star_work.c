/*
 * star_work.c
 *		How much a star scan reads and computes: index pages, row addresses,
 *		pages of the fact, rows looked at, keys tested.
 *
 * Rows are taken to be spread evenly over the fact, but for those of an index
 * that the statistics say the table is ordered by: each of its keys has its
 * rows side by side.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "planner/star_index.h"
#include "planner/star_work.h"
#include "starscan/key_code.h"

/* Of so many pages those that hold one of n things, spread evenly. */
static double
pages_hit(double pages, double n)
{
	double		hit;

	if (pages <= 1)
		return 1;
	hit = ceil(pages * (1.0 - exp(n * log1p(-1.0 / pages))));
	return Min(pages, hit);
}

/* How far rows lie in the order of a column: 0 not at all, 1 exactly. */
static double
ordered_by(Oid table, AttrNumber column)
{
	HeapTuple	tuple = SearchSysCache3(STATRELATTINH,
										ObjectIdGetDatum(table),
										Int16GetDatum(column),
										BoolGetDatum(false));
	AttStatsSlot slot;
	double		correlation = 0;

	if (!HeapTupleIsValid(tuple))
		return 0;
	if (get_attstatsslot(&slot, tuple, STATISTIC_KIND_CORRELATION, InvalidOid,
						 ATTSTATSSLOT_NUMBERS))
	{
		if (slot.nnumbers == 1)
			correlation = slot.numbers[0];
		free_attstatsslot(&slot);
	}
	ReleaseSysCache(tuple);
	return correlation * correlation;
}

/*
 * Share of the table's pages in which the rows of a reducer's keys lie, if the
 * table is in their order as far as the statistics say.
 */
static double
area_share(RelOptInfo *rel, Oid table, const SsdparReducer *reducer,
		   AttrNumber column)
{
	double		ordered = ordered_by(table, column);
	double		side_by_side = reducer->selectivity +
		reducer->keys / Max(rel->pages, 1);

	return ordered * Min(side_by_side, 1.0) + (1.0 - ordered);
}

static void
fill_index(RelOptInfo *rel, Oid table, SsdparStarBranch *branch)
{
	const SsdparReducer *reducer = branch->reducer;
	IndexOptInfo *index = branch->index;
	double		pages = Max(index->pages, 1);
	double		leaves = pages_hit(pages, reducer->keys) +
		pages * reducer->selectivity;

	branch->tids = index->tuples * reducer->selectivity;
	branch->leaves = Min(pages, leaves);
	branch->area_share =
		area_share(rel, table, reducer,
				   reducer->target_columns[branch->index_column]);
}

/* Scans of tables below a path of a dimension. */
static int
count_scans(const Path *path)
{
	int			scans = 0;
	ListCell   *lc;

	if (IsA(path, ProjectionPath))
		return count_scans(((const ProjectionPath *) path)->subpath);
	if (!IsA(path, AppendPath))
		return 1;
	foreach(lc, ((const AppendPath *) path)->subpaths)
		scans += count_scans(lfirst(lc));
	return scans;
}

void
ssdpar_star_branch_children(const SsdparStarParts *parts,
							SsdparStarBranch *branch)
{
	ListCell   *lc;

	branch->children_cost = 0;
	branch->key_rows = 0;
	branch->more_scans = 0;
	foreach(lc, parts->children)
	{
		Path	   *child = lfirst(lc);

		branch->children_cost += child->total_cost;
		branch->key_rows += child->rows;
		branch->more_scans += count_scans(child) - 1;
	}
}

void
ssdpar_star_branch(RelOptInfo *rel, Oid table, const SsdparStarParts *parts,
				   SsdparStarBranch *branch)
{
	memset(branch, 0, sizeof(*branch));
	/* those below it come before it */
	branch->reducer = &parts->plan.reducers[parts->plan.nreducers - 1];
	ssdpar_star_branch_children(parts, branch);
	branch->tested_first = ssdpar_key_code_is_exact(branch->reducer);
	branch->index = ssdpar_star_index(rel, branch->reducer,
									  &branch->index_column);
	if (branch->index != NULL)
		fill_index(rel, table, branch);
}

/* Test by test, but for indexes, which are asked; returns how many pass. */
static double
test_rows(const SsdparStarWay *way, bool first, double rows,
		  SsdparStarWork *work)
{
	for (int i = 0; i < way->nbranches; i++)
	{
		const SsdparStarBranch *branch = way->branches[i];

		if (way->asks[i] || branch->tested_first != first)
			continue;
		work->tests += rows;
		rows *= branch->reducer->selectivity;
	}
	return rows;
}

/* What is tested first, the table's own filter, and what is tested then. */
static void
count_tests(RelOptInfo *rel, const SsdparStarWay *way, SsdparStarWork *work)
{
	double		rows = test_rows(way, true, work->rows_read, work);

	work->rows_filtered = rows;
	if (rel->tuples > 0)
		rows *= Min(rel->rows / rel->tuples, 1.0);
	(void) test_rows(way, false, rows, work);
	work->rows = rel->rows;
	for (int i = 0; i < way->nbranches; i++)
		work->rows *= way->branches[i]->reducer->selectivity;
	work->rows = clamp_row_est(work->rows);
}

void
ssdpar_star_work(RelOptInfo *rel, const SsdparStarWay *way,
				 SsdparStarWork *work)
{
	double		area = Max(rel->pages, 1);

	memset(work, 0, sizeof(*work));
	work->rows_read = rel->tuples;
	work->pages = rel->pages;
	for (int i = 0; i < way->nbranches; i++)
	{
		const SsdparStarBranch *branch = way->branches[i];

		work->children_cost += branch->children_cost;
		work->key_rows += branch->key_rows;
		work->more_scans += branch->more_scans;
		if (!way->asks[i])
			continue;
		work->index_cost += branch->index_cost;
		work->rows_read *= branch->reducer->selectivity;
		area *= branch->area_share;
	}
	if (way->access == SSDPAR_STAR_BITMAP)
		work->pages = pages_hit(Max(ceil(area), 1), work->rows_read);
	count_tests(rel, way, work);
}
