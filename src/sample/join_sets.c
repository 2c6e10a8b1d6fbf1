/*
 * join_sets.c
 *		Which joins are measured, in which order, from which samples.
 *
 * Bottom-up, all joins of two tables before those of three.  For each size
 * first what is in memory: samples joined with tables in hand.  Then, where
 * that has found too few rows, by indexes.  First come those of two tables by
 * several columns, whose selectivities core multiplies: of lines of orders and
 * what was returned of them, by order and item, it expects one row.  Then joins
 * with tables that are filtered, whose keys core takes for spread over all of
 * the other side's (a year of a calendar of two centuries, of sales of five
 * years), then those with the largest tables, where a wrong number costs most.
 *
 * A join can be reached in several ways, and the sample with the most
 * independent rows is kept: the fact's random sample joined with a dimension,
 * or the dimension's keys looked up in the fact's index.  Whatever is built on
 * it then has the better start.
 *
 * All this is done in rounds (measure.c), with more rows each time and for the
 * joins alone that few were found of.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/joininfo.h"

#include "base/compat.h"
#include "sample/join_sample.h"
#include "sample/join_sets.h"
#include "sample/joined.h"
#include "sample/work_price.h"

/*
 * Tables that are joined at most: beyond, estimates are made of these.  Of the
 * sets of a number of tables so many are extended, of many tables few: there
 * are more of them than can be asked for.
 */
#define MOST_TABLES 8
#define MANY_TABLES 5
#define MOST_SETS 40
#define MOST_SETS_OF_MANY 6

/*
 * Rows with which a number is good, in the last rounds and for each page of a
 * table that the round is worth: others are built on two tables' joins, so more
 * are wanted of these.
 */
#define ENOUGH_FOR_TWO 120
#define ENOUGH 40
#define ENOUGH_A_PAGE 2

/* With fewer rows than this there is no use in extending a sample. */
#define LEAST_ROWS 4

typedef enum JoinKind
{
	ANY_JOIN,
	BY_SEVERAL_COLUMNS,
	BY_ONE_COLUMN,
} JoinKind;

static SsdparSampleJoined *
find_set(SsdparSampler *sampler, Relids relids)
{
	ListCell   *lc;

	foreach(lc, sampler->sets)
	{
		SsdparSampleJoined *set = lfirst(lc);

		if (bms_equal(set->relids, relids))
			return set;
	}
	return NULL;
}

/* The better of two samples of the same join. */
static void
keep_set(SsdparSampler *sampler, SsdparSampleJoined *set)
{
	SsdparSampleJoined *before = find_set(sampler, set->relids);

	if (before == NULL)
		sampler->sets = lappend(sampler->sets, set);
	else if (set->exact || (!before->exact && set->found > before->found))
		*before = *set;
	sampler->joins++;
}

/* Is more to be known of the set joined with the table? */
static bool
is_wanted(SsdparSampler *sampler, const SsdparSampleJoined *set,
		  const SsdparSampleTable *table)
{
	Relids		relids = bms_union(set->relids, table->rel->relids);
	SsdparSampleJoined *known = find_set(sampler, relids);
	int			enough = bms_num_members(relids) == 2 ? ENOUGH_FOR_TWO :
		ENOUGH;

	bms_free(relids);
	enough = Min(enough, sampler->effort * ENOUGH_A_PAGE);
	return known == NULL || (!known->exact && known->found < enough);
}

/* Might any clause join the two?  Asked of many pairs, so quickly. */
static bool
may_join(SsdparSampler *sampler, const SsdparSampleJoined *set,
		 const SsdparSampleTable *table)
{
	int			relid = -1;

	if (bms_is_member(table->rel->relid, set->relids))
		return false;
	while ((relid = bms_next_member(set->relids, relid)) >= 0)
	{
		RelOptInfo *rel = sampler->root->simple_rel_array[relid];

		if (have_relevant_joinclause(sampler->root, rel, table->rel))
			return true;
	}
	return false;
}

int
ssdpar_sample_neighbours(SsdparSampler *sampler,
						 const SsdparSampleTable *table)
{
	int			count = 0;
	int			relid = -1;

	while ((relid = bms_next_member(sampler->root->all_baserels, relid)) >= 0)
		count += relid != (int) table->rel->relid &&
			have_relevant_joinclause(sampler->root, table->rel,
									 sampler->root->simple_rel_array[relid]);
	return count;
}

/*
 * A table that gives each row of its only neighbour one partner leaves all
 * larger joins as they are without it: core reckons that from the two.
 */
static void
note_neutral(SsdparSampler *sampler, const SsdparSampleJoined *set,
			 SsdparSampleTable *table, const SsdparSampleJoined *made)
{
	if (bms_num_members(set->relids) == 1 && made->found >= ENOUGH &&
		fabs(made->rows - set->rows) < 0.5 && set->rows >= 1.0)
		table->neutral = ssdpar_sample_neighbours(sampler, table) == 1;
}

/* A set of several tables of which one is neutral, or would be. */
static bool
is_told_by_less(SsdparSampler *sampler, const SsdparSampleJoined *set,
				const SsdparSampleTable *table)
{
	if (bms_num_members(set->relids) == 1)
		return false;
	for (int i = 0; i < sampler->ntables; i++)
	{
		const SsdparSampleTable *other = &sampler->tables[i];

		if (other->neutral &&
			(other == table ||
			 bms_is_member(other->rel->relid, set->relids)))
			return true;
	}
	return false;
}

