/*
 * search.c
 *		Chooses among the star scans of one table: the access method, the
 *		indexes and the dimensions.
 *
 * It starts with all dimensions.  For a bitmap it takes the best single index,
 * then the best one in addition, and so on as long as that pays off; a
 * dimension whose index is not used only tests rows.  Then dimensions that
 * cost more than they save are left out, the least selective first, and taken
 * back if they pay off without those left out after them.  Not every
 * combination is considered; the number of candidates seldom exceeds the cube
 * of the number of dimensions.
 *
 * A forced access (ssdpar.star_access) leaves no dimension out.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "optimizer/cost.h"
#include "optimizer/paths.h"

#include "base/compat.h"
#include "base/notes.h"
#include "base/settings.h"
#include "base/without.h"
#include "cost/parallel.h"
#include "star/refusal.h"
#include "star/row_subquery.h"
#include "starscan/plan/add_path.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/estimate.h"
#include "starscan/plan/path.h"
#include "starscan/plan/search.h"

/* Estimates all dimensions for one process; false if one cannot be read. */
static bool
estimate_all(const SsdparStarTable *table, List *dimensions,
			 SsdparEstimate *estimates)
{
	for (int i = 0; i < table->ndimensions; i++)
	{
		SsdparEstimate *estimate = &estimates[i];

		if (!ssdpar_estimate_dimension(table, list_nth(dimensions, i),
									   estimate))
			return false;
		if (estimate->index != NULL)
			estimate->index_cost = ssdpar_key_index_cost(table, estimate);
	}
	return true;
}

/* The same for several processes. */
static bool
estimate_all_for_workers(const SsdparStarTable *table,
						 const SsdparEstimate *alone, SsdparEstimate *shared)
{
	memcpy(shared, alone, table->ndimensions * sizeof(SsdparEstimate));
	for (int i = 0; i < table->ndimensions; i++)
	{
		if (!ssdpar_estimate_for_workers(table, &shared[i]))
			return false;
	}
	return true;
}

static void
evaluate(const SsdparStarTable *table, SsdparCandidate *candidate)
{
	ssdpar_count_workload(table, candidate);
	ssdpar_price_candidate(table, candidate);
	candidate->score += ssdpar_left_out_cost(table, candidate);
}

/*
 * Reads one more index, the best of the remaining ones, even if that does not
 * pay off; false if there is none.
 */
static bool
add_best_index(const SsdparStarTable *table, SsdparCandidate *candidate)
{
	SsdparDimensionSet left = candidate->dimensions & ~candidate->indexes;
	SsdparCandidate best = *candidate;
	bool		found = false;

	for (int i = 0; i < table->ndimensions; i++)
	{
		SsdparCandidate trial;

		if ((left & SSDPAR_DIMENSION_BIT(i)) == 0 ||
			candidate->estimates[i].index == NULL)
			continue;
		trial = *candidate;
		trial.indexes |= SSDPAR_DIMENSION_BIT(i);
		evaluate(table, &trial);
		if (!found || trial.score < best.score)
			best = trial;
		found = true;
	}
	if (found)
		*candidate = best;
	return found;
}

/*
 * Chooses the indexes for candidate's dimensions, and evaluates it.  Returns
 * false if a bitmap is wanted but no index is suitable.
 */
static bool
choose_indexes(const SsdparStarTable *table, SsdparCandidate *candidate)
{
	SsdparCandidate trial;

	candidate->indexes = 0;
	if (candidate->access != SSDPAR_STAR_BITMAP)
	{
		evaluate(table, candidate);
		return true;
	}
	trial = *candidate;
	while (add_best_index(table, &trial))
	{
		if (candidate->indexes != 0 && trial.score >= candidate->score)
			break;
		*candidate = trial;
	}
	return candidate->indexes != 0;
}

/*
 * Leaves the dimension out if it is not the last one and costs more than it
 * saves.
 */
static void
leave_out(const SsdparStarTable *table, SsdparCandidate *best, int dimension)
{
	SsdparDimensionSet left = best->dimensions &
		~SSDPAR_DIMENSION_BIT(dimension);
	SsdparCandidate without = *best;
	SsdparLeftOut *entry;

	if (left == 0 || (table->kept & SSDPAR_DIMENSION_BIT(dimension)) != 0)
		return;
	without.dimensions = left;
	if (!choose_indexes(table, &without) || without.score >= best->score)
		return;
	entry = &best->left_out[without.nleft_out++];
	entry->dimension = best->estimates[dimension].dimension->rel->relid;
	entry->cost = best->total;
	entry->chosen_cost = without.total;
	*best = without;
}

