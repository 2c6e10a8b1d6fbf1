/*
 * ordered_lookups.c
 *		Prices index lookups by values that arrive in the order of the index.
 *
 * An example is detail rows stored in the order of their masters (order
 * lines): if a scan of the masters looks them up, it reads the pages of the
 * table and the leaves of the index from first to last.  If these are close
 * together, the kernel detects sequential reading and reads all of them ahead.
 * Core prices each page as a random read.
 */
#include "postgres.h"

#include <math.h>

#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"

#include "cost/column_order.h"
#include "cost/leaf_order.h"
#include "cost/ordered_lookups.h"

/*
 * Bounds the reduction of a page's price to core's ratio for sequential reads,
 * because other joins may have changed the order of the values.
 */
#define MOST_GAIN 4.0

/*
 * The value compared with the index's first column; NULL if there is not one.
 */
static const Node *
looked_up_value(const IndexPath *path)
{
	const		IndexClause *first = path->indexclauses == NIL ? NULL :
		linitial_node(IndexClause, path->indexclauses);
	const OpExpr *clause;

	if (first == NULL || first->indexcol != 0 ||
		!is_opclause(first->rinfo->clause) ||
		list_length(((const OpExpr *) first->rinfo->clause)->args) != 2)
		return NULL;
	clause = (const OpExpr *) first->rinfo->clause;
	return bms_is_member(path->path.parent->relid,
						 first->rinfo->left_relids) ?
		lsecond(clause->args) : linitial(clause->args);
}

/* Does the kernel read a whole area if this number of its pages is read? */
static bool
reads_all(const SsdparTablePrice *table, double area, double pages)
{
	return pages >= area *
		ssdpar_model_kernel_reads_all(table->model.read_ahead_kb);
}

/* Price of one of the pages if the kernel reads the whole area. */
static Cost
page_of_all_cost(const SsdparTablePrice *table, double area, double pages,
				 int workers)
{
	SsdparReads all = ssdpar_model_read_ahead(1.0,
											  table->model.read_ahead_kb,
											  table->resident);

	return area / pages * ssdpar_page_cost(table, all, workers);
}

/* Interpolates between waiting and reading in order. */
static Cost
cost_by_order(Cost waited, Cost in_order, double order)
{
	in_order = Max(in_order, waited / MOST_GAIN);
	return waited - Max(waited - in_order, 0.0) * order;
}

/* If a twin of the table provides the value, it has just read the page. */
Cost
ssdpar_lookup_page_cost(const void *priced,
						const SsdparEstimatedScan *scan, Cost random_page)
{
	const SsdparTablePrice *table = priced;
	const IndexOptInfo *index = scan->path->indexinfo;
	const Node *value = looked_up_value(scan->path);
	double		area = table->rel->pages;
	double		lookup = ceil(scan->estimate->selectivity * area);
	double		correlation = scan->estimate->correlation;
	double		pages;
	Cost		page;

	if (scan->loop_count <= 1.0 || value == NULL)
		return random_page;
	pages = index_pages_fetched(lookup * scan->loop_count, area,
								index->pages, scan->root);
	if (ssdpar_is_column_of_twin(scan->root, value, table->rel,
								 index->indexkeys[0]))
		page = ssdpar_page_again_cost(table);
	else if (reads_all(table, area, pages))
		page = page_of_all_cost(table, area, pages, scan->workers);
	else
		return random_page;
	return cost_by_order(random_page, page,
						 correlation * correlation *
						 ssdpar_expression_order(scan->root, value));
}

/*
 * As in core's estimate for many runs (genericcostestimate), each of which
 * reads one of the leaves.
 */
Cost
ssdpar_lookup_leaves_saved(const SsdparTablePrice *index,
						   const SsdparEstimatedScan *scan)
{
	const SsdparIndexEstimate *estimate = scan->estimate;
	const IndexOptInfo *info = scan->path->indexinfo;
	const Node *value = looked_up_value(scan->path);
	double		pages;
	double		order;
	Cost		page;

	if (value == NULL)
		return 0.0;
	pages = index_pages_fetched(estimate->pages * scan->loop_count,
								info->pages, info->pages, scan->root);
	if (!reads_all(index, info->pages, pages))
		return 0.0;
	order = ssdpar_expression_order(scan->root, value);
	if (order <= 0.0)
		return 0.0;
	order *= ssdpar_leaf_order(scan->root, info);
	page = cost_by_order(estimate->page_cost,
						 page_of_all_cost(index, info->pages, pages,
										  scan->workers), order);
	return Min((estimate->page_cost - page) * pages / scan->loop_count,
			   estimate->total - estimate->startup);
}
