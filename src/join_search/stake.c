/*
 * stake.c
 *		How much time a query level may take if its row counts are wrong.
 *
 * What is predicted rests on the row counts that are in doubt: a loop over one
 * row takes a millisecond, over a million that come instead, minutes.  So what
 * is at stake is the predicted time as many times as there may be more rows
 * (rowcount/spread.c), but no more than a plan takes that does not depend on
 * row counts: it reads every table once and hashes it.
 *
 * There are no more rows than the tables have which no unique key ties to
 * others: an order with its lines has as many as the order has lines, whatever
 * is joined to these by primary keys.  That is what makes lookups by key
 * certain, and short.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "base/notes.h"
#include "base/plain_table.h"
#include "base/planner_compat.h"
#include "cost/residency.h"
#include "cost/tablespace_model.h"
#include "join_search/stake.h"
#include "rowcount/spread.h"
#include "star/star.h"

/* Of a row that is hashed, or asked for in a hash table. */
#define HASH_COST (2 * cpu_operator_cost)

/* So many times fewer rows than a table has are no matter of NULLs. */
#define SURE_FACTOR 2.0

static Relids
tables_of(PlannerInfo *root, const RelOptInfo *rel)
{
	return bms_intersect(rel->relids, root->all_baserels);
}

/* Reading a plain table once, filtered and hashed. */
static double
seconds_to_read_plain(PlannerInfo *root, RelOptInfo *table, int joins)
{
	double		cpu = table->tuples *
		(cpu_tuple_cost + table->baserestrictcost.per_tuple) +
		table->rows * joins * HASH_COST;
	SsdparModel model;
	SsdparReads reads;

	if (!ssdpar_is_plain_table(root, table) ||
		!ssdpar_model_get(table->reltablespace, &model))
		return 0.0;
	reads = ssdpar_model_seqscan(&model, table->reltablespace, table->pages,
								 ssdpar_residency_of(root->simple_rte_array
													 [table->relid]->relid,
													 table->pages));
	return ssdpar_model_price_one(&model, &reads, cpu *
								  ssdpar_notes()->seconds_per_unit,
								  1.0).total;
}

/* A parent has no pages but its children's. */
static double
seconds_to_read(PlannerInfo *root, RelOptInfo *table, int joins)
{
	double		seconds = 0.0;
	ListCell   *lc;

	check_stack_depth();
	if (!ssdpar_is_parent(root, table))
		return seconds_to_read_plain(root, table, joins);
	foreach(lc, ssdpar_live_partitions(root, table))
		seconds += seconds_to_read(root, lfirst(lc), joins);
	return seconds;
}

static double
seconds_to_read_all(PlannerInfo *root, Relids tables)
{
	int			joins = bms_num_members(tables) - 1;
	double		seconds = 0.0;
	int			rti = -1;

	while ((rti = bms_next_member(tables, rti)) >= 0)
		seconds += seconds_to_read(root, root->simple_rel_array[rti], joins);
	return seconds;
}

/*
 * Does the clause compare the table with others by =, so that core's index
 * functions can use it?  They are told which side is which.
 */
static bool
is_comparison(RestrictInfo *clause, const RelOptInfo *table, Relids others)
{
	if (clause->mergeopfamilies == NIL)
		return false;
	clause->outer_is_left = bms_equal(clause->right_relids, table->relids);
	return clause->outer_is_left ?
		bms_is_subset(clause->left_relids, others) :
		bms_equal(clause->left_relids, table->relids) &&
		bms_is_subset(clause->right_relids, others);
}

/*
 * Core's innerrel_is_unique() is not asked: it remembers its answer for joins
 * that are made of other clauses.
 */
static bool
is_unique(PlannerInfo *root, RelOptInfo *table, Relids others)
{
	List	   *clauses = list_concat_copy(table->joininfo,
										   ssdpar_set_equalities(root, others,
																 table));
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (!is_comparison(lfirst(lc), table, others))
			clauses = foreach_delete_current(clauses, lc);
	}
	return ssdpar_is_unique_by_clauses(root, table, clauses);
}

