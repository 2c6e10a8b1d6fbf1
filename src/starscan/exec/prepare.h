/*
 * prepare.h
 *		Finds out all that a star scan has to know before it reads a row.
 */
#ifndef SSDPAR_STAR_PREPARE_H
#define SSDPAR_STAR_PREPARE_H

#include "starscan/exec/collect_keys.h"
#include "starscan/exec/shared.h"
#include "starscan/exec/shared_keys.h"
#include "starscan/exec/turn.h"

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

/*
 * Go on until the turn is over: false.  If the result is complete, in any
 * process: true.  If it is shared, the turn is over only then.
 */
extern bool ssdpar_star_preparation_run(SsdparPreparation *preparation,
										SsdparTurn *turn);

/* Requests for leaves of an index that are outstanding. */
extern int	ssdpar_star_preparation_asked(const SsdparPreparation *preparation);

/* At any time, and once it is complete. */
extern void ssdpar_star_preparation_end(SsdparPreparation *preparation);

#endif							/* SSDPAR_STAR_PREPARE_H */
