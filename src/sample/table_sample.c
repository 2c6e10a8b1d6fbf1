/*
 * table_sample.c
 *		A sample of one table's rows, or all of them if it is small.
 *
 * A large table gives pages at random, one out of each of as many strips of
 * equal length, and the pages are read in random order: any prefix is a fair
 * sample, so that reading can end when enough rows pass or the time is up.  All
 * rows of a page are counted; of those that pass, a reservoir is kept, many
 * pages with a few rows each, since rows that lie together are alike.  The
 * random numbers depend on nothing but the table and its size: the same
 * statement gets the same plan twice.
 *
 * A small table is read whole, in runs of neighbours that come in random order
 * for the same reason.  All of its rows that pass are kept: joins with it are
 * then exact on its side.
 */
#include "postgres.h"

#include <math.h>

#include "access/heapam.h"
#include "common/hashfn.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "sample/filters.h"
#include "sample/heap_pages.h"
#include "sample/table_sample.h"

/* A table of so many pages is read whole, as many rows of it kept. */
#define WHOLE_PAGES 1536
#define WHOLE_ROWS 50000

/* Neighbours read together where a table is read whole. */
#define RUN_PAGES 4

/*
 * Pages of a sample: at least as many as rows are to come from different
 * places, at most as many as it takes until rows enough pass.
 */
#define LEAST_PAGES 256
#define MOST_PAGES 640
#define ENOUGH_ROWS 1000

/* Rows kept of a sample. */
#define MOST_ROWS 1500

/* With fewer pages of such, core's estimate counts where it is possible. */
#define FEW_PAGES 10

typedef struct Reading
{
	SsdparSampler *sampler;
	SsdparSampleTable *table;
	pg_prng_state random;
	BlockNumber total;			/* pages of the table */
	BlockNumber *blocks;		/* to be read, in this order */
	BlockNumber nblocks;
	BlockNumber read;
	double		seen;			/* visible rows */
	double		passed;
	double		places;			/* pages with rows that pass */
} Reading;

/* Fisher and Yates, of runs of the same length. */
static void
shuffle(Reading *reading, int run)
{
	BlockNumber runs = reading->nblocks / run;

	for (BlockNumber i = runs; i-- > 1;)
	{
		BlockNumber other = pg_prng_uint64_range(&reading->random, 0, i);

		for (int k = 0; k < run && other != i; k++)
		{
			BlockNumber block = reading->blocks[i * run + k];

			reading->blocks[i * run + k] = reading->blocks[other * run + k];
			reading->blocks[other * run + k] = block;
		}
	}
}

static void
choose_pages(Reading *reading)
{
	BlockNumber total = reading->total;
	bool		whole = total <= WHOLE_PAGES;

	reading->nblocks = whole ? total : MOST_PAGES;
	reading->blocks = palloc_array(BlockNumber, Max(reading->nblocks, 1));
	for (BlockNumber i = 0; i < reading->nblocks; i++)
	{
		BlockNumber first = (uint64) total * i / reading->nblocks;
		BlockNumber end = (uint64) total * (i + 1) / reading->nblocks;

		reading->blocks[i] = whole ? i :
			pg_prng_uint64_range(&reading->random, first, end - 1);
	}
	shuffle(reading, whole ? RUN_PAGES : 1);
}

static int
most_rows(const Reading *reading)
{
	if (reading->nblocks < reading->total)
		return MOST_ROWS;
	return Min((Size) reading->total * MaxHeapTuplesPerPage, WHOLE_ROWS);
}

/* A row that passes: into the reservoir, if the draw is for it. */
static void
keep_row(Reading *reading)
{
	SsdparSampleTable *table = reading->table;
	int			room = most_rows(reading);
	uint64		place;

	reading->passed++;
	if (table->nrows < room)
	{
		table->rows[table->nrows++] = ssdpar_sample_keep_row(reading->sampler,
															 table);
		return;
	}
	place = pg_prng_uint64_range(&reading->random, 0,
								 (uint64) reading->passed - 1);
	if (place >= (uint64) room)
		return;
	pfree(table->rows[place]);
	table->rows[place] = ssdpar_sample_keep_row(reading->sampler, table);
}

