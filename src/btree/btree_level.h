/*
 * btree_level.h
 *		Queue of the pages to be read on one level of a btree, with
 *		read-ahead.
 */
#ifndef SSDPAR_BTREE_LEVEL_H
#define SSDPAR_BTREE_LEVEL_H

#include "access/itup.h"

#include "prefetch/page_list.h"

/* A page to be read, and what its parent knew about it.  */
typedef struct SsdparIndexTarget
{
	BlockNumber block;
	BlockNumber right;			/* page after the bound; P_NONE: unknown */
	IndexTuple	bound;			/* upper separator; NULL: end of the level */
	uint64		first_key;		/* earlier keys are not on the page */
} SsdparIndexTarget;

/*
 * The pages to be read on one level are those from head to tail.  Invariants:
 * 0 <= head <= tail <= room; bound_bytes is the sum over these targets, so
 * that long separators limit the queue; targets are in the order of their
 * keys.
 */
typedef struct SsdparIndexLevel
{
	SsdparIndexTarget *targets;
	int			head;
	int			tail;
	int			room;
	Size		bound_bytes;	/* of the targets' bounds */
	uint64		taken;			/* since the beginning */
	SsdparPageList *pages;
	uint64		key;			/* earlier keys are done */
} SsdparIndexLevel;

extern void ssdpar_index_level_open(SsdparIndexLevel *level, Relation index,
									SsdparPageMethod method, int depth);

/* Appends a page; the queue then owns its bound.  */
extern void ssdpar_index_level_push(SsdparIndexLevel *level,
									const SsdparIndexTarget *target);

/* Removes and returns the first page, which must exist.  */
extern SsdparIndexTarget ssdpar_index_level_take(SsdparIndexLevel *level);

/* Announces the pages in the queue, except for the first known ones.  */
extern void ssdpar_index_level_announce(SsdparIndexLevel *level, int known);

#endif							/* SSDPAR_BTREE_LEVEL_H */
