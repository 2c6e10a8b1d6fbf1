/*
 * offer.c
 *		Sends keys of dimensions along with the queries of foreign tables: a
 *		semi-join over the wire (Bernstein and Chiu, Using Semi-Joins to Solve
 *		Relational Queries, 1981).
 *
 * A fact, or some of its partitions, may be on other servers, and its
 * dimensions here.  Core fetches every row of it and drops most of them in the
 * joins.  With the keys of the dimensions as one more condition only those rows
 * come that can match.
 *
 * The condition is implied: which dimensions may reduce which fact is what a
 * star scan asks as well (star/semijoin.c, with the proof), and the joins above
 * check every key again.  What another server sees is its own snapshot, with
 * the keys and without; each foreign table is read once, as before.
 *
 * What is worth sending is decided here, before any plan has it: by the time
 * that rows and keys take on the link (link.c), the time to read the dimension
 * here once more, and that of looking rows up among the keys there.  The most
 * selective dimension first, the next by the rows that it leaves.
 *
 * Keys that are too many to be listed go as a Bloom filter, if the other server
 * has the function that asks it, and as their range.
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

/*
 * What planner cost 1 takes where that has not been measured: as on the
 * reference machine.
 */
#define SECONDS_PER_COST_UNIT 4e-6

/* A fact, and what is sent to its foreign tables. */
typedef struct Shards
{
	PlannerInfo *root;
	RelOptInfo *fact;
	SsdparShard *tables;
	int			ntables;
	SsdparSpent *sending;		/* on what is sent already, a table each */
	double		fraction;		/* of their rows that the query wants */
	double		unit_seconds;	/* of planner cost */
	SsdparShardKeys sent[SSDPAR_MAX_REDUCERS];
	int			nsent;
	double		share;			/* of the rows that these keep together */
} Shards;

static double
seconds_per_unit(const RelOptInfo *rel)
{
	SsdparModel model;

	return ssdpar_model_get(rel->reltablespace, &model) ?
		model.machine->seconds_per_cost_unit : SECONDS_PER_COST_UNIT;
}

/*
 * With LIMIT, all rows of a table are more than will be asked for; but keys
 * that are sent leave no others.
 */
static double
wanted_fraction(const PlannerInfo *root, const RelOptInfo *fact)
{
	double		fraction = root->tuple_fraction;

	if (fraction <= 0)
		return 1.0;
	return fraction < 1 ? fraction : Min(fraction / Max(fact->rows, 1), 1.0);
}

/* Keys of more than may be listed are sent as a filter, or as a range. */
static bool
are_listed(const SsdparShardKeys *keys)
{
	return keys->dimension->keys <= ssdpar_shard_keys;
}

/* What is sent to one table: a filter comes with its range. */
typedef struct Message
{
	double		keys;			/* that are listed */
	double		filter_bytes;
	double		share;			/* of the rows that come */
} Message;

/* Of that many keys; 0: too many for a filter. */
static double
filter_bytes(double keys)
{
	return keys > SSDPAR_KEY_FILTER_MAX_BYTES * 8.0 ? 0 :
		ssdpar_key_filter_size((uint64) keys, SSDPAR_KEY_FILTER_MAX_BYTES);
}

/* A range leaves whatever the keys in it do. */
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

/* With keys that are not sent yet, and without any. */
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

/* Until all tables are read. */
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
 * Seconds that sending keys saves: rows that do not come, less what it takes
 * to find the keys, to send them everywhere, and to look rows up there.
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
 * Is it worth sending them, and how?  A filter goes to those that take one,
 * where that is predicted to be faster than the range alone; if there turn out
 * to be more keys than may be listed, wherever they would have been listed.
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

/* Tables get what they get; the rows that come are those of all together. */
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

/* The dimensions come with the most selective one first. */
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

/* What a table's scan costs, as far as it is known. */
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
