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
#include "utils/memutils.h"

#include "base/compat.h"
#include "sample/filters.h"
#include "star/early.h"

/* Columns of this query level, as they come out of a table. */
static bool
needs_more(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varlevelsup != 0 ||
			((Var *) node)->varattno <= 0;
	if (IsA(node, Param) || IsA(node, PlaceHolderVar))
		return true;
	return expression_tree_walker(node, needs_more, context);
}

bool
ssdpar_sample_can_evaluate(PlannerInfo *root, Node *clause)
{
	return !needs_more(clause, NULL) &&
		ssdpar_early_problem(root, clause) == SSDPAR_ACCEPTED;
}

void
ssdpar_sample_prepare_filter(SsdparSampler *sampler, SsdparSampleTable *table)
{
	List	   *evaluated = NIL;
	ListCell   *lc;

	table->unseen = 1.0;
	foreach(lc, table->rel->baserestrictinfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (!clause->pseudoconstant &&
			ssdpar_sample_can_evaluate(sampler->root, (Node *) clause->clause))
			evaluated = lappend(evaluated, copyObject(clause->clause));
		else
			table->unseen *= clause_selectivity(sampler->root,
												(Node *) clause,
												table->rel->relid, JOIN_INNER,
												NULL);
	}
	fix_opfuncids((Node *) evaluated);
	if (evaluated != NIL)
		table->filter = ExecInitQual(evaluated, NULL);
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
