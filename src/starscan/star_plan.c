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
	REDUCER_TARGET_COLUMNS,
	REDUCER_KEY_COLUMNS,
	REDUCER_OPERATORS,
	REDUCER_COLLATIONS,
	REDUCER_INDEX,
	REDUCER_KEYS,
	REDUCER_SELECTIVITY,
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
columns_to_list(const AttrNumber *columns, int ncolumns)
{
	List	   *list = NIL;

	for (int i = 0; i < ncolumns; i++)
		list = lappend_int(list, columns[i]);
	return list;
}

static List *
oids_to_list(const Oid *oids, int noids)
{
	List	   *list = NIL;

	for (int i = 0; i < noids; i++)
		list = lappend_oid(list, oids[i]);
	return list;
}

static List *
reducer_to_list(const SsdparReducer *reducer)
{
	int			n = reducer->ncolumns;
	List	   *numbers = list_make4_int(reducer->target, n,
										 reducer->index_column,
										 (int) reducer->dimension);
	List	   *list;

	list = list_make5(numbers,
					  columns_to_list(reducer->target_columns, n),
					  columns_to_list(reducer->key_columns, n),
					  oids_to_list(reducer->operators, n),
					  oids_to_list(reducer->collations, n));
	list = lappend(list, list_make1_oid(reducer->index));
	list = lappend(list, number_node(reducer->keys));
	return lappend(list, number_node(reducer->selectivity));
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
columns_from_list(AttrNumber *columns, const List *list, int ncolumns)
{
	for (int i = 0; i < ncolumns; i++)
		columns[i] = (AttrNumber) list_nth_int(list, i);
}

static void
oids_from_list(Oid *oids, const List *list, int noids)
{
	for (int i = 0; i < noids; i++)
		oids[i] = list_nth_oid(list, i);
}

static void
reducer_from_list(SsdparReducer *reducer, const List *list)
{
	const List *numbers = list_nth(list, REDUCER_NUMBERS);
	int			n = list_nth_int(numbers, 1);

	if (n < 1 || n > SSDPAR_MAX_KEY_COLUMNS)
		elog(ERROR, "star scan compares %d columns", n);
	reducer->target = list_nth_int(numbers, 0);
	reducer->ncolumns = n;
	reducer->index_column = list_nth_int(numbers, 2);
	reducer->dimension = (Index) list_nth_int(numbers, 3);
	columns_from_list(reducer->target_columns,
					  list_nth(list, REDUCER_TARGET_COLUMNS), n);
	columns_from_list(reducer->key_columns,
					  list_nth(list, REDUCER_KEY_COLUMNS), n);
	oids_from_list(reducer->operators, list_nth(list, REDUCER_OPERATORS), n);
	oids_from_list(reducer->collations, list_nth(list, REDUCER_COLLATIONS),
				   n);
	reducer->index = linitial_oid((List *) list_nth(list, REDUCER_INDEX));
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
