/*
 * page_cost_override.c
 *		Makes core's cost functions use other page costs.
 *
 * Core prices an index path when it makes it, and immediately frees losers, so
 * we cannot reprice them later.  Its formulas (pages fetched, correlation,
 * repeated scans) are good, but its page costs are the same for tables and
 * indexes and for any depth.  All of them come from
 * get_tablespace_page_costs() and the index's amcostestimate.  Therefore we
 * replace the amcostestimate of each index of a watched table.  Core calls it
 * for every index path before it reads the table's page costs. From the first
 * call until the table's paths are complete
 *
 *	- seq_page_cost and random_page_cost are the model's for the table; the
 *	  latter is set for each path, by how far it will be read ahead;
 *	- within our amcostestimate they are the model's for the index, and the
 *	  original function is called;
 *	- the relations have a nonexistent tablespace, so that core uses the
 *	  settings, because a real tablespace may have its own page costs.
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
 * No tablespace ever has this OID: initdb assigns those from 1663, and CREATE
 * TABLESPACE assigns FirstNormalObjectId or greater.
 */
#define NO_TABLESPACE ((Oid) 1)

typedef struct WatchedIndex
{
	IndexOptInfo *info;
	amcostestimate_function estimator;	/* the original */
	Oid			tablespace;
	bool		parallel;		/* can several processes read it? */
	int			workers;		/* for which page_cost is valid; -1: none */
	Cost		page_cost;
} WatchedIndex;

/* A table whose index paths are priced here, if it is worthwhile. */
typedef struct SsdparWatched
{
	struct SsdparWatched *next;
	struct SsdparWatched *met_next; /* inverse of next: the table added after
									 * this one */
	RelOptInfo *rel;
	Oid			tablespace;
	int			nindexes;
	WatchedIndex *indexes;

	const SsdparPricer *pricer;
	bool		asked;
	void	   *priced;			/* result of price_table() */
	List	   *seen;			/* SsdparSeenPaths */
	bool		left;			/* has core made its paths? */

	/* Valid while its paths are made. */
	SsdparCoreCosts costs;
	SsdparPlannerSettings users;
} SsdparWatched;

/*
 * State of the statement being planned.  Static, because core passes nothing
 * to amcostestimate in which we could keep it.  The tables are in the
 * planner's memory; ssdpar_core_costs_end() forgets them before that is freed.
 */
static bool planning = false;
static SsdparWatched *watched = NULL;	/* last one first */
static SsdparWatched *found = NULL; /* by the previous search */
static SsdparWatched *under_way = NULL;

/*
 * We set the variables instead of calling SetConfigOption(), because core
 * reads the variables, a change lasts for one table only, and guc.c would
 * parse and check the values each time.
 */
static SsdparPlannerSettings
get_settings(RelOptInfo *rel)
{
	SsdparPlannerSettings settings = {
		random_page_cost, seq_page_cost, ssdpar_get_scan_kinds(rel)
	};

	return settings;
}

static void
put_settings(RelOptInfo *rel, const SsdparPlannerSettings *settings)
{
	random_page_cost = settings->random_page;
	seq_page_cost = settings->sequential_page;
	ssdpar_put_scan_kinds(rel, settings->scan_kinds);
}

/*
 * Core frees relations that it removes from a query (self-joins, since 18),
 * and another relation may get the address, so compare the indexes too.  Other
 * extensions may have added indexes or removed some.
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
 * Core processes tables in the order in which they were added, so start with
 * the successor of the last one: there may be thousands of partitions.
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
 * Paths of the unwanted kind are disabled rather than omitted, so that they
 * cannot win.  Parallel index scans at the price of one process are omitted;
 * reprice.c makes parallel paths.
 */
static void
change_settings(SsdparWatched *table)
{
	const SsdparCoreCosts *costs = &table->costs;

	/* if both were disabled, a disabled path would win */
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

/* Not to be called after an error, when the relation is gone. */
static void
change_back(SsdparWatched *table)
{
	Assert(under_way == table);
	Assert(table->rel->reltablespace == NO_TABLESPACE);
	put_settings(table->rel, &table->users);
	under_way = NULL;
	table->rel->reltablespace = table->tablespace;
	for (int i = 0; i < table->nindexes; i++)
	{
		WatchedIndex *index = &table->indexes[i];

		index->info->reltablespace = index->tablespace;
		index->info->amcanparallel = index->parallel;
	}
	Assert(ssdpar_core_costs_are_users(table->rel));
}

/*
 * Does not check other tables of the statement, because core may have freed
 * them.
 */
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

	/* computed late, because it samples residency and few indexes are used */
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
		 * An error here ends the statement, and ssdpar_core_costs_end()
		 * restores the user's settings.
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

	/* keep the price if bitmap scans use it too */
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
	 * Get the prices this late, because a table without index paths needs
	 * none for them, and core has not read its page costs before this call.
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
	 * When the table's paths are complete, core may reprice one with more
	 * parameters (reparameterize_path).  Then use the user's costs, as for a
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
ssdpar_core_costs_watch(RelOptInfo *rel, const SsdparPricer *pricer)
{
	int			n = list_length(rel->indexlist);
	SsdparWatched *table;

	/* CLUSTER looks up tables too, but plans no statement. */
	if (!planning || n == 0)
		return;
	table = palloc0_object(SsdparWatched);
	table->rel = rel;
	table->tablespace = rel->reltablespace;
	Assert(table->tablespace != NO_TABLESPACE);
	table->pricer = pricer;
	table->nindexes = n;
	table->indexes = palloc_array(WatchedIndex, n);
	for (int i = 0; i < n; i++)
	{
		WatchedIndex *index = &table->indexes[i];

		index->info = list_nth(rel->indexlist, i);
		/* if watched twice, it would call itself forever */
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

	/* from here on only ssdpar_core_costs_use() changes its costs */
	if (table != NULL)
		table->left = true;
	return ssdpar_core_costs_of(rel, seen);
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
	 * The inner statement reads other tables.  Under the outer statement's
	 * costs, it would get a plan that depends on where it was planned, and
	 * that may be cached.
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
