/*
 * offer.c
 *		Sends keys of dimensions along with the queries of foreign tables: a
 *		semi-join across servers (Bernstein and Chiu, Using Semi-Joins to Solve
 *		Relational Queries, 1981).
 *
 * A fact, or some of its partitions, may be on remote servers while its
 * dimensions are here.  Core fetches all of the fact's rows and drops most of
 * them in the joins.  With the keys of the dimensions as a further condition,
 * only rows that can match are fetched.
 *
 * The condition is implied by the query: a star scan uses the same rules for
 * which dimensions may reduce which fact (star/semijoin.c, with the proof),
 * and the joins above check every key again.  A remote server uses its own
 * snapshot with or without the keys, and each foreign table is still read
 * once.
 *
 * This file decides which keys are worth sending before any plan includes
 * them. It compares the time that rows and keys take on the link (link.c), the
 * time to read the dimension once more, and the time to look rows up among the
 * keys at the remote end.  The most selective dimension is tried first; the
 * next ones are judged by the rows that it leaves.
 *
 * If there are too many keys for a list, they are sent as their range and, if
 * the remote server has the function that tests it, as a Bloom filter.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "base/compat.h"
#include "base/settings.h"
#include "cost/tablespace_model.h"
#include "keys/key_filter.h"
#include "shards/plan/foreign_paths.h"
#include "shards/plan/key_range.h"
#include "shards/plan/keys_param.h"
#include "shards/plan/offer.h"
#include "shards/plan/shard_tables.h"
#include "star/level.h"
#include "star/semijoin.h"

/* Time of planner cost 1 if it has not been measured. */
#define SECONDS_PER_COST_UNIT 4e-6

/* A fact, and what is sent to its foreign tables. */
typedef struct Shards
{
	PlannerInfo *root;
	RelOptInfo *fact;
	SsdparShard *tables;
	int			ntables;
	SsdparSpent *sending;		/* by table: time for keys already chosen */
	double		fraction;		/* of their rows, that the query needs */
	double		unit_seconds;	/* seconds of planner cost 1 */
	SsdparShardKeys sent[SSDPAR_MAX_REDUCERS];
	int			nsent;
	double		share;			/* of the rows, that pass all of these */
} Shards;

static double
seconds_per_unit(const RelOptInfo *rel)
{
	SsdparModel model;

	return ssdpar_model_get(rel->reltablespace, &model) ?
		model.machine->seconds_per_cost_unit : SECONDS_PER_COST_UNIT;
}

/*
 * With a LIMIT, not all rows of a table will be fetched without keys; but
 * those that pass the keys will.
 */
static double
wanted_fraction(const PlannerInfo *root, const RelOptInfo *fact)
{
	double		fraction = root->tuple_fraction;

	if (fraction <= 0)
		return 1.0;
	return fraction < 1 ? fraction : Min(fraction / Max(fact->rows, 1), 1.0);
}

/*
 * May the keys be listed?  Otherwise they are sent as a filter or as a range.
 */
static bool
are_listed(const SsdparShardKeys *keys)
{
	return keys->dimension->keys <= ssdpar_shard_keys;
}

/* The message to one table.  A filter is sent in addition to the range. */
typedef struct Message
{
	double		keys;			/* listed keys */
	double		filter_bytes;
	double		share;			/* of the rows, that is returned */
} Message;

/* Size of a filter for this number of keys; 0: too many. */
static double
filter_bytes(double keys)
{
	return keys > SSDPAR_KEY_FILTER_MAX_BYTES * 8.0 ? 0 :
		ssdpar_key_filter_size((uint64) keys, SSDPAR_KEY_FILTER_MAX_BYTES);
}

/* A range also keeps rows that match none of the keys in it. */
static Message
message_to(const SsdparShardKeys *keys, const SsdparShard *table)
{
	const SsdparDimension *dimension = keys->dimension;
	double		selectivity = dimension->selectivity;
	Message		message = {.keys = dimension->keys, .share = selectivity};

	if (are_listed(keys))
		return message;
	message.keys = 2;
	message.share = Max(keys->range_share, selectivity);
	if (keys->filtered && table->takes_filters)
		message.filter_bytes = filter_bytes(dimension->keys);
	if (message.filter_bytes > 0)
		message.share = Min(message.share, selectivity + (1 - selectivity) *
							SSDPAR_KEY_FILTER_PASSES);
	return message;
}

