/*
 * part_price.c
 *		How a partition of a fact is scanned, and what that costs.
 *
 * Partitions can be thousands and are mostly alike, so one of each kind is
 * priced, by each access, and gets the better one; the others of its kind are
 * scanned alike, at a cost in proportion to their pages.  Of a kind are those
 * that have about the same number of pages, the same share of them in memory,
 * the same tablespace and workers, indexes for the same dimensions and bounds
 * of the same columns.
 *
 * What is found of a partition by itself is little: the numbers of its columns
 * and its indexes.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "port/pg_bitutils.h"

#include "base/compat.h"
#include "base/settings.h"
#include "cost/parallel.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/estimate.h"
#include "starscan/plan/part_price.h"
#include "starscan/plan/search.h"

/* Shares of a partition in memory are told apart by so much. */
#define RESIDENT_STEP 8.0

/* What makes partitions alike. */
typedef struct PartKind
{
	int			size;			/* binary digits of its pages */
	int			buffers;		/* shares of them, in steps */
	int			page_cache;
	int			workers;
	Oid			tablespace;
	SsdparDimensionSet indexed; /* dimensions that it has an index for */
	SsdparDimensionSet bounded; /* of whose column it has ranges */
} PartKind;

/* The first of a kind. */
typedef struct PricedPart
{
	PartKind	kind;
	double		pages;
	bool		found;			/* any scan */
	SsdparPartScan scan;
} PricedPart;

static bool
takes_part(const SsdparPartChoice *choice, int dimension)
{
	return (choice->best->dimensions & SSDPAR_DIMENSION_BIT(dimension)) != 0;
}

/*
 * The share of partitions that keys are expected in.  No more than one a key,
 * and these may be any.
 */
static double
live_share(const SsdparPartChoice *choice, const PartKind *kind)
{
	double		share = 1.0;

	for (int i = 0; i < choice->largest.ndimensions; i++)
	{
		const SsdparEstimate *estimate = &choice->best->estimates[i];

		if (takes_part(choice, i) &&
			(kind->bounded & SSDPAR_DIMENSION_BIT(i)) != 0)
			share = Min(share, estimate->dimension->keys /
						choice->bounded[i]);
	}
	return share;
}

/* By this access, if the partition can be read so. */
static bool
price_access(const SsdparPartChoice *choice, const PartKind *kind,
			 const SsdparPartScan *scan, SsdparStarAccess access,
			 SsdparCandidate *candidate)
{
	*candidate = *choice->best;
	candidate->access = access;
	candidate->estimates = scan->estimates;
	candidate->indexes = 0;
	if (access == SSDPAR_STAR_BITMAP && choice->bitmap != NULL)
		candidate->indexes = choice->bitmap->indexes &
			choice->best->dimensions & kind->indexed;
	if (access == SSDPAR_STAR_BITMAP ? candidate->indexes == 0 :
		!choice->sequential)
		return false;
	candidate->workers = kind->workers;
	candidate->processes = ssdpar_parallel_divisor(candidate->workers);
	ssdpar_count_workload(&scan->table, candidate);
	ssdpar_price_candidate(&scan->table, candidate);
	return true;
}

/* The better access; false: there is none. */
static bool
choose_access(const SsdparPartChoice *choice, const PartKind *kind,
			  SsdparPartScan *scan)
{
	double		live = live_share(choice, kind);
	SsdparCandidate *best = &scan->candidate;
	SsdparCandidate other;
	bool		found = price_access(choice, kind, scan, SSDPAR_STAR_BITMAP,
									 best);

	scan->pages = best->pages;

	if (!price_access(choice, kind, scan, SSDPAR_STAR_SEQUENTIAL, &other))
		return found;
	other.score -= (1.0 - live) * other.total;
	other.total *= live;
	other.cpu *= live;
	other.startup *= live;
	if (found && best->score <= other.score)
		return true;
	*best = other;
	scan->pages = other.pages * live;
	return true;
}

