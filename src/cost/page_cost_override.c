/*
 * page_cost_override.c
 *		Lets core's own cost functions calculate with other page costs.
 *
 * Core prices an index path while it makes it and drops what loses at once,
 * and its formulas (pages fetched, correlation, repeated scans) are good; only
 * its page costs are folklore, and one number for tables and indexes, at any
 * depth.  All of them come out of get_tablespace_page_costs() and the index's
 * amcostestimate.  So each index of a watched table has an amcostestimate of
 * ours.  Core calls it for every index path, before it asks for the table's
 * page costs, and from the first call until the table's paths are made
 *
 *	- seq_page_cost and random_page_cost are the model's for the table, the
 *	  latter anew for each path, by how far it will be read ahead;
 *	- within our amcostestimate they are the model's for the index, and the
 *	  real one is called;
 *	- the relations name a tablespace that does not exist, for which core takes
 *	  the settings; theirs may have page costs of its own;
 *	- the most workers are those that the table may have, which it does not
 *	  say itself: then it would have them however little is read.
 *
 * reprice.c chooses the costs.
 */
#include "postgres.h"

#include "access/amapi.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/syscache.h"

#include "base/planner_compat.h"
#include "cost/btree_scan.h"
#include "cost/changed_settings.h"
#include "cost/page_cost_override.h"
#include "cost/pages_again.h"

/*
 * No tablespace ever has this OID: those made by initdb have OIDs of their own
 * from 1663 on, and CREATE TABLESPACE gives FirstNormalObjectId or more.
 */
#define NO_TABLESPACE ((Oid) 1)

typedef struct WatchedIndex
{
	IndexOptInfo *info;
	amcostestimate_function estimator;	/* the real one */
	Oid			tablespace;
	bool		parallel;		/* can several processes read it at once? */
	int			workers;		/* page_cost is for these; -1: none */
	Cost		page_cost;
} WatchedIndex;

/* A table whose index paths are priced here, if it is worth it. */
typedef struct SsdparWatched
{
	struct SsdparWatched *next;
	struct SsdparWatched *met_next; /* the one after it, whose next is this */
	RelOptInfo *rel;
	Oid			tablespace;
	int			workers;		/* that it may have, < 0: not limited */
	int			nindexes;
	WatchedIndex *indexes;

	const SsdparPricer *pricer;
	bool		asked;
	void	   *priced;			/* what price_table() gave */
	List	   *seen;			/* SsdparSeenPath */
	bool		left;			/* core has made its paths */

	/* While its paths are made. */
	SsdparCoreCosts costs;
	SsdparPlannerSettings users;
} SsdparWatched;

/*
 * Of the statement being planned.  Static, since core hands an amcostestimate
 * nothing in which ours could be kept.  The tables are in the planner's memory
 * and go with it; ssdpar_core_costs_end() forgets them before.
 */
static bool planning = false;
static SsdparWatched *watched = NULL;	/* the last one comes first */
static SsdparWatched *found = NULL; /* last time */
static SsdparWatched *under_way = NULL;

/*
 * The variables, not SetConfigOption(): core reads these, a change lasts for
 * one table, and guc.c's functions would parse and check them each time.
 */
static SsdparPlannerSettings
get_settings(RelOptInfo *rel)
{
	SsdparPlannerSettings settings = {random_page_cost, seq_page_cost,
	ssdpar_get_scan_kinds(rel), max_parallel_workers_per_gather};

	return settings;
}

static void
put_settings(RelOptInfo *rel, const SsdparPlannerSettings *settings)
{
	random_page_cost = settings->random_page;
	seq_page_cost = settings->sequential_page;
	ssdpar_put_scan_kinds(rel, settings->scan_kinds);
	max_parallel_workers_per_gather = settings->workers_per_gather;
}

/*
 * Core frees relations that it removes from a query (self-joins, since 18), and
 * another may get the address; its indexes are others.  Another extension may
 * have put its own beside ours, or taken some of ours away.
 */
