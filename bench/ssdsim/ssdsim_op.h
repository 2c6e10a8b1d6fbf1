/*
 * ssdsim_op.h
 *		Operations of dies on pages, lists of these, and their allocation.
 */
#ifndef SSDSIM_OP_H
#define SSDSIM_OP_H

#include <stdint.h>

typedef enum SsdsimOpKind
{
	SSDSIM_OP_READ,
	SSDSIM_OP_PROGRAM,
	SSDSIM_OP_COPY,
	SSDSIM_OP_ERASE,
} SsdsimOpKind;

/* One operation of a die on one page. */
typedef struct SsdsimOp
{
	struct SsdsimOp *next;		/* of the list that has it: */
	struct SsdsimOp *previous;	/* a die's queue, a plane's, the unused */
	struct SsdsimOp *newer;		/* of all queued reads */
	struct SsdsimOp *older;
	struct SsdsimOp *with;		/* done by the same command, other planes */
	struct SsdsimOp *waiters;	/* others that need the data of this read */
	void	   *owner;			/* the request; NULL: the device itself */
	SsdsimOpKind kind;
	uint32_t	page;			/* the host's */
	uint32_t	physical;
	uint32_t	plane;
	uint32_t	die;
	int64_t		since;			/* queued */
	uint64_t	flushes;		/* of a write: the device's before it */
} SsdsimOp;

typedef struct SsdsimOpList
{
	SsdsimOp   *first;
	SsdsimOp   *last;
	int			count;
} SsdsimOpList;

/* Memory for operations, which is reused. */
typedef struct SsdsimOpPool
{
	SsdsimOp   *unused;
	SsdsimOp   *lots;			/* everything ever allocated */
} SsdsimOpPool;

extern SsdsimOp *ssdsim_op_new(SsdsimOpPool *pool, void *owner,
							   uint32_t page);
extern void ssdsim_op_drop(SsdsimOpPool *pool, SsdsimOp *op);
extern void ssdsim_op_free_all(SsdsimOpPool *pool);

extern void ssdsim_op_append(SsdsimOpList *list, SsdsimOp *op);
extern void ssdsim_op_remove(SsdsimOpList *list, SsdsimOp *op);

#endif							/* SSDSIM_OP_H */
