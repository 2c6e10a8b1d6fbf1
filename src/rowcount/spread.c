/*
 * spread.c
 *		Estimates how far the rows of a relation may deviate from their
 *		estimate.
 *
 * An estimate is a product of selectivities, each of which is wrong by some
 * factor.  The logarithms of the factors add up, so the error of the product
 * grows exponentially with the number of joins (Ioannidis and Christodoulakis,
 * On the Propagation of Errors in the Size of Join Results, 1991) and is
 * roughly lognormal.  We assume that the estimate is the median; then the mean
 * is exp(variance / 2) times the estimate.
 *
 * The variances come from errors observed in PostgreSQL's estimates: 16 % of
 * those for one join and 32 % of those for two were wrong by a factor of 10 or
 * more, and 5 % of those for filtered tables by 6 or more (Leis et al., How
 * Good Are Query Optimizers, Really?, 2015, sections 3.1 and 3.2).  A normally
 * distributed logarithm exceeds ln 10 in 16 % of cases if its variance is 2.7,
 * and in 32 % if it is 5.4, which is twice as much.
 *
 * loop_price.c uses the result.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/planner_compat.h"
#include "rowcount/spread.h"

/*
 * Variance of the logarithm of the error: of a join, and of a table's filters.
 */
#define JOIN_VARIANCE 2.7
#define FILTER_VARIANCE 0.85

/* Nothing was measured beyond this number of joins. */
#define MOST_VARIANCE (5.0 * JOIN_VARIANCE)

/* Share of an antijoin's input that may always be without a match. */
#define UNMATCHED_SHARE 0.05

/* The tables of a relation, without the outer joins that 16 put among them. */
static Relids
tables_of(PlannerInfo *root, const RelOptInfo *rel)
{
	Relids		tables = NULL;
	int			rti = -1;

	while ((rti = bms_next_member(rel->relids, rti)) >= 0)
		if (root->simple_rel_array[rti] != NULL)
			tables = bms_add_member(tables, rti);
	return tables;
}

/* Does it have one row at most, whatever the data? */
static bool
is_single_row(PlannerInfo *root, RelOptInfo *table)
{
	RangeTblEntry *rte = root->simple_rte_array[table->relid];
	Query	   *subquery;

	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return table->reloptkind == RELOPT_BASEREL &&
				ssdpar_is_unique_by_constants(root, table);
		case RTE_SUBQUERY:
			subquery = rte->subquery;
			return subquery->hasAggs && !subquery->hasTargetSRFs &&
				subquery->groupClause == NIL &&
				subquery->groupingSets == NIL;
		default:
			return rte->rtekind == RTE_RESULT;
	}
}

/*
 * Statistics directly answer one comparison with =.  Anything else is
 * interpolated, guessed, or multiplied as if columns were independent, and
 * relations other than tables have no statistics.
 */
static bool
is_estimate_sure(PlannerInfo *root, RelOptInfo *table)
{
	if (root->simple_rte_array[table->relid]->rtekind != RTE_RELATION)
		return false;
	if (list_length(table->baserestrictinfo) > 1)
		return false;
	return table->baserestrictinfo == NIL ||
		linitial_node(RestrictInfo,
					  table->baserestrictinfo)->mergeopfamilies != NIL;
}

double
ssdpar_join_spread(void)
{
	return exp(JOIN_VARIANCE / 2.0);
}

/*
 * The relation from which an antijoin removes rows, or NULL if core has not
 * made it.
 */
static RelOptInfo *
find_left_side(PlannerInfo *root, const RelOptInfo *rel,
			   const SpecialJoinInfo *anti)
{
	Relids		left = bms_difference(rel->relids, anti->min_righthand);
	int			rti;

	left = bms_del_member(left, ssdpar_outer_join_relid(anti));
	if (bms_get_singleton_member(left, &rti))
		return root->simple_rel_array[rti];
	return find_join_rel(root, left);
}

/*
 * An antijoin returns the rows without a match.  If each row is expected to
 * have one, the estimate is 0; but this is the difference of two large
 * numbers, so its error is a share of these.
 */
static double
anti_join_spread(PlannerInfo *root, RelOptInfo *rel)
{
	double		spread = 1.0;
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		const SpecialJoinInfo *anti = lfirst(lc);
		RelOptInfo *left;

		if (anti->jointype != JOIN_ANTI ||
			!bms_is_subset(anti->min_righthand, rel->relids) ||
			!bms_is_subset(anti->min_lefthand, rel->relids))
			continue;
		left = find_left_side(root, rel, anti);
		if (left != NULL && rel->rows > 0.0)
			spread = Max(spread, left->rows * UNMATCHED_SHARE / rel->rows);
	}
	return spread;
}

double
ssdpar_row_spread(PlannerInfo *root, RelOptInfo *rel)
{
	Relids		tables = tables_of(root, rel);
	bool		joined = false;
	double		variance = 0.0;
	int			rti = -1;

	while ((rti = bms_next_member(tables, rti)) >= 0)
	{
		RelOptInfo *table = root->simple_rel_array[rti];

		if (is_single_row(root, table))
			continue;
		if (joined)
			variance += JOIN_VARIANCE;
		if (!is_estimate_sure(root, table))
			variance += FILTER_VARIANCE;
		joined = true;
	}
	return Max(exp(Min(variance, MOST_VARIANCE) / 2.0),
			   anti_join_spread(root, rel));
}
