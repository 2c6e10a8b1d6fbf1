/*
 * combinations.c
 *		Asks the data how many different combinations of values some columns of
 *		a table have.
 *
 * No index tells that, so a sample has to, by the estimator that ANALYZE uses
 * for a column and CREATE STATISTICS for several: Duj1 of Haas and Stokes,
 * Estimating the Number of Classes in a Finite Population, 1998.  Of N rows n
 * are in the sample, with d different combinations, of which f are there once:
 *
 *		combinations = n * d / (n - f + f * n / N)
 *
 * It takes rows to be drawn one by one, and here they come in whole pages, of
 * which each row has been paid for.  So what is drawn is not rows but a
 * combination's being on a page, however many rows it has there: lines of an
 * order that lie together count once.  Pages are drawn from the whole table,
 * not one of each strip: neighbours that are alike have to have their chance to
 * be drawn both.  They are read in random order, so that reading can stop
 * anywhere.
 *
 * If all pages were read the formula gives what was counted.
 *
 * A value that is stored out of line is not fetched: that would be pages that
 * the budget does not know of, for each row.  ANALYZE leaves wide values out as
 * well; here, where one is met, core's number stays.
 */
#include "postgres.h"

#include <math.h>

#include "common/hashfn.h"
#include "optimizer/optimizer.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/sampling.h"

#include "base/compat.h"
#include "keys/key_code.h"
#include "sample/attempt.h"
#include "sample/combinations.h"
#include "sample/heap_pages.h"
#include "sample/sampler.h"
#include "sample/work_price.h"
#include "star/error_free.h"

/* Pages that are read, and rows, about: ANALYZE looks at 30,000. */
#define MOST_PAGES 1024
#define MOST_ROWS 60000.0
#define LEAST_PAGES 32

typedef struct Column
{
	AttrNumber	number;
	Oid			collation;
	FmgrInfo	hash;
} Column;

/* Invariant: of each page read, hashes holds each combination once. */
typedef struct Sample
{
	SsdparSampler *sampler;
	SsdparSampleTable *table;
	int			ncolumns;
	Column	   *columns;
	BlockNumber total;			/* pages of the table */
	int			npages;			/* of these, to be read */
	int			nread;
	bool		refused;		/* a value is stored out of line */
	int			nhashes;
	int			room;
	uint64	   *hashes;
} Sample;

/* False if values could not be told apart, or not without an error. */
static bool
prepare_column(const Var *var, Oid equal, Column *column)
{
	Oid			function;
	Oid			right;

	if (!ssdpar_key_can_be_coded(equal, var->varcollid) ||
		!get_op_hash_functions(equal, &function, &right) ||
		!ssdpar_support_is_error_free(function))
		return false;
	column->number = var->varattno;
	column->collation = var->varcollid;
	fmgr_info(function, &column->hash);
	return true;
}

static bool
prepare_columns(Sample *sample, const SsdparCombination *combination)
{
	ListCell   *var;
	ListCell   *equal;

	sample->columns = palloc_array(Column, list_length(combination->vars));
	forboth(var, combination->vars, equal, combination->equals)
	{
		if (!prepare_column(lfirst(var), lfirst_oid(equal),
							&sample->columns[sample->ncolumns++]))
			return false;
	}
	return true;
}

/* So many pages are worth a share of the work that is left. */
static int
affordable_pages(const Sample *sample, int looks)
{
	const SsdparSampleTable *table = sample->table;
	double		rows = Max(table->rel->tuples / Max(sample->total, 1), 1.0);
	double		row_cpu = SSDPAR_WORK_ROW +
		2.0 * sample->ncolumns * cpu_operator_cost;
	double		page_seconds = table->page_seconds +
		ssdpar_work_cpu_seconds(rows * row_cpu);
	double		most = Min(MOST_PAGES, MOST_ROWS / rows);

	most = Min(most, ssdpar_sample_work_left(&sample->sampler->budget) /
			   looks / page_seconds);
	ssdpar_sample_worked(&sample->sampler->budget,
						 Min(most, sample->total) * page_seconds);
	return Min(most, sample->total);
}

/* Equal values have equal ones; NULL has one as well. */
static uint32
hash_value(Column *column, Datum value, bool is_null)
{
	return is_null ? 0 :
		DatumGetUInt32(FunctionCall1Coll(&column->hash, column->collation,
										 value));
}

/* Of the row in the table's slot, or of what comes before such a value. */
static uint64
hash_row(Sample *sample)
{
	TupleTableSlot *slot = sample->table->slot;
	TupleDesc	row = slot->tts_tupleDescriptor;
	uint64		hash = 0;

	for (int i = 0; i < sample->ncolumns; i++)
	{
		Column	   *column = &sample->columns[i];
		bool		is_null;
		Datum		value = slot_getattr(slot, column->number, &is_null);

		sample->refused = !is_null &&
			ssdpar_sample_is_out_of_line(TupleDescAttr(row, column->number - 1),
										 value);
		if (sample->refused)
			break;
		hash = hash_bytes_uint32_extended(hash_value(column, value, is_null),
										  is_null ? ~hash : hash);
	}
	return hash;
}

static int
compare_hashes(const void *a, const void *b)
{
	uint64		one = *(const uint64 *) a;
	uint64		other = *(const uint64 *) b;

	return (one > other) - (one < other);
}

/* Sorts them, and moves the different ones to the front: returns how many. */
static int
keep_different(uint64 *hashes, int count)
{
	int			kept = 0;

	qsort(hashes, count, sizeof(uint64), compare_hashes);
	for (int i = 0; i < count; i++)
	{
		if (kept == 0 || hashes[i] != hashes[kept - 1])
			hashes[kept++] = hashes[i];
	}
	return kept;
}