static bool
is_of_kind(const SsdparSampleJoin *join, JoinKind kind)
{
	return kind == ANY_JOIN ||
		(list_length(join->keys) > 1) == (kind == BY_SEVERAL_COLUMNS);
}

static void
extend(SsdparSampler *sampler, const SsdparSampleJoined *set,
	   SsdparSampleTable *table, bool by_index, JoinKind kind)
{
	SsdparSampleJoin join;
	SsdparSampleJoined *made;

	if ((!set->whole && set->nrows < LEAST_ROWS) ||
		!may_join(sampler, set, table) || !is_wanted(sampler, set, table) ||
		is_told_by_less(sampler, set, table))
		return;
	ssdpar_sample_worked(&sampler->budget,
						 ssdpar_work_cpu_seconds(SSDPAR_WORK_JOIN));
	if (!ssdpar_sample_find_join(sampler, set, table, &join) ||
		!is_of_kind(&join, kind))
		return;
	if (set->whole && set->nrows == 0)
		made = ssdpar_joined_empty(sampler, set, &join);
	else
		made = by_index ? ssdpar_join_by_index(sampler, set, &join) :
			ssdpar_join_in_hand(sampler, set, &join);
	if (made == NULL)
		return;
	note_neutral(sampler, set, table, made);
	keep_set(sampler, made);
}

/* Samples of this many tables. */
static List *
sets_of(SsdparSampler *sampler, int ntables)
{
	List	   *sets = NIL;
	ListCell   *lc;

	foreach(lc, sampler->sets)
	{
		SsdparSampleJoined *set = lfirst(lc);

		if (bms_num_members(set->relids) == ntables)
			sets = lappend(sets, set);
	}
	return sets;
}

/* Those with the most rows found are the best to build on. */
static int
compare_found(const ListCell *a, const ListCell *b)
{
	const SsdparSampleJoined *one = lfirst(a);
	const SsdparSampleJoined *other = lfirst(b);

	return (one->found < other->found) - (one->found > other->found);
}

/* Of few rows all keys can be looked up. */
static int
compare_rows(const ListCell *a, const ListCell *b)
{
	const SsdparSampleJoined *one = lfirst(a);
	const SsdparSampleJoined *other = lfirst(b);

	return (one->rows > other->rows) - (one->rows < other->rows);
}

static int
most_sets(int ntables)
{
	return ntables < MANY_TABLES ? MOST_SETS : MOST_SETS_OF_MANY;
}

static void
extend_in_hand(SsdparSampler *sampler, int ntables)
{
	List	   *sets = sets_of(sampler, ntables);
	ListCell   *lc;

	list_sort(sets, compare_found);
	sets = list_truncate(sets, most_sets(ntables));
	foreach(lc, sets)
	{
		for (int i = 0; i < sampler->ntables; i++)
		{
			if (ssdpar_sample_is_over(&sampler->budget))
				return;
			if (sampler->tables[i].complete)
				extend(sampler, lfirst(lc), &sampler->tables[i], false,
					   ANY_JOIN);
		}
	}
}

/* What partners pass a filter is what core knows least of. */
static int
compare_tables(const void *a, const void *b)
{
	const SsdparSampleTable *one = *(SsdparSampleTable *const *) a;
	const SsdparSampleTable *other = *(SsdparSampleTable *const *) b;

	if ((one->filter == NULL) != (other->filter == NULL))
		return one->filter == NULL ? 1 : -1;
	return (one->tuples < other->tuples) - (one->tuples > other->tuples);
}

static void
extend_with_each(SsdparSampler *sampler, List *sets,
				 SsdparSampleTable *const *tables, JoinKind kind)
{
	ListCell   *lc;

	for (int i = 0; i < sampler->ntables; i++)
	{
		foreach(lc, sets)
		{
			if (ssdpar_sample_is_over(&sampler->budget))
				return;
			if (tables[i]->measured && !tables[i]->complete)
				extend(sampler, lfirst(lc), tables[i], true, kind);
		}
	}
}

static void
extend_by_index(SsdparSampler *sampler, int ntables)
{
	SsdparSampleTable *tables[SSDPAR_SAMPLE_TABLES];
	List	   *sets = sets_of(sampler, ntables);

	for (int i = 0; i < sampler->ntables; i++)
		tables[i] = &sampler->tables[i];
	qsort(tables, sampler->ntables, sizeof(tables[0]), compare_tables);
	list_sort(sets, compare_rows);
	sets = list_truncate(sets, most_sets(ntables));
	if (ntables > 1)
	{
		extend_with_each(sampler, sets, tables, ANY_JOIN);
		return;
	}
	extend_with_each(sampler, sets, tables, BY_SEVERAL_COLUMNS);
	extend_with_each(sampler, sets, tables, BY_ONE_COLUMN);
}

/* A table's rows of this round replace those of the round before. */
static void
take_table(SsdparSampler *sampler, SsdparSampleTable *table)
{
	SsdparSampleJoined *set = ssdpar_joined_table(sampler, table);
	SsdparSampleJoined *before = find_set(sampler, set->relids);

	if (before == NULL)
		sampler->sets = lappend(sampler->sets, set);
	else
		*before = *set;
}

void
ssdpar_sample_sets(SsdparSampler *sampler)
{
	int			most = Min(sampler->ntables, MOST_TABLES);

	for (int i = 0; i < sampler->ntables; i++)
	{
		if (sampler->tables[i].measured)
			take_table(sampler, &sampler->tables[i]);
	}
	for (int ntables = 1; ntables < most; ntables++)
	{
		extend_in_hand(sampler, ntables);
		extend_by_index(sampler, ntables);
	}
}
