/*
 * go_over.h
 *		The planner's data on when an index join stops looking rows up and
 *		reads its inner table once instead.
 */
#ifndef SSDPAR_JOIN_GO_OVER_H
#define SSDPAR_JOIN_GO_OVER_H

#include "nodes/pg_list.h"

#include "keys/join_key.h"

/*
 * Outer rows are those of one process in all of its runs.  The join key's
 * target is the inner table, and its other side is the outer plan's row.
 */
typedef struct SsdparGoOver
{
	double		expected;		/* outer rows */
	double		keys;			/* this many more make switching pay off; 0:
								 * none do, or it is not safe */
	double		pages;			/* of the inner table, for which it was
								 * computed */
	SsdparJoinKey key;			/* all index conditions; empty if keys is 0 */
} SsdparGoOver;

/* Converts to and from a List that can be copied, printed and read. */
extern List *ssdpar_go_over_to_list(const SsdparGoOver *go_over);
extern SsdparGoOver ssdpar_go_over_from_list(const List *list);

#endif							/* SSDPAR_JOIN_GO_OVER_H */
