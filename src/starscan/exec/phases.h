/*
 * phases.h
 *		Measures who was busy in each phase of a star scan, for EXPLAIN, in
 *		one process.
 */
#ifndef SSDPAR_STAR_PHASES_H
#define SSDPAR_STAR_PHASES_H

#include "utils/relcache.h"

#include "device/busy_clock.h"

typedef enum SsdparPhase
{
	SSDPAR_PHASE_NONE = -1,
	SSDPAR_PHASE_KEYS,			/* reading the dimensions */
	SSDPAR_PHASE_BITMAP,		/* reading the indexes */
	SSDPAR_PHASE_HEAP,			/* reading the fact, from first to last row */
	SSDPAR_PHASES
} SsdparPhase;

/* Invariant: since is the start of the current phase, if there is one.  */
typedef struct SsdparPhases
{
	Relation	fact;
	SsdparPhase phase;
	SsdparBusyMoment since;
	SsdparBusy *busy;			/* one for each phase */
} SsdparPhases;

/* Starts timing.  If this is not called, nothing is timed.  */
extern void ssdpar_phases_begin(SsdparPhases *phases, Relation fact,
								SsdparBusy *busy);

/*
 * Enters a phase, or none, and adds the measurement of the previous phase to
 * busy.  Does nothing if busy is NULL.
 */
extern void ssdpar_phase_enter(SsdparPhases *phases, SsdparPhase phase);

#endif							/* SSDPAR_STAR_PHASES_H */
