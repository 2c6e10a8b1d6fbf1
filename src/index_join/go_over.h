/*
 * go_over.h
 *		When an index join stops looking rows up, and reads its inner table once
 *		instead: what the planner has found out about that.
 */
#ifndef SSDPAR_JOIN_GO_OVER_H
#define SSDPAR_JOIN_GO_OVER_H

#include "nodes/pg_list.h"

#include "keys/join_key.h"

/*
 * Outer rows are those of one process in all of its runs.  The join key's
 * target is the inner table, and its other side the outer plan's row.
 */
typedef struct SsdparGoOver
{
	double		expected;		/* outer rows */
	double		keys;			/* as many more make it worth while; 0: none
								 * do, or it is not safe */
	double		pages;			/* of the inner table, which that was computed
								 * for */
	SsdparJoinKey key;			/* all that the index is searched by; none if
								 * keys is 0 */
} SsdparGoOver;

/* As a list that can be copied, printed and read back, and out of it. */
extern List *ssdpar_go_over_to_list(const SsdparGoOver *go_over);
extern SsdparGoOver ssdpar_go_over_from_list(const List *list);

#endif							/* SSDPAR_JOIN_GO_OVER_H */
