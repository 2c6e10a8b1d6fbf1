/*
 * star_tests.c
 *		The tests that the fact's rows must pass, in the cheapest order.
 *
 * A test takes its key columns out of the row and looks their code up in the
 * reducer's key set.  What is best tested first depends on the data: the
 * fraction dropped is measured over ROUND rows at a time, and after each round
 * the tests are ordered anew by cost per row dropped.  Columns lie in the row
 * one after another, so what a test costs depends on how far the ones before
 * have come.
 *
 * A test that drops next to nothing is put off for PUT_OFF rounds, then tried
 * again.  The joins above drop what it would have.
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "starscan/star_state.h"

/* Rows after which the order is considered. */
#define ROUND 4096

/*
 * A test that drops less than this is not worth its time: it takes about a
 * tenth of the instructions that a join takes to find no match.
 */
#define USEFUL_FRACTION 0.1

/* Rounds until it is tried again. */
#define PUT_OFF 32

/* Costs, the unit being to take one column out of a row (about 2 ns). */
#define COST_BIT_MAP 2.0
#define COST_HASH 5.0			/* a hash table or a Bloom filter */
#define COST_HASHED_CODE 8.0	/* to compute a code that is not a value */

typedef struct Test
{
	SsdparKeyCoder *coder;
	SsdparIntegerType integer;	/* of the one column, if int4 or int8 and so
								 * taken out here; else not integer */
	const SsdparKeySet *set;
	AttrNumber	last_column;	/* how far it needs the row */
	double		cost;			/* without taking out columns */
	double		kept;			/* fraction, estimated, later measured */
	SsdparStarTestCount *count; /* for EXPLAIN */
	uint32		rows;			/* of this round */
	uint32		dropped;
	int			put_off;		/* rounds left without it */
	bool		ordered;		/* has its place in order; for arrange() */
} Test;

struct SsdparStarTests
{
	int			norder;			/* tests that are run */
	Test	  **order;
	int			ntests;
	Test	   *tests;
	uint32		rows_left;		/* of this round */
	AttrNumber	filter_column;	/* how far the node's filter took rows apart */
};

static double
cost_of_set(const SsdparReducer *reducer, const SsdparKeySet *set)
{
	bool		bit_map = strcmp(ssdpar_key_set_kind(set), "bit map") == 0;

	return (bit_map ? COST_BIT_MAP : COST_HASH) +
		(ssdpar_key_code_is_exact(reducer) ? 0.0 : COST_HASHED_CODE);
}

static AttrNumber
last_target_column(const SsdparReducer *reducer)
{
	AttrNumber	last = 0;

	for (int i = 0; i < reducer->ncolumns; i++)
		last = Max(last, reducer->target_columns[i]);
	return last;
}

/*
 * Most keys are these; the coder's function call can be saved.  It is the type
 * that is compared that counts: an int4 may be compared as an oid.
 */
static SsdparIntegerType
simple_integer(const SsdparReducer *reducer)
{
	SsdparIntegerType type;
	Oid			target_type;
	Oid			key_type;

	if (!ssdpar_key_code_is_exact(reducer))
		return SSDPAR_NOT_INTEGER;
	op_input_types(reducer->operators[0], &target_type, &key_type);
	type = ssdpar_integer_type(target_type);
	return type == SSDPAR_INT32 || type == SSDPAR_INT64 ? type
		: SSDPAR_NOT_INTEGER;
}

static void
init_test(Test *test, SsdparStarState *state, int i)
{
	const SsdparReducer *reducer = &state->plan->reducers[i];

	test->integer = simple_integer(reducer);
	test->coder = ssdpar_key_coder(reducer, SSDPAR_SIDE_TARGET);
	test->set = state->sets[i];
	test->last_column = last_target_column(reducer);
	test->cost = cost_of_set(reducer, test->set);
	test->kept = reducer->selectivity;
	test->count = &state->counters->tests[i];
}

