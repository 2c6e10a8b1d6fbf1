/*
 * access.c
 *		Whether the data may be asked at all, and which tables.
 *
 * Row counts get into EXPLAIN, and how long planning took can be seen: so only
 * those who may read all the rows are told.  Rights are checked when execution
 * starts, thus after planning, and are asked for here before: of all that a
 * level and those around it read, and of each table as core does before it
 * shows statistics to functions that are not leakproof.  Queries with security
 * barriers are left alone: row-level security and such views.
 *
 * Serializable transactions would have to note what was read, and conflicts
 * that come of planning alone would be ones that core does not have.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "base/core_scan.h"
#include "base/plain_table.h"
#include "star/access.h"
#include "star/early.h"

static bool
has_barrier(const Query *query)
{
	ListCell   *lc;

	foreach(lc, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		if (rte->security_barrier || rte->securityQuals != NIL)
			return true;
	}
	return false;
}

/*
 * Outer query levels count as well: a security-barrier view is a separate
 * level, with the reader's conditions and the rights of the view's owner.
 */
static bool
is_behind_barrier(const PlannerInfo *root)
{
	for (; root != NULL; root = root->parent_root)
	{
		if (root->qual_security_level > 0 || has_barrier(root->parse))
			return true;
	}
	return false;
}

/* Columns that filters or joins read, offset as in the server's own sets. */
static Bitmapset *
columns_read(RelOptInfo *rel)
{
	Bitmapset  *columns = NULL;

	pull_varattnos((Node *) extract_actual_clauses(rel->baserestrictinfo,
												   false),
				   rel->relid, &columns);
	for (int column = rel->min_attr; column <= rel->max_attr; column++)
	{
		if (!bms_is_empty(rel->attr_needed[column - rel->min_attr]))
			columns = bms_add_member(columns, column -
									 FirstLowInvalidHeapAttributeNumber);
	}
	return columns;
}

static bool
may_select(Oid table, Oid user, Bitmapset * columns)
{
	int			member = -1;

	if (pg_class_aclcheck(table, user, ACL_SELECT) == ACLCHECK_OK)
		return true;
	if (bms_is_empty(columns))
		return false;
	while ((member = bms_next_member(columns, member)) >= 0)
	{
		AttrNumber	column = member + FirstLowInvalidHeapAttributeNumber;

		if (column == InvalidAttrNumber ||
			pg_attribute_aclcheck(table, column, user,
								  ACL_SELECT) != ACLCHECK_OK)
			return false;
	}
	return true;
}

/*
 * Through a view the table is read with its owner's rights.  That the user may
 * read the view, and those columns of it, the view's own entry asks for: in
 * this level, if it was pulled up, or in one around.
 */
static bool
may_read_level(const Query *level)
{
	ListCell   *lc;

	foreach(lc, level->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);
		SsdparRights rights = ssdpar_rights_of(level, rte);
		Oid			user = OidIsValid(rights.user) ? rights.user : GetUserId();

		if ((rights.wanted & ACL_SELECT) != 0 &&
			!may_select(rte->relid, user, rights.columns))
			return false;
	}
	return true;
}

static bool
may_read_levels(const PlannerInfo *root)
{
	for (; root != NULL; root = root->parent_root)
	{
		if (!may_read_level(root->parse))
			return false;
	}
	return true;
}

bool
ssdpar_look_possible(PlannerInfo *root)
{
	return ActiveSnapshotSet() &&
		GetActiveSnapshot()->snapshot_type == SNAPSHOT_MVCC &&
		!IsolationIsSerializable() && !IsInParallelMode() &&
		!is_behind_barrier(root) && may_read_levels(root);
}

/*
 * Through a view the table is read with its owner's rights, which the relation
 * has.
 */
static Oid
user_of(const RelOptInfo *rel)
{
	return OidIsValid(rel->userid) ? rel->userid : GetUserId();
}

/* The planner has locked every relation of the query. */
bool
ssdpar_look_allowed(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];
	Relation	heap;
	bool		allowed;

	if (rel->reloptkind != RELOPT_BASEREL ||
		!ssdpar_is_plain_table(root, rel) || rte->securityQuals != NIL ||
		!bms_is_empty(rel->lateral_relids) || !ssdpar_has_core_scan(rel) ||
		!may_select(rte->relid, user_of(rel), columns_read(rel)))
		return false;
	heap = RelationIdGetRelation(rte->relid);
	if (heap == NULL)
		return false;
	allowed = heap->rd_tableam == GetHeapamTableAmRoutine() &&
		!RELATION_IS_OTHER_TEMP(heap);
	RelationClose(heap);
	return allowed;
}

/* Columns of this query level, as they come out of a table. */
static bool
needs_more(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varlevelsup != 0 ||
			((Var *) node)->varattno <= 0;
	if (IsA(node, Param) || IsA(node, PlaceHolderVar))
		return true;
	return expression_tree_walker(node, needs_more, context);
}

bool
ssdpar_look_can_evaluate(PlannerInfo *root, Node *clause)
{
	return !needs_more(clause, NULL) &&
		ssdpar_early_problem(root, clause) == SSDPAR_ACCEPTED;
}
