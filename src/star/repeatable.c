/*
 * repeatable.c
 *		Determines whether a path may be executed once more, and early.
 *
 * A star scan reads a dimension by some path.  Core reads the dimension again
 * in the join above, maybe by another path of the same relation, or not at
 * all.  This must not affect the result: both reads must return the same rows,
 * and the additional one must have no side effects and raise no errors.
 *
 * This depends on what is executed, and the query does not show that, because
 * core pushes conditions into copies of subqueries.  So we walk the path down
 * to the tables.  Only known kinds of paths are accepted.  These return the
 * same rows under the same snapshot whenever they are executed, though
 * possibly in another order. early.c checks all expressions that they
 * evaluate.  Sorting, grouping, hashing and index searches must compare by the
 * server's own operators.
 *
 * dimension.c refuses what only the query as a whole shows, for example LIMIT.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/extensible.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "partitioning/partdefs.h"

#include "base/planner_compat.h"
#include "custom_scan/names.h"
#include "star/early.h"
#include "star/error_free.h"
#include "star/known_problems.h"
#include "star/repeatable.h"
#include "star/star.h"

static SsdparRefusal
first_problem(PlannerInfo *root, List *paths)
{
	SsdparRefusal problem = SSDPAR_ACCEPTED;
	ListCell   *lc;

	foreach(lc, paths)
		if (problem == SSDPAR_ACCEPTED)
			problem = ssdpar_repeatable(root, lfirst(lc));
	return problem;
}

/*
 * Checks the filter of a relation, including security barriers, and the
 * conditions that refer to the outer sides of joins.  A star scan with joined
 * dimensions is a path of a join and has the filters of all of the join's
 * relations.
 */
static SsdparRefusal
filter_problem(PlannerInfo *root, Path *path)
{
	SsdparRefusal problem = SSDPAR_ACCEPTED;
	int			rti = -1;

	while (problem == SSDPAR_ACCEPTED &&
		   (rti = bms_next_member(path->parent->relids, rti)) >= 0)
	{
		const RelOptInfo *rel = root->simple_rel_array[rti];

		/* NULL for outer joins */
		if (rel != NULL)
			problem = ssdpar_early_problem(root, (Node *)
										   rel->baserestrictinfo);
	}
	if (problem == SSDPAR_ACCEPTED && path->param_info != NULL)
		problem = ssdpar_early_problem(root,
									   (Node *) path->param_info->ppi_clauses);
	return problem;
}

/* Checks a path without subpaths, by its type.  */
static SsdparRefusal
plain_scan_problem(PlannerInfo *root, Path *path)
{
	RangeTblEntry *rte;
	SsdparRefusal problem;

	switch (path->pathtype)
	{
		case T_SeqScan:
		case T_Result:
			return filter_problem(root, path);
		case T_ValuesScan:
			rte = root->simple_rte_array[path->parent->relid];
			problem = ssdpar_early_problem(root, (Node *) rte->values_lists);
			return problem != SSDPAR_ACCEPTED ? problem :
				filter_problem(root, path);
		default:
			return SSDPAR_REFUSED_UNKNOWN_PATH;
	}
}

/*
 * Does the column use a built-in operator class of a type that is not a
 * container?
 */
static bool
is_known_column(IndexOptInfo *index, int column)
{
	return index->opfamily[column] < FirstNormalObjectId &&
		index->opcintype[column] != RECORDOID &&
		(index->relam != BTREE_AM_OID ||
		 !IsPolymorphicType(index->opcintype[column]));
}

/*
 * The same for all index columns of a condition; a row comparison has several.
 */
static bool
is_known_index(IndexOptInfo *index, IndexClause * clause)
{
	ListCell   *lc;

	foreach(lc, clause->indexcols)
		if (!is_known_column(index, lfirst_int(lc)))
			return false;
	return is_known_column(index, clause->indexcol);
}

static SsdparRefusal
index_problem(PlannerInfo *root, IndexPath *path)
{
	ListCell   *lc;

	/*
	 * the access method computes distances by functions that are not checked
	 * here
	 */
	if (path->indexorderbys != NIL)
		return SSDPAR_REFUSED_UNKNOWN_PATH;
	foreach(lc, path->indexclauses)
	{
		IndexClause *clause = lfirst_node(IndexClause, lc);
		SsdparRefusal problem =
			ssdpar_early_problem(root, (Node *) clause->indexquals);

		if (problem != SSDPAR_ACCEPTED)
			return problem;
		if (!is_known_index(path->indexinfo, clause))
			return SSDPAR_REFUSED_CAN_RAISE;
	}
	/* the index predicate is rechecked for lossy pages of a bitmap */
	return ssdpar_early_problem(root, (Node *) path->indexinfo->indpred);
}

