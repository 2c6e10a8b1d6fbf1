/*
 * refusal.c
 *		Texts of the reasons why a star query is not optimized.
 *
 * The texts complete "ssdpar Star Scan Not Used:" and "ssdpar Split Not Used:"
 * in EXPLAIN.  They are not translated, so that programs can parse EXPLAIN's
 * output everywhere.
 */
#include "postgres.h"

#include "star/refusal.h"

/*
 * Each reason needs a text; a missing one would be taken for SSDPAR_ACCEPTED.
 */
static const char *const texts[] = {
	[SSDPAR_ACCEPTED] = NULL,
	[SSDPAR_REFUSED_CHANGES_ROWS] =
		"the query changes rows",
	[SSDPAR_REFUSED_LOCKS_ROWS] =
		"the query locks rows",
	[SSDPAR_REFUSED_VOLATILE] =
		"a condition has a volatile function",
	[SSDPAR_REFUSED_SHORT] =
		"core is predicted to join the tables in a short time",
	[SSDPAR_REFUSED_OUTER_JOIN] =
		"an outer or anti join is between a table and its dimension",
	[SSDPAR_REFUSED_NO_PLAIN_KEY] =
		"a table is not joined by plain columns with a hashable operator",
	[SSDPAR_REFUSED_SECURITY_BARRIER] =
		"a security barrier must be checked before a join key",
	[SSDPAR_REFUSED_KEEPS_ALL] =
		"the dimensions keep nearly all rows of the fact",
	[SSDPAR_REFUSED_KIND] =
		"a dimension is neither a table nor a subquery",
	[SSDPAR_REFUSED_SAMPLED] =
		"a dimension is sampled",
	[SSDPAR_REFUSED_NOT_FIXED] =
		"a dimension is a sequence or a catalog",
	[SSDPAR_REFUSED_FOREIGN] =
		"a dimension is a foreign table",
	[SSDPAR_REFUSED_SUBQUERY] =
		"a dimension is a subquery that cannot be read twice",
	[SSDPAR_REFUSED_LATERAL_DIMENSION] =
		"a dimension is a lateral reference",
	[SSDPAR_REFUSED_NOT_ALONE] =
		"a dimension cannot be read separately",
	[SSDPAR_REFUSED_DIMENSION_VOLATILE] =
		"a dimension has a volatile function",
	[SSDPAR_REFUSED_CAN_RAISE] =
		"a dimension's filter can raise an error",
	[SSDPAR_REFUSED_SUBPLAN] =
		"a dimension is restricted by a subquery",
	[SSDPAR_REFUSED_UNKNOWN_PATH] =
		"a dimension is read in a way that may not repeat",
	[SSDPAR_REFUSED_NO_INDEX] =
		"no index leads from a dimension to the fact",
	[SSDPAR_REFUSED_NOT_PLAIN] =
		"the largest table is partitioned, foreign, sampled or no heap",
	[SSDPAR_REFUSED_SPECIAL_JOIN] =
		"the query has an outer, semi or anti join",
	[SSDPAR_REFUSED_LATERAL] =
		"the query has a lateral join",
	[SSDPAR_REFUSED_NOT_JOINED] =
		"a table is not joined by equality",
	[SSDPAR_REFUSED_NOT_PARALLEL] =
		"the query cannot run in parallel",
	[SSDPAR_REFUSED_FIXED_ORDER] =
		"the join order is partly fixed (join_collapse_limit, from_collapse_limit)",
	[SSDPAR_REFUSED_TOO_LITTLE] =
		"an index join reads too little to be worth splitting",
	[SSDPAR_REFUSED_ENDS_EARLY] =
		"a LIMIT or EXISTS may end the query before all is read",
	[SSDPAR_REFUSED_NO_LOOPS] =
		"nested loops are switched off (enable_nestloop)",
	[SSDPAR_REFUSED_SLOWER] =
		"another plan is predicted to take less time than a split index join",
};

StaticAssertDecl(lengthof(texts) == SSDPAR_REFUSALS, "a reason has no text");

const char *
ssdpar_refusal_text(SsdparRefusal refusal)
{
	Assert(refusal == SSDPAR_ACCEPTED || texts[refusal] != NULL);
	return texts[refusal];
}