/* The scan of the first of a kind is filled but for its cost. */
static PricedPart *
price_first(SsdparPartChoice *choice, const PartKind *kind,
			const SsdparPartScan *scan)
{
	PricedPart *part = palloc_object(PricedPart);

	part->kind = *kind;
	part->pages = Max(scan->table.rel->pages, 1);
	part->scan = *scan;
	for (int i = 0; i < scan->table.ndimensions; i++)
	{
		if (takes_part(choice, i))
			ssdpar_count_part_index(&part->scan.table,
									&part->scan.estimates[i]);
	}
	part->found = choose_access(choice, kind, &part->scan);
	choice->priced = lcons(part, choice->priced);
	return part;
}

/* Of a kind are most of those that come one after another. */
static PricedPart *
find_kind(const SsdparPartChoice *choice, const PartKind *kind)
{
	ListCell   *lc;

	foreach(lc, choice->priced)
	{
		PricedPart *part = lfirst(lc);

		if (memcmp(&part->kind, kind, sizeof(PartKind)) == 0)
			return part;
	}
	return NULL;
}

/* Partitions on another tablespace than the one before are few. */
static void
load_table(const SsdparPartChoice *choice, const SsdparLeaf *leaf,
		   SsdparPartScan *scan)
{
	SsdparStarTable *table = &scan->table;

	*table = choice->largest;
	table->rel = leaf->rel;
	table->oid = table->root->simple_rte_array[leaf->rel->relid]->relid;
	if (leaf->rel->reltablespace != choice->largest.rel->reltablespace)
		ssdpar_load_prices(table);
	else
		ssdpar_load_residency(table);
}

/* Fills the scan's estimates, as far as they are the partition's own. */
static PartKind
find_own(const SsdparPartChoice *choice, const SsdparLeaf *leaf,
		 SsdparPartScan *scan)
{
	const SsdparStarTable *table = &scan->table;
	PartKind	kind;

	/* compared as bytes */
	memset(&kind, 0, sizeof(kind));
	kind.size = pg_leftmost_one_pos32(leaf->rel->pages | 1);
	kind.tablespace = leaf->rel->reltablespace;
	if (table->modelled)
	{
		kind.buffers = (int) (table->resident.buffers * RESIDENT_STEP);
		kind.page_cache = (int) (table->resident.page_cache * RESIDENT_STEP);
	}
	if (choice->best->workers > 0)
		kind.workers = ssdpar_star_workers(leaf->rel);
	for (int i = 0; i < table->ndimensions; i++)
	{
		if (!takes_part(choice, i))
			continue;
		scan->estimates[i] = choice->best->estimates[i];
		ssdpar_estimate_part(table, &scan->estimates[i]);
		if (scan->estimates[i].index != NULL)
			kind.indexed |= SSDPAR_DIMENSION_BIT(i);
		if (leaf->columns[i].nranges > 0)
			kind.bounded |= SSDPAR_DIMENSION_BIT(i);
	}
	return kind;
}

/* What takes as long as its pages are many. */
static void
take_price(const PricedPart *first, SsdparPartScan *scan)
{
	const RelOptInfo *rel = scan->table.rel;
	SsdparCandidate *candidate = &scan->candidate;
	double		share = Max(rel->pages, 1) / first->pages;

	*candidate = first->scan.candidate;
	candidate->estimates = scan->estimates;
	candidate->pages *= share;
	scan->pages = first->scan.pages * share;
	candidate->startup *= share;
	candidate->total *= share;
	candidate->cpu *= share;
	candidate->rows = clamp_row_est(rel->rows * candidate->kept);
	candidate->rows_each = clamp_row_est(candidate->rows /
										 candidate->processes);
	for (int i = 0; i < scan->table.ndimensions; i++)
	{
		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		scan->estimates[i].leaves = first->scan.estimates[i].leaves;
		scan->estimates[i].index_cost = first->scan.estimates[i].index_cost;
	}
}

bool
ssdpar_price_part(SsdparPartChoice *choice, const SsdparLeaf *leaf,
				  SsdparPartScan *scan)
{
	PartKind	kind;
	PricedPart *first;

	load_table(choice, leaf, scan);
	kind = find_own(choice, leaf, scan);
	if (choice->best->workers > 0 && kind.workers == 0)
		return false;
	first = find_kind(choice, &kind);
	if (first == NULL)
		first = price_first(choice, &kind, scan);
	if (first->found)
		take_price(first, scan);
	return first->found;
}
