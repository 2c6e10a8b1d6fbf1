/*
 * phases.h
 *		Who was busy in the phases of a star scan, for EXPLAIN: of one process.
 */
#ifndef SSDPAR_STAR_PHASES_H
#define SSDPAR_STAR_PHASES_H

#include "utils/relcache.h"

#include "device/busy_clock.h"

typedef enum SsdparPhase
{
	SSDPAR_PHASE_NONE = -1,
	SSDPAR_PHASE_KEYS,			/* the dimensions are read */
	SSDPAR_PHASE_BITMAP,		/* the indexes */
	SSDPAR_PHASE_HEAP,			/* the fact, from its first row to its last */
	SSDPAR_PHASES
} SsdparPhase;

/* Invariant: since is when the phase began, if there is one. */
typedef struct SsdparPhases
{
	Relation	fact;
	SsdparPhase phase;
	SsdparBusyMoment since;
	SsdparBusy *busy;			/* one a phase */
} SsdparPhases;

/* Of a scan of the fact that is timed; else they stay as they are. */
extern void ssdpar_phases_begin(SsdparPhases *phases, Relation fact,
								SsdparBusy *busy);

/*
 * From now on it is this one, or none.  NULL: nothing is timed.  What was
 * measured of the one before is added to busy.
 */
extern void ssdpar_phase_enter(SsdparPhases *phases, SsdparPhase phase);

#endif							/* SSDPAR_STAR_PHASES_H */
