/*
 * ssdsim_flash.c
 *		The phases of a die in each operation:
 *
 *	read		command | cells to register | transfer, page by page
 *	program		command and transfer, page by page | register to cells
 *	copy		command | read | transfer out and in | program
 *				with copy-back without the transfer
 *	erase		command | erase
 *
 * The die is busy from the command to the end, so its register is not used for
 * another page before the last one has left.  Commands and transfers use the
 * channel in order of arrival.
 */
#include "ssdsim_flash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ssdsim_memory.h"

/* The phase that the next event of a die ends. */
enum
{
	PHASE_READ,
	PHASE_TRANSFER,
	PHASE_COPY_READ,
	PHASE_LAST,
};

void
ssdsim_flash_init(SsdsimFlash *flash, const SsdsimSpec *spec,
				  const SsdsimPolicy *policy)
{
	memset(flash, 0, sizeof(*flash));
	flash->spec = *spec;
	flash->policy = policy;
	ssdsim_ftl_init(&flash->ftl, spec);
	flash->ndies = (uint32_t) ssdsim_spec_dies(spec);
	flash->npackages = (uint32_t) (spec->channels * spec->packages);
	flash->dies = ssdsim_allocate(flash->ndies, sizeof(SsdsimDie));
	flash->channels = ssdsim_allocate((size_t) spec->channels,
									  sizeof(SsdsimChannel));
	flash->working = ssdsim_allocate(flash->npackages, 1);
	flash->unplaced = ssdsim_allocate(flash->ftl.nplanes,
									  sizeof(SsdsimOpList));
}

void
ssdsim_flash_free(SsdsimFlash *flash)
{
	ssdsim_op_free_all(&flash->pool);
	ssdsim_events_free(&flash->events);
	ssdsim_ftl_free(&flash->ftl);
	free(flash->dies);
	free(flash->channels);
	free(flash->working);
	free(flash->unplaced);
}

/* ----- queues ----- */

static void
enqueue(SsdsimFlash *flash, SsdsimOp *op)
{
	op->since = flash->events.now;
	ssdsim_op_append(&flash->dies[op->die].queue, op);
	if (op->kind != SSDSIM_OP_READ)
		return;
	op->older = flash->newest;
	op->newer = NULL;
	if (flash->newest != NULL)
		flash->newest->newer = op;
	else
		flash->oldest = op;
	flash->newest = op;
}

static void
dequeue(SsdsimFlash *flash, SsdsimOp *op)
{
	flash->queued += flash->events.now - op->since;
	ssdsim_op_remove(&flash->dies[op->die].queue, op);
	if (op->kind != SSDSIM_OP_READ)
		return;
	if (op->older != NULL)
		op->older->newer = op->newer;
	else
		flash->oldest = op->newer;
	if (op->newer != NULL)
		op->newer->older = op->older;
	else
		flash->newest = op->older;
}

/* ----- dies at work ----- */

/* When the channel of a die, requested now, has worked for DURATION. */
static int64_t
take_channel(SsdsimFlash *flash, uint32_t die, int64_t duration)
{
	uint32_t	number = die % (uint32_t) flash->spec.channels;
	SsdsimChannel *channel = &flash->channels[number];
	int64_t		now = flash->events.now;
	int64_t		start = channel->free > now ? channel->free : now;

	if (duration == 0)
		return now;
	if (flash->dies[die].current->kind <= SSDSIM_OP_PROGRAM)
		flash->contention += start - now;
	channel->free = start + duration;
	channel->busy += duration;
	if (flash->observe != NULL)
		flash->observe(flash->observer, SSDSIM_CHANNEL, number, start,
					   channel->free);
	return channel->free;
}

static int64_t
program_time(const SsdsimFlash *flash, uint32_t physical)
{
	const SsdsimSpec *spec = &flash->spec;
	uint32_t	page = physical % (uint32_t) spec->pages;

	return spec->flash_program[page % (uint32_t) spec->program_times];
}

/* The longest of the combined ones. */
static int64_t
program_all(const SsdsimFlash *flash, const SsdsimOp *op)
{
	int64_t		longest = 0;

	for (; op != NULL; op = op->with)
	{
		int64_t		time = program_time(flash, op->physical);

		longest = time > longest ? time : longest;
	}
	return longest;
}

static int
ops_together(const SsdsimOp *op)
{
	int			count = 0;

	for (; op != NULL; op = op->with)
		count++;
	return count;
}

static void
plan(SsdsimFlash *flash, SsdsimDie *die, int phase, int64_t time)
{
	die->phase = phase;
	ssdsim_events_plan(&flash->events, time, SSDSIM_EVENT_DIE, die);
}

static uint32_t
number_of(const SsdsimFlash *flash, const SsdsimDie *die)
{
	return (uint32_t) (die - flash->dies);
}

static uint32_t
package_of(const SsdsimFlash *flash, uint32_t die)
{
	return die % flash->npackages;
}

