/*
 * phases.c
 *		Measures who was busy in each phase of a star scan, for EXPLAIN, in
 *		one process.
 */
#include "postgres.h"

#include "utils/rel.h"

#include "starscan/exec/phases.h"

void
ssdpar_phases_begin(SsdparPhases *phases, Relation fact, SsdparBusy *busy)
{
	Assert(phases->busy == NULL || phases->phase == SSDPAR_PHASE_NONE);
	phases->fact = fact;
	phases->busy = busy;
	phases->phase = SSDPAR_PHASE_NONE;
}

void
ssdpar_phase_enter(SsdparPhases *phases, SsdparPhase phase)
{
	SsdparBusyMoment now;

	if (phases->busy == NULL || phases->phase == phase)
		return;
	ssdpar_busy_look(phases->fact->rd_rel->reltablespace, &now);
	if (phases->phase != SSDPAR_PHASE_NONE)
		ssdpar_busy_between(&phases->busy[phases->phase], &phases->since,
							&now);
	phases->phase = phase;
	phases->since = now;
}
