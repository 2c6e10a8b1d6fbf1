/*
 * join_by_index.c
 *		A sample of a join with a table that has an index on the join's column:
 *		index-based join sampling.
 *
 * After Leis, Radke, Gubichev, Kemper, Neumann: "Cardinality Estimation Done
 * Right: Index-Based Join Sampling", CIDR 2017.  The index says how many
 * partners each row of the sample has; some of all these pairs, each with the
 * same chance, are fetched from the table and tested against what else is
 * asked.  On an SSD that takes milliseconds, as all pages of one step are known
 * before the first of them is read.
 *
 * Whether a row has any partner (semi, anti and outer joins) is another
 * question: some partners of every row are fetched for it, and more where none
 * of these is one (further_partners.c).
 */
#include "postgres.h"

#include <math.h>

#include "nodes/makefuncs.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"

#include "base/compat.h"
#include "cost/column_order.h"
#include "sample/distinct_by_join.h"
#include "sample/further_partners.h"
#include "sample/index_sample.h"
#include "sample/joined.h"
#include "sample/join_pairs.h"
#include "sample/join_sample.h"
#include "sample/work_price.h"

/*
 * Rows of the set looked up, and pairs fetched, for one sample: in all, and for
 * each page of a table that the round is worth.
 */
#define MOST_PAIRS 512
#define PAIRS_A_PAGE 4

/* The same where each row is asked whether it has a partner. */
#define MOST_ROWS_ASKED 256
#define PARTNERS_ASKED 5

/* With fewer nothing is begun, and one sample gets such a share of the work. */
#define LEAST_PAIRS 16
#define SHARE_OF_WORK 0.5

/* Rows that may or may not have a partner, of those that come out, at most. */
#define MOST_UNDECIDED 0.1

/* What no row was found of has at most so many, with 95 % certainty. */
#define ROWS_UNFOUND 3.0

/* Invariant: pairs ascends by row. */
typedef struct Fetching
{
	SsdparSampler *sampler;
	const SsdparSampleJoined *set;
	const SsdparSampleJoin *join;
	SsdparIndexSample *sample;
	int			most;			/* pairs wanted */
	double		chance;			/* of a pair of weight 1 to be fetched */
	double		counted;		/* pairs there are, weighted */
	double		rest;			/* of these, those of no common value */
	double		total;			/* with those that were not counted */
	SsdparPair *pairs;			/* pairs fetched */
	int			npairs;
	SsdparJoinedBuilder *builder;
	SsdparAnswer *answers;		/* of each row looked up */
	double		heaviest;		/* rows that one has answered for, about */
	int			producers;		/* rows of which one came out */
	double		squares;		/* of the rows that each answer stands for */
	int			rest_producers; /* of these, those of no common value */
	double		partners;		/* estimated, of all rows looked up */
	int			alone;			/* rows without a partner */
	int			alike;			/* rows that others have answered for */
	int			undecided;		/* rows that may have one after all */
	int			targets;		/* rows of the target looked up */
} Fetching;

/*
 * Which pairs.
 */

static bool
asks_each(const SsdparSampleJoin *join)
{
	return join->type != JOIN_INNER;
}

/* Is a row in the index as good as a partner? */
static bool
index_decides(const Fetching *fetching)
{
	const SsdparSampleJoin *join = fetching->join;

	return join->table->filter == NULL && join->condition == NULL &&
		list_length(join->keys) == fetching->sample->ncolumns;
}

/* How many of one row's: a fair share of all, or enough to say whether any. */
static int
pairs_of(Fetching *fetching, const SsdparIndexSampleKey *key)
{
	double		wanted;

	if (asks_each(fetching->join))
		return Min(key->ntids,
				   index_decides(fetching) ? 1 : PARTNERS_ASKED);
	wanted = key->rows * key->weight * fetching->chance +
		pg_prng_double(&fetching->sampler->random);
	return Min(floor(wanted), key->ntids);
}

/*
 * Each pair of the join gets the same chance: one of a row that stands for
 * several has a greater one than those of rows that stand for themselves.
 */
static void
count_pairs(Fetching *fetching)
{
	const SsdparIndexSample *sample = fetching->sample;
	double		heaviest = 0;

	for (int i = 0; i < sample->nrows; i++)
	{
		const SsdparIndexSampleKey *key = sample->keys[i];

		if (key == NULL)
			continue;
		heaviest = Max(heaviest, key->weight);
		fetching->counted += key->rows * key->weight;
		if (!key->common)
			fetching->rest += key->rows * key->weight;
	}
	fetching->total = fetching->counted + sample->uncounted;
	fetching->chance = fetching->counted > 0 ?
		Min(1.0 / heaviest, fetching->most / fetching->counted) : 0;
}

