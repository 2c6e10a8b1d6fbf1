/*
 * prepare.c
 *		Finds out all that a star scan has to know before it reads a row: the
 *		order of its phases, and which process goes through them.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/bitmap.h"
#include "starscan/exec/prepare.h"

/*
 * What is needed on the way (builders, keys for the indexes, bitmaps) goes
 * away with a memory context; what is to stay is allocated through data.
 */
static void
build_result(const SsdparStarPlan *plan, SsdparStarChild *children,
			 SsdparSharedKeys *shared_keys, Relation fact, Snapshot snapshot,
			 const SsdparParticipant *participant, SsdparPhases *phases,
			 SsdparStarData *data)
{
	SsdparStarResult *result = data->result;
	MemoryContext building = AllocSetContextCreate(data->context,
												   "SsdparStarScan building",
												   ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(building);
	const SsdparLookupKeys *keys;
	instr_time	start;
	instr_time	keys_end;
	instr_time	end;

	INSTR_TIME_SET_CURRENT(start);
	if (shared_keys != NULL)
	{
		ssdpar_star_data_borrow(data, ssdpar_shared_keys_data(shared_keys));
		keys = ssdpar_shared_keys_lookup(shared_keys);
	}
	else
		keys = ssdpar_collect_keys(plan, children, data);
	INSTR_TIME_SET_CURRENT(keys_end);
	ssdpar_phase_enter(phases, SSDPAR_PHASE_BITMAP);
	if (!result->empty && !result->bitmap &&
		plan->access == SSDPAR_STAR_BITMAP)
		ssdpar_build_bitmap(plan, fact, snapshot, keys, participant, data);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SET_ZERO(result->keys_time);
	INSTR_TIME_SET_ZERO(result->bitmap_time);
	INSTR_TIME_ACCUM_DIFF(result->keys_time, keys_end, start);
	INSTR_TIME_ACCUM_DIFF(result->bitmap_time, end, keys_end);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(building);
}

void
ssdpar_star_prepare(const SsdparStarPlan *plan, SsdparStarChild *children,
					SsdparSharedKeys *shared_keys, Relation fact,
					Snapshot snapshot, const SsdparParticipant *participant,
					SsdparPhases *phases, SsdparStarData *data)
{
	ssdpar_phase_enter(phases, SSDPAR_PHASE_KEYS);
	if (participant == NULL)
		build_result(plan, children, shared_keys, fact, snapshot, NULL,
					 phases, data);
	else if (ssdpar_participant_attach(participant))
	{
		build_result(plan, children, shared_keys, fact, snapshot, participant,
					 phases, data);
		ssdpar_participant_announce_done(participant);
	}
	else
	{
		/* it waits for the keys as well, so that index reads may begin */
		ssdpar_phase_enter(phases, SSDPAR_PHASE_BITMAP);
		ssdpar_participant_share_reads(participant);
	}
	ssdpar_star_data_complete(data);
	if (!data->result->empty)
		ssdpar_collect_missing_rows(plan, children, data);
	ssdpar_phase_enter(phases, SSDPAR_PHASE_NONE);
}
