/*
 * filters.c
 *		Conditions of a query, evaluated on sampled rows.
 *
 * A table's own filters see the row as it lies on its page.  A join's see one
 * wide row, in which every table has its columns at a place of its own: their
 * Vars are renumbered once.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "sample/filters.h"
#include "star/access.h"

/* No filter that is not evaluated lets all pass: 1 says that there is none. */
#define MOST_UNSEEN 0.9999

/*
 * What the filters that are not evaluated leave of the rows that pass the
 * others, by core's numbers.  It is asked for whole lists, as core takes the
 * two bounds of a range for one condition, and knows columns that depend on
 * each other (CREATE STATISTICS).
 */
static double
unseen_selectivity(PlannerInfo *root, List *evaluated, List *others)
{
	List	   *all = list_concat_copy(evaluated, others);
	double		seen;

	if (others == NIL)
		return 1.0;
	seen = clauselist_selectivity(root, evaluated, 0, JOIN_INNER, NULL);
	return Min(MOST_UNSEEN, seen > 0.0 ?
			   clauselist_selectivity(root, all, 0, JOIN_INNER, NULL) / seen :
			   clauselist_selectivity(root, others, 0, JOIN_INNER, NULL));
}

/* Of a condition that has the same value for all rows core takes no account. */
void
ssdpar_sample_prepare_filter(SsdparSampler *sampler, SsdparSampleTable *table)
{
	List	   *evaluated = NIL;
	List	   *others = NIL;
	List	   *filter;
	ListCell   *lc;

	foreach(lc, table->rel->baserestrictinfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (clause->pseudoconstant)
			continue;
		if (ssdpar_sample_can_evaluate(sampler->root, (Node *) clause->clause))
			evaluated = lappend(evaluated, clause);
		else
			others = lappend(others, clause);
	}
	table->unseen = unseen_selectivity(sampler->root, evaluated, others);
	filter = copyObject(extract_actual_clauses(evaluated, false));
	fix_opfuncids((Node *) filter);
	if (filter != NIL)
		table->filter = ExecInitQual(filter, NULL);
}

static bool
evaluate(SsdparSampler *sampler, ExprState *clauses, TupleTableSlot *slot)
{
	bool		passes;

	sampler->expressions->ecxt_scantuple = slot;
	passes = ExecQual(clauses, sampler->expressions);
	ResetExprContext(sampler->expressions);
	return passes;
}

bool
ssdpar_sample_passes(SsdparSampler *sampler, SsdparSampleTable *table)
{
	return table->filter == NULL ||
		evaluate(sampler, table->filter, table->slot);
}

/* A column's place in the wide row. */
static Node *
renumber(Node *node, void *context)
{
	SsdparSampler *sampler = context;
	SsdparSampleTable *table;
	Var		   *var;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Var))
		return expression_tree_mutator(node, renumber, context);
	var = copyObject((Var *) node);
	table = ssdpar_sample_table_of(sampler, var->varno);
	Assert(table != NULL && ssdpar_sample_column(table, var->varattno) >= 0);
	var->varattno = table->first + 1 +
		ssdpar_sample_column(table, var->varattno);
	return (Node *) var;
}

ExprState *
ssdpar_sample_prepare_join(SsdparSampler *sampler, List *clauses)
{
	List	   *renumbered;

	if (clauses == NIL)
		return NULL;
	renumbered = (List *) renumber((Node *) clauses, sampler);
	fix_opfuncids((Node *) renumbered);
	return ExecInitQual(renumbered, NULL);
}

/* Tables without a row are NULL in all columns. */
static void
store_members(SsdparSampler *sampler, SsdparSampleRow **members)
{
	TupleTableSlot *slot = ExecClearTuple(sampler->joined);

	for (int i = 0; i < sampler->ntables; i++)
	{
		SsdparSampleTable *table = &sampler->tables[i];
		Size		size = table->ncolumns;

		if (members[i] == NULL)
		{
			memset(slot->tts_isnull + table->first, true,
				   size * sizeof(bool));
			continue;
		}
		memcpy(slot->tts_values + table->first, members[i]->values,
			   size * sizeof(Datum));
		memcpy(slot->tts_isnull + table->first, members[i]->nulls,
			   size * sizeof(bool));
	}
	ExecStoreVirtualTuple(slot);
}

bool
ssdpar_sample_joins(SsdparSampler *sampler, ExprState *clauses,
					SsdparSampleRow **members)
{
	if (clauses == NULL)
		return true;
	store_members(sampler, members);
	return evaluate(sampler, clauses, sampler->joined);
}