static void
read_page(Reading *reading, SsdparSamplePages *pages)
{
	OffsetNumber rows[MaxHeapTuplesPerPage];
	int			nrows = ssdpar_sample_pages_rows(pages, rows);
	double		before = reading->passed;

	for (int i = 0; i < nrows; i++)
	{
		ssdpar_sample_pages_store(pages, rows[i]);
		if (ssdpar_sample_passes(reading->sampler, reading->table))
			keep_row(reading);
	}
	reading->seen += nrows;
	reading->places += reading->passed > before;
	reading->read++;
}

static bool
has_enough(const Reading *reading)
{
	return reading->nblocks < reading->total &&
		reading->read >= LEAST_PAGES && reading->passed >= ENOUGH_ROWS;
}

/*
 * Pages are told to the device as far as they are sure to be read: a batch at
 * a time.
 */
static void
read_pages(Reading *reading, double until)
{
	SsdparSampler *sampler = reading->sampler;
	bool		ring = reading->nblocks < reading->total;

	while (reading->read < reading->nblocks && !has_enough(reading))
	{
		BlockNumber batch = Min(reading->nblocks - reading->read, LEAST_PAGES);
		SsdparSamplePages *pages =
			ssdpar_sample_pages_open(sampler, reading->table,
									 reading->blocks + reading->read, batch,
									 ring);
		bool		over = false;

		while (!over && ssdpar_sample_pages_next(pages))
		{
			read_page(reading, pages);
			over = ssdpar_sample_is_over(&sampler->budget) ||
				ssdpar_sample_elapsed(&sampler->budget) > until;
		}
		ssdpar_sample_pages_close(pages);
		if (over)
			return;
	}
}

/*
 * Few pages with rows that pass say no more than that core's estimate is
 * possible or not: what it says is taken within two standard deviations of what
 * was found.  Pages count, not rows, as rows that lie together are alike.
 */
static double
passing_rows(const Reading *reading)
{
	double		weight = reading->table->tuples / reading->seen;
	double		a_page = reading->places > 0 ?
		reading->passed / reading->places : reading->seen / reading->read;
	double		spread = 2 * sqrt(reading->places);
	double		core = reading->table->rel->rows /
		Max(reading->table->unseen, 1e-9);
	double		least = Max(reading->places - spread, 0) * a_page * weight;
	double		most = (reading->places + spread + 3) * a_page * weight;

	if (reading->places >= FEW_PAGES)
		return reading->passed * weight;
	return Min(Max(core, least), most);
}

/* A table of no pages, too, has been read whole. */
static void
conclude(Reading *reading)
{
	SsdparSampleTable *table = reading->table;

	table->measured = reading->seen > 0 || reading->read == reading->total;
	table->found = reading->passed;
	if (!table->measured)
		return;
	if (reading->read == reading->total)
	{
		table->tuples = reading->seen;
		table->passing = reading->passed;
		table->complete = table->nrows == reading->passed;
		return;
	}
	table->found = reading->places;
	table->tuples = reading->seen / reading->read * reading->total;
	table->passing = passing_rows(reading);
}

/* The same numbers for the same table as long as its size is the same. */
static uint64
seed(const SsdparSampleTable *table, BlockNumber total)
{
	return hash_combine64(murmurhash32(RelationGetRelid(table->heap)),
						  murmurhash32(total));
}

void
ssdpar_sample_table(SsdparSampler *sampler, SsdparSampleTable *table,
					double until)
{
	Reading		reading = {.sampler = sampler, .table = table};

	reading.total = RelationGetNumberOfBlocks(table->heap);
	pg_prng_seed(&reading.random, seed(table, reading.total));
	choose_pages(&reading);
	table->rows = palloc_array(SsdparSampleRow *,
							   Max(most_rows(&reading), 1));
	read_pages(&reading, until);
	conclude(&reading);
	pfree(reading.blocks);
}