/* Starts an idle die; the operations are no longer in any queue. */
static void
begin(SsdsimFlash *flash, SsdsimDie *die, SsdsimOp *op)
{
	const SsdsimSpec *spec = &flash->spec;
	uint32_t	number = number_of(flash, die);
	int64_t		command = spec->flash_command * ops_together(op);
	int64_t		transfer = spec->channel_transfer * ops_together(op);

	assert(die->current == NULL);
	die->current = op;
	die->began = flash->events.now;
	flash->working[package_of(flash, number)]++;
	if (op->kind == SSDSIM_OP_PROGRAM)
		command += transfer;
	command = take_channel(flash, number, command);
	switch (op->kind)
	{
		case SSDSIM_OP_READ:
			plan(flash, die, PHASE_READ, command + spec->flash_read);
			break;
		case SSDSIM_OP_PROGRAM:
			plan(flash, die, PHASE_LAST, command + program_all(flash, op));
			break;
		case SSDSIM_OP_COPY:
			if (spec->copy_back)
				plan(flash, die, PHASE_LAST, command + spec->flash_read +
					 program_all(flash, op));
			else
				plan(flash, die, PHASE_COPY_READ, command + spec->flash_read);
			break;
		case SSDSIM_OP_ERASE:
			plan(flash, die, PHASE_LAST, command + spec->flash_erase);
			break;
	}
}

/* ----- collecting ----- */

/*
 * The next step of one of a die's planes: of those short of free blocks, or
 * else of those below the target of an idle die.
 */
static bool
collect(SsdsimFlash *flash, uint32_t number, bool urgent)
{
	SsdsimDie  *die = &flash->dies[number];
	SsdsimOp   *op = &die->collecting;
	uint32_t	planes = (uint32_t) flash->spec.planes;
	uint32_t	wanted = (uint32_t) (urgent ? flash->spec.gc_low :
									 flash->spec.gc_high);

	for (uint32_t i = 0; i < planes; i++)
	{
		uint32_t	turn = (die->collected + i) % planes;
		uint32_t	plane = turn * flash->ndies + number;
		uint32_t	from;
		SsdsimGcStep step;

		/* an idle die first handles the planes that are short */
		if (flash->ftl.planes[plane].nfree >= wanted + (urgent ? 1 : 0))
			continue;
		step = ssdsim_ftl_collect(&flash->ftl, plane, &from, &op->physical);
		if (step == SSDSIM_GC_NONE)
			continue;
		op->kind = step == SSDSIM_GC_COPY ? SSDSIM_OP_COPY : SSDSIM_OP_ERASE;
		op->plane = plane;
		op->die = number;
		die->collected = turn;
		*(urgent ? &flash->foreground : &flash->background) += 1;
		begin(flash, die, op);
		return true;
	}
	return false;
}

bool
ssdsim_flash_idle(const SsdsimFlash *flash, uint32_t die)
{
	return flash->dies[die].current == NULL &&
		(flash->spec.interleave ||
		 flash->working[package_of(flash, die)] == 0);
}

/* Starts what is next on a die, if anything is possible. */
static void
kick(SsdsimFlash *flash, uint32_t die)
{
	if (ssdsim_flash_idle(flash, die))
		collect(flash, die, true);
	flash->policy->dispatch(flash, die);
	if (flash->dies[die].queue.count == 0 && ssdsim_flash_idle(flash, die))
		collect(flash, die, false);
}

/* ----- requests ----- */

static void
add(SsdsimFlash *flash, SsdsimOp *op, SsdsimOpKind kind, uint32_t physical)
{
	op->kind = kind;
	op->physical = physical;
	op->plane = ssdsim_ftl_plane_of(&flash->ftl, physical);
	op->die = op->plane % flash->ndies;
	enqueue(flash, op);
}

void
ssdsim_flash_read(SsdsimFlash *flash, SsdsimOp *op)
{
	add(flash, op, SSDSIM_OP_READ, flash->ftl.page_of[op->page]);
	kick(flash, op->die);
}

void
ssdsim_flash_program(SsdsimFlash *flash, SsdsimOp *op)
{
	uint32_t	plane = ssdsim_ftl_plane_for(&flash->ftl, op->page);

	/* in order of arrival, so that the last write of a page wins */
	if (flash->unplaced[plane].count > 0 ||
		!ssdsim_ftl_has_room(&flash->ftl, plane))
		ssdsim_op_append(&flash->unplaced[plane], op);
	else
		add(flash, op, SSDSIM_OP_PROGRAM,
			ssdsim_ftl_place(&flash->ftl, plane, op->page));
	kick(flash, plane % flash->ndies);
}

/*
 * A block has become free.  More may have been waiting for the plane than it
 * can hold now; the rest looks for another one.
 */
static void
place_waiting(SsdsimFlash *flash, uint32_t plane)
{
	SsdsimOpList *waiting = &flash->unplaced[plane];

	for (int count = waiting->count;
		 count > 0 && ssdsim_ftl_has_room(&flash->ftl, plane); count--)
	{
		SsdsimOp   *op = waiting->first;

		ssdsim_op_remove(waiting, op);
		if (ssdsim_ftl_may_hold(&flash->ftl, plane, op->page))
			add(flash, op, SSDSIM_OP_PROGRAM,
				ssdsim_ftl_place(&flash->ftl, plane, op->page));
		else
			ssdsim_flash_program(flash, op);
	}
}

