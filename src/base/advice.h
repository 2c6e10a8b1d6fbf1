/*
 * advice.h
 *		What another extension has laid down for one table's scan or for one
 *		join, by hints (pg_hint_plan) or advice (pg_plan_advice, 19).
 */
#ifndef SSDPAR_ADVICE_H
#define SSDPAR_ADVICE_H

#include "nodes/pathnodes.h"

/* Is the way in which this table is to be scanned laid down? */
extern bool ssdpar_scan_is_advised(const PlannerInfo *root,
								   const RelOptInfo *rel);

/* The same of a pair's join; in set_join_pathlist_hook. */
extern bool ssdpar_join_is_advised(const PlannerInfo *root,
								   const JoinPathExtraData *extra);

/* A table has become known: its query level's joins are not searched yet. */
extern void ssdpar_advice_at_rest(void);

/*
 * Around another extension's set_rel_pathlist_hook: what the first gives goes
 * to the second, which looks whether the table's paths are still the same.
 */
extern uint32 ssdpar_paths_before(const RelOptInfo *rel);
extern void ssdpar_watch_advice(RelOptInfo *rel, uint32 before);

/* Planning a statement begins, perhaps amid another's, and ends. */
typedef struct SsdparAdvice
{
	List	   *scans;			/* RelOptInfos whose scan is advised */
	int			joins;			/* what all joins may be made by, in bits */
} SsdparAdvice;

extern SsdparAdvice ssdpar_advice_begin(void);
extern void ssdpar_advice_end(const SsdparAdvice *outer);

#endif							/* SSDPAR_ADVICE_H */