/* Checks a part of a bitmap, which returns no rows and so has no filter.  */
static SsdparRefusal
bitmap_problem(PlannerInfo *root, Path *path)
{
	List	   *parts;
	SsdparRefusal problem = SSDPAR_ACCEPTED;
	ListCell   *lc;

	switch (nodeTag(path))
	{
		case T_IndexPath:
			return index_problem(root, (IndexPath *) path);
		case T_BitmapAndPath:
			parts = ((BitmapAndPath *) path)->bitmapquals;
			break;
		case T_BitmapOrPath:
			parts = ((BitmapOrPath *) path)->bitmapquals;
			break;
		default:
			return SSDPAR_REFUSED_UNKNOWN_PATH;
	}
	foreach(lc, parts)
		if (problem == SSDPAR_ACCEPTED)
			problem = bitmap_problem(root, lfirst(lc));
	return problem;
}

/* Checks all members of the class, because any of them can be used to sort.  */
static SsdparRefusal
members_problem(PlannerInfo *root, const EquivalenceClass * equal)
{
	ListCell   *lc;

	foreach(lc, equal->ec_members)
	{
		Node	   *expr = (Node *)
			((EquivalenceMember *) lfirst(lc))->em_expr;
		SsdparRefusal problem = ssdpar_early_problem(root, expr);

		if (problem != SSDPAR_ACCEPTED)
			return problem;
		if (!ssdpar_sorting_is_error_free(exprType(expr),
										  equal->ec_collation))
			return SSDPAR_REFUSED_CAN_RAISE;
	}
	return SSDPAR_ACCEPTED;
}

/*
 * Many paths have the same order.  Core appends members to the class while
 * planning, so the answer for all of them is kept under the last one.
 */
static SsdparRefusal
class_problem(PlannerInfo *root, const EquivalenceClass * equal)
{
	const void *last;
	SsdparRefusal problem;

	if (equal->ec_members == NIL)
		return SSDPAR_ACCEPTED;
	last = llast(equal->ec_members);
	if (ssdpar_known_problem(last, &problem))
		return problem;
	problem = members_problem(root, equal);
	ssdpar_keep_problem(root, last, problem);
	return problem;
}

/* Checks the expressions by which rows are sorted.  */
static SsdparRefusal
order_problem(PlannerInfo *root, List *pathkeys)
{
	ListCell   *lc;

	foreach(lc, pathkeys)
	{
		PathKey    *key = lfirst_node(PathKey, lc);
		SsdparRefusal problem;

		if (key->pk_opfamily >= FirstNormalObjectId)
			return SSDPAR_REFUSED_CAN_RAISE;
		problem = class_problem(root, key->pk_eclass);
		if (problem != SSDPAR_ACCEPTED)
			return problem;
	}
	return SSDPAR_ACCEPTED;
}

/*
 * Partitions.  Thousands of them can be checked many times for the joins of a
 * query, so their common properties are checked once.
 */

/* expression_tree_walker callback: is there a whole-row reference?  */
static bool
has_whole_row(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RestrictInfo))
		return has_whole_row((Node *) ((RestrictInfo *) node)->clause,
							 context);
	if (IsA(node, Var))
		return ((Var *) node)->varattno == 0;
	return expression_tree_walker(node, has_whole_row, context);
}

/*
 * Does the table pass, and is that sufficient for its partitions?  Core
 * derives their filters and columns from the table's: each column is replaced
 * by one of the same type, and constants may be folded further.  A whole-row
 * reference, however, becomes a cast.
 */
static bool
speaks_for_parts(PlannerInfo *root, const RelOptInfo *table)
{
	Node	   *columns = (Node *) table->reltarget->exprs;
	Node	   *filter = (Node *) table->baserestrictinfo;

	return table->reloptkind == RELOPT_BASEREL &&
		table->rtekind == RTE_RELATION && ssdpar_is_parent(root, table) &&
		!has_whole_row(columns, NULL) && !has_whole_row(filter, NULL) &&
		ssdpar_early_problem(root, columns) == SSDPAR_ACCEPTED &&
		ssdpar_early_problem(root, filter) == SSDPAR_ACCEPTED;
}

