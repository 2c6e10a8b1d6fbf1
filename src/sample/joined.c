/*
 * joined.c
 *		A sample of joined rows, while it is made.
 *
 * A join may come out larger than what is kept of it.  When there are twice as
 * many rows as that, one of two is dropped, at random, and from then on one of
 * two is added, and so on: each row has the same chance, and those that are
 * kept are in order.
 *
 * Rows that were sampled from one page are alike where a table is clustered, as
 * a fact by date: by how their number differs from page to page it is seen how
 * many of them are independent.
 */
#include "postgres.h"

#include "base/compat.h"
#include "sample/filters.h"
#include "sample/joined.h"

/*
 * Rows of one table that others are joined with at most, joined rows kept of
 * one set at least, if there are so many; and both for each page of a table
 * that the round is worth.
 */
#define FIRST_ROWS 3000
#define KEPT_ROWS 1000
#define ROWS_A_PAGE 32

/* What no row was found of has at most so many, with 95 % certainty. */
#define ROWS_UNFOUND 3.0

struct SsdparJoinedBuilder
{
	SsdparSampler *sampler;
	const SsdparSampleJoined *set;
	const SsdparSampleJoin *join;
	SsdparSampleJoined *result;
	SsdparSampleRow **candidate;	/* of which the condition is asked */
	double		added;
	double		one_in;			/* is kept */
	int			kept;			/* rows, at least */
	int			targets;		/* rows of the target among those added */
	int			room;			/* in blocks */
	BlockNumber *blocks;		/* of each */
	SsdparSampleRow *last_target;
};

static SsdparSampleRow **
copy_members(SsdparSampler *sampler, SsdparSampleRow *const *members)
{
	Size		size = sizeof(*members) * sampler->ntables;
	SsdparSampleRow **copy = palloc(size);

	memcpy(copy, members, size);
	return copy;
}

static int
first_rows(const SsdparSampler *sampler)
{
	return Min(FIRST_ROWS, sampler->effort * ROWS_A_PAGE);
}

/* Those of one page follow each other. */
static int
compare_members(const void *a, const void *b, void *table)
{
	int			number = ((const SsdparSampleTable *) table)->number;
	BlockNumber one = (*(SsdparSampleRow **const *) a)[number]->block;
	BlockNumber other = (*(SsdparSampleRow **const *) b)[number]->block;

	return (one > other) - (one < other);
}

/* All rows of the table, or some of them: each has the same chance. */
static void
take_rows(SsdparSampler *sampler, SsdparSampleJoined *set,
		  SsdparSampleTable *table)
{
	int			wanted = Min(table->nrows, first_rows(sampler));

	set->members = palloc_array(SsdparSampleRow **, Max(wanted, 1));
	for (int i = 0; set->nrows < wanted; i++)
	{
		double		chance = (double) (wanted - set->nrows) /
			(table->nrows - i);
		SsdparSampleRow **members;

		if (pg_prng_double(&sampler->random) >= chance)
			continue;
		members = palloc0(sizeof(*members) * sampler->ntables);
		members[table->number] = table->rows[i];
		set->members[set->nrows++] = members;
	}
	ssdpar_joined_sort(set, table);
}

void
ssdpar_joined_sort(SsdparSampleJoined *set, const SsdparSampleTable *table)
{
	qsort_arg(set->members, set->nrows, sizeof(set->members[0]),
			  compare_members, (void *) table);
}

SsdparSampleJoined *
ssdpar_joined_table(SsdparSampler *sampler, SsdparSampleTable *table)
{
	SsdparSampleJoined *set = palloc0_object(SsdparSampleJoined);

	set->relids = bms_copy(table->rel->relids);
	set->with_joins = set->relids;
	set->rows = table->passing * table->unseen;
	set->found = table->found;
	set->exact = table->complete && table->unseen == 1.0;
	set->whole = set->exact && table->nrows <= first_rows(sampler);
	set->target = table->number;
	set->share = 1.0;
	set->partner_share = -1;
	take_rows(sampler, set, table);
	return set;
}

double
ssdpar_joined_unfound(const SsdparSampler *sampler,
					  const SsdparSampleJoined *set, bool alike)
{
	const SsdparSampleTable *target = &sampler->tables[set->target];
	double		trials = set->nrows;

	if (!set->whole)
		trials = Min(trials, Max(set->found, 1.0));
	if (alike && !target->complete && target->pages_read > 0)
		trials = Min(trials, target->pages_read);
	return Min(ROWS_UNFOUND / Max(trials, 1.0), 1.0);
}

