/*
 * turns.h
 *		Scans of partitions on several devices, read in turn.
 */
#ifndef SSDPAR_TURNS_H
#define SSDPAR_TURNS_H

#include "nodes/execnodes.h"

typedef struct SsdparTurns SsdparTurns;

/*
 * Of the rows of sources (PlanState), a device each: core's Append of star
 * scans, one of these alone, or anything else.  In the current memory context.
 */
extern SsdparTurns *ssdpar_turns_create(List *sources, EState *estate);

/* The next row of any of them; an empty slot or NULL after the last one. */
extern TupleTableSlot *ssdpar_turns_next(SsdparTurns *turns);

/* The sources are going to be rescanned, or shared with other processes. */
extern void ssdpar_turns_restart(SsdparTurns *turns);

/* How often the next turn was another source's than the one before. */
extern uint64 ssdpar_turns_taken(const SsdparTurns *turns);

#endif							/* SSDPAR_TURNS_H */
