/*
 * measure_keys.c
 *		Measures the distinct values of what a query level joins by.
 *
 * Row counts of joins are measured themselves, but not all that core reckons
 * rests on these.  How many rows a lookup of one key finds in an index is the
 * table's rows by the distinct values of the column, in every plan with that
 * index; so is the number of rows that are left when duplicates are dropped
 * before a semi join, of lookups that Memoize saves, and of rows in a hash
 * bucket.  A column of which ANALYZE has seen a tenth of the values makes each
 * lookup look ten times as dear as it is.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_am_d.h"
#include "commands/vacuum.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "base/without.h"
#include "join_search/distinct_columns.h"
#include "join_search/measure_keys.h"
#include "star/access.h"
#include "sample/distinct_values.h"

/* Columns of a level, those of the largest tables, with most values. */
#define MOST_COLUMNS 2

/*
 * Rows that ANALYZE looks at for each unit of its target.  Of a large table
 * that is about one of each page, so that equal rows which lie together make at
 * most half of them look like more of the same.
 */
#define ANALYZED_ROWS 300.0
#define MOST_ALIKE 0.5

/* Of what measuring is worth to the level, at most. */
#define SHARE_OF_BUDGET 0.4

/* A column, by the equality that these families of operators have for it. */
static List *
add_key(PlannerInfo *root, List *columns, Node *expr, List *families,
		Oid type)
{
	Oid			equal = get_opfamily_member(linitial_oid(families), type, type,
											BTEqualStrategyNumber);

	if (!OidIsValid(equal))
		return columns;
	return ssdpar_add_distinct_column(root, columns, expr, equal, 0.0);
}

/* What inner and semi joins compare. */
static List *
add_class(PlannerInfo *root, List *columns, const EquivalenceClass * class)
{
	ListCell   *lc;

	if (class->ec_has_const || class->ec_has_volatile ||
		bms_membership(class->ec_relids) != BMS_MULTIPLE)
		return columns;
	foreach(lc, class->ec_members)
	{
		EquivalenceMember *member = lfirst(lc);

		if (!member->em_is_const && !member->em_is_child)
			columns = add_key(root, columns, (Node *) member->em_expr,
							  class->ec_opfamilies, member->em_datatype);
	}
	return columns;
}

/* What outer and anti joins compare: of one table, each clause once. */
static List *
add_joininfo(PlannerInfo *root, List *columns, const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->joininfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);
		Node	   *side;

		if (clause->mergeopfamilies == NIL)
			continue;
		side = bms_equal(clause->left_relids, rel->relids) ?
			get_leftop(clause->clause) : get_rightop(clause->clause);
		columns = add_key(root, columns, side, clause->mergeopfamilies,
						  exprType(side));
	}
	return columns;
}

/* There is no other way to measure them, nor to look one up. */
static bool
has_btree(const SsdparDistinctColumn *column)
{
	ListCell   *lc;

	foreach(lc, column->rel->indexlist)
	{
		const IndexOptInfo *index = lfirst(lc);

		if (index->relam == BTREE_AM_OID && index->indpred == NIL &&
			index->indexkeys[0] == column->var->varattno)
			return true;
	}
	return false;
}

/* Has ANALYZE seen too few of the values to be sure of their number? */
static bool
may_be_wrong(const SsdparDistinctColumn *column)
{
	return column->assumed >
		default_statistics_target * ANALYZED_ROWS * MOST_ALIKE;
}

/* Columns of large tables first; of one table, that with most values. */
static int
compare_columns(const ListCell *a, const ListCell *b)
{
	const SsdparDistinctColumn *one = lfirst(a);
	const SsdparDistinctColumn *other = lfirst(b);

	if (one->rel->pages != other->rel->pages)
		return one->rel->pages < other->rel->pages ? 1 : -1;
	return (one->assumed < other->assumed) - (one->assumed > other->assumed);
}

static List *
find_columns(PlannerInfo *root, List *rels)
{
	List	   *columns = NIL;
	ListCell   *lc;

	foreach(lc, root->eq_classes)
		columns = add_class(root, columns, lfirst(lc));
	foreach(lc, rels)
		columns = add_joininfo(root, columns, lfirst(lc));
	foreach(lc, columns)
	{
		if (!has_btree(lfirst(lc)) || !may_be_wrong(lfirst(lc)))
			columns = foreach_delete_current(columns, lc);
	}
	list_sort(columns, compare_columns);
	return list_truncate(columns, MOST_COLUMNS);
}

double
ssdpar_measure_keys(PlannerInfo *root, List *rels, double budget_seconds)
{
	double		share = budget_seconds * SHARE_OF_BUDGET;

	if (!ssdpar_without(SSDPAR_GROUP_ROWS) && ssdpar_sample_possible(root))
		budget_seconds -= ssdpar_measure_columns(root,
												 find_columns(root, rels),
												 share);
	return Max(budget_seconds, 0.0);
}