/* Does this scan evaluate nothing but its partition's columns and filter?  */
static bool
evaluates_no_more(const Path *path)
{
	const RelOptInfo *part = path->parent;

	if (part->reloptkind != RELOPT_OTHER_MEMBER_REL ||
		path->param_info != NULL || path->pathtarget != part->reltarget)
		return false;
	switch (nodeTag(path))
	{
		case T_Path:
			return path->pathtype == T_SeqScan;
		case T_IndexPath:
			return ((const IndexPath *) path)->indexclauses == NIL &&
				((const IndexPath *) path)->indexorderbys == NIL &&
				((const IndexPath *) path)->indexinfo->indpred == NIL;
		case T_CustomPath:
			return strcmp(((const CustomPath *) path)->methods->CustomName,
						  SSDPAR_STAR_SCAN) == 0;
		default:
			return false;
	}
}

/* If path is sorted to be merged with others, returns its unsorted input.  */
static Path *
unsorted(Path *path, List *merged_by)
{
	return merged_by != NIL && IsA(path, SortPath) &&
		compare_pathkeys(path->pathkeys, merged_by) == PATHKEYS_EQUAL &&
		((SortPath *) path)->subpath->pathtarget == path->pathtarget ?
		((SortPath *) path)->subpath : path;
}

/*
 * Run-time pruning of partitions compares their keys.  merged_by is the merge
 * order, which has been checked before, or NIL.
 */
static SsdparRefusal
append_problem(PlannerInfo *root, Path *path, List *subpaths, List *merged_by)
{
	PartitionScheme scheme = path->parent->part_scheme;
	bool		known = speaks_for_parts(root, path->parent);
	SsdparRefusal problem = SSDPAR_ACCEPTED;
	ListCell   *lc;

	for (int i = 0; scheme != NULL && i < scheme->partnatts; i++)
		if (scheme->partopfamily[i] >= FirstNormalObjectId ||
			scheme->partopcintype[i] == RECORDOID ||
			IsPolymorphicType(scheme->partopcintype[i]))
			return SSDPAR_REFUSED_CAN_RAISE;
	foreach(lc, subpaths)
	{
		Path	   *part = unsorted(lfirst(lc), merged_by);

		if (!known || !evaluates_no_more(part))
			problem = ssdpar_repeatable(root, part);
		if (problem != SSDPAR_ACCEPTED)
			return problem;
	}
	return SSDPAR_ACCEPTED;
}

/* Both sides of these equalities are hashed or, if sorted is set, sorted.  */
static SsdparRefusal
equality_problem(List *clauses, bool sorted)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		OpExpr	   *comparison = (OpExpr *)
			lfirst_node(RestrictInfo, lc)->clause;
		Oid			left;
		Oid			right;

		if (!IsA(comparison, OpExpr) ||
			comparison->opno >= FirstNormalObjectId)
			return SSDPAR_REFUSED_CAN_RAISE;
		left = exprType(linitial(comparison->args));
		right = exprType(lsecond(comparison->args));
		if (sorted &&
			(!ssdpar_sorting_is_error_free(left, comparison->inputcollid) ||
			 !ssdpar_sorting_is_error_free(right, comparison->inputcollid)))
			return SSDPAR_REFUSED_CAN_RAISE;
	}
	return SSDPAR_ACCEPTED;
}

static SsdparRefusal
join_problem(PlannerInfo *root, JoinPath *path)
{
	SsdparRefusal problem =
		ssdpar_early_problem(root, (Node *) path->joinrestrictinfo);

	if (problem == SSDPAR_ACCEPTED && IsA(path, HashPath))
		problem = equality_problem(((HashPath *) path)->path_hashclauses,
								   false);
	if (problem == SSDPAR_ACCEPTED && IsA(path, MergePath))
	{
		MergePath  *merge = (MergePath *) path;

		problem = equality_problem(merge->path_mergeclauses, true);
		if (problem == SSDPAR_ACCEPTED)
			problem = order_problem(root, merge->outersortkeys);
		if (problem == SSDPAR_ACCEPTED)
			problem = order_problem(root, merge->innersortkeys);
	}
	if (problem == SSDPAR_ACCEPTED)
		problem = ssdpar_side_repeatable(root, path->outerjoinpath);
	return problem != SSDPAR_ACCEPTED ? problem :
		ssdpar_side_repeatable(root, path->innerjoinpath);
}

