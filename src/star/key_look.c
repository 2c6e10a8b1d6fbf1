/*
 * key_look.c
 *		Estimates the share of a target that a dimension keeps, by reading some
 *		of the dimension's rows while planning.
 *
 * Statistics tell how many rows of a dimension pass its filter, but not which.
 * If the target has only some of the dimension's keys, or has some keys far
 * more often than others, the share that is kept depends on which keys pass.
 * Statistics do describe the distribution of the target's keys: its most common
 * keys, and the histogram bounds with equally many of the other rows between
 * them.  So before joins are planned, the dimension's filter is evaluated
 *
 *		- for all of its rows, if that costs little compared with the target's
 *		  scan.  This gives the common keys that pass and, between each two
 *		  bounds, the share of the keys that passes;
 *
 *		- or else for some keys, by an index: the common keys, the bounds, and
 *		  keys that lie evenly between them;
 *
 *		- or else, by an index, for as many of the most common keys as the
 *		  budget allows.  The filter's selectivity is assumed for the others.
 *
 * The target's keys are assumed to be keys of the dimension, as far as the
 * dimension has that many.  This works for integers and for types that are
 * stored as one, such as dates.
 *
 * Because a filter may be slow, a look has a time limit.  It uses the query's
 * snapshot and reads only what the query's user may read (star/access.c).
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relscan.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_statistic.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "portability/instr_time.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/snapmgr.h"
#include "utils/spccache.h"

#include "base/attempt.h"
#include "base/compat.h"
#include "base/notes.h"
#include "keys/key_code.h"
#include "star/access.h"
#include "star/key_look.h"
#include "star/unique_key.h"

/* Maximum number of keys to look up from one bound to the next.  */
#define MOST_POINTS 8

/* Time limit of a look, in milliseconds. */
#define MOST_MILLISECONDS 200.0

/* Share of the cost of reading pages now that the query does not save later. */
#define READ_AGAIN 0.5

/* CPU cost of looking up a key, in units of cpu_tuple_cost.  */
#define LOOKUP_TUPLES 50.0

/*
 * A common key is worth a lookup alone if it has this many times the rows of
 * an average key.
 */
#define FREQUENT 10.0

/*
 * Least share to assume.  The sample of ANALYZE misses rows added since and
 * keys that are too rare.
 */
#define LEAST_KEPT 1e-5

/* One of the target's most common keys. */
typedef struct CommonKey
{
	int64		key;
	double		share;			/* of the target's rows */
	bool		passes;
} CommonKey;

/* Keys from one of the target's histogram bounds to before the next.  */
typedef struct Bin
{
	int64		low;
	int64		next;
	double		share;			/* of the rows whose key is no common one */
	double		keys;			/* of the dimension, without common ones */
	double		passing;		/* of these */
} Bin;

typedef struct Look
{
	PlannerInfo *root;
	RelOptInfo *rel;
	Var		   *key;
	Oid			index_oid;		/* InvalidOid: read all of it */
	Oid			opfamily;
	int			points;			/* keys asked for in a bin */
	SsdparIntegerType type;		/* of key */

	CommonKey  *common;			/* in order */
	int			ncommon;
	double		common_share;	/* of the target's rows, of all of them */
	double		nulls;
	double		distinct;		/* of the target's keys; 0: not known */
	Bin		   *bins;			/* in order */
	int			nbins;
	double		others_pass;	/* assumed share of passing keys that are in
								 * no bin and not common */

	Snapshot	snapshot;
	TupleTableSlot *slot;
	ExprContext *expressions;
	ExprState  *filter;			/* NULL: none */
	instr_time	begun;
	bool		too_long;		/* it took the time that there is */
	double		passing;		/* rows */
	double		bounds_asked;	/* where the dimension has keys */
	double		bounds_found;	/* of these */
} Look;

static int
compare_common(const void *a, const void *b)
{
	int64		left = ((const CommonKey *) a)->key;
	int64		right = ((const CommonKey *) b)->key;

	return left < right ? -1 : left > right ? 1 : 0;
}

