/*
 * table_sample.c
 *		A sample of one table's rows, or all of them if it is small.
 *
 * A large table gives pages at random, one out of each of as many strips of
 * equal length, and the strips come in an order of which any prefix is spread
 * over the table evenly: it is a fair sample, so that reading can stop anywhere
 * and go on in the next round, and of a table in the order of its date each
 * season has its share of the first thirty pages.  All rows of a page are
 * counted; of those that pass, a reservoir is kept, many pages with a few rows
 * each, since rows that lie together are alike.  The random numbers depend on
 * nothing but the table's size: the same statement on the same data gets the
 * same plan, also in another database.
 *
 * A small table is read whole, when a round is worth it, in runs of neighbours
 * that come in random order for the same reason.  All of its rows that pass are
 * kept: joins with it are then exact on its side.
 */
#include "postgres.h"

#include <math.h>

#include "access/heapam.h"
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
 * Of a round's pages: a large table is worth more of them, as joins begin with
 * its rows, but in the first round something has to be left for these; and all
 * of a table, since joins with it need no I/O then.
 */
#define LARGE_FACTOR 4
#define LARGE_FACTOR_FIRST 2
#define WHOLE_FACTOR 4

/*
 * Pages of a sample: at least as many as rows are to come from different
 * places, at most as many as it takes until rows enough pass.
 */
#define LEAST_PAGES 256
#define MOST_PAGES 640
#define ENOUGH_ROWS 1000

/* Strips of a large table, a power of two: MOST_PAGES of them give a page. */
#define STRIPS 1024

/* Rows kept of a sample. */
#define MOST_ROWS 1500

/* Pages or runs of them, of which none has a row that passes, with 95 %. */
#define ROWS_UNFOUND 3.0

typedef struct SsdparTableReading
{
	SsdparSampler *sampler;
	SsdparSampleTable *table;
	pg_prng_state random;
	BlockNumber total;			/* pages of the table */
	BlockNumber *blocks;		/* to be read, in this order */
	BlockNumber nblocks;
	BlockNumber read;
	int			room;			/* in the table's rows */
	double		seen;			/* visible rows */
	double		passed;
	double		squares;		/* of the rows that pass, run by run */
	double		run_passed;		/* in the run that is being read */
	double		threshold;		/* of the reservoir, see skip_rows() */
	double		drawn;			/* row that is the next for the reservoir */
} Reading;

/* The runs of a table that is read whole (Fisher and Yates). */
static void
shuffle(Reading *reading)
{
	BlockNumber runs = reading->nblocks / RUN_PAGES;

	for (BlockNumber i = runs; i-- > 1;)
	{
		BlockNumber other = pg_prng_uint64_range(&reading->random, 0, i);

		for (int k = 0; k < RUN_PAGES && other != i; k++)
		{
			BlockNumber block = reading->blocks[i * RUN_PAGES + k];

			reading->blocks[i * RUN_PAGES + k] =
				reading->blocks[other * RUN_PAGES + k];
			reading->blocks[other * RUN_PAGES + k] = block;
		}
	}
}

/*
 * The strips in an order that is even and random: the two halves of the table
 * take turns, and within each its halves, and so on, with a throw of a coin for
 * which is first.  So of 2^k strips from the beginning each 2^k-th of the table
 * has one, and no period in the table is met (van der Corput's sequence, as
 * scrambled by Owen, 1995).
 */
static void
order_strips(Reading *reading, uint16 *strips)
{
	uint16		halves[STRIPS];

	for (int i = 0; i < STRIPS; i++)
		strips[i] = i;
	for (int half = 1; half < STRIPS; half *= 2)
	{
		memcpy(halves, strips, sizeof(halves));
		for (int start = 0; start < STRIPS; start += 2 * half)
		{
			int			second = pg_prng_bool(&reading->random);

			for (int i = 0; i < half; i++)
			{
				strips[start + 2 * i + second] = halves[start + i];
				strips[start + 2 * i + 1 - second] = halves[start + half + i];
			}
		}
	}
}

/* One page of each strip that has its turn. */
static void
choose_scattered(Reading *reading)
{
	uint16		strips[STRIPS];

	order_strips(reading, strips);
	for (int i = 0; i < MOST_PAGES; i++)
	{
		BlockNumber first = (uint64) reading->total * strips[i] / STRIPS;
		BlockNumber end = (uint64) reading->total * (strips[i] + 1) / STRIPS;

		reading->blocks[i] =
			pg_prng_uint64_range(&reading->random, first, end - 1);
	}
}