/* Memoize caches the inner rows of a join by their parameters.  */
static SsdparRefusal
memoize_problem(PlannerInfo *root, MemoizePath * path)
{
	SsdparRefusal problem =
		ssdpar_early_problem(root, (Node *) path->param_exprs);
	ListCell   *lc;

	/* parameters are hashed and compared by functions that no clause names */
	foreach(lc, path->hash_operators)
		if (lfirst_oid(lc) >= FirstNormalObjectId)
			return SSDPAR_REFUSED_CAN_RAISE;
	return problem != SSDPAR_ACCEPTED ? problem :
		ssdpar_repeatable(root, path->subpath);
}

/* Checks the condition of a path, then its subpath.  */
static SsdparRefusal
condition_problem(PlannerInfo *root, List *condition, Path *subpath)
{
	SsdparRefusal problem = ssdpar_early_problem(root, (Node *) condition);

	return problem != SSDPAR_ACCEPTED ? problem :
		ssdpar_repeatable(root, subpath);
}

/* These columns of the subpath are compared and hashed.  */
static SsdparRefusal
grouping_problem(List *clauses, const PathTarget *below)
{
	int			found = 0;
	int			column = 0;
	ListCell   *lc;

	foreach(lc, below->exprs)
	{
		Index		ref = get_pathtarget_sortgroupref(below, column++);
		SortGroupClause *clause = ref == 0 ? NULL :
			get_sortgroupref_clause_noerr(ref, clauses);

		if (clause == NULL)
			continue;
		if (clause->eqop >= FirstNormalObjectId ||
			!ssdpar_grouping_is_error_free(lfirst(lc)))
			return SSDPAR_REFUSED_CAN_RAISE;
		found++;
	}
	return found < list_length(clauses) ? SSDPAR_REFUSED_CAN_RAISE :
		SSDPAR_ACCEPTED;
}

static SsdparRefusal
group_problem(PlannerInfo *root, List *clauses, List *having, Path *subpath)
{
	SsdparRefusal problem = grouping_problem(clauses, subpath->pathtarget);

	return problem != SSDPAR_ACCEPTED ? problem :
		condition_problem(root, having, subpath);
}

static SsdparRefusal
sort_problem(PlannerInfo *root, Path *path, Path *subpath)
{
	SsdparRefusal problem = order_problem(root, path->pathkeys);

	return problem != SSDPAR_ACCEPTED ? problem :
		ssdpar_repeatable(root, subpath);
}

static SsdparRefusal
merge_append_problem(PlannerInfo *root, MergeAppendPath * path)
{
	SsdparRefusal problem = order_problem(root, path->path.pathkeys);

	return problem != SSDPAR_ACCEPTED ? problem :
		append_problem(root, &path->path, path->subpaths,
					   path->path.pathkeys);
}

/* Checks a subquery, which was planned with a separate root.  */
static SsdparRefusal
subquery_problem(PlannerInfo *root, SubqueryScanPath * path)
{
	SsdparRefusal problem = filter_problem(root, &path->path);

	return problem != SSDPAR_ACCEPTED ? problem :
		ssdpar_repeatable(path->path.parent->subroot, path->subpath);
}

/*
 * The dimensions read by our star scans, and by the node that keeps the keys
 * of partitions, have been checked before.  An index join compares by
 * operators that were checked when it was planned.
 */
static SsdparRefusal
custom_problem(PlannerInfo *root, CustomPath *path)
{
	if (strcmp(path->methods->CustomName, SSDPAR_STAR_SCAN) == 0)
		return filter_problem(root, &path->path);
	if (strcmp(path->methods->CustomName, SSDPAR_STAR_KEYS) == 0)
		return first_problem(root, path->custom_paths);
	if (strcmp(path->methods->CustomName, SSDPAR_INDEX_JOIN) == 0)
		return condition_problem(root, path->custom_private,
								 linitial(path->custom_paths));
	return SSDPAR_REFUSED_UNKNOWN_PATH;
}

/*
 * Bitmaps have only index conditions, so the scan's filter is checked first.
 */
static SsdparRefusal
index_scan_problem(PlannerInfo *root, Path *path)
{
	SsdparRefusal problem = filter_problem(root, path);

	if (problem != SSDPAR_ACCEPTED)
		return problem;
	return IsA(path, IndexPath) ?
		index_problem(root, (IndexPath *) path) :
		bitmap_problem(root, ((BitmapHeapPath *) path)->bitmapqual);
}

/*
 * Checks what the path does in addition to computing its target, and its
 * subpaths.
 */
