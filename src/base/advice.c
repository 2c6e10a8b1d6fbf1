/*
 * advice.c
 *		Detects hints of other extensions for a scan or a join.
 *
 * Since 19, they set a mask in the table or the join.  In older versions,
 * pg_hint_plan switches enable_nestloop, enable_hashjoin and enable_mergejoin
 * while the paths of a pair are made.  For a table with a hint, it rebuilds
 * the paths in its set_rel_pathlist_hook, under other settings than other
 * tables have.
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "base/advice.h"
#include "base/planner_compat.h"

/* State of the statement being planned. */
static SsdparAdvice statement = {NIL, 0};

#ifdef SSDPAR_HAS_ADVICE_MASKS

bool
ssdpar_scan_is_advised(const PlannerInfo *root, const RelOptInfo *rel)
{
	return ((rel->pgs_mask ^ root->glob->default_pgs_mask) &
			PGS_SCAN_ANY) != 0;
}

bool
ssdpar_join_is_advised(const PlannerInfo *root, const JoinPathExtraData *extra)
{
	return ((extra->pgs_mask ^ root->glob->default_pgs_mask) &
			PGS_JOIN_ANY) != 0;
}

void
ssdpar_advice_at_rest(void)
{
}

uint32
ssdpar_paths_before(const RelOptInfo *rel)
{
	return 0;
}

void
ssdpar_watch_advice(RelOptInfo *rel, uint32 before)
{
}

#else

/* Join methods that the current settings allow. */
static int
allowed_joins(void)
{
	return (enable_nestloop ? SSDPAR_JOIN_LOOP : 0) |
		(enable_mergejoin ? SSDPAR_JOIN_MERGE : 0) |
		(enable_hashjoin ? SSDPAR_JOIN_HASH : 0);
}

bool
ssdpar_scan_is_advised(const PlannerInfo *root, const RelOptInfo *rel)
{
	return list_member_ptr(statement.scans, rel);
}

bool
ssdpar_join_is_advised(const PlannerInfo *root, const JoinPathExtraData *extra)
{
	return allowed_joins() != statement.joins;
}

void
ssdpar_advice_at_rest(void)
{
	statement.joins = allowed_joins();
}

static uint32
combine(uint32 hash, const void *value, int size)
{
	return hash_combine(hash, hash_bytes(value, size));
}

/*
 * Includes costs, because rebuilt paths may reuse the addresses of freed ones.
 */
uint32
ssdpar_paths_before(const RelOptInfo *rel)
{
	uint32		known = 0;
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		const Path *path = lfirst(lc);

		known = combine(known, &path, sizeof(path));
		known = combine(known, &path->total_cost, sizeof(path->total_cost));
	}
	return known;
}

/* An extension that adds custom scans does not give advice thereby. */
static bool
has_others_scan(const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		if (IsA(lfirst(lc), CustomPath))
			return true;
	}
	return false;
}

void
ssdpar_watch_advice(RelOptInfo *rel, uint32 before)
{
	if (ssdpar_paths_before(rel) != before && !has_others_scan(rel))
		statement.scans = lappend(statement.scans, rel);
}

#endif

SsdparAdvice
ssdpar_advice_begin(void)
{
	SsdparAdvice outer = statement;

	statement.scans = NIL;
	return outer;
}

void
ssdpar_advice_end(const SsdparAdvice *outer)
{
	statement = *outer;
}
