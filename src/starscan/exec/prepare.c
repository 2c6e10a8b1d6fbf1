/*
 * prepare.c
 *		Computes all that a star scan has to know before it reads a row: runs
 *		its phases in order, in the process that has to.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/bitmap.h"
#include "starscan/exec/child_ranges.h"
#include "starscan/exec/meanwhile.h"
#include "starscan/exec/prepare.h"

/*
 * Temporary data (builders, keys for the indexes, bitmaps, and this struct) is
 * deleted with the building context.  The result is allocated through data.
 */
struct SsdparPreparation
{
	const SsdparStarPlan *plan;
	SsdparStarChild *children;
	SsdparStarData *data;
	Relation	fact;
	Snapshot	snapshot;
	SsdparStarShared *shared;	/* with other processes, or NULL */
	SsdparParticipant self;		/* this process among them */
	SsdparKeysHelp help;
	bool		maker;			/* makes the result for them */
	SsdparBitmapBuilder *bitmap;	/* NULL: no index is read */
	MemoryContext building;
};

static void
begin_result(SsdparPreparation *preparation, SsdparSharedKeys *shared_keys,
			 const Relation *indexes)
{
	const SsdparStarPlan *plan = preparation->plan;
	SsdparStarData *data = preparation->data;
	const SsdparParticipant *participant =
		preparation->shared != NULL ? &preparation->self : NULL;
	SsdparStarResult *result = data->result;
	const SsdparLookupKeys *keys;
	instr_time	start;
	instr_time	end;

	INSTR_TIME_SET_CURRENT(start);
	if (shared_keys != NULL)
	{
		ssdpar_star_data_borrow(data, ssdpar_shared_keys_data(shared_keys));
		keys = ssdpar_shared_keys_lookup(shared_keys);
	}
	else
	{
		SsdparEarlyRead *early =
			ssdpar_star_meanwhile(plan, preparation->children,
								  preparation->fact, data);

		keys = ssdpar_collect_keys(plan, preparation->children, early,
								   participant, data);
		ssdpar_early_read_end(early);
	}
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SET_ZERO(result->keys_time);
	INSTR_TIME_SET_ZERO(result->bitmap_time);
	INSTR_TIME_ACCUM_DIFF(result->keys_time, end, start);
	if (!result->empty && !result->bitmap &&
		plan->access == SSDPAR_STAR_BITMAP)
		preparation->bitmap =
			ssdpar_bitmap_builder_create(plan, preparation->fact, indexes,
										 preparation->snapshot, keys,
										 participant, data);
}

/* Attaches to the processes that share the result; the first one makes it.  */
static void
attach(SsdparPreparation *preparation, SsdparStarShared *shared, int process)
{
	SsdparParticipant *self = &preparation->self;

	preparation->shared = shared;
	preparation->help.plan = preparation->plan;
	preparation->help.children = preparation->children;
	self->all = ssdpar_star_shared_participants(shared);
	self->area = preparation->data->area;
	self->process = process;
	self->child.read = ssdpar_collect_part;
	self->child.arg = &preparation->help;
	preparation->maker = ssdpar_participant_attach(self);
}

SsdparPreparation *
ssdpar_star_preparation_begin(const SsdparStarPlan *plan,
							  SsdparStarChild *children,
							  SsdparSharedKeys *shared_keys, Relation fact,
							  const Relation *indexes, Snapshot snapshot,
							  SsdparStarShared *shared, int process,
							  SsdparStarData *data)
{
	MemoryContext building = AllocSetContextCreate(data->context,
												   "SsdparStarScan building",
												   ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(building);
	SsdparPreparation *preparation = palloc0_object(SsdparPreparation);

	preparation->plan = plan;
	preparation->children = children;
	preparation->data = data;
	preparation->fact = fact;
	preparation->snapshot = snapshot;
	preparation->building = building;
	if (shared != NULL)
		attach(preparation, shared, process);
	if (shared == NULL || preparation->maker)
		begin_result(preparation, shared_keys, indexes);
	MemoryContextSwitchTo(before);
	return preparation;
}

static void
read_indexes(SsdparPreparation *preparation)
{
	MemoryContext before;
	instr_time	start;
	instr_time	end;

	if (preparation->bitmap == NULL)
		return;
	before = MemoryContextSwitchTo(preparation->building);
	INSTR_TIME_SET_CURRENT(start);
	ssdpar_bitmap_builder_run(preparation->bitmap);
	INSTR_TIME_SET_CURRENT(end);
	MemoryContextSwitchTo(before);
	INSTR_TIME_ACCUM_DIFF(preparation->data->result->bitmap_time, end, start);
}

/* Announces that the result is complete, so that the others can continue.  */
static void
announce_result(SsdparPreparation *preparation)
{
	const SsdparStarResult *result = preparation->data->result;

	if (!result->empty && !result->bitmap)
		ssdpar_star_shared_begin_scan(preparation->shared, preparation->fact,
									  preparation->snapshot);
	ssdpar_participant_announce_done(&preparation->self);
}

void
ssdpar_star_preparation_finish(SsdparPreparation *preparation)
{
	SsdparStarData *data = preparation->data;

	read_indexes(preparation);
	if (preparation->maker)
		announce_result(preparation);
	else if (preparation->shared != NULL)
		ssdpar_participant_share_reads(&preparation->self);
	ssdpar_star_data_complete(data);
	if (!data->result->empty)
		ssdpar_collect_missing(preparation->plan, preparation->children, data);
	MemoryContextDelete(preparation->building);
}
