/*
 * ssdsim_op.c
 *		Operations are allocated and freed all the time, so they are allocated
 *		in blocks and reused.
 */
#include "ssdsim_op.h"

#include <stdlib.h>
#include <string.h>

#include "ssdsim_memory.h"

#define OPS_AT_ONCE 256

/* The first operation of each block is used to free the block. */
static void
more(SsdsimOpPool *pool)
{
	SsdsimOp   *lot = ssdsim_allocate(OPS_AT_ONCE + 1, sizeof(SsdsimOp));

	lot[0].next = pool->lots;
	pool->lots = lot;
	for (int i = 1; i <= OPS_AT_ONCE; i++)
		ssdsim_op_drop(pool, &lot[i]);
}

SsdsimOp *
ssdsim_op_new(SsdsimOpPool *pool, void *owner, uint32_t page)
{
	SsdsimOp   *op;

	if (pool->unused == NULL)
		more(pool);
	op = pool->unused;
	pool->unused = op->next;
	memset(op, 0, sizeof(*op));
	op->owner = owner;
	op->page = page;
	return op;
}

void
ssdsim_op_drop(SsdsimOpPool *pool, SsdsimOp *op)
{
	op->next = pool->unused;
	pool->unused = op;
}

void
ssdsim_op_free_all(SsdsimOpPool *pool)
{
	while (pool->lots != NULL)
	{
		SsdsimOp   *lot = pool->lots;

		pool->lots = lot->next;
		free(lot);
	}
}

void
ssdsim_op_append(SsdsimOpList *list, SsdsimOp *op)
{
	op->next = NULL;
	op->previous = list->last;
	if (list->last != NULL)
		list->last->next = op;
	else
		list->first = op;
	list->last = op;
	list->count++;
}

void
ssdsim_op_remove(SsdsimOpList *list, SsdsimOp *op)
{
	if (op->previous != NULL)
		op->previous->next = op->next;
	else
		list->first = op->next;
	if (op->next != NULL)
		op->next->previous = op->previous;
	else
		list->last = op->previous;
	list->count--;
}
