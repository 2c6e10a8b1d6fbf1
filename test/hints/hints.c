/*
 * hints.c
 *		Does to the planner what pg_hint_plan does, in brief: rebuilds the
 *		paths of a table with a hint, and disables join methods while joins are
 *		searched.
 *
 * t/063_hints.pl compiles and loads it.
 */
#include "postgres.h"

#include "fmgr.h"
#include "optimizer/cost.h"
#include "optimizer/geqo.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

static char *scanned;			/* the table to be scanned sequentially */
static bool no_hash_joins;
static set_rel_pathlist_hook_type previous_set_rel_pathlist;
static join_search_hook_type previous_join_search;

static void
set_rel_pathlist(PlannerInfo *root, RelOptInfo *rel, Index rti,
				 RangeTblEntry *rte)
{
	if (previous_set_rel_pathlist)
		previous_set_rel_pathlist(root, rel, rti, rte);
	if (rte->rtekind != RTE_RELATION ||
		strcmp(get_rel_name(rte->relid), scanned) != 0)
		return;
	list_free_deep(rel->pathlist);
	list_free_deep(rel->partial_pathlist);
	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	add_path(rel, create_seqscan_path(root, rel, NULL, 0));
}

static RelOptInfo *
join_search(PlannerInfo *root, int levels, List *initial_rels)
{
	bool		before = enable_hashjoin;
	RelOptInfo *rel;

	enable_hashjoin = before && !no_hash_joins;
	if (previous_join_search)
		rel = previous_join_search(root, levels, initial_rels);
	else
		rel = standard_join_search(root, levels, initial_rels);
	enable_hashjoin = before;
	return rel;
}

void
_PG_init(void)
{
	DefineCustomStringVariable("hints.scanned", "A table.", NULL, &scanned, "",
							   PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("hints.no_hash_joins", "Other joins alone.", NULL,
							 &no_hash_joins, false, PGC_USERSET, 0, NULL, NULL,
							 NULL);
	previous_set_rel_pathlist = set_rel_pathlist_hook;
	set_rel_pathlist_hook = set_rel_pathlist;
	previous_join_search = join_search_hook;
	join_search_hook = join_search;
}
