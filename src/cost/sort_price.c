/*
 * sort_price.c
 *		What a sort takes longer, or less, than core thinks.
 *
 * To core a comparison is two operators, whatever is compared.  Of numbers that
 * is five times too much, and half or a quarter of what text takes by the rules
 * of a language (row_work.c).
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/sortsupport.h"
#include "utils/typcache.h"

#include "base/grouping.h"
#include "cost/model.h"
#include "cost/row_work.h"
#include "cost/sort_price.h"

/* Of a row's first value, place and origin: core's SortTuple. */
#define SORT_TUPLE_BYTES 24

/* How core will compare values of that type: sort support says it. */
static SsdparCompare
comparison_of(Oid type, Oid collation)
{
	Oid			less = lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr;
	SortSupportData support = {0};

	/* whoever compares it without one gets an error, and we shall not */
	if (!OidIsValid(less) ||
		(type_is_collatable(type) && !OidIsValid(collation)))
		return SSDPAR_COMPARE_CALLED;
	support.ssup_cxt = CurrentMemoryContext;
	support.ssup_collation = collation;
	support.abbreviate = true;
	PrepareSortSupportFromOrderingOp(less, &support);
	if (support.abbrev_converter != NULL)
		return SSDPAR_COMPARE_ABBREVIATED;
	if (support.comparator == ssup_datum_int32_cmp ||
		support.comparator == ssup_datum_signed_cmp ||
		support.comparator == ssup_datum_unsigned_cmp)
		return SSDPAR_COMPARE_INLINE;
	return OidIsValid(collation) ? SSDPAR_COMPARE_LOCALE :
		SSDPAR_COMPARE_CALLED;
}

/* Bytes of a row in memory, with what is kept beside it and the allocator's. */
static double
sorted_bytes(const Path *rows)
{
	return SORT_TUPLE_BYTES + 2 * MAXIMUM_ALIGNOF +
		MAXALIGN(SizeofMinimalTupleHeader) +
		MAXALIGN(rows->pathtarget->width);
}

/* Core has counted log2(rows) comparisons a row, of two operators each. */
static Cost
core_comparisons(double rows)
{
	rows = Max(rows, 2.0);
	return 2.0 * cpu_operator_cost * rows * log2(rows);
}

Cost
ssdpar_sort_longer(PlannerInfo *root, const SsdparMachine *machine,
				   List *pathkeys, const Path *rows, double groups)
{
	const		PathKey *key = linitial(pathkeys);
	const		EquivalenceMember *first = linitial(key->pk_eclass->ec_members);
	bool		by_value = get_typbyval(first->em_datatype);
	SsdparSortWork work = {
		.operator_seconds = cpu_operator_cost * machine->seconds_per_cost_unit,
		.rows = rows->rows,
		.groups = groups,
		.bytes = Min(rows->rows * sorted_bytes(rows), work_mem * 1024.0),
		.compare = comparison_of(first->em_datatype,
								 key->pk_eclass->ec_collation),
		.more_columns = list_length(pathkeys) > 1,
		.only_value = by_value && list_length(rows->pathtarget->exprs) == 1,
	};

	work.by_reference = !by_value &&
		work.compare != SSDPAR_COMPARE_ABBREVIATED;
	work.first_groups = ssdpar_groups_by_one(root, first->em_expr, rows->rows);
	return ssdpar_model_units(machine, ssdpar_sort_seconds(machine, &work)) -
		core_comparisons(rows->rows);
}
