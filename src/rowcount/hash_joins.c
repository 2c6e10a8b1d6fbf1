/*
 * hash_joins.c
 *		Hash joins of large tables, priced apart from the other ways to join.
 *
 * What a hash join waits for memory (cost/hash_price.c) core does not know when
 * it compares it with the others.  So it makes hash joins alone, which are then
 * priced, and the others again, without these.  Only where it may matter: two
 * tables of a few thousand rows are joined as core does.
 */
#include "postgres.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "cost/hash_price.h"
#include "cost/row_work.h"
#include "cost/tablespace_model.h"
#include "rowcount/hash_joins.h"

static bool
are_dearer(const SsdparPair *pair, const SsdparMachine *machine)
{
	const RelOptInfo *inner = pair->inner;
	Cost		longer;

	if (!ssdpar_has_hash_clause(pair))
		return false;
	longer = ssdpar_expected_hash_cost(machine, pair->joinrel->rows,
									   pair->outer->rows, inner->rows,
									   inner->reltarget->width);
	return longer > 0.0 &&
		ssdpar_price_matters(longer, ssdpar_least_join_cost(pair->joinrel),
							 machine->seconds_per_cost_unit);
}

static void
price(List *paths, const SsdparMachine *machine)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);
		SsdparHashCost cost = ssdpar_hash_cost(machine, (HashPath *) path);

		path->startup_cost += cost.startup;
		path->total_cost += cost.total;
	}
}

SsdparJoins
ssdpar_take_hash_joins(SsdparPair *pair)
{
	SsdparJoins joins = {false, NIL, NIL};
	SsdparModel model;

	if (!ssdpar_model_get(ssdpar_notes()->priced_tablespace, &model) ||
		!are_dearer(pair, model.machine))
		return joins;
	joins = ssdpar_join_one_way(pair, SSDPAR_JOIN_HASH);
	if (joins.paths == NIL && joins.partial == NIL)
		return joins;
	price(joins.paths, model.machine);
	price(joins.partial, model.machine);
	joins.dearer = true;
	ssdpar_take_apart(pair, SSDPAR_JOIN_HASH);
	return joins;
}
