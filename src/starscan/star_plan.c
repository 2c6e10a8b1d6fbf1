/*
 * star_plan.c
 *		Writes the plan of a star scan as a list of nodes, and reads it
 *		back.
 *
 * The private data of a custom plan node must survive copyObject and
 * nodeToString, so it consists of lists and value nodes.  Nothing is decided
 * here.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/pg_list.h"
#include "nodes/value.h"

#include "base/compat.h"
#include "starscan/star_plan.h"

/*
 * Positions in the lists of a plan, of a reducer, and of a left-out dimension.
 */
enum
{
	PLAN_NUMBERS,
	PLAN_ESTIMATES,
	PLAN_REDUCERS,
	PLAN_LEFT_OUT,
};

enum
{
	ESTIMATE_PAGES,
	ESTIMATE_KEPT,
	ESTIMATE_PAGE_COST,
	ESTIMATE_MOST_PAGES,
	ESTIMATE_EARLY_PAGES,
};

enum
{
	REDUCER_NUMBERS,
	REDUCER_COLUMNS,
	REDUCER_ESTIMATES,
	REDUCER_JOINED,
};

enum
{
	ESTIMATE_KEYS,
	ESTIMATE_SELECTIVITY,
	ESTIMATE_LEAF_COST,
	ESTIMATE_ORDERED,
	ESTIMATE_TOGETHER,
};

/* Flags of a reducer. */
#define LOOKED_AT 1
#define INDEX_PLANNED 2
#define KEYS_WANTED 4

/* Integers for each column that a reducer compares, column by column. */
enum
{
	COLUMN_TARGET,
	COLUMN_KEY,
	COLUMN_OPERATOR,
	COLUMN_COLLATION,
	COLUMN_INTEGERS,
};

enum
{
	LEFT_OUT_DIMENSION,
	LEFT_OUT_COST,
	LEFT_OUT_CHOSEN_COST,
};

/*
 * Stores the bits as two integers, which is exact and much faster than
 * printing and parsing a number.  (A Float node without a fraction would be
 * read back as an Integer in a parallel worker.)
 */
static List *
number_node(double number)
{
	uint64		bits;

	memcpy(&bits, &number, sizeof(bits));
	return list_make2_int((int) (uint32) (bits >> 32), (int) (uint32) bits);
}

