/*
 * distinct_values.c
 *		Asks the data how many distinct values a column has.
 *
 * ANALYZE guesses that from the values that its sample has once and more than
 * once.  Where rows with the same value lie together, as the lines of an order
 * do, it is wrong by as much as ten times.  A btree whose first column it is
 * knows better: of random rows of the table, it is looked up how many rows have
 * the same value, m.  Each value has m rows of 1/m each, so that
 *
 *		distinct values = rows of the table * mean of 1/m,
 *
 * with 0 for NULL.  From each of some pages, chosen at random, one row is
 * taken, since rows that lie together are alike, and counts as often as the
 * page has rows.
 *
 * Keys are looked up in random order until the work is done, or a batch has
 * more rows than can be afforded, which is not used (index_sample.c).  Those
 * looked up stand for the others, and rows of a key so large that it ends the
 * looking up count with its 1/m, which is nearly 0, for 0.
 *
 * Most columns are as ANALYZE says.  So a few pages are asked first, and if by
 * them its number will stay, nobody waits for more.
 *
 * Row addresses in the index that belong to dead rows count in m, until VACUUM
 * takes them away: a table that is updated a lot seems to have fewer values.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "optimizer/optimizer.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "sample/attempt.h"
#include "sample/distinct_values.h"
#include "sample/heap_pages.h"
#include "sample/index_sample.h"
#include "sample/sampler.h"
#include "sample/work_price.h"

/* Pages of which a row is taken, and keys that a number has to rest on. */
#define FIRST_PAGES 64
#define MOST_PAGES 512
#define LEAST_KEYS 32

/* The first pages are asked where all that can be are so many times as many. */
#define LEAST_FACTOR 4

/* Row addresses of a key, where the price of a look is guessed. */
#define EXPECTED_MATCHES 16.0

typedef struct Sample
{
	SsdparSampler *sampler;
	SsdparSampleTable *table;
	BlockNumber total;			/* pages of the table */
	int			npages;			/* of these, read */
	double	   *weights;		/* of the sample's rows: rows of their pages */
	SsdparSampleJoined rows;	/* one of each page that has any */
} Sample;

/* So many pages, with the keys of their rows, are worth a share of the work. */
static int
affordable_pages(SsdparSampler *sampler, const SsdparSampleTable *table,
				 int looks)
{
	double		cpu = cpu_tuple_cost + SSDPAR_WORK_KEY +
		EXPECTED_MATCHES * cpu_index_tuple_cost;
	double		seconds = 2.0 * table->page_seconds +
		ssdpar_work_cpu_seconds(cpu);

	return Min(ssdpar_sample_work_left(&sampler->budget) / looks / seconds,
			   MOST_PAGES);
}

/* One page of each of as many strips of the table, ascending. */
static BlockNumber *
choose_pages(Sample *sample)
{
	BlockNumber *blocks = palloc_array(BlockNumber, sample->npages);

	for (int i = 0; i < sample->npages; i++)
	{
		BlockNumber first = (uint64) sample->total * i / sample->npages;
		BlockNumber end = (uint64) sample->total * (i + 1) / sample->npages;

		blocks[i] = pg_prng_uint64_range(&sample->sampler->random, first,
										 end - 1);
	}
	return blocks;
}

static void
take_row(Sample *sample, SsdparSamplePages *pages)
{
	SsdparSampleJoined *taken = &sample->rows;
	OffsetNumber rows[MaxHeapTuplesPerPage];
	int			nrows = ssdpar_sample_pages_rows(pages, rows);
	SsdparSampleRow **members;

	if (nrows == 0)
		return;
	members = palloc0(sizeof(SsdparSampleRow *) * sample->sampler->ntables);
	ssdpar_sample_pages_store(pages,
							  rows[pg_prng_uint64_range
								   (&sample->sampler->random, 0, nrows - 1)]);
	members[sample->table->number] = ssdpar_sample_keep_row(sample->sampler,
															sample->table);
	taken->members[taken->nrows] = members;
	sample->weights[taken->nrows++] = nrows;
}

/* False if the time was over before all pages were read: no fair sample. */
static bool
take_rows(Sample *sample)
{
	SsdparSampler *sampler = sample->sampler;
	BlockNumber *blocks = choose_pages(sample);
	SsdparSamplePages *pages;
	bool		late = false;

	sample->weights = palloc_array(double, sample->npages);
	sample->rows.members = palloc_array(SsdparSampleRow **, sample->npages);
	pages = ssdpar_sample_pages_open(sampler, sample->table, blocks,
									 sample->npages, true);
	while (!late && ssdpar_sample_pages_next(pages))
	{
		take_row(sample, pages);
		late = ssdpar_sample_is_late(&sampler->budget);
	}
	ssdpar_sample_pages_close(pages);
	ssdpar_sample_worked(&sampler->budget, sample->npages *
						 (sample->table->page_seconds +
						  ssdpar_work_cpu_seconds(cpu_tuple_cost)));
	return !late;
}