/* ----- events ----- */

static void
finish(SsdsimFlash *flash, SsdsimOp *op)
{
	switch (op->kind)
	{
		case SSDSIM_OP_COPY:
			return;
		case SSDSIM_OP_ERASE:
			ssdsim_ftl_erased(&flash->ftl, op->plane);
			place_waiting(flash, op->plane);
			return;
		case SSDSIM_OP_PROGRAM:
			ssdsim_ftl_programmed(&flash->ftl, op->physical);
			break;
		case SSDSIM_OP_READ:
			break;
	}
	flash->done(flash->argument, op);
	ssdsim_op_drop(&flash->pool, op);
}

static void
become_idle(SsdsimFlash *flash, SsdsimDie *die)
{
	uint32_t	number = number_of(flash, die);
	uint32_t	package = package_of(flash, number);

	die->current = NULL;
	die->busy += flash->events.now - die->began;
	flash->working[package]--;
	if (flash->observe != NULL)
		flash->observe(flash->observer, SSDSIM_DIE, number, die->began,
					   flash->events.now);
	kick(flash, number);
	if (!flash->spec.interleave)
		for (uint32_t other = package; other < flash->ndies;
			 other += flash->npackages)
			kick(flash, other);
}

/* One page's data has been transferred; the next page's follows. */
static void
end_transfer(SsdsimFlash *flash, SsdsimDie *die)
{
	SsdsimOp   *op = die->current;

	if (op->with != NULL)
	{
		die->current = op->with;
		plan(flash, die, PHASE_TRANSFER,
			 take_channel(flash, number_of(flash, die),
						  flash->spec.channel_transfer));
		finish(flash, op);
		return;
	}
	finish(flash, op);
	become_idle(flash, die);
}

void
ssdsim_flash_step(SsdsimFlash *flash, SsdsimDie *die)
{
	const SsdsimSpec *spec = &flash->spec;
	uint32_t	number = number_of(flash, die);
	SsdsimOp   *op = die->current;

	switch (die->phase)
	{
		case PHASE_READ:
			plan(flash, die, PHASE_TRANSFER,
				 take_channel(flash, number, spec->channel_transfer));
			return;
		case PHASE_TRANSFER:
			end_transfer(flash, die);
			return;
		case PHASE_COPY_READ:
			plan(flash, die, PHASE_LAST, program_all(flash, op) +
				 take_channel(flash, number, 2 * spec->channel_transfer));
			return;
		case PHASE_LAST:
			break;
	}
	while (op != NULL)
	{
		SsdsimOp   *with = op->with;

		finish(flash, op);
		op = with;
	}
	become_idle(flash, die);
}

void
ssdsim_flash_busy(const SsdsimFlash *flash, int64_t *dies, int64_t *channels)
{
	int64_t		now = flash->events.now;

	*dies = 0;
	*channels = 0;
	for (uint32_t i = 0; i < flash->ndies; i++)
		*dies += flash->dies[i].busy;
	for (int64_t i = 0; i < flash->spec.channels; i++)
	{
		const SsdsimChannel *channel = &flash->channels[i];
		int64_t		to_come = channel->free > now ? channel->free - now : 0;

		*channels += channel->busy - to_come;
	}
}

bool
ssdsim_flash_collects(const SsdsimFlash *flash, uint32_t page)
{
	uint32_t	physical = flash->ftl.page_of[page];
	const SsdsimOp *current = NULL;

	if (physical != SSDSIM_NO_PAGE)
		current = flash->dies[ssdsim_ftl_plane_of(&flash->ftl, physical) %
							  flash->ndies].current;
	return current != NULL && (current->kind == SSDSIM_OP_COPY ||
							   current->kind == SSDSIM_OP_ERASE);
}

/* ----- for policies ----- */

void
ssdsim_flash_pack(SsdsimFlash *flash, SsdsimOp *op)
{
	uint32_t	pages = (uint32_t) flash->spec.pages;
	uint64_t	taken = UINT64_C(1) << op->plane / flash->ndies;
	SsdsimOp   *last = op;

	for (SsdsimOp *other = flash->dies[op->die].queue.first; other != NULL;
		 other = other->next)
	{
		uint64_t	plane = UINT64_C(1) << other->plane / flash->ndies;

		if (other->kind != op->kind || (plane & taken) != 0 ||
			other->physical % pages != op->physical % pages)
			continue;
		last->with = other;
		last = other;
		taken |= plane;
		flash->packed++;
	}
}

void
ssdsim_flash_start(SsdsimFlash *flash, SsdsimOp *op)
{
	assert(ssdsim_flash_idle(flash, op->die));
	for (SsdsimOp *each = op; each != NULL; each = each->with)
		dequeue(flash, each);
	begin(flash, &flash->dies[op->die], op);
}