static bool
is_of(const SsdparWatched *table, const RelOptInfo *rel)
{
	if (table->rel != rel)
		return false;
	for (int i = 0; i < table->nindexes; i++)
		if (rel->indexlist == NIL ||
			list_member_ptr(rel->indexlist, table->indexes[i].info))
			return true;
	return false;
}

/*
 * Core comes to tables in the order in which it has met them: partitions can be
 * thousands.
 */
static SsdparWatched *
find_watched(const RelOptInfo *rel)
{
	SsdparWatched *table = found;

	if (table != NULL && !is_of(table, rel))
		table = table->met_next;
	if (table == NULL || !is_of(table, rel))
		for (table = watched; table != NULL && !is_of(table, rel);)
			table = table->next;
	if (table != NULL)
		found = table;
	return table;
}

/*
 * Paths of the wrong kind are disabled rather than left out, so that they
 * cannot win against those that are wanted.  Parallel index scans at the price
 * of one process are left out: reprice.c makes those that there are.
 */
static void
change_settings(SsdparWatched *table)
{
	const SsdparCoreCosts *costs = &table->costs;

	/* with both kinds disabled, a disabled path would win */
	Assert(costs->index_scans || costs->bitmap_scans);
	Assert(!SearchSysCacheExists1(TABLESPACEOID,
								  ObjectIdGetDatum(NO_TABLESPACE)));
	Assert(table->rel->reltablespace == table->tablespace);
	ssdpar_settings_put_aside();
	table->users = get_settings(table->rel);
	under_way = table;
	random_page_cost = costs->random_page;
	seq_page_cost = costs->sequential_page;
	if (!costs->index_scans)
		ssdpar_disable_scan_kind(table->rel, true);
	if (!costs->bitmap_scans)
		ssdpar_disable_scan_kind(table->rel, false);
	if (table->workers >= 0)
	{
		max_parallel_workers_per_gather = table->workers;
		table->rel->rel_parallel_workers = -1;
	}
	table->rel->reltablespace = NO_TABLESPACE;
	for (int i = 0; i < table->nindexes; i++)
	{
		WatchedIndex *index = &table->indexes[i];

		Assert(index->info->reltablespace == index->tablespace);
		index->info->reltablespace = NO_TABLESPACE;
		index->info->amcanparallel = index->parallel &&
			costs->index_workers > 0;
	}
}

/* Not after an error: nothing is left of the relation then. */
static void
change_back(SsdparWatched *table)
{
	Assert(under_way == table);
	Assert(table->rel->reltablespace == NO_TABLESPACE);
	put_settings(table->rel, &table->users);
	under_way = NULL;
	if (table->workers >= 0)
		table->rel->rel_parallel_workers = table->workers;
	table->rel->reltablespace = table->tablespace;
	for (int i = 0; i < table->nindexes; i++)
	{
		WatchedIndex *index = &table->indexes[i];

		index->info->reltablespace = index->tablespace;
		index->info->amcanparallel = index->parallel;
	}
	Assert(ssdpar_core_costs_are_users(table->rel));
}

/* Of the statement's other tables nothing is asked: core may have freed one. */
bool
ssdpar_core_costs_are_users(const RelOptInfo *rel)
{
	ListCell   *lc;

	if (under_way != NULL)
		return false;
	if (rel == NULL)
		return true;
	foreach(lc, rel->indexlist)
		if (lfirst_node(IndexOptInfo, lc)->reltablespace == NO_TABLESPACE)
			return false;
	return rel->reltablespace != NO_TABLESPACE;
}

void
ssdpar_core_costs_use(RelOptInfo *rel, const SsdparCoreCosts *costs)
{
	SsdparWatched *table = find_watched(rel);

	Assert(table != NULL && table->left && under_way == NULL);
	table->costs = *costs;
	change_settings(table);
}

void
ssdpar_core_costs_restore(RelOptInfo *rel)
{
	Assert(under_way != NULL && under_way->rel == rel);
	change_back(under_way);
}

