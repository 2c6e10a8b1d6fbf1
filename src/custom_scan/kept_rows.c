/*
 * kept_rows.c
 *		Does the plan node above a scan store the rows that it gets?
 *
 * Core tells its own scans when it creates their plans (CP_SMALL_TLIST in
 * createplan.c), but not custom scans.  Therefore the path is searched from
 * the top of its query level.  Several top paths may remain, and it is not
 * known here from which one the plan is created, so rows stored by any of them
 * count as kept.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "optimizer/pathnode.h"

#include "base/planner_compat.h"
#include "custom_scan/kept_rows.h"

typedef struct Search
{
	const Path *wanted;
	bool		found;
	bool		kept;
	bool		below_join;
	bool		shared;			/* see ssdpar_rows_are_kept() */
} Search;

static void look_below(Search *search, Path *path);

static void
look_at(Search *search, Path *child, bool keeps)
{
	if (child != search->wanted)
	{
		look_below(search, child);
		return;
	}
	search->found = true;
	search->kept |= keeps;
}

static void
look_at_all(Search *search, List *children, bool keep)
{
	ListCell   *lc;

	foreach(lc, children)
		look_at(search, lfirst(lc), keep);
}

static void
look_below_join(Search *search, JoinPath *join)
{
	bool		below_join = search->below_join;
	bool		outer = false;
	bool		inner = false;

	search->below_join = true;
	if (IsA(join, MergePath))
	{
		const		MergePath *merge = (MergePath *) join;

		outer = merge->outersortkeys != NIL;
		inner = merge->innersortkeys != NIL || merge->materialize_inner;
	}
	else if (IsA(join, HashPath))
	{
		outer = ((HashPath *) join)->num_batches > 1;
		inner = true;
	}
	look_at(search, join->outerjoinpath, outer);
	look_at(search, join->innerjoinpath, inner);
	search->below_join = below_join;
}

static void
look_below_gather(Search *search, Path *child)
{
	if (!search->shared || search->below_join)
		look_at(search, child, true);
}

/*
 * Unknown nodes hide what is below them, and so do paths of other query
 * levels.
 */
static void
look_below(Search *search, Path *path)
{
	check_stack_depth();
	switch (nodeTag(path))
	{
		case T_NestPath:
		case T_MergePath:
		case T_HashPath:
			look_below_join(search, (JoinPath *) path);
			break;
		case T_MaterialPath:
			look_at(search, ((MaterialPath *) path)->subpath, true);
			break;
		case T_MemoizePath:
			look_at(search, ((MemoizePath *) path)->subpath, true);
			break;
		case T_SortPath:
		case T_IncrementalSortPath:
			look_at(search, ((SortPath *) path)->subpath, true);
			break;
		case T_GatherPath:
			look_below_gather(search, ((GatherPath *) path)->subpath);
			break;
		case T_GatherMergePath:
			look_below_gather(search, ((GatherMergePath *) path)->subpath);
			break;
		case T_AggPath:
			look_at(search, ((AggPath *) path)->subpath, true);
			break;
		case T_GroupingSetsPath:
			look_at(search, ((GroupingSetsPath *) path)->subpath, true);
			break;
		case T_WindowAggPath:
			look_at(search, ((WindowAggPath *) path)->subpath, true);
			break;
		case SSDPAR_T_UNIQUE_PATH:
			look_at(search, ((SsdparUniquePath *) path)->subpath, true);
			break;
		case T_ProjectionPath:
			look_at(search, ((ProjectionPath *) path)->subpath, false);
			break;
		case T_ProjectSetPath:
			look_at(search, ((ProjectSetPath *) path)->subpath, false);
			break;
		case T_GroupPath:
			look_at(search, ((GroupPath *) path)->subpath, false);
			break;
		case T_LimitPath:
			look_at(search, ((LimitPath *) path)->subpath, false);
			break;
		case T_LockRowsPath:
			look_at(search, ((LockRowsPath *) path)->subpath, false);
			break;
		case T_ModifyTablePath:
			look_at(search, ((ModifyTablePath *) path)->subpath, false);
			break;
		case T_AppendPath:
			look_at_all(search, ((AppendPath *) path)->subpaths, false);
			break;
		case T_MergeAppendPath:
			look_at_all(search, ((MergeAppendPath *) path)->subpaths, true);
			break;
		case T_CustomPath:
			look_at_all(search, ((CustomPath *) path)->custom_paths, true);
			break;
		default:
			if (ssdpar_made_unique(path) != NULL)
				look_at(search, ssdpar_made_unique(path), true);
			break;
	}
}

/*
 * A subquery's partial paths are added as those of its last relation, where
 * one may be dominated by another and be freed although a Gather in pathlist
 * refers to it.  Therefore these are examined in that relation, and not below
 * such a Gather.
 */
bool
ssdpar_rows_are_kept(PlannerInfo *root, const Path *path)
{
	RelOptInfo *top = fetch_upper_rel(root, UPPERREL_FINAL, NULL);
	Search		search = {
		.wanted = path, .shared = top->partial_pathlist != NIL,
	};

	look_at_all(&search, top->pathlist, false);
	look_at_all(&search, top->partial_pathlist, true);
	return search.kept || !search.found;
}