/* The greatest share first.  */
static int
compare_shares(const void *a, const void *b)
{
	double		left = ((const CommonKey *) a)->share;
	double		right = ((const CommonKey *) b)->share;

	return left > right ? -1 : left < right ? 1 : 0;
}

static int
compare_with_bin(const void *key, const void *bin)
{
	int64		value = *(const int64 *) key;

	return value < ((const Bin *) bin)->low ? -1 :
		value >= ((const Bin *) bin)->next ? 1 : 0;
}

static void
load_common(Look *look, const VariableStatData *target)
{
	SsdparIntegerType type = ssdpar_integer_type(target->vartype);
	AttStatsSlot slot;

	if (!get_attstatsslot(&slot, target->statsTuple, STATISTIC_KIND_MCV,
						  InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return;
	look->common = palloc_array(CommonKey, slot.nvalues);
	look->ncommon = Min(slot.nvalues, slot.nnumbers);
	for (int i = 0; i < look->ncommon; i++)
	{
		look->common[i].key = ssdpar_integer_value(type, slot.values[i]);
		look->common[i].share = slot.numbers[i];
		look->common[i].passes = false;
		look->common_share += slot.numbers[i];
	}
	qsort(look->common, look->ncommon, sizeof(CommonKey), compare_common);
	free_attstatsslot(&slot);
}

/* Equal bounds are one key, which has the rows of all of these bins.  */
static void
load_bins(Look *look, const VariableStatData *target)
{
	SsdparIntegerType type = ssdpar_integer_type(target->vartype);
	AttStatsSlot slot;

	if (!get_attstatsslot(&slot, target->statsTuple, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return;
	look->bins = palloc0_array(Bin, slot.nvalues);
	for (int i = 0; i < slot.nvalues - 1; i++)
	{
		int64		low = ssdpar_integer_value(type, slot.values[i]);
		int64		high = ssdpar_integer_value(type, slot.values[i + 1]);

		if (look->nbins == 0 || look->bins[look->nbins - 1].low != low)
			look->bins[look->nbins++].low = low;
		look->bins[look->nbins - 1].next = high;
		look->bins[look->nbins - 1].share += 1.0 / (slot.nvalues - 1);
	}
	/* the last bound is in the last one */
	if (look->nbins > 0 &&
		look->bins[look->nbins - 1].next < PG_INT64_MAX)
		look->bins[look->nbins - 1].next++;
	free_attstatsslot(&slot);
}

/* Returns false if statistics do not describe the target's distribution.  */
static bool
load_target(Look *look, Var *target_var)
{
	VariableStatData target;
	bool		guessed;
	bool		known;

	examine_variable(look->root, (Node *) target_var, 0, &target);
	known = HeapTupleIsValid(target.statsTuple) &&
		ssdpar_integer_type(target.vartype) != SSDPAR_NOT_INTEGER;
	if (known)
	{
		look->nulls = ((Form_pg_statistic)
					   GETSTRUCT(target.statsTuple))->stanullfrac;
		look->distinct = get_variable_numdistinct(&target, &guessed);
		if (guessed)
			look->distinct = 0;
		load_common(look, &target);
		load_bins(look, &target);
	}
	ReleaseVariableStats(target);
	return known && (look->ncommon > 0 || look->nbins > 0);
}

/* Can all of the dimension's filter be evaluated now? */
static bool
can_filter(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (!clause->pseudoconstant &&
			!ssdpar_look_can_evaluate(root, (Node *) clause->clause))
			return false;
	}
	return true;
}

/* The plan will read most of the dimension again and find it in memory.  */
static Cost
cost_of_all(RelOptInfo *rel)
{
	double		page;

	get_tablespace_page_costs(rel->reltablespace, NULL, &page);
	return rel->pages * page * READ_AGAIN + rel->tuples *
		(cpu_tuple_cost + rel->baserestrictcost.per_tuple);
}

static Cost
cost_of_lookups(const Look *look, const IndexOptInfo *index, int points)
{
	double		keys = look->ncommon + (double) look->nbins * points;
	double		page;

	get_tablespace_page_costs(look->rel->reltablespace, &page, NULL);
	return (Min(keys, look->rel->pages) + Min(keys, index->pages)) * page +
		keys * LOOKUP_TUPLES * cpu_tuple_cost;
}

/*
 * Reduces the look to the n most common keys.  The array of these is in order
 * of their share.  Of all others the filter's selectivity is assumed.
 */
static void
keep_common(Look *look, int n)
{
	look->ncommon = n;
	look->common_share = 0;
	for (int i = 0; i < n; i++)
		look->common_share += look->common[i].share;
	look->nbins = 0;
	look->others_pass = look->rel->rows / Max(look->rel->tuples, 1.0);
}

/* Keeps the frequent keys that the budget allows; false if there are none.  */
static bool
keep_frequent_keys(Look *look, Cost *budget)
{
	double		average = look->distinct > 0 ? 1.0 / look->distinct : 0.0;
	double		page;
	Cost		each;
	int			n = 0;

	get_tablespace_page_costs(look->rel->reltablespace, &page, NULL);
	each = 2.0 * page + LOOKUP_TUPLES * cpu_tuple_cost;
	qsort(look->common, look->ncommon, sizeof(CommonKey), compare_shares);
	while (n < look->ncommon && *budget >= each &&
		   look->common[n].share > FREQUENT * average)
	{
		*budget -= each;
		n++;
	}
	keep_common(look, n);
	return n > 0;
}

/* Chooses how to look; returns false if the budget is too small.  */
static bool
choose_access(Look *look, const IndexOptInfo *index, Cost *budget)
{
	Cost		cost = cost_of_all(look->rel);

	if (cost <= *budget)
	{
		*budget -= cost;
		return true;
	}
	if (index == NULL)
		return false;
	look->index_oid = index->indexoid;
	look->opfamily = index->opfamily[0];
	for (look->points = MOST_POINTS; look->points > 0; look->points /= 2)
	{
		cost = cost_of_lookups(look, index, look->points);
		if (cost > *budget)
			continue;
		*budget -= cost;
		return true;
	}
	return keep_frequent_keys(look, budget);
}

/*
 * Has the look reached its time limit?  Checked after each row, because the
 * duration of the filter is not known.
 */
static bool
is_too_long(Look *look)
{
	instr_time	now;

	CHECK_FOR_INTERRUPTS();
	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, look->begun);
	look->too_long = INSTR_TIME_GET_MILLISEC(now) > MOST_MILLISECONDS;
	return look->too_long;
}

static bool
passes_filter(Look *look)
{
	bool		passes;

	if (look->filter == NULL)
		return true;
	look->expressions->ecxt_scantuple = look->slot;
	passes = ExecQual(look->filter, look->expressions);
	ResetExprContext(look->expressions);
	return passes;
}

/* Returns false if the key is NULL.  */
static bool
key_of_row(const Look *look, int64 *key)
{
	bool		null;
	Datum		value = slot_getattr(look->slot, look->key->varattno, &null);

	if (!null)
		*key = ssdpar_integer_value(look->type, value);
	return !null;
}

static CommonKey *
find_common(const Look *look, int64 key)
{
	CommonKey	wanted = {.key = key};

	return look->ncommon == 0 ? NULL :
		bsearch(&wanted, look->common, look->ncommon, sizeof(CommonKey),
				compare_common);
}

static void
count_row(Look *look, int64 key, bool passes)
{
	CommonKey  *common = find_common(look, key);
	Bin		   *bin;

	if (common != NULL)
	{
		common->passes |= passes;
		return;
	}
	bin = look->nbins == 0 ? NULL :
		bsearch(&key, look->bins, look->nbins, sizeof(Bin), compare_with_bin);
	if (bin == NULL)
		return;
	bin->keys += 1.0;
	bin->passing += passes ? 1.0 : 0.0;
}

static void
read_all(Look *look, Relation heap)
{
	TableScanDesc scan = table_beginscan_strat(heap, look->snapshot, 0, NULL,
											   true, false);

	while (!is_too_long(look) &&
		   table_scan_getnextslot(scan, ForwardScanDirection, look->slot))
	{
		bool		passes = passes_filter(look);
		int64		key;

		look->passing += passes ? 1.0 : 0.0;
		if (key_of_row(look, &key))
			count_row(look, key, passes);
	}
	table_endscan(scan);
}

/* Converts to the key's type; returns false if that cannot represent it.  */
static bool
datum_of(SsdparIntegerType type, int64 key, Datum *datum)
{
	switch (type)
	{
		case SSDPAR_INT16:
			*datum = Int16GetDatum((int16) key);
			break;
		case SSDPAR_INT32:
			*datum = Int32GetDatum((int32) key);
			break;
		case SSDPAR_INT64:
			*datum = Int64GetDatum(key);
			break;
		case SSDPAR_UINT32:
			*datum = UInt32GetDatum((uint32) key);
			break;
		case SSDPAR_UINT8:
		case SSDPAR_NOT_INTEGER:
			return false;
	}
	return ssdpar_integer_value(type, *datum) == key;
}

/* Stores the first row with this or a greater key in the slot, if any.  */
static bool
find_row(Look *look, IndexScanDesc scan, const FmgrInfo *at_least, int64 key)
{
	ScanKeyData condition;
	Datum		value;

	if (!datum_of(look->type, key, &value))
		return false;
	ScanKeyEntryInitializeWithInfo(&condition, 0, 1,
								   BTGreaterEqualStrategyNumber, InvalidOid,
								   InvalidOid, unconstify(FmgrInfo *, at_least),
								   value);
	index_rescan(scan, &condition, 1, NULL, 0);
	return index_getnext_slot(scan, ForwardScanDirection, look->slot);
}

static void
look_up_bin(Look *look, IndexScanDesc scan, const FmgrInfo *at_least,
			Bin *bin)
{
	double		width = (double) bin->next - (double) bin->low;
	int64		before = 0;

	for (int i = 0; i < look->points; i++)
	{
		int64		wanted = bin->low + (int64) (width * i / look->points);
		int64		key;

		/* the previous lookup has already passed this key */
		if (i > 0 && wanted <= before)
			continue;
		if (!find_row(look, scan, at_least, wanted) ||
			!key_of_row(look, &key) || key >= bin->next)
			break;
		if (i == 0 && find_common(look, wanted) == NULL)
		{
			look->bounds_asked += 1.0;
			look->bounds_found += key == wanted ? 1.0 : 0.0;
		}
		before = key;
		if (find_common(look, key) != NULL)
			continue;
		bin->keys += 1.0;
		bin->passing += passes_filter(look) ? 1.0 : 0.0;
	}
}

/* The most common first, because time may not suffice for all.  */
static void
look_up_common(Look *look, IndexScanDesc scan, const FmgrInfo *at_least)
{
	int			n = 0;

	qsort(look->common, look->ncommon, sizeof(CommonKey), compare_shares);
	while (n < look->ncommon && !is_too_long(look))
	{
		CommonKey  *common = &look->common[n++];
		int64		key;

		common->passes = find_row(look, scan, at_least, common->key) &&
			key_of_row(look, &key) && key == common->key &&
			passes_filter(look);
	}
	if (n < look->ncommon)
		keep_common(look, n);
	qsort(look->common, look->ncommon, sizeof(CommonKey), compare_common);
}

static void
look_up(Look *look, Relation heap)
{
	Relation	index = index_open(look->index_oid, AccessShareLock);
	IndexScanDesc scan = ssdpar_index_beginscan(heap, index,
												look->snapshot, 1);
	Oid			type = index->rd_opcintype[0];
	FmgrInfo	at_least;

	fmgr_info(get_opcode(get_opfamily_member(look->opfamily, type, type,
											 BTGreaterEqualStrategyNumber)),
			  &at_least);
	look_up_common(look, scan, &at_least);
	for (int i = 0; i < look->nbins && !is_too_long(look); i++)
		look_up_bin(look, scan, &at_least, &look->bins[i]);
	/* the common keys count, even if time did not suffice for the others */
	if (look->too_long)
	{
		keep_common(look, look->ncommon);
		look->too_long = look->ncommon == 0;
	}
	index_endscan(scan);
	index_close(index, AccessShareLock);
}

static void
ask(void *arg)
{
	Look	   *look = arg;
	EState	   *estate = CreateExecutorState();
	RangeTblEntry *rte = look->root->simple_rte_array[look->rel->relid];
	Relation	heap = table_open(rte->relid, NoLock);
	List	   *filter =
		copyObject(extract_actual_clauses(look->rel->baserestrictinfo, false));

	fix_opfuncids((Node *) filter);
	look->expressions = GetPerTupleExprContext(estate);
	look->filter = ExecInitQual(filter, NULL);
	look->slot = table_slot_create(heap, NULL);
	look->snapshot = RegisterSnapshot(GetActiveSnapshot());
	if (OidIsValid(look->index_oid))
		look_up(look, heap);
	else
		read_all(look, heap);
	UnregisterSnapshot(look->snapshot);
	ExecDropSingleTupleTableSlot(look->slot);
	table_close(heap, NoLock);
	FreeExecutorState(estate);
}

/*
 * The target may have keys that the dimension does not have.  If keys were
 * looked up, the share of the bounds that were found tells.  If the whole
 * dimension was read, compare the target's distinct keys with the dimension's
 * keys, without the bins in which the dimension has none.
 */
static double
share_contained(const Look *look)
{
	double		distinct = look->distinct - look->ncommon;
	double		keys = 0;

	if (OidIsValid(look->index_oid))
		return look->bounds_asked > 0 ?
			look->bounds_found / look->bounds_asked : 1.0;
	for (int i = 0; i < look->nbins; i++)
	{
		const Bin  *bin = &look->bins[i];

		keys += bin->keys;
		if (bin->keys <= 0)
			distinct -= (double) bin->next - (double) bin->low;
	}
	return distinct > keys ? keys / distinct : 1.0;
}

static double
kept_share(const Look *look)
{
	double		common = 0;
	double		others = look->others_pass;

	for (int i = 0; i < look->ncommon; i++)
		common += look->common[i].passes ? look->common[i].share : 0.0;
	for (int i = 0; i < look->nbins; i++)
	{
		const Bin  *bin = &look->bins[i];

		if (bin->keys > 0)
			others += bin->share * bin->passing / bin->keys;
	}
	if (look->nbins > 0)
		others *= share_contained(look);
	return common + others *
		Max(1.0 - look->nulls - look->common_share, 0.0);
}

bool
ssdpar_look_at_keys(PlannerInfo *root, RelOptInfo *rel, Var *target, Var *key,
					Oid operator, Cost *budget, SsdparKeyLook *found)
{
	const SsdparJoinKey columns = {.ncolumns = 1, .operators = {operator}};
	Look		look = {.root = root, .rel = rel, .key = key};
	const IndexOptInfo *index;
	SsdparWorkSpan work;
	bool		known;

	look.type = ssdpar_integer_type(key->vartype);
	if (look.type == SSDPAR_NOT_INTEGER || rel->baserestrictinfo == NIL ||
		*budget <= 0 || !ssdpar_key_code_is_exact(&columns) ||
		!ssdpar_look_possible(root) || !ssdpar_look_allowed(root, rel) ||
		!can_filter(root, rel))
		return false;
	index = ssdpar_unique_key_index(root, rel, key, operator);
	if (!ssdpar_is_unique_by(root, rel, list_make1(key)) ||
		!load_target(&look, target) ||
		!choose_access(&look, index, budget))
		return false;
	ssdpar_note_work_begin(&work);
	look.begun = work.begun;
	known = ssdpar_attempt(ask, &look) && !look.too_long;
	ssdpar_note_work_end(&work, SSDPAR_WORK_DIMENSIONS);
	if (!known)
		return false;
	found->keys = OidIsValid(look.index_oid) ? -1.0 : look.passing;
	found->kept = Max(kept_share(&look), LEAST_KEPT);
	CLAMP_PROBABILITY(found->kept);
	return true;
}
