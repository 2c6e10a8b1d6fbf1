/*
 * prepare.h
 *		Finds out all that a star scan has to know before it reads a row.
 */
#ifndef SSDPAR_STAR_PREPARE_H
#define SSDPAR_STAR_PREPARE_H

#include "starscan/exec/collect_keys.h"
#include "starscan/exec/participants.h"

/*
 * Make the result in data, which must have begun: in this process, or where
 * there is a participant, in the process that attaches first, with the others'
 * help.  It is complete when this returns, in any process.
 */
extern void ssdpar_star_prepare(const SsdparStarPlan *plan,
								SsdparStarChild *children, Relation fact,
								Snapshot snapshot,
								const SsdparParticipant *participant,
								SsdparStarData *data);

#endif							/* SSDPAR_STAR_PREPARE_H */
