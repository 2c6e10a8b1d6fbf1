/*
 * follow.h
 *		Announces to ssdpard what the sequential scans of a query are about to
 *		read.
 */
#ifndef SSDPAR_FOLLOW_H
#define SSDPAR_FOLLOW_H

#include "executor/execdesc.h"

/*
 * Follow the scans of large tables in this query, which has just been started.
 * They are followed until its memory goes away: at its end, an error, or the
 * close of its cursor.
 */
extern void ssdpar_follow_query(QueryDesc *query);

/* The window of a node that is followed, or NULL. */
extern struct SsdparScanWindow *ssdpar_follow_find(PlanState *node);

/* The query is about to be ended in the regular way. */
extern void ssdpar_follow_end(QueryDesc *query);

#endif							/* SSDPAR_FOLLOW_H */