static WatchedIndex *
find_index(const SsdparWatched *table, const IndexOptInfo *info)
{
	for (int i = 0; i < table->nindexes; i++)
		if (table->indexes[i].info == info)
			return &table->indexes[i];
	elog(ERROR, "index %u was not among those of its table", info->indexoid);
	return NULL;				/* keep compiler quiet */
}

/* The settings are those of the table. */
static SsdparIndexEstimate
estimate_priced(SsdparWatched *table, WatchedIndex *index, PlannerInfo *root,
				IndexPath *path, double loop_count)
{
	int			workers = table->costs.index_workers;
	SsdparIndexEstimate estimate;

	/* only now: a price samples residency, and few indexes fit the query */
	if (index->workers != workers)
		index->page_cost = table->pricer->price_index(table->priced,
													  index->info,
													  index->tablespace,
													  workers);
	index->workers = workers;
	if (!table->left || table->costs.runs > 1.0 ||
		!ssdpar_seen_path_recall(table->seen, path, index->page_cost,
								 &estimate))
	{
		/*
		 * Not protected against an error: what it raises ends the statement,
		 * and ssdpar_core_costs_end() puts the user's settings back.
		 */
		estimate.page_cost = index->page_cost;
		random_page_cost = seq_page_cost = index->page_cost;
		index->estimator(root, path, loop_count * table->costs.runs,
						 &estimate.startup, &estimate.total,
						 &estimate.selectivity, &estimate.correlation,
						 &estimate.pages);
		random_page_cost = table->costs.random_page;
		seq_page_cost = table->costs.sequential_page;
		estimate.correlation =
			ssdpar_btree_correlation(root, index->info, estimate.correlation);
	}
	estimate.again = ssdpar_pages_again_cost(root, &table->costs, path,
											 loop_count * table->costs.runs,
											 !table->costs.index_scans,
											 &estimate);

	if (!table->left)
		table->seen = ssdpar_seen_path_add(table->seen, path, loop_count,
										   &estimate);
	return estimate;
}

/* Core asks for the table's page costs when amcostestimate has returned. */
static void
put_heap_page_costs(const SsdparWatched *table,
					const SsdparEstimatedScan *scan)
{
	SsdparCoreCosts costs = table->costs;

	/* what is also the price of a bitmap scan's pages stays */
	if (costs.index_scans && !costs.bitmap_scans)
		costs.random_page = table->pricer->price_page(table->priced, scan,
													  costs.random_page);
	random_page_cost = costs.random_page;
	seq_page_cost = costs.sequential_page;
	if (costs.runs > 1.0 && costs.index_scans)
		ssdpar_share_table_pages(scan->root, &costs, scan->path,
								 scan->loop_count, scan->estimate,
								 &random_page_cost, &seq_page_cost);
}

/* The amcostestimate of every index of a watched table. */
static void
estimate_index(PlannerInfo *root, IndexPath *path, double loop_count,
			   Cost *startup, Cost *total, Selectivity *selectivity,
			   double *correlation, double *pages)
{
	SsdparWatched *table = find_watched(path->indexinfo->rel);
	WatchedIndex *index = find_index(table, path->indexinfo);
	SsdparIndexEstimate estimate;
	SsdparEstimatedScan scan = {
		root, path, loop_count, &estimate, table->costs.index_workers
	};
	Cost		hidden = 0;

	/*
	 * Asked this late, since a table without an index path needs no price of
	 * one, and before this call core has not asked for its page costs yet.
	 */
	if (!table->asked && !table->left && under_way == NULL)
	{
		table->asked = true;
		table->priced = table->pricer->price_table(root, table->rel,
												   &table->costs);
		if (table->priced != NULL)
			change_settings(table);
	}

	/*
	 * After the table's paths are made core may price one of them anew, with
	 * more parameters (reparameterize_path): at the user's costs, as in a
	 * table that is not watched.
	 */
	if (under_way != table)
	{
		index->estimator(root, path, loop_count, startup, total, selectivity,
						 correlation, pages);
		return;
	}
	estimate = estimate_priced(table, index, root, path, loop_count);
	put_heap_page_costs(table, &scan);
	if (table->costs.runs <= 1.0)
		hidden = table->pricer->price_leaves(table->priced, &scan,
											 index->tablespace);
	*startup = estimate.startup;
	*total = estimate.total + estimate.again - hidden;
	*selectivity = estimate.selectivity;
	*correlation = estimate.correlation;
	*pages = estimate.pages;
}