static double
number_of(const List *node)
{
	uint64		bits = (uint64) (uint32) linitial_int(node) << 32 |
		(uint32) lsecond_int(node);
	double		number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static List *
reducer_to_list(const SsdparReducer *reducer)
{
	const SsdparJoinKey *key = &reducer->key;
	int			flags = (reducer->looked_at ? LOOKED_AT : 0) |
		(reducer->index_planned ? INDEX_PLANNED : 0) |
		(reducer->keys_wanted ? KEYS_WANTED : 0);
	List	   *numbers = list_make5_int(reducer->target,
										 (int) reducer->index,
										 reducer->index_column,
										 (int) reducer->dimension,
										 flags);
	List	   *columns = NIL;
	List	   *joined = list_make1_int(reducer->joined);

	for (int i = 0; i < key->ncolumns; i++)
	{
		columns = lappend_int(columns, key->target_columns[i]);
		columns = lappend_int(columns, key->key_columns[i]);
		columns = lappend_int(columns, (int) key->operators[i]);
		columns = lappend_int(columns, (int) key->collations[i]);
	}
	for (int i = 0; i < reducer->njoined_columns; i++)
		joined = lappend_int(joined, reducer->joined_columns[i]);
	return list_make4(numbers, columns,
					  list_make5(number_node(reducer->keys),
								 number_node(reducer->selectivity),
								 number_node(reducer->leaf_cost),
								 number_node(reducer->ordered),
								 number_node(reducer->together)),
					  joined);
}

List *
ssdpar_star_plan_to_list(const SsdparStarPlan *plan)
{
	List	   *reducers = NIL;
	List	   *left_out = NIL;

	for (int i = 0; i < plan->nreducers; i++)
		reducers = lappend(reducers, reducer_to_list(&plan->reducers[i]));
	for (int i = 0; i < plan->nleft_out; i++)
	{
		const SsdparLeftOut *one = &plan->left_out[i];

		left_out = lappend(left_out,
						   list_make3(list_make1_int((int) one->dimension),
									  number_node(one->cost),
									  number_node(one->chosen_cost)));
	}
	return list_make4(list_make5_int(plan->access, (int) plan->fact,
									 plan->npriced, plan->kernel_ahead,
									 plan->ring),
					  list_make5(number_node(plan->pages),
								 number_node(plan->kept),
								 number_node(plan->page_cost),
								 number_node(plan->most_pages),
								 number_node(plan->early_pages)),
					  reducers, left_out);
}

/*
 * The number of columns is checked in every build, because it determines how
 * far we write into fixed arrays.
 */
static void
reducer_from_list(SsdparReducer *reducer, const List *list)
{
	const List *numbers = list_nth(list, REDUCER_NUMBERS);
	const List *columns = list_nth(list, REDUCER_COLUMNS);
	const List *estimates = list_nth(list, REDUCER_ESTIMATES);
	const List *joined = list_nth(list, REDUCER_JOINED);
	int			flags = list_nth_int(numbers, 4);
	SsdparJoinKey *key = &reducer->key;

	reducer->target = list_nth_int(numbers, 0);
	reducer->index = (Oid) list_nth_int(numbers, 1);
	reducer->index_column = list_nth_int(numbers, 2);
	reducer->dimension = (Index) list_nth_int(numbers, 3);
	reducer->looked_at = (flags & LOOKED_AT) != 0;
	reducer->index_planned = (flags & INDEX_PLANNED) != 0;
	reducer->keys_wanted = (flags & KEYS_WANTED) != 0;
	reducer->keys = number_of(list_nth(estimates, ESTIMATE_KEYS));
	reducer->selectivity =
		number_of(list_nth(estimates, ESTIMATE_SELECTIVITY));
	reducer->leaf_cost = number_of(list_nth(estimates, ESTIMATE_LEAF_COST));
	reducer->ordered = number_of(list_nth(estimates, ESTIMATE_ORDERED));
	reducer->together = number_of(list_nth(estimates, ESTIMATE_TOGETHER));
	reducer->joined = linitial_int(joined) != 0;
	reducer->njoined_columns = list_length(joined) - 1;
	reducer->joined_columns = palloc_array(AttrNumber, list_length(joined));
	for (int i = 0; i < reducer->njoined_columns; i++)
		reducer->joined_columns[i] =
			(AttrNumber) list_nth_int(joined, i + 1);
	key->ncolumns = list_length(columns) / COLUMN_INTEGERS;
	if (key->ncolumns < 1 || key->ncolumns > SSDPAR_MAX_KEY_COLUMNS)
		elog(ERROR, "star scan compares %d columns", key->ncolumns);
	for (int i = 0; i < key->ncolumns; i++)
	{
		int			first = i * COLUMN_INTEGERS;

		key->target_columns[i] =
			(AttrNumber) list_nth_int(columns, first + COLUMN_TARGET);
		key->key_columns[i] =
			(AttrNumber) list_nth_int(columns, first + COLUMN_KEY);
		key->operators[i] =
			(Oid) list_nth_int(columns, first + COLUMN_OPERATOR);
		key->collations[i] =
			(Oid) list_nth_int(columns, first + COLUMN_COLLATION);
	}
}

SsdparStarPlan *
ssdpar_star_plan_from_list(List *list)
{
	SsdparStarPlan *plan = palloc0_object(SsdparStarPlan);
	const List *numbers = list_nth(list, PLAN_NUMBERS);
	const List *estimates = list_nth(list, PLAN_ESTIMATES);
	const List *reducers = list_nth(list, PLAN_REDUCERS);
	const List *left_out = list_nth(list, PLAN_LEFT_OUT);

	plan->access = list_nth_int(numbers, 0);
	plan->fact = (Index) list_nth_int(numbers, 1);
	plan->npriced = list_nth_int(numbers, 2);
	plan->kernel_ahead = list_nth_int(numbers, 3) != 0;
	plan->ring = list_nth_int(numbers, 4) != 0;
	plan->pages = number_of(list_nth(estimates, ESTIMATE_PAGES));
	plan->kept = number_of(list_nth(estimates, ESTIMATE_KEPT));
	plan->page_cost = number_of(list_nth(estimates, ESTIMATE_PAGE_COST));
	plan->most_pages = number_of(list_nth(estimates, ESTIMATE_MOST_PAGES));
	plan->early_pages =
		number_of(list_nth(estimates, ESTIMATE_EARLY_PAGES));
	plan->nreducers = list_length(reducers);
	plan->reducers = palloc0(plan->nreducers * sizeof(SsdparReducer));
	for (int i = 0; i < plan->nreducers; i++)
		reducer_from_list(&plan->reducers[i], list_nth(reducers, i));
	plan->nleft_out = list_length(left_out);
	plan->left_out = palloc0(plan->nleft_out * sizeof(SsdparLeftOut));
	for (int i = 0; i < plan->nleft_out; i++)
	{
		const List *one = list_nth(left_out, i);
		SsdparLeftOut *dimension = &plan->left_out[i];

		dimension->dimension =
			(Index) linitial_int((List *) list_nth(one, LEFT_OUT_DIMENSION));
		dimension->cost = number_of(list_nth(one, LEFT_OUT_COST));
		dimension->chosen_cost =
			number_of(list_nth(one, LEFT_OUT_CHOSEN_COST));
	}
	return plan;
}
