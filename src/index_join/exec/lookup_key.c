/*
 * lookup_key.c
 *		The key by which an outer row is looked up: a value for each of the
 *		index's first columns.
 *
 * If the index is read by integers (btree/btree_keys.h), values are stored as
 * integers.  The planner has verified that the join compares them as such.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "catalog/pg_index.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "btree/btree_keys.h"
#include "index_join/exec/lookup_key.h"

/*
 * Sets how values of this type are stored and compared as the index's column
 * i.
 */
static void
init_part(SsdparKeyPart *part, Relation index, int i, Oid type)
{
	part->descending = (index->rd_indoption[i] & INDOPTION_DESC) != 0;
	if (ssdpar_index_orders_integers(index, i + 1))
	{
		part->integer = ssdpar_integer_type(type);
		if (part->integer == SSDPAR_NOT_INTEGER)
			elog(ERROR, "key of type %u is no integer", type);
		return;
	}
	part->integer = SSDPAR_NOT_INTEGER;
	get_typlenbyval(type, &part->length, &part->by_value);
	part->order = index_getprocinfo(index, i + 1, BTORDER_PROC);
	part->collation = index->rd_indcollation[i];
}

void
ssdpar_lookup_key_init(SsdparLookupKey *key, const SsdparIndexJoinPlan *plan,
					   List *constants, Relation index, TupleDesc outer,
					   PlanState *parent)
{
	int			nconstants = 0;

	memset(key, 0, sizeof(SsdparLookupKey));
	key->nparts = plan->nkeys;
	key->context = parent->ps_ExprContext;
	for (int i = 0; i < key->nparts; i++)
	{
		SsdparKeyPart *part = &key->parts[i];
		Oid			type;

		part->column = plan->key_columns[i];
		if (part->column == 0)
		{
			Expr	   *constant = list_nth(constants, nconstants++);

			part->constant = ExecInitExpr(constant, parent);
			type = exprType((Node *) constant);
		}
		else
			type = TupleDescAttr(outer, part->column - 1)->atttypid;
		init_part(part, index, i, type);
	}
}

static Datum
value_of(const SsdparLookupKey *key, const SsdparKeyPart *part,
		 TupleTableSlot *slot, bool *is_null)
{
	return part->constant == NULL ?
		slot_getattr(slot, part->column, is_null) :
		ExecEvalExprSwitchContext(part->constant, key->context, is_null);
}

/*
 * Values are detoasted once, because keys are compared many times.
 */
bool
ssdpar_lookup_key_take(const SsdparLookupKey *key, TupleTableSlot *slot,
					   SsdparKeyValue *values)
{
	for (int i = 0; i < key->nparts; i++)
	{
		const SsdparKeyPart *part = &key->parts[i];
		bool		is_null;
		Datum		value = value_of(key, part, slot, &is_null);

		if (is_null)
			return false;
		if (part->integer != SSDPAR_NOT_INTEGER)
			values[i].integer = ssdpar_integer_value(part->integer, value);
		else if (part->length == -1)
			values[i].datum = PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
		else
			values[i].datum = datumCopy(value, part->by_value, part->length);
	}
	return true;
}

/*
 * Sorting can take long and ordering functions can be slow, so it can be
 * canceled.
 */
static int
compare_datums(const SsdparKeyPart *part, Datum a, Datum b)
{
	CHECK_FOR_INTERRUPTS();
	return DatumGetInt32(FunctionCall2Coll(part->order, part->collation, a,
										   b));
}

int
ssdpar_lookup_key_compare(const SsdparLookupKey *key, const SsdparKeyValue *a,
						  const SsdparKeyValue *b)
{
	int			comparison = 0;

	for (int i = 0; i < key->nparts && comparison == 0; i++)
	{
		const SsdparKeyPart *part = &key->parts[i];

		comparison = part->integer == SSDPAR_NOT_INTEGER ?
			compare_datums(part, a[i].datum, b[i].datum) :
			(a[i].integer > b[i].integer) - (a[i].integer < b[i].integer);
		if (part->descending)
			comparison = comparison > 0 ? -1 : comparison < 0;
	}
	return comparison;
}
