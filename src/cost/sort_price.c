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
#include "optimizer/pathnode.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/sortsupport.h"
#include "utils/typcache.h"

#include "base/grouping.h"
#include "cost/model.h"
#include "cost/row_work.h"
#include "cost/shared_processors.h"
#include "cost/sort_price.h"

/* Of a row's first value, place and origin: core's SortTuple. */
#define SORT_TUPLE_BYTES 24

/*
 * How core will compare values of that type: sort support says it.  For text
 * it takes kilobytes, and is asked for each pair of relations that may be
 * merged.
 */
static SsdparCompare
comparison_of(Oid type, Oid collation)
{
	Oid			less = lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr;
	SortSupportData support = {0};
	MemoryContext outer;

	/* whoever compares it without one gets an error, and we shall not */
	if (!OidIsValid(less) ||
		(type_is_collatable(type) && !OidIsValid(collation)))
		return SSDPAR_COMPARE_CALLED;
	support.ssup_cxt = AllocSetContextCreate(CurrentMemoryContext,
											 "ssdpar sort support",
											 ALLOCSET_DEFAULT_SIZES);
	support.ssup_collation = collation;
	support.abbreviate = true;
	outer = MemoryContextSwitchTo(support.ssup_cxt);
	PrepareSortSupportFromOrderingOp(less, &support);
	MemoryContextSwitchTo(outer);
	MemoryContextDelete(support.ssup_cxt);
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

/*
 * How many of the rows are kept in a heap, if no more than limit are wanted:
 * that many if they fit into memory, and are few beside the rows or these do
 * not fit.  0: all rows are sorted.  As in core's cost_tuplesort().
 */
static double
kept_rows(const Path *rows, double limit)
{
	double		memory = work_mem * 1024.0;
	double		bytes = MAXALIGN(rows->pathtarget->width) +
		MAXALIGN(SizeofHeapTupleHeader);

	return limit > 0.0 && limit < rows->rows && limit * bytes <= memory &&
		(rows->rows > 2.0 * limit || rows->rows * bytes > memory) ?
		limit : 0.0;
}

/*
 * Core has counted log2(rows) comparisons a row, of two operators each, and
 * log2(2 * kept) if it keeps some.
 */
static Cost
core_comparisons(double rows, double kept)
{
	rows = Max(rows, 2.0);
	return 2.0 * cpu_operator_cost * rows *
		log2(kept > 0.0 ? 2.0 * kept : rows);
}

/* What is equal is one key, of which rel's rows have a member or a few. */
static const EquivalenceMember *
sorted_by(const PathKey * key, const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, key->pk_eclass->ec_members)
	{
		const		EquivalenceMember *member = lfirst(lc);

		if (!bms_is_empty(member->em_relids) &&
			bms_is_subset(member->em_relids, rel->relids))
			return member;
	}
	return linitial(key->pk_eclass->ec_members);
}

/* Columns of UNION and its like have no table that says what is in them. */
static double
groups_by(PlannerInfo *root, List *exprs, double rows)
{
	return bms_is_member(0, pull_varnos(root, (Node *) exprs)) ? rows :
		ssdpar_groups_by(root, exprs, rows);
}

static double
sorted_groups(PlannerInfo *root, List *pathkeys, const Path *rows)
{
	List	   *exprs = NIL;
	ListCell   *lc;

	foreach(lc, pathkeys)
		exprs = lappend(exprs, sorted_by(lfirst(lc), rows->parent)->em_expr);
	return groups_by(root, exprs, rows->rows);
}

/* All but what the groups are: as if all rows were the same. */
static SsdparSortWork
sort_work(const SsdparMachine *machine, List *pathkeys, const Path *rows,
		  double limit)
{
	const		PathKey *key = linitial(pathkeys);
	const		EquivalenceMember *first = sorted_by(key, rows->parent);
	bool		by_value = get_typbyval(first->em_datatype);
	double		kept = kept_rows(rows, limit);
	SsdparSortWork work = {
		.operator_seconds = cpu_operator_cost * machine->seconds_per_cost_unit,
		.rows = rows->rows,
		.groups = 1.0,
		.first_groups = 1.0,
		.kept = kept,
		.compare = comparison_of(first->em_datatype,
								 key->pk_eclass->ec_collation),
		.more_columns = list_length(pathkeys) > 1,
		.only_value = by_value && list_length(rows->pathtarget->exprs) == 1,
	};

	work.bytes = Min((kept > 0.0 ? kept : rows->rows) * sorted_bytes(rows),
					 work_mem * 1024.0);
	work.by_reference = !by_value &&
		work.compare != SSDPAR_COMPARE_ABBREVIATED;
	return work;
}

/* In place of core's comparisons. */
static Cost
comparisons_longer(PlannerInfo *root, const SsdparMachine *machine,
				   SsdparSortWork *work, List *pathkeys, const Path *rows,
				   double groups)
{
	const		EquivalenceMember *first = sorted_by(linitial(pathkeys),
													 rows->parent);

	work->groups = groups;
	work->first_groups = work->more_columns ?
		groups_by(root, list_make1(first->em_expr), rows->rows) : groups;
	return ssdpar_model_units(machine, ssdpar_sort_seconds(machine, work)) -
		core_comparisons(rows->rows, work->kept);
}

/* What core would have it cost: it may have our price already. */
Cost
ssdpar_sort_longer(PlannerInfo *root, const SsdparMachine *machine,
				   const SortPath * sort, double groups)
{
	List	   *pathkeys = sort->path.pathkeys;
	const Path *by_core = (const Path *)
		create_sort_path(root, sort->path.parent, sort->subpath, pathkeys,
						 -1.0);
	SsdparSortWork work = sort_work(machine, pathkeys, sort->subpath, -1.0);

	return by_core->total_cost - sort->path.total_cost +
		comparisons_longer(root, machine, &work, pathkeys, sort->subpath,
						   groups);
}

/* Does it take longer than that, however few groups the rows make? */
static bool
takes_longer(const SsdparMachine *machine, const SsdparSortWork *work,
			 const Path *rows, Cost most)
{
	return rows->total_cost +
		ssdpar_model_units(machine, ssdpar_sort_seconds(machine, work)) > most;
}

Path *
ssdpar_create_sort(PlannerInfo *root, const SsdparModel *model,
				   RelOptInfo *rel, Path *rows, List *pathkeys, double limit,
				   Cost most, Cost *longer)
{
	const SsdparMachine *machine = model->machine;
	SsdparSortWork work = sort_work(machine, pathkeys, rows, limit);
	bool		by_number = work.compare == SSDPAR_COMPARE_INLINE;
	Path	   *sort;
	Cost		price;

	if (by_number && takes_longer(machine, &work, rows, most))
		return NULL;
	sort = (Path *) create_sort_path(root, rel, rows, pathkeys, limit);
	price = sort->total_cost - rows->total_cost;
	*longer = comparisons_longer(root, machine, &work, pathkeys, rows,
								 sorted_groups(root, pathkeys, rows));
	*longer += (price + *longer) *
		ssdpar_shared_slowdown(model, rows->parallel_workers);
	sort->startup_cost += *longer;
	sort->total_cost += *longer;
	return by_number && sort->startup_cost > most ? NULL : sort;
}
