/*
 * known_repeatable.h
 *		What was found out about paths that last (repeatable.c).
 */
#ifndef SSDPAR_STAR_KNOWN_REPEATABLE_H
#define SSDPAR_STAR_KNOWN_REPEATABLE_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/* Of the statement being planned; the owner's. */
typedef struct SsdparKnownRepeatable
{
	struct known_hash *paths;	/* NULL: none yet */
} SsdparKnownRepeatable;

/* False if it was not kept. */
extern bool ssdpar_known_repeatable(Path *path, SsdparRefusal *problem);

/*
 * Keep it of a path of a relation that joins are made of: all of its paths are
 * there, and none is freed or altered while the joins are searched.
 */
extern void ssdpar_keep_repeatable(PlannerInfo *root, Path *path,
								   SsdparRefusal problem);

/*
 * Planning a statement begins.  Returns what is kept of the outer one's, to be
 * given back at the end, also after an error.
 */
extern SsdparKnownRepeatable ssdpar_known_repeatable_begin(void);
extern void ssdpar_known_repeatable_end(const SsdparKnownRepeatable *outer);

#endif							/* SSDPAR_STAR_KNOWN_REPEATABLE_H */
