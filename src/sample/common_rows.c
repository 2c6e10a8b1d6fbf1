/*
 * common_rows.c
 *		The rows of one table that have the most common values of another's
 *		column.
 *
 * A sample of a dimension has few of the keys that most of a fact's rows have,
 * or none: they may all lie on one of its pages.  So the values themselves are
 * joined with the dimension, as if they were a table: in memory if it is in
 * hand, else by an index on its key.
 */
#include "postgres.h"

#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "sample/common_rows.h"
#include "sample/join_sample.h"

/* A row that has the value, in the place of one of target. */
static SsdparSampleRow **
make_row(SsdparSampler *sampler, const SsdparSampleTable *target, int column,
		 Datum value)
{
	SsdparSampleRow **members = palloc0(sizeof(*members) * sampler->ntables);
	SsdparSampleRow *row = palloc0_object(SsdparSampleRow);

	row->values = palloc0(sizeof(Datum) * target->ncolumns);
	row->nulls = palloc0(sizeof(bool) * target->ncolumns);
	row->values[column] = value;
	members[target->number] = row;
	return members;
}

static SsdparSampleJoined *
make_set(SsdparSampler *sampler, const SsdparSampleTable *target, int column,
		 const SsdparCommonValues *common)
{
	SsdparSampleJoined *set = palloc0_object(SsdparSampleJoined);

	set->rows = set->found = set->nrows = common->nvalues;
	set->exact = true;
	set->whole = true;
	set->members = palloc_array(SsdparSampleRow **, common->nvalues);
	for (int i = 0; i < common->nvalues; i++)
		set->members[i] = make_row(sampler, target, column,
								   common->values[i].key.value);
	set->target = target->number;
	set->share = -1;
	return set;
}

/* The key from the other side; false if it has none. */
static bool
turn_key(const SsdparSampleTable *target, const SsdparSampleKey *key,
		 SsdparSampleKey *turned)
{
	AttrNumber	column = target->columns[key->inner_column];
	Form_pg_attribute attribute =
		TupleDescAttr(RelationGetDescr(target->heap), column - 1);

	memset(turned, 0, sizeof(SsdparSampleKey));
	turned->outer = target->number;
	turned->outer_column = key->inner_column;
	turned->inner_column = key->outer_column;
	turned->outer_type = getBaseType(attribute->atttypid);
	turned->operator = get_commutator(key->operator);
	turned->collation = key->collation;
	return ssdpar_sample_prepare_key(turned);
}

SsdparSampleJoined *
ssdpar_rows_of_common_values(SsdparSampler *sampler,
							 const SsdparSampleTable *target,
							 const SsdparSampleKey *key,
							 const SsdparCommonValues *common,
							 SsdparSampleTable *table,
							 SsdparSampleJoiner by_index)
{
	SsdparSampleKey *turned = palloc_object(SsdparSampleKey);
	SsdparSampleJoin join = {.type = JOIN_INNER, .table = table};
	double		unseen = table->unseen;
	SsdparSampleJoined *set;
	SsdparSampleJoined *found;

	if (!turn_key(target, key, turned))
		return NULL;
	join.keys = list_make1(turned);
	set = make_set(sampler, target, key->inner_column, common);

	/* what is not evaluated is multiplied on where the set is used */
	table->unseen = 1.0;
	found = table->complete ? ssdpar_join_in_hand(sampler, set, &join) :
		by_index(sampler, set, &join);
	table->unseen = unseen;
	return found != NULL && found->whole ? found : NULL;
}
