/*
 * advice.h
 *		Detects hints (pg_hint_plan) or advice (pg_plan_advice, 19) of other
 *		extensions for a table's scan or a join.
 */
#ifndef SSDPAR_ADVICE_H
#define SSDPAR_ADVICE_H

#include "nodes/pathnodes.h"

/* Does a hint determine how this table is scanned? */
extern bool ssdpar_scan_is_advised(const PlannerInfo *root,
								   const RelOptInfo *rel);

/* The same for a pair's join, to be called in set_join_pathlist_hook. */
extern bool ssdpar_join_is_advised(const PlannerInfo *root,
								   const JoinPathExtraData *extra);

/*
 * To be called when a table is added, before its level's joins are searched.
 */
extern void ssdpar_advice_at_rest(void);

/*
 * To be called before and after another extension's set_rel_pathlist_hook.
 * The second function gets the result of the first, and checks whether the
 * hook has changed the table's paths.
 */
extern uint32 ssdpar_paths_before(const RelOptInfo *rel);
extern void ssdpar_watch_advice(RelOptInfo *rel, uint32 before);

/*
 * To be called when planning of a statement, possibly nested, begins and ends.
 */
typedef struct SsdparAdvice
{
	List	   *scans;			/* RelOptInfos whose scan is advised */
	int			joins;			/* bits of the methods allowed for all joins */
} SsdparAdvice;

extern SsdparAdvice ssdpar_advice_begin(void);
extern void ssdpar_advice_end(const SsdparAdvice *outer);

#endif							/* SSDPAR_ADVICE_H */
