/*
 * withdraw.c
 *		Takes back star scans that were offered, to offer others.
 *
 * What is measured of a query level, once its stars are known, changes what
 * their scans cost, so they are offered again.  Those of before have to go,
 * and plain paths that they have taken out of the lists have to come back.
 *
 * An entry lives as long as the planning of its statement, in the planner's
 * memory, and takes itself out of the list when that goes: statements are
 * planned within each other, and end by errors.
 */
#include "postgres.h"

#include "optimizer/pathnode.h"
#include "utils/palloc.h"

#include "base/compat.h"
#include "starscan/plan/withdraw.h"

typedef struct Remembered
{
	struct Remembered *next;
	MemoryContextCallback forget;
	PlannerInfo *root;
	RelOptInfo *rel;
	List	   *paths;
	List	   *partial_paths;
} Remembered;

static Remembered *remembered = NULL;

static void
take_out(void *entry)
{
	Remembered **place = &remembered;

	while (*place != NULL && *place != entry)
		place = &(*place)->next;
	if (*place != NULL)
		*place = (*place)->next;
}

void
ssdpar_remember_paths(PlannerInfo *root, RelOptInfo *rel)
{
	Remembered *entry = MemoryContextAllocZero(root->planner_cxt,
											   sizeof(Remembered));

	entry->root = root;
	entry->rel = rel;
	entry->paths = list_copy(rel->pathlist);
	entry->partial_paths = list_copy(rel->partial_pathlist);
	entry->forget.func = take_out;
	entry->forget.arg = entry;
	entry->next = remembered;
	remembered = entry;
	MemoryContextRegisterResetCallback(root->planner_cxt, &entry->forget);
}

void
ssdpar_withdraw_star_scans(PlannerInfo *root)
{
	for (Remembered *entry = remembered; entry != NULL; entry = entry->next)
	{
		if (entry->root != root)
			continue;
		entry->rel->pathlist = entry->paths;
		entry->rel->partial_pathlist = entry->partial_paths;
		set_cheapest(entry->rel);
		take_out(entry);
	}
}
