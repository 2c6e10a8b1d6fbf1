/*
 * star_plan.c
 *		Writes the plan of a star scan as a list of nodes, and reads it back.
 *
 * What a custom plan node carries must survive copyObject and nodeToString,
 * that is consist of lists and value nodes.  Nothing is decided here.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/pg_list.h"
#include "nodes/value.h"

#include "compat.h"
#include "starscan/star_plan.h"

/* Places in the list of a plan, of a reducer, of a dimension left out. */
enum
{
	PLAN_NUMBERS,
	PLAN_PAGES,
	PLAN_REDUCERS,
	PLAN_LEFT_OUT,
};

enum
{
	REDUCER_NUMBERS,
	REDUCER_COLUMNS,
	REDUCER_KEYS,
	REDUCER_SELECTIVITY,
};

/* Integers of a column that a reducer compares: these, column by column. */
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
 * Its bits as two integers: exact, and for a tenth of the time that printing
 * and reading a number takes.  (A Float node without a fraction would be read
 * back as an Integer, in a parallel worker.)
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
columns_to_list(const SsdparReducer *reducer)
{
	List	   *list = NIL;

	for (int i = 0; i < reducer->ncolumns; i++)
	{
		list = lappend_int(list, reducer->target_columns[i]);
		list = lappend_int(list, reducer->key_columns[i]);
		list = lappend_int(list, (int) reducer->operators[i]);
		list = lappend_int(list, (int) reducer->collations[i]);
	}
	return list;
}

static List *
reducer_to_list(const SsdparReducer *reducer)
{
	return list_make4(list_make4_int(reducer->target,
									 (int) reducer->index,
									 reducer->index_column,
									 (int) reducer->dimension),
					  columns_to_list(reducer),
					  number_node(reducer->keys),
					  number_node(reducer->selectivity));
}

static List *
left_out_to_list(const SsdparLeftOut *left_out)
{
	return list_make3(list_make1_int((int) left_out->dimension),
					  number_node(left_out->cost),
					  number_node(left_out->chosen_cost));
}

List *
ssdpar_star_plan_to_list(const SsdparStarPlan *plan)
{
	List	   *reducers = NIL;
	List	   *left_out = NIL;

	for (int i = 0; i < plan->nreducers; i++)
		reducers = lappend(reducers, reducer_to_list(&plan->reducers[i]));
	for (int i = 0; i < plan->nleft_out; i++)
		left_out = lappend(left_out, left_out_to_list(&plan->left_out[i]));
	return list_make4(list_make2_int(plan->access, (int) plan->fact),
					  number_node(plan->pages), reducers, left_out);
}

static void
columns_from_list(SsdparReducer *reducer, const List *list)
{
	int			n = list_length(list) / COLUMN_INTEGERS;

	if (n < 1 || n > SSDPAR_MAX_KEY_COLUMNS)
		elog(ERROR, "star scan compares %d columns", n);
	reducer->ncolumns = n;
	for (int i = 0; i < n; i++)
	{
		int			first = i * COLUMN_INTEGERS;

		reducer->target_columns[i] =
			(AttrNumber) list_nth_int(list, first + COLUMN_TARGET);
		reducer->key_columns[i] =
			(AttrNumber) list_nth_int(list, first + COLUMN_KEY);
		reducer->operators[i] =
			(Oid) list_nth_int(list, first + COLUMN_OPERATOR);
		reducer->collations[i] =
			(Oid) list_nth_int(list, first + COLUMN_COLLATION);
	}
}

static void
reducer_from_list(SsdparReducer *reducer, const List *list)
{
	const List *numbers = list_nth(list, REDUCER_NUMBERS);

	reducer->target = list_nth_int(numbers, 0);
	reducer->index = (Oid) list_nth_int(numbers, 1);
	reducer->index_column = list_nth_int(numbers, 2);
	reducer->dimension = (Index) list_nth_int(numbers, 3);
	columns_from_list(reducer, list_nth(list, REDUCER_COLUMNS));
	reducer->keys = number_of(list_nth(list, REDUCER_KEYS));
	reducer->selectivity = number_of(list_nth(list, REDUCER_SELECTIVITY));
}

static void
left_out_from_list(SsdparLeftOut *left_out, const List *list)
{
	left_out->dimension =
		(Index) linitial_int((List *) list_nth(list, LEFT_OUT_DIMENSION));
	left_out->cost = number_of(list_nth(list, LEFT_OUT_COST));
	left_out->chosen_cost = number_of(list_nth(list, LEFT_OUT_CHOSEN_COST));
}

SsdparStarPlan *
ssdpar_star_plan_from_list(List *list)
{
	SsdparStarPlan *plan = palloc0_object(SsdparStarPlan);
	const List *numbers = list_nth(list, PLAN_NUMBERS);
	const List *reducers = list_nth(list, PLAN_REDUCERS);
	const List *left_out = list_nth(list, PLAN_LEFT_OUT);

	plan->access = list_nth_int(numbers, 0);
	plan->fact = (Index) list_nth_int(numbers, 1);
	plan->pages = number_of(list_nth(list, PLAN_PAGES));
	plan->nreducers = list_length(reducers);
	plan->reducers = palloc0(plan->nreducers * sizeof(SsdparReducer));
	for (int i = 0; i < plan->nreducers; i++)
		reducer_from_list(&plan->reducers[i], list_nth(reducers, i));
	plan->nleft_out = list_length(left_out);
	plan->left_out = palloc0(plan->nleft_out * sizeof(SsdparLeftOut));
	for (int i = 0; i < plan->nleft_out; i++)
		left_out_from_list(&plan->left_out[i], list_nth(left_out, i));
	return plan;
}
