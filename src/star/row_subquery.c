/*
 * row_subquery.c
 *		Conditions that execute a subquery for each row.
 *
 * One that depends on no row is executed once, and is no SubPlan in the
 * condition but a parameter, or is kept in a hash table.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"

#include "star/row_subquery.h"

typedef struct Columns
{
	Index		relid;
	Bitmapset  *found;
} Columns;

static bool
runs_subquery(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RestrictInfo))
		return runs_subquery((Node *) ((RestrictInfo *) node)->clause,
							 context);
	if (IsA(node, SubPlan) && ((SubPlan *) node)->parParam != NIL)
		return true;
	return expression_tree_walker(node, runs_subquery, context);
}

bool
ssdpar_runs_subquery(Node *node)
{
	return runs_subquery(node, NULL);
}

static bool
find_columns(Node *node, void *context)
{
	Columns    *columns = context;

	if (node == NULL)
		return false;
	if (IsA(node, RestrictInfo))
		return find_columns((Node *) ((RestrictInfo *) node)->clause, context);
	if (IsA(node, SubPlan))
		pull_varattnos((Node *) ((SubPlan *) node)->args, columns->relid,
					   &columns->found);
	return expression_tree_walker(node, find_columns, context);
}

Bitmapset *
ssdpar_subquery_columns(Node *node, Index relid)
{
	Columns		columns = {.relid = relid};

	(void) find_columns(node, &columns);
	return columns.found;
}
