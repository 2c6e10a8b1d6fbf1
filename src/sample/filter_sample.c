/*
 * filter_sample.c
 *		The rows of a table that a constant selects, by an index.
 *
 * Of a large table a random sample has few rows that pass a selective filter.
 * An index on column = constant names them all: it is a join with a table of
 * one row, which holds the constant.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "sample/filter_sample.h"
#include "sample/join_clauses.h"
#include "sample/join_sample.h"
#include "star/access.h"

/* A random sample of more rows is good enough. */
#define ENOUGH_ROWS 100.0

/*
 * The constant that the clause compares column with, NULL if none, and the
 * operator as constant = column.
 */
static Const *
compared_with(const RelOptInfo *rel, const RestrictInfo *clause,
			  AttrNumber column, Oid *operator)
{
	OpExpr	   *comparison = (OpExpr *) clause->clause;
	Node	   *left;
	Node	   *right;

	if (!IsA(comparison, OpExpr) || list_length(comparison->args) != 2)
		return NULL;
	left = linitial(comparison->args);
	right = lsecond(comparison->args);
	*operator = comparison->opno;
	if (IsA(right, Const))
	{
		Node	   *constant = right;

		right = left;
		left = constant;
		*operator = get_commutator(comparison->opno);
	}
	while (IsA(right, RelabelType))
		right = (Node *) ((RelabelType *) right)->arg;
	if (!IsA(left, Const) || ((Const *) left)->constisnull ||
		!IsA(right, Var) || ((Var *) right)->varno != (int) rel->relid ||
		((Var *) right)->varattno != column || !OidIsValid(*operator) ||
		!op_hashjoinable(*operator, exprType(left)))
		return NULL;
	return (Const *) left;
}

bool
ssdpar_filter_column(const RelOptInfo *rel, AttrNumber column)
{
	ListCell   *lc;
	Oid			operator;

	foreach(lc, rel->baserestrictinfo)
	{
		if (compared_with(rel, lfirst(lc), column, &operator) != NULL)
			return true;
	}
	return false;
}

/* A set of one row, the constant, in the place of the table itself. */
static SsdparSampleJoined *
make_set(SsdparSampler *sampler, const SsdparSampleTable *table, int column,
		 const Const * constant)
{
	SsdparSampleJoined *set = palloc0_object(SsdparSampleJoined);
	SsdparSampleRow *row = palloc_object(SsdparSampleRow);

	row->values = palloc0(sizeof(Datum) * table->ncolumns);
	row->values[column] = constant->constvalue;
	row->nulls = palloc0(sizeof(bool) * table->ncolumns);
	row->block = 0;
	set->rows = 1;
	set->found = 1;
	set->exact = true;
	set->whole = true;
	set->nrows = 1;
	set->members = palloc_object(SsdparSampleRow **);
	set->members[0] = palloc0(sizeof(SsdparSampleRow *) * sampler->ntables);
	set->members[0][table->number] = row;
	set->target = table->number;
	set->share = -1;
	return set;
}

/* The rows found stand for the table, if they are more than it has. */
static void
take_sample(SsdparSampleTable *table, const SsdparSampleJoined *found)
{
	if (!found->exact && found->found <= table->found)
		return;
	table->by_filter = true;
	table->pages_read = 0;
	table->complete = found->whole;
	table->passing = found->rows;
	table->found = found->found;
	table->nrows = found->nrows;
	table->rows = palloc_array(SsdparSampleRow *, Max(found->nrows, 1));
	for (int i = 0; i < found->nrows; i++)
		table->rows[i] = found->members[i][table->number];
}

/* False if this clause is none that an index answers. */
static bool
sample_by_clause(SsdparSampler *sampler, SsdparSampleTable *table,
				 RestrictInfo *clause, int column)
{
	SsdparSampleJoin join = {.type = JOIN_INNER, .table = table};
	SsdparSampleKey *key = palloc0_object(SsdparSampleKey);
	double		unseen = table->unseen;
	SsdparSampleJoined *found;
	Const	   *constant;

	constant = compared_with(table->rel, clause, table->columns[column],
							 &key->operator);
	if (constant == NULL ||
		!ssdpar_sample_can_evaluate(sampler->root, (Node *) clause->clause))
		return false;
	key->outer = table->number;
	key->outer_column = column;
	key->inner_column = column;
	key->outer_type = constant->consttype;
	key->collation = ((OpExpr *) clause->clause)->inputcollid;
	if (!ssdpar_sample_prepare_key(key))
		return false;
	join.keys = list_make1(key);

	/* what is not evaluated is multiplied on where the table is used */
	table->unseen = 1.0;
	found = ssdpar_join_by_index(sampler,
								 make_set(sampler, table, column, constant),
								 &join);
	table->unseen = unseen;
	if (found != NULL)
		take_sample(table, found);
	return found != NULL;
}

void
ssdpar_sample_by_filter(SsdparSampler *sampler, SsdparSampleTable *table)
{
	ListCell   *lc;

	if (table->complete || table->by_filter || !table->measured ||
		table->found >= Min(ENOUGH_ROWS, sampler->effort))
		return;
	foreach(lc, table->rel->baserestrictinfo)
	{
		for (int column = 0; column < table->ncolumns; column++)
		{
			if (sample_by_clause(sampler, table, lfirst(lc), column))
				return;
		}
	}
}
