/*
 * known_problems.h
 *		What was found out about paths (repeatable.c) and conditions (early.c).
 */
#ifndef SSDPAR_STAR_KNOWN_PROBLEMS_H
#define SSDPAR_STAR_KNOWN_PROBLEMS_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/* Of the statement being planned; the owner's. */
typedef struct SsdparKnownProblems
{
	struct known_hash *nodes;	/* NULL: none yet */
	struct known_hash *of_tree; /* that a genetic search tries */
	MemoryContext tree;			/* of that, in which it is kept */
} SsdparKnownProblems;

/* False if it was not kept. */
extern bool ssdpar_known_problem(const void *node, SsdparRefusal *problem);

/*
 * Keep it of a node, allocated by itself, that is neither altered nor freed
 * until the statement is planned; or, in a genetic search, until the tree is
 * which it belongs to.
 */
extern void ssdpar_keep_problem(PlannerInfo *root, const void *node,
								SsdparRefusal problem);

/*
 * Planning a statement begins.  Returns what is kept of the outer one's, to be
 * given back at the end, also after an error.
 */
extern SsdparKnownProblems ssdpar_known_problems_begin(void);
extern void ssdpar_known_problems_end(const SsdparKnownProblems *outer);

#endif							/* SSDPAR_STAR_KNOWN_PROBLEMS_H */
