/*
 * may_gain.h
 *		Whether a statement may gain anything.
 */
#ifndef SSDPAR_MAY_GAIN_H
#define SSDPAR_MAY_GAIN_H

#include "nodes/pathnodes.h"

/* The user's tables that core has found out about; all false at first. */
typedef struct SsdparTablesMet
{
	bool		any;
	bool		large;
} SsdparTablesMet;

/*
 * Core has found out about one more relation of a statement, none of which
 * mattered so far.  Does it matter, with those of its level before?
 */
extern bool ssdpar_may_gain(SsdparTablesMet *met, PlannerInfo *root,
							RelOptInfo *rel);

/* Of a statement that was left to core; NULL: it reads no table of a user's. */
extern const char *ssdpar_why_no_gain(const SsdparTablesMet *met);

#endif							/* SSDPAR_MAY_GAIN_H */
