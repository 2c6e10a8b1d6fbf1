/*
 * ssdsim_machine.c
 *		Device, page cache and alarms under one clock.
 */
#include "ssdsim_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ssdsim/ssdsim_memory.h"
#include "bench/ssdsim/ssdsim_policy.h"

#define SEED 1

/* What the cache knows of a block. */
enum
{
	ABSENT,
	COMING,
	THERE,
};

/* One request of the device's. */
typedef struct SsdsimTransfer
{
	SsdsimRequest request;		/* first, so that one leads to the other */
	struct SsdsimTransfer *next;	/* of the unused */
	uint64_t	block;			/* read */
	uint64_t	count;
	SsdsimCall *call;			/* after writing */
} SsdsimTransfer;

static void
append(SsdsimCalls *calls, SsdsimCall *call)
{
	call->next = NULL;
	if (calls->first == NULL)
		calls->first = call;
	else
		calls->last->next = call;
	calls->last = call;
}

/* In order of their waiting; who is called may begin to wait again. */
static void
call_waiting(SsdsimMachine *machine)
{
	SsdsimCall *call = machine->waiting.first;
	SsdsimCall *next;

	machine->waiting.first = NULL;
	for (; call != NULL; call = next)
	{
		next = call->next;
		if (machine->cache[call->block] == THERE)
			call->call(call->whom);
		else
			append(&machine->waiting, call);
	}
}

static void
transferred(void *argument, SsdsimRequest *request, int64_t now)
{
	SsdsimMachine *machine = argument;
	SsdsimTransfer *transfer = (SsdsimTransfer *) request;

	machine->now = now;
	machine->outstanding--;
	transfer->next = machine->unused;
	machine->unused = transfer;
	if (request->kind == SSDSIM_READ)
	{
		memset(machine->cache + transfer->block, THERE, transfer->count);
		machine->bytes_read += request->bytes;
		call_waiting(machine);
	}
	else
		transfer->call->call(transfer->call->whom);
}

void
ssdsim_machine_init(SsdsimMachine *machine, const SsdsimSpec *spec,
					uint64_t nblocks)
{
	memset(machine, 0, sizeof(*machine));
	assert(nblocks * SSDSIM_BLOCK < ssdsim_spec_capacity(spec));
	machine->array = ssdsim_array_new(spec, ssdsim_policy_at(0), SEED,
									  transferred, machine);
	ssdsim_array_fill_until(machine->array, nblocks * SSDSIM_BLOCK);
	machine->nblocks = nblocks;
	machine->cache = ssdsim_allocate(nblocks, 1);
}

void
ssdsim_machine_free(SsdsimMachine *machine)
{
	while (machine->outstanding > 0)
		ssdsim_array_step(machine->array);
	ssdsim_array_free(machine->array);
	ssdsim_events_free(&machine->alarms);
	while (machine->unused != NULL)
	{
		SsdsimTransfer *transfer = machine->unused;

		machine->unused = transfer->next;
		free(transfer);
	}
	free(machine->cache);
}

void
ssdsim_machine_step(SsdsimMachine *machine)
{
	SsdsimCall *call;

	if (ssdsim_array_next(machine->array) <=
		ssdsim_events_next(&machine->alarms))
	{
		ssdsim_array_step(machine->array);
		return;
	}
	call = ssdsim_events_take(&machine->alarms).whom;
	machine->now = machine->alarms.now;
	call->call(call->whom);
}

static SsdsimTransfer *
new_transfer(SsdsimMachine *machine, SsdsimKind kind, uint64_t address,
			 uint64_t bytes)
{
	SsdsimTransfer *transfer = machine->unused;

	if (transfer != NULL)
		machine->unused = transfer->next;
	else
		transfer = ssdsim_allocate(1, sizeof(*transfer));
	machine->outstanding++;
	transfer->request = (SsdsimRequest)
	{
		.kind = kind, .address = address, .bytes = bytes
	};
	return transfer;
}

/* One run of absent blocks. */
static void
read_run(SsdsimMachine *machine, uint64_t block, uint64_t count)
{
	SsdsimTransfer *transfer = new_transfer(machine, SSDSIM_READ,
											block * SSDSIM_BLOCK,
											count * SSDSIM_BLOCK);

	transfer->block = block;
	transfer->count = count;
	memset(machine->cache + block, COMING, count);
	ssdsim_array_submit(machine->array, &transfer->request, machine->now);
}

bool
ssdsim_machine_has(const SsdsimMachine *machine, uint64_t block)
{
	return machine->cache[block] == THERE;
}

bool
ssdsim_machine_lacks(const SsdsimMachine *machine, uint64_t block)
{
	return machine->cache[block] == ABSENT;
}

uint64_t
ssdsim_machine_fetch(SsdsimMachine *machine, uint64_t block, uint64_t count,
					 uint64_t *last)
{
	uint64_t	end = block + count;
	uint64_t	asked = 0;

	assert(end <= machine->nblocks);
	while (block < end)
	{
		uint64_t	run = 0;

		while (block + run < end && machine->cache[block + run] == ABSENT)
			run++;
		if (run > 0)
		{
			read_run(machine, block, run);
			*last = block + run - 1;
		}
		asked += run;
		block += run + 1;
	}
	return asked;
}

void
ssdsim_machine_await(SsdsimMachine *machine, uint64_t block,
					 SsdsimCall *call)
{
	assert(machine->cache[block] == COMING);
	call->block = block;
	append(&machine->waiting, call);
}

void
ssdsim_machine_forget(SsdsimMachine *machine, uint64_t block, uint64_t count)
{
	for (uint64_t i = block; i < block + count; i++)
		if (machine->cache[i] == THERE)
			machine->cache[i] = ABSENT;
}

void
ssdsim_machine_write(SsdsimMachine *machine, uint64_t address, uint64_t bytes,
					 SsdsimCall *call)
{
	SsdsimTransfer *transfer = new_transfer(machine, SSDSIM_WRITE, address,
											bytes);

	transfer->call = call;
	ssdsim_array_submit(machine->array, &transfer->request, machine->now);
}

void
ssdsim_machine_after(SsdsimMachine *machine, int64_t duration,
					 SsdsimCall *call)
{
	ssdsim_events_plan(&machine->alarms, machine->now + duration, 0, call);
}