void
ssdpar_core_costs_watch(RelOptInfo *rel, const SsdparPricer *pricer,
						int workers)
{
	int			n = list_length(rel->indexlist);
	SsdparWatched *table;

	/* CLUSTER looks tables up as well, without planning a statement. */
	if (!planning || n == 0)
		return;
	table = palloc0_object(SsdparWatched);
	table->rel = rel;
	table->tablespace = rel->reltablespace;
	Assert(table->tablespace != NO_TABLESPACE);
	table->pricer = pricer;
	table->workers = workers;
	table->nindexes = n;
	table->indexes = palloc_array(WatchedIndex, n);
	for (int i = 0; i < n; i++)
	{
		WatchedIndex *index = &table->indexes[i];

		index->info = list_nth(rel->indexlist, i);
		/* watched twice, it would call itself without end */
		Assert(index->info->amcostestimate != estimate_index);
		index->estimator =
			(amcostestimate_function) index->info->amcostestimate;
		index->tablespace = index->info->reltablespace;
		index->parallel = index->info->amcanparallel;
		index->workers = -1;
		index->info->amcostestimate = estimate_index;
	}
	table->next = watched;
	if (watched != NULL)
		watched->met_next = table;
	watched = table;
}

void *
ssdpar_core_costs_of(RelOptInfo *rel, List **seen)
{
	SsdparWatched *table = find_watched(rel);

	*seen = NIL;
	if (table == NULL || !table->left)
		return NULL;
	*seen = table->seen;
	return table->priced;
}

void *
ssdpar_core_costs_leave(RelOptInfo *rel, List **seen)
{
	SsdparWatched *table = find_watched(rel);

	if (under_way == table && table != NULL)
		change_back(table);

	/* from here on its costs are those of ssdpar_core_costs_use() alone */
	if (table != NULL)
		table->left = true;
	return ssdpar_core_costs_of(rel, seen);
}

void
ssdpar_core_costs_again(RelOptInfo *rel)
{
	SsdparWatched *table = find_watched(rel);

	if (table == NULL)
		return;
	Assert(!table->left);
	if (under_way == table)
		change_back(table);
	table->asked = false;
	table->priced = NULL;
	table->seen = NIL;
}

bool
ssdpar_core_costs_in_use(void)
{
	return planning;
}

void
ssdpar_core_costs_begin(SsdparOuterStatement *outer)
{
	outer->planning = planning;
	outer->watched = watched;
	outer->under_way = under_way;

	/*
	 * The inner statement reads other tables: at the costs of the outer one's
	 * it would get a plan that depends on who caused it to be planned, and
	 * that may be kept in the plan cache.
	 */
	if (under_way != NULL)
	{
		outer->changed = get_settings(under_way->rel);
		put_settings(under_way->rel, &under_way->users);
	}
	planning = true;
	watched = NULL;
	found = NULL;
	under_way = NULL;
}

void
ssdpar_core_costs_put_back(void)
{
	if (under_way != NULL)
		put_settings(under_way->rel, &under_way->users);
	under_way = NULL;
}

void
ssdpar_core_costs_end(const SsdparOuterStatement *outer)
{
	ssdpar_core_costs_put_back();
	planning = outer->planning;
	watched = outer->watched;
	found = NULL;
	under_way = outer->under_way;
	if (under_way != NULL)
		put_settings(under_way->rel, &outer->changed);
}