static SsdparSpent
spent_on_message(const SsdparLink *link, const Message *message)
{
	return ssdpar_spent_plus(ssdpar_link_keys(link, message->keys),
							 ssdpar_link_filter(link, message->filter_bytes));
}

static SsdparSpent
spent_on_rows(const Shards *shards, const SsdparShard *table, double rows)
{
	const PathTarget *target = table->rel->reltarget;

	return ssdpar_link_rows(&table->link, rows * shards->fraction,
							target->width, list_length(target->exprs));
}

static SsdparSpent
spent_on_scan(const Shards *shards, const SsdparShard *table)
{
	return ssdpar_link_scan(&table->link, shards->fraction *
							table->rel->pages * BLCKSZ,
							shards->fraction * Max(table->rel->tuples, 0));
}

/* Time with further keys, or without if keys is NULL. */
static SsdparSpent
spent_on_table(const Shards *shards, int i, const SsdparShardKeys *keys)
{
	const SsdparShard *table = &shards->tables[i];
	double		rows = table->rel->rows * shards->share;
	SsdparSpent spent = ssdpar_spent_plus(shards->sending[i],
										  spent_on_scan(shards, table));
	Message		message;

	if (keys == NULL)
		return ssdpar_spent_plus(spent, spent_on_rows(shards, table, rows));
	message = message_to(keys, table);
	spent = ssdpar_spent_plus(spent,
							  spent_on_rows(shards, table,
											rows * message.share));
	spent = ssdpar_spent_plus(spent,
							  spent_on_message(&table->link, &message));
	return ssdpar_spent_plus(spent,
							 ssdpar_link_tests(rows * shards->fraction));
}

/* Time until all tables are read. */
static double
all_seconds(const Shards *shards, const SsdparShardKeys *keys)
{
	SsdparPlaced *placed = palloc_array(SsdparPlaced, shards->ntables);
	double	   *room = palloc_array(double, shards->ntables);
	double		seconds;

	for (int i = 0; i < shards->ntables; i++)
	{
		placed[i].place = shards->tables[i].place;
		placed[i].async = shards->tables[i].async;
		placed[i].spent = spent_on_table(shards, i, keys);
	}
	seconds = ssdpar_all_seconds(placed, shards->ntables, room,
								 shards->ntables);
	pfree(placed);
	pfree(room);
	return seconds;
}

/*
 * Seconds saved by sending keys: time of rows that are not fetched, minus the
 * time to collect the keys, send them to all tables, and look rows up there.
 */
static double
seconds_saved(const Shards *shards, const SsdparShardKeys *keys)
{
	double		saved = all_seconds(shards, NULL) - all_seconds(shards, keys);
	ListCell   *lc;

	foreach(lc, keys->estimate.children)
		saved -= ((Path *) lfirst(lc))->total_cost * shards->unit_seconds;
	return saved;
}

/*
 * Decides whether keys are worth sending, and how.  A filter is sent to
 * servers that can test it if it is predicted to be faster than the range
 * alone.  Keys that should fit a list may turn out to be too many, so a filter
 * is allowed for them as well.
 */
static bool
decide(const Shards *shards, SsdparShardKeys *keys)
{
	bool		possible = false;
	double		saved;

	for (int i = 0; i < shards->ntables; i++)
		possible |= shards->tables[i].takes_filters;
	keys->filtered = possible;
	saved = seconds_saved(shards, keys);
	if (possible && !are_listed(keys) && ssdpar_star_access == SSDPAR_STAR_AUTO)
	{
		double		by_range;

		keys->filtered = false;
		by_range = seconds_saved(shards, keys);
		keys->filtered = saved > by_range;
		saved = Max(saved, by_range);
	}
	return ssdpar_star_access != SSDPAR_STAR_AUTO || saved > 0;
}

/*
 * Records the message to each table, and the average share of rows that
 * remains.
 */
