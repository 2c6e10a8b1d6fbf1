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

#include "planner/star_work.h"

/* Of so many pages those that hold one of n things, spread evenly. */
static double
pages_hit(double pages, double n)
{
	if (pages <= 1)
		return 1;
	return Min(pages, ceil(pages * (1.0 - exp(n * log1p(-1.0 / pages)))));
}

static IndexOptInfo *
index_by_oid(RelOptInfo *rel, Oid oid)
{
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		if (index->indexoid == oid)
			return index;
	}
	elog(ERROR, "index %u is not among those of its table", oid);
	return NULL;				/* keep compiler quiet */
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
area_share(RelOptInfo *rel, Oid table, const SsdparReducer *reducer)
{
	double		ordered =
		ordered_by(table, reducer->target_columns[reducer->index_column]);
	double		side_by_side = reducer->selectivity +
		reducer->keys / Max(rel->pages, 1);

	return ordered * Min(side_by_side, 1.0) + (1.0 - ordered);
}

static void
add_index_work(SsdparStarWork *work, IndexOptInfo *index,
			   const SsdparReducer *reducer)
{
	SsdparIndexWork *one = &work->indexes[work->nindexes++];
	double		pages = Max(index->pages, 1);

	one->index = index;
	one->tids = index->tuples * reducer->selectivity;
	one->leaves = Min(pages, pages_hit(pages, reducer->keys) +
					  pages * reducer->selectivity);
}

/* The indexes, and what they leave of the table. */
static void
count_bitmap(RelOptInfo *rel, Oid table, const SsdparStarPlan *plan,
			 SsdparStarWork *work)
{
	double		area = Max(rel->pages, 1);

	work->rows_read = rel->tuples;
	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];

		if (!OidIsValid(reducer->index))
			continue;
		add_index_work(work, index_by_oid(rel, reducer->index), reducer);
		work->rows_read *= reducer->selectivity;
		area *= area_share(rel, table, reducer);
	}
	work->pages = pages_hit(Max(ceil(area), 1), work->rows_read);
}

static void
count_children(const SsdparStarParts *parts, SsdparStarWork *work)
{
	ListCell   *lc;

	foreach(lc, parts->children)
	{
		Path	   *child = lfirst(lc);

		work->children_cost += child->total_cost;
		work->key_rows += child->rows;
	}
}

/*
 * Rows go through the table's own filter, then test by test, those of indexes
 * only in lossy pages.
 */
static void
count_tests(RelOptInfo *rel, const SsdparStarPlan *plan, SsdparStarWork *work)
{
	double		rows = work->rows_read *
		(rel->tuples > 0 ? Min(rel->rows / rel->tuples, 1.0) : 1.0);

	work->rows = rel->rows;
	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];

		if (reducer->target != SSDPAR_TARGET_FACT)
			continue;
		work->rows *= reducer->selectivity;
		if (plan->access == SSDPAR_STAR_BITMAP && OidIsValid(reducer->index))
			continue;
		work->tests += rows;
		rows *= reducer->selectivity;
	}
	work->rows = clamp_row_est(work->rows);
}

void
ssdpar_star_work(RelOptInfo *rel, Oid table, const SsdparStarParts *parts,
				 SsdparStarWork *work)
{
	memset(work, 0, sizeof(*work));
	count_children(parts, work);
	if (parts->plan.access == SSDPAR_STAR_BITMAP)
		count_bitmap(rel, table, &parts->plan, work);
	else
	{
		work->pages = rel->pages;
		work->rows_read = rel->tuples;
	}
	count_tests(rel, &parts->plan, work);
}
