/*
 * large_joins.c
 *		Which statements planning may measure row counts for.
 *
 * Asked before the statement is planned, as the planner destroys the query, of
 * which a second pass needs a copy.  So sizes are those that the catalog has,
 * and a table that was never analyzed counts as large.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "utils/syscache.h"

#include "base/settings.h"
#include "cost/large_table.h"
#include "join_search/passes.h"

typedef struct Tables
{
	int			number;
	bool		large;			/* one of them is */
	bool		grouped;		/* GROUP BY or DISTINCT in any level */
} Tables;

static bool
is_large(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	Form_pg_class form;
	bool		large;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_class) GETSTRUCT(tuple);
	large = form->relpages <= 0 ||
		ssdpar_is_large_table(form->reltablespace, form->relpages);
	ReleaseSysCache(tuple);
	return large;
}

static bool
is_worth_it(const Tables *tables)
{
	return tables->large && (tables->number > 1 || tables->grouped);
}

/* True ends the walk: there is a join or are groups, and a large table. */
static bool
look_at_tables(Node *node, Tables *tables)
{
	RangeTblEntry *rte = (RangeTblEntry *) node;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		const Query *query = (Query *) node;

		tables->grouped = tables->grouped || query->groupClause != NIL ||
			query->distinctClause != NIL;
		return query_tree_walker((Query *) node, look_at_tables, tables,
								 QTW_EXAMINE_RTES_BEFORE);
	}
	if (!IsA(node, RangeTblEntry))
		return expression_tree_walker(node, look_at_tables, tables);
	if (rte->rtekind == RTE_RELATION && rte->relid >= FirstNormalObjectId &&
		rte->relkind != RELKIND_VIEW)
	{
		tables->number++;
		tables->large = tables->large || is_large(rte->relid);
	}
	return is_worth_it(tables);
}

/* No join and no groups, in no level: so are most lookups. */
static bool
reads_one_table(const Query *query)
{
	int			tables = 0;
	ListCell   *lc;

	if (query->hasSubLinks || query->cteList != NIL ||
		query->groupClause != NIL || query->distinctClause != NIL)
		return false;
	foreach(lc, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(lc);

		if (rte->rtekind == RTE_SUBQUERY ||
			(rte->rtekind == RTE_RELATION && ++tables > 1))
			return false;
	}
	return true;
}

bool
ssdpar_may_measure(Query *parse)
{
	Tables		tables = {0};

	return ssdpar_enabled && ssdpar_cost_model && ssdpar_estimate_budget > 0 &&
		ssdpar_estimate_share > 0 && !reads_one_table(parse) &&
		look_at_tables((Node *) parse, &tables);
}