static void
note_sent(Shards *shards, const SsdparShardKeys *keys)
{
	double		rows = 0;
	double		kept = 0;

	for (int i = 0; i < shards->ntables; i++)
	{
		const SsdparShard *table = &shards->tables[i];
		Message		message = message_to(keys, table);

		shards->sending[i] =
			ssdpar_spent_plus(shards->sending[i],
							  spent_on_message(&table->link, &message));
		rows += table->rel->rows;
		kept += table->rel->rows * message.share;
	}
	shards->share *= rows > 0 ? kept / rows : 1;
}

/* The most selective dimension is first in the list. */
static void
choose_keys(Shards *shards, List *dimensions)
{
	ListCell   *lc;

	shards->share = 1.0;
	shards->sending = palloc0_array(SsdparSpent, shards->ntables);
	foreach(lc, dimensions)
	{
		const SsdparDimension *dimension = lfirst(lc);
		SsdparShardKeys *keys = &shards->sent[shards->nsent];

		if (!ssdpar_shard_keys_of(shards->root, shards->fact, dimension,
								  keys))
			continue;
		keys->range_share = are_listed(keys) ? 1 :
			ssdpar_key_range_share(shards->root, dimension);
		if (!decide(shards, keys))
			continue;
		shards->nsent++;
		note_sent(shards, keys);
	}
}

static List *
conditions_of(const Shards *shards, const SsdparShard *table)
{
	List	   *conditions = NIL;

	for (int i = 0; i < shards->nsent; i++)
		conditions = list_concat(conditions,
								 ssdpar_shard_key_conditions(shards->root,
															 shards->fact,
															 table,
															 &shards->sent[i]));
	return conditions;
}

/* Costs of one table's scan, as far as they are known. */
static SsdparShardCost
cost_of(const Shards *shards, int i)
{
	const SsdparShard *table = &shards->tables[i];
	SsdparSpent rows = spent_on_rows(shards, table,
									 table->rel->rows * shards->share);
	SsdparSpent run = ssdpar_spent_plus(rows, spent_on_scan(shards, table));
	SsdparSpent sending = shards->sending[i];
	SsdparShardCost cost = {
		.share = shards->share,
		.send = (sending.here + sending.there) / shards->unit_seconds,
		.here = rows.here / shards->unit_seconds,
	};

	if (table->link.measured && !table->estimates && shards->fraction == 1)
		cost.run = (run.here + run.there) / shards->unit_seconds;
	return cost;
}

static void
send_keys(Shards *shards)
{
	SsdparShardCost *costs = palloc_array(SsdparShardCost, shards->ntables);

	for (int i = 0; i < shards->nsent; i++)
		ssdpar_plan_shard_keys(shards->root, shards->fact, &shards->sent[i],
							   shards->ntables, ssdpar_shard_keys);
	for (int i = 0; i < shards->ntables; i++)
	{
		costs[i] = cost_of(shards, i);
		ssdpar_plan_shard_again(shards->root, &shards->tables[i],
								conditions_of(shards, &shards->tables[i]),
								&costs[i]);
	}
	ssdpar_append_shards_again(shards->root, shards->fact, shards->tables,
							   costs, shards->ntables);
}

static void
reduce_shards(PlannerInfo *root, RelOptInfo *fact)
{
	List	   *tables = ssdpar_shard_tables(root, fact);
	Shards		shards = {
		.root = root,
		.fact = fact,
		.ntables = list_length(tables),
	};
	SsdparRefusal refusal;

	if (tables == NIL || ssdpar_level_problem(root, fact) != SSDPAR_ACCEPTED)
		return;
	shards.tables = ssdpar_shards_of(root, tables);
	shards.fraction = wanted_fraction(root, fact);
	shards.unit_seconds = seconds_per_unit(fact);
	choose_keys(&shards, ssdpar_find_dimensions(root, fact, &refusal, NULL));
	if (shards.nsent > 0)
		send_keys(&shards);
}

void
ssdpar_send_keys_to_shards(PlannerInfo *root)
{
	if (ssdpar_shard_keys == 0 || root->join_rel_list != NIL ||
		root->eq_classes == NIL)
		return;
	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (rel != NULL && rel->reloptkind == RELOPT_BASEREL &&
			rel->has_eclass_joins)
			reduce_shards(root, rel);
	}
}
