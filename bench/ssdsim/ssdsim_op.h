/*
 * ssdsim_op.h
 *		What a die is asked to do with a page, lists of such, and where they
 *		come from.
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

/* What a die is asked to do with one page. */
typedef struct SsdsimOp
{
	struct SsdsimOp *next;		/* of the list that it is in: */
	struct SsdsimOp *previous;	/* a die's queue, a plane's, the unused */
	struct SsdsimOp *newer;		/* of all reads that are queued */
	struct SsdsimOp *older;
	struct SsdsimOp *with;		/* done by the same command, other planes */
	struct SsdsimOp *waiters;	/* who else wants what this reads */
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

/* Memory for operations, to be used again. */
typedef struct SsdsimOpPool
{
	SsdsimOp   *unused;
	SsdsimOp   *lots;			/* all that was ever allocated */
} SsdsimOpPool;

extern SsdsimOp *ssdsim_op_new(SsdsimOpPool *pool, void *owner,
							   uint32_t page);
extern void ssdsim_op_drop(SsdsimOpPool *pool, SsdsimOp *op);
extern void ssdsim_op_free_all(SsdsimOpPool *pool);

extern void ssdsim_op_append(SsdsimOpList *list, SsdsimOp *op);
extern void ssdsim_op_remove(SsdsimOpList *list, SsdsimOp *op);

#endif							/* SSDSIM_OP_H */