/* Removes a dimension from those left out. */
static void
forget_left_out(SsdparCandidate *candidate, Index relid)
{
	int			left = 0;

	for (int i = 0; i < candidate->nleft_out; i++)
	{
		if (candidate->left_out[i].dimension != relid)
			candidate->left_out[left++] = candidate->left_out[i];
	}
	candidate->nleft_out = left;
}

/*
 * Takes back the dimension that now saves most.  It may have saved nothing
 * while another one was present that keeps few rows and was left out later.
 */
static bool
take_back_best(const SsdparStarTable *table, SsdparCandidate *best)
{
	SsdparCandidate chosen = *best;
	Index		relid = 0;

	if (best->nleft_out < 2)
		return false;
	for (int i = 0; i < table->ndimensions; i++)
	{
		SsdparCandidate with = *best;

		if ((best->dimensions & SSDPAR_DIMENSION_BIT(i)) != 0)
			continue;
		with.dimensions |= SSDPAR_DIMENSION_BIT(i);
		if (!choose_indexes(table, &with) || with.score >= chosen.score)
			continue;
		chosen = with;
		relid = best->estimates[i].dimension->rel->relid;
	}
	if (relid == 0)
		return false;
	*best = chosen;
	forget_left_out(best, relid);
	return true;
}

/*
 * In one of core's nested loops, rows arrive in the order of a dimension's
 * keys, so a subquery that depends on the same column reads what it has just
 * read.  In a star scan they arrive in the order of the table, so it must have
 * far fewer rows to be a certain gain.
 */
#define LATE_SHARE 0.5

static bool
loses_order(const SsdparStarTable *table, const SsdparCandidate *candidate)
{
	RelOptInfo *rel = table->rel;
	Bitmapset  *columns;

	if (table->late_filter == NIL)
		return false;
	columns = ssdpar_subquery_columns((Node *) table->late_filter,
									  table->fact->relid);
	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];
		const SsdparDimension *dimension = estimate->dimension;
		double		loop_rows = rel->rows / table->late_kept *
			dimension->selectivity;
		Var		   *var;

		if (estimate->index == NULL || dimension->in_filter)
			continue;
		var = list_nth(dimension->target_vars, estimate->index_column);
		if (candidate->rows_late > loop_rows * LATE_SHARE &&
			bms_is_member(var->varattno - FirstLowInvalidHeapAttributeNumber,
						  columns))
			return true;
	}
	return false;
}

/*
 * Finds the best candidate for this access, in best; the caller has set the
 * number of processes and the estimates for them.  Returns false if there is
 * none, or nothing to compare it with.
 */
static bool
choose_dimensions(const SsdparStarTable *table, SsdparStarAccess access,
				  SsdparCandidate *best)
{
	best->access = access;
	best->processes = ssdpar_parallel_divisor(best->workers);
	best->dimensions = SSDPAR_DIMENSION_BIT(table->ndimensions) - 1;
	best->left_out = palloc_array(SsdparLeftOut, table->ndimensions);
	best->nleft_out = 0;
	if (!choose_indexes(table, best))
		return false;
	if (ssdpar_star_access != SSDPAR_STAR_AUTO)
		return true;
	if (!table->modelled)
		return false;
	for (int i = table->ndimensions - 1; i >= 0; i--)
		leave_out(table, best, i);
	while (take_back_best(table, best))
		;
	return !loses_order(table, best);
}

int
ssdpar_star_workers(RelOptInfo *rel)
{
	return rel->consider_parallel && ssdpar_subqueries != 1 ?
		compute_parallel_worker(rel, rel->pages, -1,
								max_parallel_workers_per_gather) : 0;
}

/*
 * Adds the best candidate for each access, all serial or all parallel, as
 * paths, except one that the next would remove again (add_path.c).
 */
static void
add_candidates(const SsdparStarTable *table,
			   const SsdparCandidate *candidates, int n)
{
	RelOptInfo *rel = table->rel;

	for (int i = 0; i < n; i++)
	{
		const SsdparCandidate *candidate = &candidates[i];
		Path	   *path;

		if (i < n - 1 && !rel->consider_startup &&
			candidate->score >= candidates[i + 1].score)
			continue;
		path = ssdpar_make_star_path(table, candidate);
		if (candidate->workers > 0)
			ssdpar_add_partial_path(rel, path);
		else
			ssdpar_add_path(rel, path);
	}
}