static int
keys_known(const SsdparIndexSample *found)
{
	int			known = 0;

	for (int i = 0; i < found->nkeys; i++)
		known += found->all[i].known;
	return known;
}

/* Its error is that of a sum of independent numbers, if not all are known. */
static void
conclude(const Sample *sample, const SsdparIndexSample *found,
		 SsdparDistinctColumn *column)
{
	double		factor = (double) sample->total / sample->npages *
		found->nkeys / keys_known(found);
	double		values = 0;
	double		squares = 0;

	for (int i = 0; i < found->nrows; i++)
	{
		double		part;

		if (found->keys[i] == NULL)
			continue;
		part = sample->weights[found->rows[i]] /
			Max(found->keys[i]->rows, 1.0);
		values += part;
		squares += part * part;
	}
	column->distinct = clamp_row_est(factor * values);
	column->error = factor * sqrt(squares);
}

/* The column's rows are joined with their own table. */
static void
prepare_key(const SsdparSampleTable *table, const SsdparDistinctColumn *column,
			SsdparSampleKey *key)
{
	Oid			right;

	memset(key, 0, sizeof(SsdparSampleKey));
	key->outer = table->number;
	key->operator = column->equal;
	key->collation = column->var->varcollid;
	op_input_types(column->equal, &key->outer_type, &right);
}

static SsdparSampleTable *
add_table(SsdparSampler *sampler, const SsdparDistinctColumn *column)
{
	SsdparSampleTable *table = ssdpar_sampler_add_table(sampler, column->rel);

	table->ncolumns = 1;
	table->columns = palloc_object(AttrNumber);
	table->columns[0] = column->var->varattno;
	return table;
}

/* By rows of so many pages; false if they have not become a number. */
static bool
measure_by_pages(SsdparSampler *sampler, const SsdparSampleJoin *join,
				 BlockNumber npages, SsdparDistinctColumn *column)
{
	Sample		sample = {
		.sampler = sampler,
		.table = join->table,
		.total = RelationGetNumberOfBlocks(join->table->heap),
	};
	SsdparIndexSample *found;

	sample.npages = Min(npages, sample.total);
	if (sample.npages < LEAST_KEYS || !take_rows(&sample) ||
		!ssdpar_sample_is_in_line(sampler, join))
		return false;
	found = ssdpar_index_sample(sampler, &sample.rows, join, MOST_PAGES, NULL);
	if (found == NULL || keys_known(found) < LEAST_KEYS)
		return false;
	conclude(&sample, found, column);
	return true;
}

/* Is it sure that core's number stays, whatever more pages say? */
static bool
is_settled(const SsdparDistinctColumn *column)
{
	double		error = SSDPAR_DISTINCT_ERRORS * column->error;

	return column->distinct + error <
		column->assumed * SSDPAR_DISTINCT_FACTOR &&
		(column->distinct - error) * SSDPAR_DISTINCT_FACTOR > column->assumed;
}

static void
measure_column(SsdparSampler *sampler, SsdparDistinctColumn *column, int looks)
{
	SsdparSampleTable *table = add_table(sampler, column);
	SsdparSampleJoin join = {.type = JOIN_INNER, .table = table};
	SsdparSampleKey key;

	prepare_key(table, column, &key);
	join.keys = list_make1(&key);
	if (IsPolymorphicType(key.outer_type) || !ssdpar_has_sample_index(&join))
		return;
	if (affordable_pages(sampler, table, looks) >=
		FIRST_PAGES * LEAST_FACTOR &&
		measure_by_pages(sampler, &join, FIRST_PAGES, column) &&
		is_settled(column))
		return;
	(void) measure_by_pages(sampler, &join,
							affordable_pages(sampler, table, looks), column);
}

/* What is asked, and what came of it. */
typedef struct Question
{
	List	   *columns;
	SsdparMeasured *measured;
} Question;

/* An SsdparAsk. */
static void
measure_columns(SsdparSampler *sampler, void *arg)
{
	const Question *question = arg;
	SsdparMeasured *measured = question->measured;
	int			looks = Min(list_length(question->columns),
							SSDPAR_SAMPLE_TABLES);

	for (int i = 0; i < looks; i++)
		measure_column(sampler, list_nth(question->columns, i), looks - i);
	measured->keys = sampler->keys;
	measured->pages = sampler->pages;
}

bool
ssdpar_measure_distinct(PlannerInfo *root, List *columns,
						double budget_seconds, SsdparMeasured *measured)
{
	Question	question = {columns, measured};

	memset(measured, 0, sizeof(SsdparMeasured));
	return ssdpar_sample_attempt(root, budget_seconds, measure_columns,
								 &question, measured) &&
		measured->pages > 0;
}
