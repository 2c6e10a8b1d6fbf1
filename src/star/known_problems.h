/*
 * known_problems.h
 *		Cache of the answers about paths (repeatable.c) and conditions
 *		(early.c).
 */
#ifndef SSDPAR_STAR_KNOWN_PROBLEMS_H
#define SSDPAR_STAR_KNOWN_PROBLEMS_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/* For the statement being planned; the caller owns it.  */
typedef struct SsdparKnownProblems
{
	struct known_hash *nodes;	/* NULL: none yet */
	struct known_hash *of_tree; /* for the current tree of a genetic search */
	MemoryContext tree;			/* context of that tree */
} SsdparKnownProblems;

/* Returns false if the answer is not known.  */
extern bool ssdpar_known_problem(const void *node, SsdparRefusal *problem);

/*
 * Keeps the answer about a node.  The node must be a separate allocation that
 * is neither modified nor freed until the statement is planned or, in a
 * genetic search, until its tree is done.
 */
extern void ssdpar_keep_problem(PlannerInfo *root, const void *node,
								SsdparRefusal problem);

/*
 * Starts planning a statement.  Returns the outer statement's cache, which
 * must be passed to ssdpar_known_problems_end(), also after an error.
 */
extern SsdparKnownProblems ssdpar_known_problems_begin(void);
extern void ssdpar_known_problems_end(const SsdparKnownProblems *outer);

#endif							/* SSDPAR_STAR_KNOWN_PROBLEMS_H */
