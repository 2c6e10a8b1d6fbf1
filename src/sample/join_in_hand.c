/*
 * join_in_hand.c
 *		A sample of a join with a table of which every row is in hand.
 *
 * It costs no I/O, and what is independent of the sample that it extends is
 * exact: several such tables joined with one sample of a fact show whether
 * their filters go together.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/compat.h"
#include "sample/hash_match.h"
#include "sample/joined.h"
#include "sample/join_sample.h"
#include "sample/work_price.h"

/* Rows and matches between two looks at what has been spent. */
#define STEPS_A_LOOK 128

/* What no row was found of has at most so many, with 95 % certainty. */
#define ROWS_UNFOUND 3.0

typedef struct Matching
{
	SsdparSampler *sampler;
	const SsdparSampleJoined *set;
	const SsdparSampleJoin *join;
	SsdparSampleHash *hash;
	SsdparJoinedBuilder *builder;
	int			producers;		/* rows of the set of which one came out */
	uint64		steps;
} Matching;

static bool
is_over(Matching *matching)
{
	SsdparSampleBudget *budget = &matching->sampler->budget;

	if (++matching->steps % STEPS_A_LOOK != 0)
		return false;
	ssdpar_sample_worked(budget,
						 ssdpar_work_cpu_seconds(STEPS_A_LOOK *
												 SSDPAR_WORK_MATCH));
	return ssdpar_sample_is_over(budget);
}

/* One row of the set; false if the time is up. */
static bool
match_row(Matching *matching, SsdparSampleRow *const *members)
{
	JoinType	type = matching->join->type;
	int			position = -1;
	bool		matched = false;
	SsdparSampleRow *row;

	while ((row = ssdpar_sample_hash_next(matching->hash, matching->join,
										  members, &position)) != NULL)
	{
		if (is_over(matching))
			return false;
		if (!ssdpar_joined_condition(matching->builder, members, row))
			continue;
		matched = true;
		if (type == JOIN_ANTI)
			break;
		ssdpar_joined_add(matching->builder, members, row);
		if (type == JOIN_SEMI)
			break;
	}
	if (!matched && (type == JOIN_ANTI || type == JOIN_LEFT))
		ssdpar_joined_add(matching->builder, members, NULL);
	matching->producers += matched == (type != JOIN_ANTI) ||
		type == JOIN_LEFT;
	return true;
}

/* With no row on the other side the set need not be known. */
static bool
is_exact(const Matching *matching)
{
	const SsdparSampleTable *table = matching->join->table;
	JoinType	type = matching->join->type;

	return table->unseen == 1.0 &&
		(matching->set->whole ||
		 (table->nrows == 0 && (type == JOIN_INNER || type == JOIN_SEMI)));
}

/* A row that the target still has in the join counts once. */
static double
share_left(const Matching *matching)
{
	const SsdparSampleJoined *set = matching->set;
	SsdparSampleRow *last = NULL;
	double		left = ssdpar_joined_targets(matching->builder);
	int			targets = 0;

	if (set->share < 0 || (matching->join->type != JOIN_INNER &&
						   matching->join->type != JOIN_SEMI))
		return -1;
	for (int i = 0; i < set->nrows; i++)
	{
		targets += set->members[i][set->target] != last;
		last = set->members[i][set->target];
	}
	if (left == 0 && !is_exact(matching))
		left = Min(ROWS_UNFOUND, targets);
	return targets == 0 ? -1 : set->share * matching->join->table->unseen *
		left / targets;
}

static SsdparSampleJoined *
conclude(Matching *matching)
{
	const SsdparSampleJoined *set = matching->set;
	const SsdparSampleTable *table = matching->join->table;
	bool		exact = is_exact(matching);
	double		weight = set->nrows == 0 ? 0 :
		set->rows / set->nrows * table->unseen;
	double		added = ssdpar_joined_added(matching->builder);
	double		share = share_left(matching);
	double		found = set->whole ? added :
		Min(matching->producers, set->found);
	SsdparSampleJoined *result;

	if (added == 0 && !exact)
		added = ROWS_UNFOUND;
	result = ssdpar_joined_end(matching->builder, added * weight, found,
							   exact);
	result->share = share;
	return result;
}

SsdparSampleJoined *
ssdpar_join_in_hand(SsdparSampler *sampler, const SsdparSampleJoined *set,
					const SsdparSampleJoin *join)
{
	Matching	matching = {.sampler = sampler, .set = set, .join = join};

	if (join->table->unseen < 1.0 && join->type != JOIN_INNER)
		return NULL;
	matching.hash = ssdpar_sample_hash(sampler, join);
	matching.builder = ssdpar_joined_begin(sampler, set, join);
	for (int i = 0; i < set->nrows; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (is_over(&matching) || !match_row(&matching, set->members[i]))
			return NULL;
	}
	return conclude(&matching);
}
