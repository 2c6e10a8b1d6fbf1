/*
 * may_gain.h
 *		Decides whether a statement may benefit.
 */
#ifndef SSDPAR_MAY_GAIN_H
#define SSDPAR_MAY_GAIN_H

#include "nodes/pathnodes.h"

/* User tables that core has examined; all false initially. */
typedef struct SsdparTablesMet
{
	bool		any;
	bool		large;
} SsdparTablesMet;

/*
 * Core has examined one more relation of a statement, none of which mattered
 * so far.  Does it matter, together with the previous ones of its level?
 */
extern bool ssdpar_may_gain(SsdparTablesMet *met, PlannerInfo *root,
							RelOptInfo *rel);

/* The reason for a statement left to core; NULL: it reads no user table. */
extern const char *ssdpar_why_no_gain(const SsdparTablesMet *met);

#endif							/* SSDPAR_MAY_GAIN_H */