/* Is it asked of a row whether the table has a match, and no more? */
static bool
is_asked_only(PlannerInfo *root, const RelOptInfo *table)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *join = lfirst(lc);

		if ((join->jointype == JOIN_SEMI || join->jointype == JOIN_ANTI) &&
			bms_is_member(table->relid, join->syn_righthand))
			return true;
	}
	return false;
}

/* Does the table add no row to those of the others? */
static bool
adds_none(PlannerInfo *root, RelOptInfo *table, Relids others)
{
	return is_asked_only(root, table) ||
		(!bms_is_empty(others) && table->reloptkind == RELOPT_BASEREL &&
		 root->simple_rte_array[table->relid]->rtekind == RTE_RELATION &&
		 is_unique(root, table, others));
}

/* Those that are left when what adds no row to the rest is taken away. */
static Relids
tables_that_count(PlannerInfo *root, Relids tables)
{
	Relids		left = bms_copy(tables);
	bool		changed = true;

	while (changed)
	{
		int			rti = -1;

		changed = false;
		while ((rti = bms_next_member(left, rti)) >= 0)
		{
			Relids		others = bms_del_member(bms_copy(left), rti);

			if (adds_none(root, root->simple_rel_array[rti], others))
			{
				left = others;
				changed = true;
			}
		}
	}
	return left;
}

static double
most_rows_of(PlannerInfo *root, RelOptInfo *table)
{
	double		rows = table->rows * ssdpar_row_spread(root, table);

	return ssdpar_is_plain_table(root, table) ? Min(rows, table->tuples) :
		rows;
}

static double
most_rows(PlannerInfo *root, Relids counting)
{
	double		rows = 1.0;
	int			rti = -1;

	while ((rti = bms_next_member(counting, rti)) >= 0)
		rows *= Max(most_rows_of(root, root->simple_rel_array[rti]), 1.0);
	return rows;
}

/* Are its rows those of plain tables: of one, or of a parent's children? */
static bool
is_stored(PlannerInfo *root, const RelOptInfo *table)
{
	ListCell   *lc;

	check_stack_depth();
	if (!ssdpar_is_parent(root, table))
		return ssdpar_is_plain_table(root, table);
	foreach(lc, ssdpar_live_partitions(root, table))
	{
		if (!is_stored(root, lfirst(lc)))
			return false;
	}
	return true;
}

/*
 * No filter, and no join but by unique keys: nothing to be wrong about.  Of a
 * key of several columns core may expect next to no rows, as it multiplies
 * their selectivities.
 */
static bool
is_sure(PlannerInfo *root, const RelOptInfo *rel, Relids tables,
		Relids counting)
{
	int			rti = -1;

	if (bms_num_members(counting) > 1 ||
		rel->rows * SURE_FACTOR < most_rows(root, counting))
		return false;
	while ((rti = bms_next_member(tables, rti)) >= 0)
	{
		RelOptInfo *table = root->simple_rel_array[rti];

		if (!is_stored(root, table) ||
			is_asked_only(root, table) ||
			(table->baserestrictinfo != NIL &&
			 !ssdpar_is_unique_by_constants(root, table)))
			return false;
	}
	return true;
}

double
ssdpar_seconds_at_stake(PlannerInfo *root, RelOptInfo *rel,
						double predicted_seconds)
{
	Relids		tables = tables_of(root, rel);
	Relids		counting = tables_that_count(root, tables);
	double		times;

	if (is_sure(root, rel, tables, counting))
		return 0.0;
	times = Min(ssdpar_row_spread(root, rel),
				most_rows(root, counting) / Max(rel->rows, 1.0));
	return Max(predicted_seconds,
			   Min(predicted_seconds * times,
				   seconds_to_read_all(root, tables)));
}
