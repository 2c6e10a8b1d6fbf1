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
 * Best of all are integers that lie at the same place in every row without
 * NULLs.  Such a test looks at the row as it is stored, before anybody makes a
 * tuple of it for the executor and before the node's own filter.  That the filter has not been asked yet gives
 * nothing away, whoever is to be kept from seeing the row: nothing but our own
 * code reads the key, and it neither fails nor tells.
 *
 * A test that drops next to nothing is put off for PUT_OFF rounds, then tried
 * again.  The joins above drop what it would have.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
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
	bool		stored;			/* looks at rows as they are stored ... */
	int			offset;			/* ... here if they have no NULLs */
	double		cost;			/* without taking out columns */
	double		kept;			/* fraction, estimated, later measured */
	SsdparStarTestCount *count; /* for EXPLAIN */
	uint32		rows;			/* since it was measured last */
	uint32		dropped;
	int			put_off;		/* rounds left without it */
	bool		ordered;		/* has its place; for arrange() */
} Test;

/* Tests that are run, the best first. */
typedef struct Order
{
	int			ntests;
	Test	  **tests;
} Order;

struct SsdparStarTests
{
	TupleDesc	row;			/* of the fact */
	bool		peeks;			/* every row is shown as stored before */
	Order		stored;			/* of rows as they are stored */
	Order		slots;			/* of rows taken apart in a slot */
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

/* Where the column lies in rows without NULLs; -1 if that differs. */
static int
fixed_offset(TupleDesc row, AttrNumber column)
{
	int			offset = 0;

	for (int i = 0; i < column; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(row, i);

		if (attribute->attlen <= 0)
			return -1;
		offset = att_align_nominal(offset, attribute->attalign);
		if (i < column - 1)
			offset += attribute->attlen;
	}
	return offset;
}

static void
init_test(SsdparStarTests *tests, Test *test, SsdparStarState *state, int i)
{
	const SsdparReducer *reducer = &state->plan->reducers[i];

	test->integer = simple_integer(reducer);
	test->coder = ssdpar_key_coder(reducer, SSDPAR_SIDE_TARGET);
	test->set = state->sets[i];
	test->last_column = last_target_column(reducer);
	test->offset = fixed_offset(tests->row, test->last_column);
	test->stored = tests->peeks && test->offset >= 0 &&
		test->integer != SSDPAR_NOT_INTEGER;
	test->cost = cost_of_set(reducer, test->set);
	test->kept = reducer->selectivity;
	test->count = &state->counters->tests[i];
}

/* Cost per row dropped, if rows are taken apart up to column already. */
static double
price(const Test *test, AttrNumber column)
{
	double		dropped = Max(1.0 - test->kept, 1e-6);

	if (test->stored)
		return (test->cost + 1.0) / dropped;
	return (test->cost + Max(test->last_column - column, 0)) / dropped;
}

static Test *
cheapest(SsdparStarTests *tests, bool stored, AttrNumber column)
{
	Test	   *best = NULL;

	for (int i = 0; i < tests->ntests; i++)
	{
		Test	   *test = &tests->tests[i];

		if (test->stored == stored && !test->ordered && test->put_off == 0 &&
			(best == NULL || price(test, column) < price(best, column)))
			best = test;
	}
	return best;
}

static void
arrange_some(SsdparStarTests *tests, bool stored, Order *order)
{
	AttrNumber	column = tests->filter_column;
	Test	   *test;

	order->ntests = 0;
	while ((test = cheapest(tests, stored, column)) != NULL)
	{
		test->ordered = true;
		order->tests[order->ntests++] = test;
		column = Max(column, test->last_column);
	}
}

static void
arrange(SsdparStarTests *tests)
{
	for (int i = 0; i < tests->ntests; i++)
		tests->tests[i].ordered = false;
	arrange_some(tests, true, &tests->stored);
	arrange_some(tests, false, &tests->slots);
	tests->rows_left = ROUND;
}

SsdparStarTests *
ssdpar_star_tests_create(SsdparStarState *state, bool peeks, bool skip_exact)
{
	SsdparStarTests *tests = palloc0_object(SsdparStarTests);
	const SsdparStarPlan *plan = state->plan;

	tests->row = RelationGetDescr(state->css.ss.ss_currentRelation);
	tests->peeks = peeks;
	tests->tests = palloc0(plan->nreducers * sizeof(Test));
	tests->stored.tests = palloc0(plan->nreducers * sizeof(Test *));
	tests->slots.tests = palloc0(plan->nreducers * sizeof(Test *));
	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparStarFound *found = &state->result->found[i];

		if (plan->reducers[i].target != SSDPAR_TARGET_FACT ||
			state->sets[i] == NULL ||
			(skip_exact && found->by_index && found->exact))
			continue;
		init_test(tests, &tests->tests[tests->ntests++], state, i);
	}
	arrange(tests);
	return tests;
}