/*
 * Each access is tried in one process, and in as many as core uses for a scan
 * of the whole table: however few pages the star scan reads, the joins and
 * aggregates above can be parallel only if it is.  The work that one process
 * does before the others can begin is priced accordingly (cost.c), so a scan
 * that does not benefit from workers loses.
 */
static void
choose_accesses(const SsdparStarTable *table, int workers,
				SsdparStarChoice *choice)
{
	for (SsdparStarAccess access = SSDPAR_STAR_BITMAP;
		 access <= SSDPAR_STAR_SEQUENTIAL; access++)
	{
		SsdparCandidate *one = &choice->serial[choice->nserial];
		SsdparCandidate *several = &choice->parallel[choice->nparallel];

		if (ssdpar_star_access != SSDPAR_STAR_AUTO &&
			ssdpar_star_access != (int) access)
			continue;
		if (access == SSDPAR_STAR_BITMAP ?
			ssdpar_without(SSDPAR_STAR_BY_BITMAP) :
			ssdpar_without(SSDPAR_STAR_IN_SEQUENCE))
			continue;
		one->workers = 0;
		one->estimates = choice->alone;
		if (!choose_dimensions(table, access, one))
			continue;
		choice->nserial++;
		several->workers = workers;
		several->estimates = choice->shared;
		if (workers > 0 && choose_dimensions(table, access, several))
			choice->nparallel++;
	}
}

/* Is the bitmap more expensive, in one process or in several? */
static bool
all_is_cheaper(const SsdparCandidate *candidates, int n)
{
	return n == 2 && candidates[1].score < candidates[0].score;
}

/*
 * A bitmap is cheaper if rows of a key are located together.  Finding that out
 * takes time, too, so it is done only if it can change the choice.
 */
static void
choose_accesses_by_looks(const SsdparStarTable *table, int workers,
						 SsdparStarChoice *choice)
{
	choose_accesses(table, workers, choice);
	if (!all_is_cheaper(choice->serial, choice->nserial) &&
		!all_is_cheaper(choice->parallel, choice->nparallel))
		return;
	if (!ssdpar_estimate_together(table, choice->alone))
		return;
	for (int i = 0; i < table->ndimensions; i++)
		choice->shared[i].together = choice->alone[i].together;
	choice->nserial = 0;
	choice->nparallel = 0;
	choose_accesses(table, workers, choice);
}

/* Reduces the cost of what all partitions read once to this one's share. */
static void
share_children(int ndimensions, SsdparEstimate *estimates, double share)
{
	for (int i = 0; i < ndimensions; i++)
	{
		estimates[i].children_cost *= share;
		estimates[i].children_cpu *= share;
		estimates[i].key_rows *= share;
		estimates[i].more_scans *= share;
	}
}

bool
ssdpar_choose_star_scans(SsdparStarTable *table, List *dimensions,
						 double share, SsdparStarChoice *choice)
{
	int			workers = ssdpar_star_workers(table->rel);

	choice->nserial = 0;
	choice->nparallel = 0;
	table->oid = table->root->simple_rte_array[table->rel->relid]->relid;
	table->ndimensions = list_length(dimensions);
	ssdpar_load_prices(table);
	ssdpar_load_late_filter(table);
	if (!estimate_all(table, dimensions, choice->alone))
		return false;
	if (workers > 0 &&
		!estimate_all_for_workers(table, choice->alone, choice->shared))
		workers = 0;
	share_children(table->ndimensions, choice->alone, share);
	if (workers > 0)
		share_children(table->ndimensions, choice->shared, share);
	choose_accesses_by_looks(table, workers, choice);
	if (choice->nserial == 0 && ssdpar_star_access == SSDPAR_STAR_BITMAP)
		ssdpar_note_star_refused(ssdpar_refusal_text(SSDPAR_REFUSED_NO_INDEX));
	return choice->nserial > 0;
}

bool
ssdpar_add_star_scans(PlannerInfo *root, RelOptInfo *fact, List *dimensions)
{
	SsdparStarTable table = {.root = root, .fact = fact, .rel = fact};
	SsdparStarChoice choice;

	if (!ssdpar_choose_star_scans(&table, dimensions, 1.0, &choice))
		return false;
	add_candidates(&table, choice.serial, choice.nserial);
	add_candidates(&table, choice.parallel, choice.nparallel);
	return true;
}