SsdparJoinedBuilder *
ssdpar_joined_begin(SsdparSampler *sampler, const SsdparSampleJoined *set,
					const SsdparSampleJoin *join)
{
	SsdparJoinedBuilder *builder = palloc0_object(SsdparJoinedBuilder);
	SsdparSampleJoined *result = palloc0_object(SsdparSampleJoined);

	result->relids = bms_union(set->relids, join->table->rel->relids);
	result->with_joins = bms_union(set->with_joins,
								   join->table->rel->relids);
	if (join->joined > 0)
		result->with_joins = bms_add_member(result->with_joins, join->joined);
	builder->kept = Min(KEPT_ROWS, sampler->effort * ROWS_A_PAGE);
	result->members = palloc_array(SsdparSampleRow **, 2 * builder->kept);
	result->target = set->target;
	result->share = -1;
	result->partner_share = -1;
	builder->sampler = sampler;
	builder->set = set;
	builder->join = join;
	builder->result = result;
	builder->candidate = palloc_array(SsdparSampleRow *, sampler->ntables);
	builder->one_in = 1;
	builder->room = Max(set->nrows, 1);
	builder->blocks = palloc_array(BlockNumber, builder->room);
	return builder;
}

SsdparSampleJoined *
ssdpar_joined_empty(SsdparSampler *sampler, const SsdparSampleJoined *set,
					const SsdparSampleJoin *join)
{
	return ssdpar_joined_end(ssdpar_joined_begin(sampler, set, join), 0, 0,
							 true);
}

static void
drop_half(SsdparJoinedBuilder *builder)
{
	SsdparSampleJoined *result = builder->result;
	int			kept = 0;

	for (int i = 0; i < result->nrows; i++)
	{
		if (pg_prng_bool(&builder->sampler->random))
			result->members[kept++] = result->members[i];
		else
			pfree(result->members[i]);
	}
	result->nrows = kept;
	builder->one_in *= 2;
}

/* At most one a row of the set, which the target's rows follow in order. */
static void
count_target(SsdparJoinedBuilder *builder, SsdparSampleRow *target)
{
	if (target == builder->last_target)
		return;
	Assert(builder->targets < builder->room);
	builder->last_target = target;
	builder->blocks[builder->targets++] = target->block;
}

void
ssdpar_joined_add(SsdparJoinedBuilder *builder,
				  SsdparSampleRow *const *members, SsdparSampleRow *row)
{
	SsdparSampleJoined *result = builder->result;

	builder->added++;
	count_target(builder, members[result->target]);
	if (builder->one_in > 1 &&
		pg_prng_double(&builder->sampler->random) * builder->one_in >= 1)
		return;
	if (result->nrows == 2 * builder->kept)
		drop_half(builder);
	result->members[result->nrows] = copy_members(builder->sampler, members);
	result->members[result->nrows++][builder->join->table->number] = row;
}

bool
ssdpar_joined_condition(SsdparJoinedBuilder *builder,
						SsdparSampleRow *const *members, SsdparSampleRow *row)
{
	if (builder->join->condition == NULL)
		return true;
	memcpy(builder->candidate, members,
		   sizeof(*members) * builder->sampler->ntables);
	builder->candidate[builder->join->table->number] = row;
	return ssdpar_sample_joins(builder->sampler, builder->join->condition,
							   builder->candidate);
}

static int
compare_blocks(const void *a, const void *b)
{
	BlockNumber one = *(const BlockNumber *) a;
	BlockNumber other = *(const BlockNumber *) b;

	return (one > other) - (one < other);
}

/*
 * Rows of the target, added, whose number is as sure as theirs: those of one
 * page may be alike, where the table lies in the order of what is asked.  As
 * table_sample.c reckons it, of all pages that the target was sampled from.
 */
static double
independent_targets(SsdparJoinedBuilder *builder)
{
	const SsdparSampleTable *table =
		&builder->sampler->tables[builder->result->target];
	double		squares = 0.0;
	double		variance;
	double		mean;
	int			pages = 0;

	qsort(builder->blocks, builder->targets, sizeof(BlockNumber),
		  compare_blocks);
	for (int i = 0, run = 0; i < builder->targets; i++)
	{
		run = i > 0 && builder->blocks[i] == builder->blocks[i - 1] ?
			run + 1 : 1;
		pages += run == 1;
		squares += 2 * run - 1; /* the sum of these is the square */
	}
	pages = Max(pages, table->pages_read);
	if (pages < 2 || builder->targets <= 1)
		return builder->targets;
	mean = (double) builder->targets / pages;
	variance = (squares - builder->targets * mean) / (pages - 1);
	return variance <= mean ? builder->targets :
		builder->targets * mean / variance;
}

SsdparSampleJoined *
ssdpar_joined_end(SsdparJoinedBuilder *builder, double rows, double found,
				  bool exact)
{
	SsdparSampleJoined *result = builder->result;

	result->rows = rows;
	result->found = builder->set->whole ? found :
		Min(found, independent_targets(builder));
	result->exact = exact;
	result->whole = exact && builder->one_in == 1;
	pfree(builder->blocks);
	pfree(builder->candidate);
	pfree(builder);
	return result;
}

double
ssdpar_joined_added(const SsdparJoinedBuilder *builder)
{
	return builder->added;
}

int
ssdpar_joined_targets(const SsdparJoinedBuilder *builder)
{
	return builder->targets;
}
