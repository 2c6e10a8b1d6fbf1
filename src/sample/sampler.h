/*
 * sampler.h
 *		What is known while the data is asked: tables, sampled rows, joins.
 *
 * A sampled row of a join is one pointer a table to a sampled row of that
 * table, NULL where an outer or anti join left none: joining copies no values.
 * Everything lives in one memory context that ends with the measuring.
 */
#ifndef SSDPAR_SAMPLER_H
#define SSDPAR_SAMPLER_H

#include "common/pg_prng.h"
#include "executor/tuptable.h"
#include "nodes/execnodes.h"
#include "nodes/pathnodes.h"
#include "storage/block.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

#include "sample/budget.h"

/* Tables of one query level that are looked at, the first ones. */
#define SSDPAR_SAMPLE_TABLES 24

/* A row of one table: the columns that joins need, in one allocation. */
typedef struct SsdparSampleRow
{
	Datum	   *values;
	bool	   *nulls;
	BlockNumber block;			/* that it was found on */
} SsdparSampleRow;

/*
 * Invariants: columns ascends and holds every column that a join of the query
 * may compare, and those compared with a constant; complete means that rows has
 * every visible row that passes.  Rows are never freed: samples of joins point
 * to them, also when a later round has put others into their place.
 */
typedef struct SsdparSampleTable
{
	int			number;			/* in the sampler's tables */
	RelOptInfo *rel;
	Relation	heap;
	int			ncolumns;
	AttrNumber *columns;
	int			first;			/* of these in the joined slot, from 0 */
	TupleTableSlot *slot;		/* one row as the page holds it */
	ExprState  *filter;			/* NULL: none that can be evaluated */
	double		unseen;			/* core's selectivity of the other filters; 1:
								 * there are none */
	bool		large;			/* compared with the level's other tables, and
								 * samples of joins begin with its rows */
	bool		asked_only;		/* whether it has a partner */
	double		page_seconds;	/* reading one page, predicted */
	double		row_seconds;	/* filtering one row */

	struct SsdparTableReading *reading; /* table_sample.c */
	bool		measured;
	bool		complete;
	double		tuples;			/* visible, in all */
	double		passing;		/* of these */
	double		found;			/* independent rows that passing rests on */
	double		pages_read;		/* that rows come from; or runs of neighbours */
	bool		by_filter;		/* an index gave the rows */
	bool		neutral;		/* joins with it have the rows of the others */
	int			nrows;
	SsdparSampleRow **rows;
	Bitmapset  *out_of_line;	/* places of columns: a value is stored so */
	List	   *hashes;			/* SsdparSampleHash (hash_match.c) */
} SsdparSampleTable;

/*
 * Rows of a join.  Those that come of one row of the target follow each other.
 */
typedef struct SsdparSampleJoined
{
	Relids		relids;			/* base relations */
	Relids		with_joins;		/* with outer joins, 16 and later */
	double		rows;			/* estimated, in all */
	double		found;			/* independent sample rows behind that */
	bool		exact;			/* counted, not extrapolated */
	bool		whole;			/* all of its rows are here */
	int			nrows;
	SsdparSampleRow ***members; /* nrows times one pointer a table */
	int			target;			/* table of whose rows ... */
	double		share;			/* ... this one is left; below 0: unknown */
	int			partner;		/* another table, of whose rows that pass ... */
	double		partner_share;	/* ... this one is left; below 0: unknown */
} SsdparSampleJoined;

/* Pages of a table in the first round. */
#define SSDPAR_SAMPLE_FIRST_EFFORT 16

typedef struct SsdparSampler
{
	PlannerInfo *root;
	Snapshot	snapshot;
	MemoryContext context;
	MemoryContext outer;		/* of the planner: what outlives all this */
	SsdparSampleBudget budget;
	int			effort;			/* pages of each table, in this round */
	pg_prng_state random;
	ExprContext *expressions;
	int			ntables;
	SsdparSampleTable tables[SSDPAR_SAMPLE_TABLES];
	TupleTableSlot *joined;		/* the columns of all tables */
	List	   *sets;			/* SsdparSampleJoined, the best of each set */
	List	   *distinct;		/* SsdparDistinctColumn, by joins */
	int			joins;
	uint64		keys;			/* looked up in indexes */
	uint64		pages;
} SsdparSampler;

/*
 * For root's level, for at most so long.  What is allocated until the end lives
 * in the sampler's context; what an error leaves open the end of the
 * transaction closes.
 */
extern SsdparSampler *ssdpar_sampler_begin(PlannerInfo *root, double seconds);
extern void ssdpar_sampler_end(SsdparSampler *sampler);

/* A table that may be asked (access.h): open, without columns or a filter. */
extern SsdparSampleTable *ssdpar_sampler_add_table(SsdparSampler *sampler,
												   RelOptInfo *rel);

/* The table of a relation, or NULL. */
static inline SsdparSampleTable *
ssdpar_sample_table_of(SsdparSampler *sampler, Index relid)
{
	for (int i = 0; i < sampler->ntables; i++)
	{
		if (sampler->tables[i].rel->relid == relid)
			return &sampler->tables[i];
	}
	return NULL;
}

/* Is no row of the table left out? */
static inline bool
ssdpar_sample_is_unfiltered(const SsdparSampleTable *table)
{
	return table->filter == NULL && table->unseen == 1.0;
}

/* The place of a column among those that are kept; -1: it is not. */
static inline int
ssdpar_sample_column(const SsdparSampleTable *table, AttrNumber column)
{
	for (int i = 0; i < table->ncolumns; i++)
	{
		if (table->columns[i] == column)
			return i;
	}
	return -1;
}

#endif							/* SSDPAR_SAMPLER_H */
