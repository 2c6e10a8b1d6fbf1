/*
 * prepare.h
 *		Finds out all that a star scan has to know before it reads a row.
 */
#ifndef SSDPAR_STAR_PREPARE_H
#define SSDPAR_STAR_PREPARE_H

#include "starscan/exec/collect_keys.h"
#include "starscan/exec/shared.h"
#include "starscan/exec/shared_keys.h"

typedef struct SsdparPreparation SsdparPreparation;

/*
 * Begin to make the result in data, which must have begun: in this process, or
 * where it is shared, in the process that attaches first, with the others'
 * help; process is this one's number among them.  Whoever makes it begins the
 * shared scan, if there is to be one.  With shared keys, which this process has
 * collected, there are no children to read.  Indexes are open, one a reducer,
 * or NULL.  What it is given has to stay until the end.
 */
extern SsdparPreparation *
			ssdpar_star_preparation_begin(const SsdparStarPlan *plan,
										  SsdparStarChild *children,
										  SsdparSharedKeys *shared_keys,
										  Relation fact,
										  const Relation *indexes,
										  Snapshot snapshot,
										  SsdparStarShared *shared,
										  int process, SsdparStarData *data);

/* Until the result is complete, in whichever process makes it. */
extern void ssdpar_star_preparation_finish(SsdparPreparation *preparation);

#endif							/* SSDPAR_STAR_PREPARE_H */
