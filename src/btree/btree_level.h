/*
 * btree_level.h
 *		The pages to be read on one level of a btree: a queue, read ahead.
 */
#ifndef SSDPAR_BTREE_LEVEL_H
#define SSDPAR_BTREE_LEVEL_H

#include "access/itup.h"

#include "prefetch/page_list.h"

/* A page to be read, and what its parent knew of it. */
typedef struct SsdparIndexTarget
{
	BlockNumber block;
	BlockNumber right;			/* page beyond the bound; P_NONE: not known */
	IndexTuple	bound;			/* separator above; NULL: end of the level */
	uint64		first_key;		/* keys before it are not on the page */
} SsdparIndexTarget;

/*
 * The pages to be read on one level: those from head to tail.  Invariants: 0
 * <= head <= tail <= room; bound_bytes is the sum over these targets, so that
 * long separators count; targets are in the order of their keys.
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
	uint64		key;			/* keys before it are done with */
} SsdparIndexLevel;

extern void ssdpar_index_level_open(SsdparIndexLevel *level, Relation index,
									SsdparPageMethod method, int depth);

/* Put a page last; its bound belongs to the queue from then on. */
extern void ssdpar_index_level_push(SsdparIndexLevel *level,
									const SsdparIndexTarget *target);

/* Take the first page, which there must be. */
extern SsdparIndexTarget ssdpar_index_level_take(SsdparIndexLevel *level);

/* Read ahead what was pushed, but for the first pages, this many. */
extern void ssdpar_index_level_announce(SsdparIndexLevel *level, int known);

#endif							/* SSDPAR_BTREE_LEVEL_H */
