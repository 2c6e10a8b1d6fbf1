/*
 * prepare.h
 *		Finds out all that a star scan has to know before it reads a row.
 */
#ifndef SSDPAR_STAR_PREPARE_H
#define SSDPAR_STAR_PREPARE_H

#include "starscan/exec/collect_keys.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/phases.h"
#include "starscan/exec/shared_keys.h"

/*
 * Make the result in data, which must have begun: in this process, or where
 * there is a participant, in the process that attaches first, with the others'
 * help.  It is complete when this returns, in any process.  With shared keys,
 * which this process has collected, there are no children to read.  The phases
 * up to there are entered here.
 */
extern void ssdpar_star_prepare(const SsdparStarPlan *plan,
								SsdparStarChild *children,
								SsdparSharedKeys *shared_keys, Relation fact,
								Snapshot snapshot,
								const SsdparParticipant *participant,
								SsdparPhases *phases, SsdparStarData *data);

#endif							/* SSDPAR_STAR_PREPARE_H */
