/*
 * part_price.c
 *		Determines how a partition of a fact is scanned and what that costs.
 *
 * There may be thousands of partitions, which are mostly alike.  Therefore one
 * of each kind is priced with each access method and gets the better one.  The
 * others of its kind are scanned in the same way, at a cost proportional to
 * their pages.  Partitions are of the same kind if they have about the same
 * number of pages, the same fraction of them in memory, the same tablespace
 * and workers, indexes for the same dimensions and bounds of the same columns.
 *
 * Only little is determined separately for each partition: its fraction in
 * memory and its indexes.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "port/pg_bitutils.h"

#include "base/compat.h"
#include "base/settings.h"
#include "cost/known_prices.h"
#include "cost/parallel.h"
#include "cost/residency.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/estimate.h"
#include "starscan/plan/key_index.h"
#include "starscan/plan/part_price.h"
#include "starscan/plan/search.h"

/* Resolution for the fraction of a partition in memory. */
#define RESIDENT_STEP 8.0

/* The properties that make partitions alike. */
typedef struct PartKind
{
	int			size;			/* binary digits of its pages */
	int			buffers;		/* fractions of them, in steps */
	int			page_cache;
	int			workers;
	Oid			tablespace;
	SsdparDimensionSet indexed; /* dimensions for which it has an index */
	SsdparDimensionSet bounded; /* dimensions for whose column it has ranges */
} PartKind;

/* The first partition of a kind. */
typedef struct PricedPart
{
	PartKind	kind;
	double		pages;
	SsdparStarTable table;
	SsdparEstimate estimates[SSDPAR_MAX_REDUCERS];
	bool		found;			/* whether there is any scan */
	SsdparCandidate candidate;
	double		pages_read;		/* expected value, as keys may exclude it */
} PricedPart;

static bool
takes_part(const SsdparPartChoice *choice, int dimension)
{
	return (choice->best->dimensions & SSDPAR_DIMENSION_BIT(dimension)) != 0;
}

/*
 * Fraction of partitions that are expected to contain keys: at most one
 * partition per key, which may be any of them.
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

/* Prices this access, if the partition can be read in that way. */
static bool
price_access(const SsdparPartChoice *choice, const PricedPart *part,
			 SsdparStarAccess access, SsdparCandidate *candidate)
{
	const PartKind *kind = &part->kind;

	*candidate = *choice->best;
	candidate->access = access;
	candidate->estimates = part->estimates;
	candidate->indexes = 0;
	if (access == SSDPAR_STAR_BITMAP && choice->bitmap != NULL)
		candidate->indexes = choice->bitmap->indexes &
			choice->best->dimensions & kind->indexed;
	if (access == SSDPAR_STAR_BITMAP ? candidate->indexes == 0 :
		!choice->sequential)
		return false;
	candidate->workers = kind->workers;
	candidate->processes = ssdpar_parallel_divisor(candidate->workers);
	ssdpar_count_workload(&part->table, candidate);
	ssdpar_price_candidate(&part->table, candidate);
	return true;
}

/* Chooses the better access; false if there is none. */
static bool
choose_access(const SsdparPartChoice *choice, PricedPart *part)
{
	double		live = live_share(choice, &part->kind);
	SsdparCandidate *best = &part->candidate;
	SsdparCandidate other;
	bool		found = price_access(choice, part, SSDPAR_STAR_BITMAP, best);

	part->pages_read = best->pages;
	if (!price_access(choice, part, SSDPAR_STAR_SEQUENTIAL, &other))
		return found;
	other.score -= (1.0 - live) * other.total;
	other.total *= live;
	other.startup *= live;
	if (found && best->score <= other.score)
		return true;
	*best = other;
	part->pages_read = other.pages * live;
	return true;
}

/* Few partitions have another tablespace than the largest. */
static void
load_table(const SsdparPartChoice *choice, RelOptInfo *rel,
		   SsdparStarTable *table)
{
	*table = choice->largest;
	table->rel = rel;
	table->oid = table->root->simple_rte_array[rel->relid]->relid;
	if (rel->reltablespace != choice->largest.rel->reltablespace)
		ssdpar_load_prices(table);
	else
		ssdpar_load_residency(table);
}

