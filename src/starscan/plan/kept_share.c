/*
 * kept_share.c
 *		Fraction of a fact's rows that several dimensions together keep.
 *
 * Dimensions are rarely independent: a supplier's region correlates with the
 * customer's, a brand with the manufacturer.  If the combined fraction of some
 * of them was measured (rowcount/known_rows.h), it is used, starting with the
 * largest set.  The remaining fractions are multiplied, as core does.
 */
#include "postgres.h"

#include "port/pg_bitutils.h"

#include "base/compat.h"
#include "rowcount/known_rows.h"
#include "rowcount/posterior.h"
#include "starscan/plan/kept_share.h"

/*
 * Returns the dimensions covered, with all dimensions below them, by a
 * measurement, or 0 if it included others or only parts of these.
 */
static SsdparDimensionSet
dimensions_of(List *dimensions, const SsdparKnownShare *known)
{
	SsdparDimensionSet set = 0;
	Relids		covered = NULL;
	ListCell   *lc;

	foreach(lc, dimensions)
	{
		const SsdparDimension *dimension = lfirst(lc);

		if (!bms_is_subset(dimension->relids, known->dimensions))
			continue;
		set |= SSDPAR_DIMENSION_BIT(foreach_current_index(lc));
		covered = bms_add_members(covered, dimension->relids);
	}
	return bms_equal(covered, known->dimensions) ? set : 0;
}

/*
 * Inserts larger sets first; among equal ones the newer, which comes last,
 * first.
 */
static void
insert_measured(SsdparStarTable *table, SsdparMeasuredShare measured)
{
	int			size = pg_popcount32(measured.dimensions);
	int			place = table->nmeasured++;

	while (place > 0 &&
		   pg_popcount32(table->measured[place - 1].dimensions) <= size)
	{
		table->measured[place] = table->measured[place - 1];
		place--;
	}
	table->measured[place] = measured;
}

void
ssdpar_load_measured_shares(SsdparStarTable *table, List *dimensions)
{
	List	   *shares = ssdpar_all_known_shares(table->root);
	ListCell   *lc;

	table->nmeasured = 0;
	table->measured = palloc_array(SsdparMeasuredShare,
								   list_length(shares) + 1);
	foreach(lc, shares)
	{
		const SsdparKnownShare *known = lfirst(lc);
		SsdparMeasuredShare measured = {
			.dimensions = dimensions_of(dimensions, known),
			.share = known->share,
			.found = known->found,
			.exact = known->exact,
		};

		if (known->target == table->fact->relid && measured.dimensions != 0)
			insert_measured(table, measured);
	}
}

/* Assumes that they are independent. */
static double
multiplied(const SsdparStarTable *table, const SsdparEstimate *estimates,
		   SsdparDimensionSet dimensions)
{
	double		kept = 1.0;

	for (int i = 0; i < table->ndimensions; i++)
	{
		if ((dimensions & SSDPAR_DIMENSION_BIT(i)) != 0)
			kept *= estimates[i].dimension->selectivity;
	}
	return kept;
}

double
ssdpar_kept_share(const SsdparStarTable *table,
				  const SsdparEstimate *estimates,
				  SsdparDimensionSet dimensions, SsdparDimensionSet *measured)
{
	SsdparDimensionSet left = dimensions;
	double		kept = 1.0;

	for (int i = 0; i < table->nmeasured; i++)
	{
		const SsdparMeasuredShare *one = &table->measured[i];

		if ((one->dimensions & ~left) != 0)
			continue;
		kept *= one->exact ? one->share :
			Min(ssdpar_corrected(multiplied(table, estimates,
											one->dimensions),
								 SSDPAR_JOIN_WORTH, one->share,
								 one->found), 1.0);
		left &= ~one->dimensions;
	}
	if (measured != NULL)
		*measured = dimensions & ~left;
	return kept * multiplied(table, estimates, left);
}
