/*
 * join_in_hand.c
 *		A sample of a join with a table of which every row is in hand.
 *
 * It costs no I/O, and what is independent of the sample that it extends is
 * exact: several such tables joined with one sample of a fact show whether
 * their filters go together.
 */
#include "postgres.h"

#include "utils/lsyscache.h"

#include "base/compat.h"
#include "sample/hash_match.h"
#include "sample/joined.h"
#include "sample/join_sample.h"

/* Rows of one page have the same key so much more often than any rows. */
#define ALIKE_FACTOR 4.0

typedef struct Matching
{
	SsdparSampler *sampler;
	const SsdparSampleJoined *set;
	const SsdparSampleJoin *join;
	SsdparSampleHash *hash;
	SsdparJoinedBuilder *builder;
	int			producers;		/* rows of the set of which one came out */
	bool	   *has_partner;	/* each row of the table; NULL: not asked */
	int			partners;		/* those that have one */
	uint64		steps;			/* rows, and those compared with them */
} Matching;

static bool
is_over(Matching *matching)
{
	return ssdpar_sample_match_is_over(matching->sampler, &matching->steps);
}

/* Rows of the table are told by their positions. */
static void
note_partner(Matching *matching, int position)
{
	if (matching->has_partner == NULL || matching->has_partner[position])
		return;
	matching->has_partner[position] = true;
	matching->partners++;
}

/* One row of the set; false if the time is up. */
static bool
match_row(Matching *matching, SsdparSampleRow *const *members)
{
	JoinType	type = matching->join->type;
	SsdparSampleMatches matches = {
		.sampler = matching->sampler,
		.hash = matching->hash,
		.join = matching->join,
		.members = members,
		.position = -1,
	};
	bool		matched = false;
	SsdparSampleRow *row;

	while ((row = ssdpar_sample_next_match(&matches,
										   &matching->steps)) != NULL)
	{
		if (!ssdpar_joined_condition(matching->builder, members, row))
			continue;
		matched = true;
		note_partner(matching, matches.position);
		if (type == JOIN_ANTI)
			break;
		ssdpar_joined_add(matching->builder, members, row);
		if (type == JOIN_SEMI)
			break;
	}
	if (matches.is_over)
		return false;
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

/* The key of a row that is looked up first; false if it is NULL. */
static bool
first_key(const Matching *matching, int i, Datum *value)
{
	const SsdparSampleKey *key = linitial(matching->join->keys);
	const SsdparSampleRow *row = matching->set->members[i][key->outer];

	if (row == NULL || row->nulls[key->outer_column])
		return false;
	*value = row->values[key->outer_column];
	return true;
}

/* Have two rows of the set, that come of two of the target, the same key? */
static bool
have_same_key(const Matching *matching, int i, int k)
{
	Datum		one;
	Datum		other;

	return first_key(matching, i, &one) && first_key(matching, k, &other) &&
		one == other;
}

/*
 * Do rows of one page of the target have the same key more often than any two
 * rows, as where the table is in the order of the key?  Rows of a page follow
 * each other, and half of the set lies between any two.  Keys that are no plain
 * numbers count as if they did.
 */
static bool
are_alike(const Matching *matching)
{
	const SsdparSampleJoined *set = matching->set;
	const SsdparSampleKey *key = matching->join->keys == NIL ? NULL :
		linitial(matching->join->keys);
	double		pairs = 0;
	double		same = 0;
	double		same_anywhere = 0;

	if (key == NULL || !get_typbyval(key->outer_type))
		return true;
	for (int i = 1; i < set->nrows; i++)
	{
		SsdparSampleRow *one = set->members[i - 1][set->target];
		SsdparSampleRow *other = set->members[i][set->target];

		if (one == other || one->block != other->block)
			continue;
		pairs++;
		same += have_same_key(matching, i - 1, i);
		same_anywhere +=
			have_same_key(matching, i, (i + set->nrows / 2) % set->nrows);
	}
	return pairs == 0 || same > ALIKE_FACTOR * (same_anywhere + 1.0);
}

/* A row that the target still has in the join counts once. */
static double
share_left(const Matching *matching)
{
	const SsdparSampleJoined *set = matching->set;
	SsdparSampleRow *last = NULL;
	double		left = ssdpar_joined_targets(matching->builder);
	int			targets = 0;

	if (set->share < 0 || matching->join->others != NIL ||
		(matching->join->type != JOIN_INNER &&
		 matching->join->type != JOIN_SEMI))
		return -1;
	for (int i = 0; i < set->nrows; i++)
	{
		targets += set->members[i][set->target] != last;
		last = set->members[i][set->target];
	}
	if (left == 0 && !is_exact(matching))
		left = targets * ssdpar_joined_unfound(matching->sampler, set,
											   are_alike(matching));
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
		added = set->nrows * ssdpar_joined_unfound(matching->sampler, set,
												   are_alike(matching));
	result = ssdpar_joined_end(matching->builder, added * weight, found,
							   exact);
	result->share = share;
	if (exact && matching->has_partner != NULL && table->nrows > 0)
	{
		result->partner = table->number;
		result->partner_share = (double) matching->partners / table->nrows;
	}
	return result;
}

SsdparSampleJoined *
ssdpar_join_in_hand(SsdparSampler *sampler, const SsdparSampleJoined *set,
					const SsdparSampleJoin *join)
{
	Matching	matching = {.sampler = sampler, .set = set, .join = join};

	if ((join->table->unseen < 1.0 && join->type != JOIN_INNER) ||
		!ssdpar_sample_is_in_line(sampler, join))
		return NULL;
	matching.hash = ssdpar_sample_hash(sampler, join);
	if (matching.hash == NULL)
		return NULL;
	matching.builder = ssdpar_joined_begin(sampler, set, join);
	if (set->whole && join->type == JOIN_INNER && join->others == NIL)
		matching.has_partner = palloc0_array(bool, Max(join->table->nrows, 1));
	for (int i = 0; i < set->nrows; i++)
	{
		if (is_over(&matching) || !match_row(&matching, set->members[i]))
			return NULL;
	}
	return conclude(&matching);
}