static SsdparRefusal
work_problem(PlannerInfo *root, Path *path)
{
	switch (nodeTag(path))
	{
		case T_Path:
			return plain_scan_problem(root, path);
		case T_IndexPath:
		case T_BitmapHeapPath:
			return index_scan_problem(root, path);
		case T_TidPath:
		case T_TidRangePath:
			return filter_problem(root, path);
		case T_SubqueryScanPath:
			return subquery_problem(root, (SubqueryScanPath *) path);
		case T_CustomPath:
			return custom_problem(root, (CustomPath *) path);
		case T_AppendPath:
			return append_problem(root, path, ((AppendPath *) path)->subpaths,
								  NIL);
		case T_MergeAppendPath:
			return merge_append_problem(root, (MergeAppendPath *) path);
		case T_GroupResultPath:
			return ssdpar_early_problem(root, (Node *)
										((GroupResultPath *) path)->quals);
		case T_NestPath:
		case T_MergePath:
		case T_HashPath:
			return join_problem(root, (JoinPath *) path);
		case T_MaterialPath:
			return ssdpar_repeatable(root, ((MaterialPath *) path)->subpath);
		case T_MemoizePath:
			return memoize_problem(root, (MemoizePath *) path);
		case T_ProjectionPath:
			return ssdpar_repeatable(root, ((ProjectionPath *) path)->subpath);
		case T_SortPath:
		case T_IncrementalSortPath:
			return sort_problem(root, path, ((SortPath *) path)->subpath);
		case T_GatherPath:
			return ssdpar_repeatable(root, ((GatherPath *) path)->subpath);
		case T_GatherMergePath:
			return sort_problem(root, path,
								((GatherMergePath *) path)->subpath);
		case T_GroupPath:
			return group_problem(root, ((GroupPath *) path)->groupClause,
								 ((GroupPath *) path)->qual,
								 ((GroupPath *) path)->subpath);
		case T_AggPath:
			return group_problem(root, ((AggPath *) path)->groupClause,
								 ((AggPath *) path)->qual,
								 ((AggPath *) path)->subpath);
		case SSDPAR_T_UNIQUE_PATH:
			return sort_problem(root, path,
								((SsdparUniquePath *) path)->subpath);
		default:
			return SSDPAR_REFUSED_UNKNOWN_PATH;
	}
}

/*
 * Checks the expressions of the target, which most paths of a relation share.
 */
static SsdparRefusal
target_problem(PlannerInfo *root, const PathTarget *target)
{
	SsdparRefusal problem;

	if (ssdpar_known_problem(target, &problem))
		return problem;
	problem = ssdpar_early_problem(root, (Node *) target->exprs);
	ssdpar_keep_problem(root, target, problem);
	return problem;
}

SsdparRefusal
ssdpar_repeatable(PlannerInfo *root, Path *path)
{
	SsdparRefusal problem;

	check_stack_depth();
	problem = target_problem(root, path->pathtarget);
	return problem != SSDPAR_ACCEPTED ? problem : work_problem(root, path);
}

SsdparRefusal
ssdpar_side_repeatable(PlannerInfo *root, Path *path)
{
	SsdparRefusal problem;

	if (ssdpar_known_problem(path, &problem))
		return problem;
	problem = ssdpar_repeatable(root, path);
	ssdpar_keep_problem(root, path, problem);
	return problem;
}

/*
 * The finished plan.
 */

static bool
any_is_volatile(List *plans)
{
	ListCell   *lc;

	foreach(lc, plans)
		if (ssdpar_plan_is_volatile(lfirst(lc)))
			return true;
	return false;
}

/* Returns the subplans that are neither lefttree nor righttree.  */
static List *
more_plans(Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_Append:
			return ((Append *) plan)->appendplans;
		case T_MergeAppend:
			return ((MergeAppend *) plan)->mergeplans;
		case T_SubqueryScan:
			return list_make1(((SubqueryScan *) plan)->subplan);
		case T_CustomScan:
			return ((CustomScan *) plan)->custom_plans;
		default:
			return NIL;
	}
}

static List *
join_condition(Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			return ((Join *) plan)->joinqual;
		default:
			return NIL;
	}
}

bool
ssdpar_plan_is_volatile(Plan *plan)
{
	return plan != NULL &&
		(contain_volatile_functions((Node *) plan->targetlist) ||
		 contain_volatile_functions((Node *) plan->qual) ||
		 contain_volatile_functions((Node *) join_condition(plan)) ||
		 (IsA(plan, ValuesScan) &&
		  contain_volatile_functions((Node *)
									 ((ValuesScan *) plan)->values_lists)) ||
		 ssdpar_plan_is_volatile(plan->lefttree) ||
		 ssdpar_plan_is_volatile(plan->righttree) ||
		 any_is_volatile(more_plans(plan)));
}
