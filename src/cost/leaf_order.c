/*
 * leaf_order.c
 *		Estimates how well the leaves of an index follow the file's order.
 */
#include "postgres.h"

#include "btree/btree_order.h"
#include "cost/index_look.h"
#include "cost/leaf_order.h"

double
ssdpar_leaf_order(PlannerInfo *root, const IndexOptInfo *info)
{
	return ssdpar_index_look(root, info, ssdpar_index_leaf_order, 0.0);
}
