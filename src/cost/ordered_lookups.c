/*
 * ordered_lookups.c
 *		Lookups of an index by values that come in its order.
 *
 * Details that lie as their masters do, the lines of orders: looked up by a
 * scan of these, the pages of the table and the leaves of the index come from
 * the first to the last.  If they are close together, the kernel takes that for
 * sequential reading and reads all.  Core prices each as waited for at random.
 */
#include "postgres.h"

#include <math.h>

#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"

#include "cost/column_order.h"
#include "cost/leaf_order.h"
#include "cost/ordered_lookups.h"

/*
 * How much cheaper a page may get: as core has it of sequential reads, since
 * other joins may have brought the values out of order.
 */
#define MOST_GAIN 4.0

/* What the index's first column is looked up by; NULL: not by one value. */
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

/* Are so many of an area's pages enough for the kernel to read all? */
static bool
reads_all(const SsdparTablePrice *table, double area, double pages)
{
	return pages >= area *
		ssdpar_model_kernel_reads_all(table->model.read_ahead_kb);
}

/* The price of one of so many pages of an area, if the kernel reads all. */
static Cost
page_of_all_cost(const SsdparTablePrice *table, double area, double pages,
				 int workers)
{
	SsdparReads all = ssdpar_model_read_ahead(1.0,
											  table->model.read_ahead_kb,
											  table->resident);

	return area / pages * ssdpar_page_cost(table, all, workers);
}

/* As far as they come in order, from waited to the price in order. */
static Cost
cost_by_order(Cost waited, Cost in_order, double order)
{
	in_order = Max(in_order, waited / MOST_GAIN);
	return waited - Max(waited - in_order, 0.0) * order;
}

/* Other lines of the same order are where the scan has just been. */
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

/* As core has it of many runs (genericcostestimate), one of the leaves each. */
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