static void
make_room(Sample *sample)
{
	if (sample->room - sample->nhashes >= MaxHeapTuplesPerPage)
		return;
	sample->room = 2 * sample->room + MaxHeapTuplesPerPage;
	sample->hashes = sample->hashes == NULL ?
		palloc_array(uint64, sample->room) :
		repalloc(sample->hashes, sample->room * sizeof(uint64));
}

/* What values that are not stored as they are need to be hashed is dropped. */
static void
read_page(Sample *sample, SsdparSamplePages *pages)
{
	MemoryContext values =
		sample->sampler->expressions->ecxt_per_tuple_memory;
	MemoryContext before;
	OffsetNumber rows[MaxHeapTuplesPerPage];
	int			nrows = ssdpar_sample_pages_rows(pages, rows);
	int			nhashes = 0;
	uint64	   *hashes;

	make_room(sample);
	hashes = sample->hashes + sample->nhashes;
	before = MemoryContextSwitchTo(values);
	for (int i = 0; i < nrows && !sample->refused; i++)
	{
		ssdpar_sample_pages_store(pages, rows[i]);
		hashes[nhashes++] = hash_row(sample);
	}
	MemoryContextSwitchTo(before);
	MemoryContextReset(values);
	sample->nhashes += keep_different(hashes, nhashes);
}

/* In random order (Fisher and Yates): any prefix of it is a fair sample. */
static BlockNumber *
choose_pages(const Sample *sample)
{
	BlockNumber *blocks = palloc_array(BlockNumber, sample->npages);
	BlockSamplerData chooser;

	BlockSampler_Init(&chooser, sample->total, sample->npages,
					  (uint32) sample->total);
	for (int i = 0; i < sample->npages; i++)
	{
		int			place = pg_prng_uint64_range(&sample->sampler->random, 0,
												 i);

		blocks[i] = blocks[place];
		blocks[place] = BlockSampler_Next(&chooser);
	}
	return blocks;
}

static void
read_pages(Sample *sample)
{
	SsdparSampler *sampler = sample->sampler;
	SsdparSamplePages *pages;

	pages = ssdpar_sample_pages_open(sampler, sample->table,
									 choose_pages(sample), sample->npages,
									 true);
	while (!sample->refused && ssdpar_sample_pages_next(pages) &&
		   !ssdpar_sample_is_late(&sampler->budget))
	{
		read_page(sample, pages);
		sample->nread++;
	}
	ssdpar_sample_pages_close(pages);
}

/* Haas and Stokes: of so many that were drawn, different, and seen once. */
static double
estimate(double drawn, double different, double once, double share)
{
	return drawn * different / Max(drawn - once + once * share, 1.0);
}

/*
 * What tells few combinations from many is how many were met again.  These are
 * few, and independent; each one more would be one less that is different, and
 * two less that are there once.
 */
static void
conclude(const Sample *sample, SsdparCombination *combination)
{
	double		share = (double) sample->nread / sample->total;
	double		drawn = sample->nhashes;
	double		once = 0;
	double		different = 0;
	double		more;
	uint64	   *hashes = sample->hashes;

	qsort(hashes, sample->nhashes, sizeof(uint64), compare_hashes);
	for (int i = 0; i < sample->nhashes; i++)
	{
		bool		first = i == 0 || hashes[i] != hashes[i - 1];

		different += first;
		once += first && (i + 1 == sample->nhashes ||
						  hashes[i] != hashes[i + 1]);
	}
	combination->distinct = clamp_row_est(estimate(drawn, different, once,
												   share));
	more = share < 1.0 ? Min(sqrt(drawn - different + 1.0), once / 2.0) : 0.0;
	combination->error = combination->distinct -
		estimate(drawn, different - more, once - 2.0 * more, share);
}

static void
measure_combination(SsdparSampler *sampler, SsdparCombination *combination,
					int looks)
{
	Sample		sample = {.sampler = sampler};

	if (!prepare_columns(&sample, combination))
		return;
	sample.table = ssdpar_sampler_add_table(sampler, combination->rel);
	sample.total = RelationGetNumberOfBlocks(sample.table->heap);
	sample.npages = affordable_pages(&sample, looks);
	if (sample.npages >= LEAST_PAGES)
		read_pages(&sample);
	if (sample.nread >= LEAST_PAGES && sample.nhashes > 0 && !sample.refused)
		conclude(&sample, combination);
}

/* What is asked, and what came of it. */
typedef struct Question
{
	List	   *combinations;
	SsdparMeasured *measured;
} Question;

/* An SsdparAsk. */
static void
measure_all(SsdparSampler *sampler, void *arg)
{
	const Question *question = arg;
	SsdparMeasured *measured = question->measured;
	int			looks = Min(list_length(question->combinations),
							SSDPAR_SAMPLE_TABLES);

	for (int i = 0; i < looks; i++)
		measure_combination(sampler, list_nth(question->combinations, i),
							looks - i);
	measured->pages = sampler->pages;
}

bool
ssdpar_measure_combinations(PlannerInfo *root, List *combinations,
							double budget_seconds, SsdparMeasured *measured)
{
	Question	question = {combinations, measured};

	memset(measured, 0, sizeof(SsdparMeasured));
	return ssdpar_sample_attempt(root, budget_seconds, measure_all,
								 &question, measured) &&
		measured->pages > 0;
}