/* Of neighbours, one of which tells little more than all. */
static BlockNumber
run_pages(const Reading *reading)
{
	return reading->nblocks == reading->total ? RUN_PAGES : 1;
}

/* That were read, the last of them perhaps in part. */
static double
runs_read(const Reading *reading)
{
	return ceil((double) reading->read / run_pages(reading));
}

static void
choose_pages(Reading *reading)
{
	bool		whole = reading->total <= WHOLE_PAGES;

	reading->nblocks = whole ? reading->total : MOST_PAGES;
	reading->blocks = palloc_array(BlockNumber, Max(reading->nblocks, 1));
	if (!whole)
	{
		choose_scattered(reading);
		return;
	}
	for (BlockNumber i = 0; i < reading->nblocks; i++)
		reading->blocks[i] = i;
	shuffle(reading);
}

static int
most_rows(const Reading *reading)
{
	if (reading->nblocks < reading->total)
		return MOST_ROWS;
	return Min((Size) reading->total * MaxHeapTuplesPerPage, WHOLE_ROWS);
}

/* Room for one more row in the table. */
static void
make_room(Reading *reading)
{
	SsdparSampleTable *table = reading->table;

	if (table->nrows < reading->room)
		return;
	reading->room *= 2;
	table->rows = repalloc(table->rows,
						   reading->room * sizeof(SsdparSampleRow *));
}

/*
 * Which row is the next for a full reservoir, told without a draw for each
 * (Li, Reservoir-Sampling Algorithms of Time Complexity O(n(1 + log(N/n))),
 * 1994, algorithm L).
 */
static void
skip_rows(Reading *reading)
{
	double		uniform = 1.0 - pg_prng_double(&reading->random);

	reading->threshold *= exp(log(uniform) / reading->table->nrows);
	uniform = 1.0 - pg_prng_double(&reading->random);
	reading->drawn = reading->passed + 1.0 +
		floor(log(uniform) / log1p(-reading->threshold));
}

/*
 * The place in the reservoir of a row that passes; -1: the draw is not for it.
 */
static int
draw_place(Reading *reading)
{
	SsdparSampleTable *table = reading->table;
	int			most = most_rows(reading);

	reading->passed++;
	if (table->nrows < most)
	{
		make_room(reading);
		table->nrows++;
		if (table->nrows == most)
			skip_rows(reading);
		return table->nrows - 1;
	}
	if (reading->passed < reading->drawn)
		return -1;
	skip_rows(reading);
	return pg_prng_uint64_range(&reading->random, 0, most - 1);
}

static void
read_row(Reading *reading, SsdparSamplePages *pages, OffsetNumber offset)
{
	SsdparSampleTable *table = reading->table;
	int			place;

	if (table->filter != NULL)
	{
		ssdpar_sample_pages_store(pages, offset);
		if (!ssdpar_sample_passes(reading->sampler, table))
			return;
	}
	place = draw_place(reading);
	if (place < 0)
		return;
	if (table->filter == NULL)
		ssdpar_sample_pages_store(pages, offset);
	table->rows[place] = ssdpar_sample_keep_row(reading->sampler, table);
}

/* A page within which the time is up is as if it had not been read. */
static void
read_page(Reading *reading, SsdparSamplePages *pages)
{
	OffsetNumber rows[MaxHeapTuplesPerPage];
	int			nrows = ssdpar_sample_pages_rows(pages, rows);
	double		before = reading->passed;
	int			kept = reading->table->nrows;

	for (int i = 0; i < nrows; i++)
	{
		read_row(reading, pages, rows[i]);
		if (ssdpar_sample_pages_row_is_late(pages))
		{
			reading->passed = before;
			reading->table->nrows = kept;
			return;
		}
	}
	reading->seen += nrows;
	reading->run_passed += reading->passed - before;
	reading->read++;
	if (reading->read % run_pages(reading) == 0)
	{
		reading->squares += reading->run_passed * reading->run_passed;
		reading->run_passed = 0;
	}
	ssdpar_sample_worked(&reading->sampler->budget,
						 reading->table->page_seconds +
						 nrows * reading->table->row_seconds);
}

static bool
has_enough(const Reading *reading)
{
	return reading->nblocks < reading->total &&
		reading->read >= LEAST_PAGES && reading->passed >= ENOUGH_ROWS;
}

