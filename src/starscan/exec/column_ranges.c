/*
 * column_ranges.c
 *		Derives from a filter the smallest and the greatest integer that
 *		single columns can have.
 *
 * The filter itself is still evaluated for each remaining row.  So a condition
 * that is not understood here only costs time.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/stratnum.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "starscan/exec/column_ranges.h"

/* The comparison "column strategy value".  */
typedef struct Comparison
{
	AttrNumber	column;
	SsdparIntegerType integer;
	StrategyNumber strategy;
	bool		is_null;
	int64		value;
} Comparison;

/* A relabeled value has the same bytes.  */
static const Node *
strip_labels(const Node *node)
{
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return node;
}

/*
 * Is the node a column of the fact that is stored as this integer type?
 * Conditions use the fact's column numbers even if joined columns follow
 * (star_plan.h).
 */
static bool
is_column(const Node *node, TupleDesc row, SsdparIntegerType integer)
{
	const Var  *var = (const Var *) node;

	return IsA(node, Var) && var->varlevelsup == 0 && var->varattno > 0 &&
		var->varattno <= row->natts &&
		TupleDescAttr(row, var->varattno - 1)->atttypid == var->vartype &&
		TupleDescAttr(row, var->varattno - 1)->attlen ==
		ssdpar_integer_size(integer);
}

/*
 * Reads a parameter of the statement.
 *
 * This happens before any row is read, whereas the executor would read it
 * later or not at all.  Therefore the parameter is fetched speculatively, so
 * that one that cannot be read raises no error here.  Parameters that are set
 * by other nodes of the plan are left to the filter, because reading them
 * could run a subquery.
 */
static bool
find_parameter(const Param * param, ParamListInfo params, Datum *value,
			   bool *is_null)
{
	ParamExternData space;
	const		ParamExternData *found;

	if (param->paramkind != PARAM_EXTERN || params == NULL ||
		param->paramid <= 0 || param->paramid > params->numParams)
		return false;
	found = params->paramFetch != NULL ?
		params->paramFetch(params, param->paramid, true, &space) :
		&params->params[param->paramid - 1];
	if (found->ptype != param->paramtype)
		return false;
	*value = found->value;
	*is_null = found->isnull;
	return true;
}

static bool
find_value(const Node *node, ParamListInfo params, Datum *value, bool *is_null)
{
	if (IsA(node, Param))
		return find_parameter((const Param *) node, params, value, is_null);
	if (!IsA(node, Const))
		return false;
	*value = ((const Const *) node)->constvalue;
	*is_null = ((const Const *) node)->constisnull;
	return true;
}

/* Matches "column operator value" or its commuted form.  */
static bool
find_comparison(const Node *qual, TupleDesc row, ParamListInfo params,
				Comparison *comparison)
{
	const OpExpr *expression = (const OpExpr *) qual;
	const Node *column;
	const Node *other;
	SsdparIntegerType integers[2];
	int			side;
	Datum		value;

	if (!IsA(qual, OpExpr) || list_length(expression->args) != 2)
		return false;
	comparison->strategy = ssdpar_integer_strategy(expression->opno,
												   integers);
	if (comparison->strategy == InvalidStrategy)
		return false;
	column = strip_labels(linitial(expression->args));
	other = strip_labels(lsecond(expression->args));
	side = is_column(column, row, integers[0]) ? 0 : 1;
	if (side == 1)
	{
		const Node *swap = column;

		column = other;
		other = swap;
		comparison->strategy = BTCommuteStrategyNumber(comparison->strategy);
	}
	if (!is_column(column, row, integers[side]) ||
		!find_value(other, params, &value, &comparison->is_null))
		return false;
	comparison->column = ((const Var *) column)->varattno;
	comparison->integer = integers[side];
	comparison->value = comparison->is_null ? 0 :
		ssdpar_integer_value(integers[1 - side], value);
	return true;
}

/*
 * Sets the range of integers that satisfy the comparison; returns false if
 * there are none.  NULL is not less than, equal to, or greater than any value.
 */
static bool
bounds(const Comparison *comparison, int64 *least, int64 *greatest)
{
	int64		value = comparison->value;

	*least = PG_INT64_MIN;
	*greatest = PG_INT64_MAX;
	if (comparison->is_null)
		return false;
	switch (comparison->strategy)
	{
		case BTLessStrategyNumber:
			*greatest = value - (value > PG_INT64_MIN);
			return value > PG_INT64_MIN;
		case BTLessEqualStrategyNumber:
			*greatest = value;
			return true;
		case BTEqualStrategyNumber:
			*least = *greatest = value;
			return true;
		case BTGreaterEqualStrategyNumber:
			*least = value;
			return true;
		default:
			Assert(comparison->strategy == BTGreaterStrategyNumber);
			*least = value + (value < PG_INT64_MAX);
			return value < PG_INT64_MAX;
	}
}

static SsdparColumnRange *
range_of_column(List *ranges, const Comparison *comparison)
{
	ListCell   *lc;

	foreach(lc, ranges)
	{
		SsdparColumnRange *range = lfirst(lc);

		/* the same bytes may also be compared as another type */
		if (range->column == comparison->column &&
			range->integer == comparison->integer)
			return range;
	}
	return NULL;
}

static SsdparColumnRange *
whole_range(const Comparison *comparison)
{
	SsdparColumnRange *range = palloc0_object(SsdparColumnRange);

	range->column = comparison->column;
	range->integer = comparison->integer;
	range->least = PG_INT64_MIN;
	range->greatest = PG_INT64_MAX;
	return range;
}

/* Intersects the range with the comparison.  */
static void
narrow(SsdparColumnRange *range, const Comparison *comparison)
{
	int64		least;
	int64		greatest;

	if (!bounds(comparison, &least, &greatest))
		range->empty = true;
	range->least = Max(range->least, least);
	range->greatest = Min(range->greatest, greatest);
	if (range->least > range->greatest)
		range->empty = true;
}

List *
ssdpar_column_ranges(List *quals, TupleDesc row, ParamListInfo params)
{
	List	   *ranges = NIL;
	ListCell   *lc;

	foreach(lc, quals)
	{
		Comparison	comparison;
		SsdparColumnRange *range;

		if (!find_comparison(lfirst(lc), row, params, &comparison))
			continue;
		range = range_of_column(ranges, &comparison);
		if (range == NULL)
		{
			range = whole_range(&comparison);
			ranges = lappend(ranges, range);
		}
		narrow(range, &comparison);
	}
	return ranges;
}