static void
choose_pairs(Fetching *fetching)
{
	SsdparIndexSample *sample = fetching->sample;
	int			room = fetching->most + sample->nrows * (PARTNERS_ASKED + 1);

	count_pairs(fetching);
	fetching->pairs = palloc_array(SsdparPair, room);
	for (int i = 0; i < sample->nrows; i++)
	{
		SsdparIndexSampleKey *key = sample->keys[i];
		int			n;

		if (key == NULL || key->ntids == 0)
			continue;
		n = Min(pairs_of(fetching, key), room - fetching->npairs);
		ssdpar_choose_pairs(fetching->sampler, sample, i, n,
							&fetching->pairs[fetching->npairs]);
		fetching->npairs += n;
	}
}

/*
 * What comes of them.
 */

/* Of the pairs those are left that are joined. */
static void
take_answers(Fetching *fetching)
{
	const SsdparIndexSample *sample = fetching->sample;

	fetching->answers = palloc0(sizeof(SsdparAnswer) * sample->nrows);
	for (int i = 0; i < sample->nrows; i++)
		fetching->answers[i].like = i;
	for (int p = 0; p < fetching->npairs; p++)
	{
		SsdparPair *pair = &fetching->pairs[p];
		SsdparAnswer *answer = &fetching->answers[pair->row];

		answer->asked++;
		if (ssdpar_is_pair_joined(fetching->builder, fetching->join,
								  fetching->set->members[sample->rows
														 [pair->row]],
								  pair))
			answer->partner = true;
		else
			pair->fetched = NULL;
	}
}

/* False if the time is up. */
static bool
ask_further(Fetching *fetching)
{
	SsdparAsking asking = {
		.sampler = fetching->sampler,
		.set = fetching->set,
		.join = fetching->join,
		.sample = fetching->sample,
		.builder = fetching->builder,
		.most_pairs = fetching->most * PARTNERS_ASKED,
		.answers = fetching->answers,
	};
	bool		in_time = ssdpar_ask_further(&asking);

	fetching->heaviest = asking.heaviest;
	return in_time;
}

/* The rows of the join that pairs first to end - 1, of one row, make. */
static void
join_row(Fetching *fetching, int i, int first, int end)
{
	const SsdparSampleJoin *join = fetching->join;
	SsdparSampleRow **members =
		fetching->set->members[fetching->sample->rows[i]];
	int			asked = ssdpar_row_asked(fetching->answers, i);
	bool		any = fetching->answers[asked].partner;
	int			partners = 0;

	for (int p = first; p < end; p++)
	{
		SsdparSampleRow *row = fetching->pairs[p].fetched;

		if (row == NULL)
			continue;
		if (join->type == JOIN_INNER || join->type == JOIN_LEFT ||
			(join->type == JOIN_SEMI && partners == 0))
			ssdpar_joined_add(fetching->builder, members, row);
		partners++;
	}
	if (partners > 0)
		fetching->partners += fetching->sample->keys[i]->rows *
			partners / (end - first);
	else if (any ? join->type == JOIN_SEMI :
			 (join->type == JOIN_ANTI || join->type == JOIN_LEFT))
		ssdpar_joined_add(fetching->builder, members, NULL);
	fetching->alone += !any;
	fetching->alike += asked != i;
	fetching->undecided += asks_each(join) &&
		ssdpar_is_undecided(fetching->sample, fetching->answers, asked);
	if (join->type == JOIN_LEFT || any == (join->type != JOIN_ANTI))
	{
		double		stands_for = fetching->answers[i].stands_for;

		fetching->producers++;
		fetching->squares += stands_for * stands_for;
	}
	fetching->rest_producers += partners > 0 &&
		!fetching->sample->keys[i]->common;
}

static void
join_rows(Fetching *fetching)
{
	SsdparSampleRow *last = NULL;
	int			first = 0;

	for (int i = 0; i < fetching->sample->nrows; i++)
	{
		SsdparSampleRow *target =
			fetching->set->members[fetching->sample->rows[i]]
			[fetching->set->target];
		int			end = first;

		while (end < fetching->npairs && fetching->pairs[end].row == i)
			end++;
		join_row(fetching, i, first, end);
		first = end;
		fetching->targets += target != last;
		last = target;
	}
}

/*
 * Rows of the table that come with a key, if it has any: by core's statistics,
 * as none was seen.
 */