/* Read on until so many pages are read, told to the device all at once. */
static void
read_pages(Reading *reading, BlockNumber wanted)
{
	SsdparSampler *sampler = reading->sampler;
	bool		ring = reading->nblocks < reading->total;
	SsdparSamplePages *pages;
	bool		over = false;

	if (wanted <= reading->read || has_enough(reading))
		return;
	pages = ssdpar_sample_pages_open(sampler, reading->table,
									 reading->blocks + reading->read,
									 wanted - reading->read, ring);
	while (!over && ssdpar_sample_pages_next(pages))
	{
		read_page(reading, pages);
		over = ssdpar_sample_tables_are_over(&sampler->budget) ||
			has_enough(reading);
	}
	ssdpar_sample_pages_close(pages);
}

/*
 * The rows of a page may all pass or none, where they lie in the order of what
 * is asked.  So many independent rows would give a count as sure as this one:
 * the square of the mean of the runs of pages by the variance of it.
 */
static double
independent_rows(const Reading *reading)
{
	double		runs = runs_read(reading);
	double		mean = reading->passed / runs;
	double		squares = reading->squares +
		reading->run_passed * reading->run_passed;
	double		variance;

	if (runs < 2 || reading->passed <= 1)
		return Min(reading->passed, 1.0);
	variance = (squares - reading->passed * mean) / (runs - 1);
	return variance <= mean ? reading->passed :
		reading->passed * mean / variance;
}

/*
 * Where no row passes that is a bound, with 95 % certainty, though all rows of
 * a page may be alike.
 */
static double
passing_rows(const Reading *reading)
{
	if (reading->passed > 0)
		return reading->passed / reading->seen * reading->table->tuples;
	return Min(ROWS_UNFOUND / runs_read(reading), 1.0) * reading->table->tuples;
}

/*
 * A table that was never vacuumed or analyzed may have been made a moment ago,
 * and be filled while a plan that is made now is kept.  So core takes it for
 * ten pages if it has fewer, and without a row it stays so.  So does a
 * temporary one with fewer rows than these; others autovacuum analyzes when
 * they have grown, whereupon kept plans are made anew.
 */
static bool
may_be_new(const Reading *reading)
{
	const RelOptInfo *rel = reading->table->rel;
	Form_pg_class class = reading->table->heap->rd_rel;

	return class->reltuples < 0 &&
		(reading->seen <= 0 ||
		 (class->relpersistence == RELPERSISTENCE_TEMP &&
		  reading->total < rel->pages && reading->seen < rel->tuples));
}

/* Of a part of a table without a row nothing follows for the rest. */
static void
conclude(Reading *reading)
{
	SsdparSampleTable *table = reading->table;

	table->measured = !may_be_new(reading) &&
		(reading->seen > 0 || reading->read == reading->total);
	table->found = reading->passed;
	table->pages_read = runs_read(reading);
	if (!table->measured)
		return;
	if (reading->read == reading->total)
	{
		table->tuples = reading->seen;
		table->passing = reading->passed;
		table->complete = table->nrows == reading->passed;
		return;
	}
	table->found = independent_rows(reading);
	table->tuples = reading->seen / reading->read * reading->total;
	table->passing = passing_rows(reading);
}

static Reading *
begin_reading(SsdparSampler *sampler, SsdparSampleTable *table)
{
	Reading    *reading = palloc0_object(Reading);

	reading->sampler = sampler;
	reading->table = table;
	reading->total = RelationGetNumberOfBlocks(table->heap);
	pg_prng_seed(&reading->random, reading->total);
	choose_pages(reading);
	reading->threshold = 1.0;
	reading->room = 64;
	table->rows = palloc_array(SsdparSampleRow *, reading->room);
	return reading;
}

static BlockNumber
wanted_pages(const Reading *reading)
{
	BlockNumber effort = reading->sampler->effort;

	if (reading->nblocks == reading->total &&
		reading->total <= effort * WHOLE_FACTOR)
		return reading->total;
	if (reading->table->large)
		effort *= effort > SSDPAR_SAMPLE_FIRST_EFFORT ? LARGE_FACTOR :
			LARGE_FACTOR_FIRST;
	return Min(effort, reading->nblocks);
}

void
ssdpar_sample_table(SsdparSampler *sampler, SsdparSampleTable *table)
{
	if (table->by_filter)
		return;
	if (table->reading == NULL)
		table->reading = begin_reading(sampler, table);
	read_pages(table->reading, wanted_pages(table->reading));
	conclude(table->reading);
}