static void
flush_counts(Test *test)
{
	test->count->rows += test->rows;
	test->count->dropped += test->dropped;
	test->rows = 0;
	test->dropped = 0;
}

/* Take over what was measured, once that is of rows enough. */
static void
measure(Test *test)
{
	if (test->put_off > 0)
		test->put_off--;
	else if (test->rows >= ROUND / 16)
	{
		test->kept = 1.0 - (double) test->dropped / test->rows;
		if (test->kept > 1.0 - USEFUL_FRACTION)
			test->put_off = PUT_OFF;
		flush_counts(test);
	}
}

static pg_noinline void
end_round(SsdparStarTests *tests)
{
	for (int i = 0; i < tests->ntests; i++)
		measure(&tests->tests[i]);
	arrange(tests);
}

/* What has not been counted yet. */
void
ssdpar_star_tests_end(SsdparStarTests *tests)
{
	for (int i = 0; i < tests->ntests; i++)
		flush_counts(&tests->tests[i]);
}

static inline uint64
integer_code(const Test *test, Datum value)
{
	return (uint64) (test->integer == SSDPAR_INT32 ?
					 (int64) DatumGetInt32(value) : DatumGetInt64(value));
}

/* The code of the row's key; false if it is NULL. */
static inline bool
code_slot(const Test *test, TupleTableSlot *slot, uint64 *code)
{
	int			i = test->last_column - 1;

	if (test->integer == SSDPAR_NOT_INTEGER)
		return ssdpar_key_code(test->coder, slot, code);
	slot_getsomeattrs(slot, test->last_column);
	if (slot->tts_isnull[i])
		return false;
	*code = integer_code(test, slot->tts_values[i]);
	return true;
}

/* Of a row with NULLs, or one that is older than the column. */
static pg_noinline bool
code_old_row(const SsdparStarTests *tests, const Test *test,
			 HeapTupleHeader header, uint64 *code)
{
	HeapTupleData tuple = {.t_data = header};
	bool		is_null;
	Datum		value = heap_getattr(&tuple, test->last_column, tests->row,
									 &is_null);

	if (!is_null)
		*code = integer_code(test, value);
	return !is_null;
}

/* The same as code_slot of a row as it is stored. */
static inline bool
code_stored(const SsdparStarTests *tests, const Test *test,
			HeapTupleHeader header, uint64 *code)
{
	const char *place = (char *) header + header->t_hoff + test->offset;

	if (unlikely((header->t_infomask & HEAP_HASNULL) != 0 ||
				 HeapTupleHeaderGetNatts(header) < test->last_column))
		return code_old_row(tests, test, header, code);
	*code = test->integer == SSDPAR_INT32 ?
		(uint64) (int64) *(const int32 *) place : *(const uint64 *) place;
	return true;
}

/* For each row of a page: what a call takes would be as much as all else. */
static pg_attribute_always_inline bool
peek(SsdparStarTests *tests, HeapTupleHeader header)
{
	if (unlikely(tests->rows_left-- == 0))
		end_round(tests);
	for (int i = 0; i < tests->stored.ntests; i++)
	{
		Test	   *test = tests->stored.tests[i];
		uint64		code;

		test->rows++;
		if (!code_stored(tests, test, header, &code) ||
			!ssdpar_key_set_has(test->set, code))
		{
			test->dropped++;
			return false;
		}
	}
	return true;
}

bool
ssdpar_star_tests_peek(SsdparStarTests *tests, HeapTupleHeader header)
{
	return peek(tests, header);
}

int
ssdpar_star_tests_skip(SsdparStarTests *tests, Page page,
					   const OffsetNumber *rows, int next, int nrows)
{
	for (; next < nrows; next++)
	{
		ItemId		item = PageGetItemId(page, rows[next]);

		if (peek(tests, (HeapTupleHeader) PageGetItem(page, item)))
			break;
	}
	return next;
}

bool
ssdpar_star_tests_pass(SsdparStarTests *tests, TupleTableSlot *slot)
{
	tests->filter_column = slot->tts_nvalid;
	if (!tests->peeks && tests->rows_left-- == 0)
		end_round(tests);
	for (int i = 0; i < tests->slots.ntests; i++)
	{
		Test	   *test = tests->slots.tests[i];
		uint64		code;

		test->rows++;
		if (!code_slot(test, slot, &code) ||
			!ssdpar_key_set_has(test->set, code))
		{
			test->dropped++;
			return false;
		}
	}
	return true;
}