static PricedPart *
price_first(SsdparPartChoice *choice, const PartKind *kind,
			const SsdparLeaf *leaf)
{
	PricedPart *part = palloc_object(PricedPart);

	part->kind = *kind;
	part->pages = Max(leaf->rel->pages, 1);
	load_table(choice, leaf->rel, &part->table);
	for (int i = 0; i < part->table.ndimensions; i++)
	{
		part->estimates[i] = choice->best->estimates[i];
		if (takes_part(choice, i))
			ssdpar_estimate_part(&part->table, leaf->indexes[i],
								 &part->estimates[i]);
	}
	part->found = choose_access(choice, part);
	choice->priced = lcons(part, choice->priced);
	return part;
}

/* Successive partitions are mostly of the same kind. */
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

/* The leaf's index for a dimension, searched for only once; NULL: none. */
static IndexOptInfo *
find_index(const SsdparPartChoice *choice, SsdparLeaf *leaf, int i)
{
	const SsdparEstimate *estimate = &choice->best->estimates[i];
	const Var  *column;

	if ((leaf->sought & SSDPAR_DIMENSION_BIT(i)) != 0 ||
		estimate->index == NULL)
		return leaf->indexes[i];
	leaf->sought |= SSDPAR_DIMENSION_BIT(i);
	column = list_nth(estimate->dimension->target_vars,
					  estimate->index_column);
	leaf->indexes[i] =
		ssdpar_find_alike_index(leaf->rel,
								ssdpar_leaf_column(choice->largest.root,
												   leaf->rel->relid,
												   choice->largest.fact->relid,
												   column->varattno),
								estimate->index);
	return leaf->indexes[i];
}

/*
 * Fraction in memory; it does not matter for a tablespace without a profile.
 */
static SsdparResidency
residency(const SsdparPartChoice *choice, const RelOptInfo *rel)
{
	SsdparResidency none = {0.0, 0.0};
	const PlannerInfo *root = choice->largest.root;

	if (ssdpar_tablespace_prices(rel->reltablespace) == NULL)
		return none;
	return ssdpar_residency_of(root->simple_rte_array[rel->relid]->relid,
							   rel->pages);
}

static PartKind
kind_of(const SsdparPartChoice *choice, SsdparLeaf *leaf)
{
	RelOptInfo *rel = leaf->rel;
	SsdparResidency resident = residency(choice, rel);
	PartKind	kind;

	/* compared as bytes */
	memset(&kind, 0, sizeof(kind));
	kind.size = pg_leftmost_one_pos32(rel->pages | 1);
	kind.tablespace = rel->reltablespace;
	kind.buffers = (int) (resident.buffers * RESIDENT_STEP);
	kind.page_cache = (int) (resident.page_cache * RESIDENT_STEP);
	if (choice->best->workers > 0)
		kind.workers = ssdpar_star_workers(rel);
	for (int i = 0; i < choice->largest.ndimensions; i++)
	{
		if (!takes_part(choice, i))
			continue;
		if (find_index(choice, leaf, i) != NULL)
			kind.indexed |= SSDPAR_DIMENSION_BIT(i);
		if (leaf->columns[i].nranges > 0)
			kind.bounded |= SSDPAR_DIMENSION_BIT(i);
	}
	return kind;
}

/* Scales the costs that are proportional to pages. */
static void
take_price(const PricedPart *first, const RelOptInfo *rel,
		   SsdparCandidate *candidate)
{
	double		share = Max(rel->pages, 1) / first->pages;

	*candidate = first->candidate;
	candidate->pages *= share;
	candidate->startup *= share;
	candidate->total *= share;
	candidate->rows = clamp_row_est(rel->rows *
									ssdpar_kept_of_filtered(&first->table,
															candidate));
	candidate->rows_each = clamp_row_est(candidate->rows /
										 candidate->processes);
}

bool
ssdpar_price_part(SsdparPartChoice *choice, SsdparLeaf *leaf,
				  SsdparPartScan *scan)
{
	PartKind	kind = kind_of(choice, leaf);
	PricedPart *first;

	if (choice->best->workers > 0 && kind.workers == 0)
		return false;
	first = find_kind(choice, &kind);
	if (first == NULL)
		first = price_first(choice, &kind, leaf);
	if (!first->found)
		return false;
	scan->pages = first->pages_read * Max(leaf->rel->pages, 1) / first->pages;
	take_price(first, leaf->rel, &scan->candidate);
	return true;
}