/* Cost per row dropped, if rows are taken apart up to column already. */
static double
price(const Test *test, AttrNumber column)
{
	double		dropped = Max(1.0 - test->kept, 1e-6);

	return (test->cost + Max(test->last_column - column, 0)) / dropped;
}

static Test *
cheapest(SsdparStarTests *tests, AttrNumber column)
{
	Test	   *best = NULL;

	for (int i = 0; i < tests->ntests; i++)
	{
		Test	   *test = &tests->tests[i];

		if (!test->ordered && test->put_off == 0 &&
			(best == NULL || price(test, column) < price(best, column)))
			best = test;
	}
	return best;
}

static void
arrange(SsdparStarTests *tests)
{
	AttrNumber	column = tests->filter_column;
	Test	   *test;

	tests->norder = 0;
	for (int i = 0; i < tests->ntests; i++)
		tests->tests[i].ordered = false;
	while ((test = cheapest(tests, column)) != NULL)
	{
		test->ordered = true;
		tests->order[tests->norder++] = test;
		column = Max(column, test->last_column);
	}
	tests->rows_left = ROUND;
}

/* skip_exact leaves out what a bitmap has made sure of. */
SsdparStarTests *
ssdpar_star_tests_create(SsdparStarState *state, bool skip_exact)
{
	SsdparStarTests *tests = palloc0_object(SsdparStarTests);
	const SsdparStarPlan *plan = state->plan;

	tests->tests = palloc0(plan->nreducers * sizeof(Test));
	tests->order = palloc0(plan->nreducers * sizeof(Test *));
	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparStarFound *found = &state->result->found[i];

		if (plan->reducers[i].target != SSDPAR_TARGET_FACT ||
			state->sets[i] == NULL ||
			(skip_exact && found->by_index && found->exact))
			continue;
		init_test(&tests->tests[tests->ntests++], state, i);
	}
	arrange(tests);
	return tests;
}

/* Take over what this round measured, if it saw rows enough. */
static void
measure(Test *test)
{
	test->count->rows += test->rows;
	test->count->dropped += test->dropped;
	if (test->put_off > 0)
		test->put_off--;
	else if (test->rows >= ROUND / 16)
	{
		test->kept = 1.0 - (double) test->dropped / test->rows;
		if (test->kept > 1.0 - USEFUL_FRACTION)
			test->put_off = PUT_OFF;
	}
	test->rows = 0;
	test->dropped = 0;
}

static void
end_round(SsdparStarTests *tests)
{
	for (int i = 0; i < tests->ntests; i++)
		measure(&tests->tests[i]);
	arrange(tests);
}

/* What has been counted since the last round. */
void
ssdpar_star_tests_end(SsdparStarTests *tests)
{
	for (int i = 0; i < tests->ntests; i++)
		measure(&tests->tests[i]);
}

/* The code of the row's key; false if it is NULL. */
static inline bool
code_row(const Test *test, TupleTableSlot *slot, uint64 *code)
{
	Datum		value;

	if (test->integer == SSDPAR_NOT_INTEGER)
		return ssdpar_key_code(test->coder, slot, code);
	slot_getsomeattrs(slot, test->last_column);
	if (slot->tts_isnull[test->last_column - 1])
		return false;
	value = slot->tts_values[test->last_column - 1];
	*code = (uint64) (test->integer == SSDPAR_INT32 ?
					  (int64) DatumGetInt32(value) : DatumGetInt64(value));
	return true;
}

bool
ssdpar_star_tests_pass(SsdparStarTests *tests, TupleTableSlot *slot)
{
	if (tests->rows_left-- == 0)
	{
		tests->filter_column = slot->tts_nvalid;
		end_round(tests);
	}
	for (int i = 0; i < tests->norder; i++)
	{
		Test	   *test = tests->order[i];
		uint64		code;

		test->rows++;
		if (!code_row(test, slot, &code) ||
			!ssdpar_key_set_has(test->set, code))
		{
			test->dropped++;
			return false;
		}
	}
	return true;
}