static double
rows_of_key(const Fetching *fetching)
{
	const SsdparSampleTable *table = fetching->join->table;
	PlannerInfo *root = fetching->sampler->root;
	double		rows = Max(table->rel->rows, 1.0);
	List	   *columns = NIL;
	ListCell   *lc;

	foreach(lc, fetching->join->keys)
	{
		const SsdparSampleKey *key = lfirst(lc);
		AttrNumber	number = table->columns[key->inner_column];
		Form_pg_attribute column =
			TupleDescAttr(RelationGetDescr(table->heap), number - 1);

		columns = lappend(columns, makeVar(table->rel->relid, number,
										   column->atttypid,
										   column->atttypmod,
										   column->attcollation, 0));
	}
	return Max(rows / estimate_num_groups(root, columns, rows, NULL, NULL),
			   1.0);
}

/* Of those looked up, that may have a partner though none has been seen. */
static double
rows_unfound(const Fetching *fetching)
{
	return fetching->sample->nrows *
		ssdpar_joined_unfound(fetching->sampler, fetching->set, true);
}

/* Rows of the join for each row looked up, times the number of these. */
static double
rows_found(const Fetching *fetching)
{
	double		added = ssdpar_joined_added(fetching->builder);

	switch (fetching->join->type)
	{
		case JOIN_SEMI:
		case JOIN_ANTI:
			return added > 0 ? added :
				Min(rows_unfound(fetching) * fetching->heaviest,
					fetching->sample->nrows);
		case JOIN_LEFT:
			return fetching->partners + fetching->alone;
		default:
			if (fetching->npairs == 0)
				return rows_unfound(fetching) * rows_of_key(fetching) +
					fetching->sample->uncounted;
			return fetching->total * (added > 0 ? added : ROWS_UNFOUND) /
				fetching->npairs;
	}
}

/*
 * With rows that others have answered for, as in a sample with weights.  One
 * more of the heaviest might have had the other answer.
 */
static double
independent_answers(const Fetching *fetching)
{
	return fetching->producers * fetching->producers /
		(fetching->squares + fetching->heaviest * fetching->heaviest);
}

/*
 * How sure the sum of the strata is: each adds the square of its relative
 * error, one by the rows found, times the square of its share.  All common
 * values that the set has add nothing, if it has all rows of them.  Pairs that
 * were not counted are taken to be like the others.
 */
static double
independent_rows(const Fetching *fetching)
{
	const SsdparIndexSample *sample = fetching->sample;
	int			producers = fetching->producers - fetching->rest_producers;
	double		rest;
	double		variance = 0;

	if (fetching->alike > 0)
		return independent_answers(fetching);
	if (sample->even || fetching->counted == 0)
		return fetching->producers;
	rest = fetching->rest / fetching->counted;
	if (rest > 0)
		variance += rest * rest / Max(fetching->rest_producers, 1);
	if (!sample->certain)
		variance += (1.0 - rest) * (1.0 - rest) / Max(producers, 1);
	return Min(fetching->producers, 1.0 / variance) *
		fetching->counted / fetching->total;
}

/* Was each pair of the rows that were looked up fetched? */
static bool
fetched_all(const Fetching *fetching)
{
	return fetching->sample->even && fetching->npairs == fetching->total;
}

/* Has every pair of every row of an exact set been fetched? */
static bool
is_exact(const Fetching *fetching)
{
	return fetching->set->whole &&
		fetching->sample->nrows == fetching->set->nrows &&
		fetched_all(fetching) && fetching->join->table->unseen == 1.0;
}

/*
 * With unique keys each row of the table that is added has one partner at most:
 * then it is this one's rows of which the share is known.  Otherwise the
 * target's, if no pair was left out.
 */
static void
set_share(const Fetching *fetching, SsdparSampleJoined *result, int targets)
{
	const SsdparSampleJoined *set = fetching->set;
	const SsdparSampleTable *table = fetching->join->table;
	JoinType	type = fetching->join->type;

	if (fetching->join->others != NIL)
		return;
	if (type == JOIN_INNER && table->passing > 0 &&
		ssdpar_has_unique_keys(fetching->sampler, set, fetching->sample))
	{
		result->target = table->number;
		result->share = Min(result->rows / (table->passing * table->unseen),
							1.0);
	}
	else if (set->share >= 0 && fetching->targets > 0 &&
			 (type == JOIN_SEMI ||
			  (type == JOIN_INNER && fetched_all(fetching))))
		result->share = set->share * table->unseen / fetching->targets *
			(targets > 0 || result->exact ? targets :
			 Min(ROWS_UNFOUND, fetching->targets));
}

/*
 * Was none found of some of a table's keys, all of which have the same right to
 * one?  A calendar has a hundred years, and the fact's rows are of five.  That
 * each of these has its day there is more than such a sample can say.
 */
