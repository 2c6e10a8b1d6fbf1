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
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "base/settings.h"
#include "cost/tablespace_model.h"
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
	List	   *tables;			/* RelOptInfo */
	double		fraction;		/* of their rows that the query wants */
	double		unit_seconds;	/* of planner cost */
	SsdparShardKeys sent[SSDPAR_MAX_REDUCERS];
	int			nsent;
	double		share;			/* of the rows that these keep together */
	double		send_seconds;	/* of these, to one of the tables */
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

/* Keys of more than may be listed are sent as a range: its two ends. */
static bool
are_listed(const SsdparShardKeys *keys)
{
	return keys->dimension->keys <= ssdpar_shard_keys;
}

static double
sent_keys(const SsdparShardKeys *keys)
{
	return are_listed(keys) ? keys->dimension->keys : 2;
}

/* Share of the rows that come.  A range leaves whatever the keys in it do. */
static double
kept_share(const Shards *shards, const SsdparShardKeys *keys)
{
	const SsdparDimension *dimension = keys->dimension;

	return are_listed(keys) ? dimension->selectivity :
		Max(ssdpar_key_range_share(shards->root, dimension),
			dimension->selectivity);
}

static double
send_seconds(const Shards *shards, const SsdparShardKeys *keys)
{
	SsdparLink	link = ssdpar_link_of(shards->root, linitial(shards->tables));

	return ssdpar_link_keys_seconds(&link, sent_keys(keys));
}

/*
 * Seconds that sending keys saves: rows that do not come, less what it takes
 * to find the keys, to send them everywhere, and to look rows up there.
 */
static double
seconds_saved(const Shards *shards, const SsdparShardKeys *keys)
{
	double		share = kept_share(shards, keys);
	double		saved = 0;
	ListCell   *lc;

	foreach(lc, keys->estimate.children)
		saved -= ((Path *) lfirst(lc))->total_cost * shards->unit_seconds;
	foreach(lc, shards->tables)
	{
		const RelOptInfo *shard = lfirst(lc);
		SsdparLink	link = ssdpar_link_of(shards->root, shard);
		double		rows = shard->rows * shards->share * shards->fraction;
		int			width = shard->reltarget->width;
		int			columns = list_length(shard->reltarget->exprs);

		saved += ssdpar_link_rows_seconds(&link, rows, width, columns) -
			ssdpar_link_rows_seconds(&link, rows * share, width, columns) -
			ssdpar_link_keys_seconds(&link, sent_keys(keys)) -
			ssdpar_link_tests_seconds(rows);
	}
	return saved;
}

static bool
is_worth_sending(const Shards *shards, const SsdparShardKeys *keys)
{
	if (ssdpar_star_access != SSDPAR_STAR_AUTO)
		return true;
	return seconds_saved(shards, keys) > 0;
}

/* The dimensions come with the most selective one first. */
static void
choose_keys(Shards *shards, List *dimensions)
{
	ListCell   *lc;

	shards->share = 1.0;
	foreach(lc, dimensions)
	{
		const SsdparDimension *dimension = lfirst(lc);
		SsdparShardKeys *keys = &shards->sent[shards->nsent];

		if (!ssdpar_shard_keys_of(shards->root, shards->fact, dimension,
								  keys) ||
			!is_worth_sending(shards, keys))
			continue;
		shards->nsent++;
		shards->share *= kept_share(shards, keys);
		shards->send_seconds += send_seconds(shards, keys);
	}
}

static List *
conditions_of(const Shards *shards, RelOptInfo *shard)
{
	List	   *conditions = NIL;

	for (int i = 0; i < shards->nsent; i++)
		conditions = list_concat(conditions,
								 ssdpar_shard_key_conditions(shards->root,
															 shards->fact,
															 shard,
															 &shards->sent[i]));
	return conditions;
}

static void
send_keys(Shards *shards)
{
	Relids		relids = NULL;
	ListCell   *lc;

	for (int i = 0; i < shards->nsent; i++)
		ssdpar_plan_shard_keys(shards->root, shards->fact, &shards->sent[i],
							   list_length(shards->tables),
							   ssdpar_shard_keys);
	foreach(lc, shards->tables)
	{
		RelOptInfo *shard = lfirst(lc);

		ssdpar_plan_shard_again(shards->root, shard,
								conditions_of(shards, shard), shards->share,
								shards->send_seconds / shards->unit_seconds);
		relids = bms_add_member(relids, shard->relid);
	}
	(void) ssdpar_append_shards_again(shards->root, shards->fact, relids);
}

static void
reduce_shards(PlannerInfo *root, RelOptInfo *fact)
{
	Shards		shards = {
		.root = root,
		.fact = fact,
		.tables = ssdpar_shard_tables(root, fact),
	};
	SsdparRefusal refusal;

	if (shards.tables == NIL ||
		ssdpar_level_problem(root, fact) != SSDPAR_ACCEPTED)
		return;
	shards.fraction = wanted_fraction(root, fact);
	shards.unit_seconds = seconds_per_unit(fact);
	choose_keys(&shards, ssdpar_find_dimensions(root, fact, &refusal));
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
