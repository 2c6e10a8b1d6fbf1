/*
 * prepare.h
 *		Computes all that a star scan has to know before it reads a row.
 */
#ifndef SSDPAR_STAR_PREPARE_H
#define SSDPAR_STAR_PREPARE_H

#include "starscan/exec/collect_keys.h"
#include "starscan/exec/shared.h"
#include "starscan/exec/shared_keys.h"

typedef struct SsdparPreparation SsdparPreparation;

/*
 * Starts to make the result in data, which must have begun.  If it is shared,
 * the process that attaches first makes it, with the help of the others, and
 * begins the shared scan if there is one; process is the number of this
 * process.  If shared_keys is not NULL, this process has collected them and
 * there are no children to read.  indexes has one open index, or NULL, for
 * each reducer.  All arguments must stay valid until the end.
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

/* Completes the result, in whichever process it is made. */
extern void ssdpar_star_preparation_finish(SsdparPreparation *preparation);

#endif							/* SSDPAR_STAR_PREPARE_H */