static bool
says_nothing(const Fetching *fetching, bool exact)
{
	const SsdparSampleJoined *set = fetching->set;

	return fetching->join->type == JOIN_INNER && !exact &&
		ssdpar_joined_added(fetching->builder) == 0 &&
		ssdpar_has_unique_keys(fetching->sampler, set, fetching->sample) &&
		ssdpar_sample_is_unfiltered(&fetching->sampler->tables[set->target]);
}

static SsdparSampleJoined *
conclude(Fetching *fetching)
{
	const SsdparSampleJoined *set = fetching->set;
	bool		exact = is_exact(fetching);
	int			targets = ssdpar_joined_targets(fetching->builder);
	double		added = ssdpar_joined_added(fetching->builder);
	double		weight = set->rows / fetching->sample->nrows *
		fetching->join->table->unseen;
	bool		covers = set->whole &&
		fetching->sample->nrows == set->nrows && fetching->alike == 0;
	double		found = covers ? added :
		Min(independent_rows(fetching), set->found);
	double		rows = exact ? added : rows_found(fetching) * weight;
	SsdparSampleJoined *result;

	if (says_nothing(fetching, exact) ||
		fetching->undecided > rows_found(fetching) * MOST_UNDECIDED)
		return NULL;
	result = ssdpar_joined_end(fetching->builder, rows, found, exact);

	/* of a row's many partners a few are no fair sample of the join */
	if (fetching->join->type == JOIN_LEFT &&
		fetching->npairs < fetching->total)
		result->nrows = 0;
	set_share(fetching, result, targets);
	return result;
}

/* Semi joins and the like are not divided into those seen and not seen. */
static bool
is_possible(const SsdparSampleJoined *set, const SsdparSampleJoin *join)
{
	return set->nrows > 0 && join->table->ncolumns > 0 &&
		(!asks_each(join) || join->table->unseen == 1.0);
}

/*
 * Pages of the table on which one row's partners are expected, of as many as
 * are fetched: one if the table is in the order of the key.
 */
static double
pages_of_row(const SsdparSampleJoin *join)
{
	const SsdparSampleTable *table = join->table;
	const SsdparSampleKey *key;
	double		order;

	if (!asks_each(join) || join->keys == NIL)
		return 1.0;
	key = linitial(join->keys);
	order = ssdpar_column_order(RelationGetRelid(table->heap),
								table->columns[key->inner_column]);
	return 1.0 + (PARTNERS_ASKED - 1) * (1.0 - order);
}

/* As many as this round is worth, and there is work left for. */
static int
affordable_pairs(const SsdparSampler *sampler, const SsdparSampleJoin *join)
{
	const SsdparSampleTable *table = join->table;
	double		pages = pages_of_row(join);

	/* a leaf is not dearer than a page of the table */
	double		seconds = (pages + 1) * table->page_seconds +
		table->row_seconds + ssdpar_work_cpu_seconds(SSDPAR_WORK_KEY);
	double		affordable = ssdpar_sample_work_left(&sampler->budget) *
		SHARE_OF_WORK / seconds;
	int			most = Min(sampler->effort * PAIRS_A_PAGE,
						   asks_each(join) ? MOST_ROWS_ASKED : MOST_PAIRS);

	return Min(affordable, most);
}

SsdparSampleJoined *
ssdpar_join_by_index(SsdparSampler *sampler, const SsdparSampleJoined *set,
					 const SsdparSampleJoin *join)
{
	Fetching	fetching = {.sampler = sampler, .set = set, .join = join};

	fetching.most = affordable_pairs(sampler, join);
	if (!is_possible(set, join) || fetching.most < LEAST_PAIRS ||
		!ssdpar_sample_is_in_line(sampler, join))
		return NULL;
	fetching.sample = ssdpar_index_sample(sampler, set, join, fetching.most,
										  asks_each(join) ? NULL :
										  ssdpar_join_by_index);
	if (fetching.sample == NULL)
		return NULL;
	fetching.set = set = fetching.sample->set;
	ssdpar_distinct_by_join(sampler, set, join, fetching.sample);
	choose_pairs(&fetching);
	if (!ssdpar_fetch_pairs(sampler, join->table, fetching.pairs,
							fetching.npairs) ||
		!ssdpar_sample_is_in_line(sampler, join))
		return NULL;
	fetching.builder = ssdpar_joined_begin(sampler, set, join);
	take_answers(&fetching);
	if (asks_each(join) && !ask_further(&fetching))
		return NULL;
	join_rows(&fetching);
	pfree(fetching.pairs);
	return conclude(&fetching);
}
