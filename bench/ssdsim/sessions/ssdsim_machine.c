/*
 * ssdsim_machine.c
 *		Devices, page cache and alarms with one clock.
 */
#include "ssdsim_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ssdsim/ssdsim_memory.h"
#include "bench/ssdsim/ssdsim_policy.h"

#define SEED 1

/* State of a block in the cache. */
enum
{
	ABSENT,
	COMING,
	THERE,
};

/* One request of the device. */
typedef struct SsdsimTransfer
{
	SsdsimRequest request;		/* first, so that both have the same address */
	struct SsdsimTransfer *next;	/* of the unused ones */
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

/* In the order of waiting; callbacks may wait again. */
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
					int ndevices, uint64_t nblocks)
{
	memset(machine, 0, sizeof(*machine));
	assert(nblocks * SSDSIM_BLOCK < ssdsim_spec_capacity(spec));
	assert(ndevices <= SSDSIM_MACHINE_DEVICES);
	for (int i = 0; i < ndevices; i++)
	{
		machine->devices[i] = ssdsim_array_new(spec, ssdsim_policy_at(0),
											   SEED, transferred, machine);
		ssdsim_array_fill_until(machine->devices[i], nblocks * SSDSIM_BLOCK);
	}
	machine->ndevices = ndevices;
	machine->nblocks = nblocks;
	machine->flushes = 1;
	machine->cache = ssdsim_allocate((uint64_t) ndevices * nblocks, 1);
}

void
ssdsim_machine_age(SsdsimMachine *machine, double times)
{
	for (int i = 0; i < machine->ndevices; i++)
	{
		ssdsim_array_fill(machine->devices[i]);
		ssdsim_array_age(machine->devices[i], times);
	}
}

bool
ssdsim_machine_collects(const SsdsimMachine *machine, uint64_t block)
{
	int			device = ssdsim_machine_device(machine, block);

	return ssdsim_array_collects(machine->devices[device],
								 block % machine->nblocks * SSDSIM_BLOCK);
}

/* The device with the next event; of equal ones the first. */
static SsdsimArray *
first_to_act(const SsdsimMachine *machine)
{
	SsdsimArray *first = machine->devices[0];

	for (int i = 1; i < machine->ndevices; i++)
		if (ssdsim_array_next(machine->devices[i]) <
			ssdsim_array_next(first))
			first = machine->devices[i];
	return first;
}

void
ssdsim_machine_free(SsdsimMachine *machine)
{
	while (machine->outstanding > 0)
		ssdsim_array_step(first_to_act(machine));
	for (int i = 0; i < machine->ndevices; i++)
		ssdsim_array_free(machine->devices[i]);
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
	SsdsimArray *device = first_to_act(machine);
	SsdsimCall *call;

	if (ssdsim_array_next(device) <= ssdsim_events_next(&machine->alarms))
	{
		ssdsim_array_step(device);
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

int
ssdsim_machine_device(const SsdsimMachine *machine, uint64_t block)
{
	return (int) (block / machine->nblocks);
}

/* One run of absent blocks. */
static void
read_run(SsdsimMachine *machine, uint64_t block, uint64_t count)
{
	uint64_t	within = block % machine->nblocks;
	SsdsimTransfer *transfer = new_transfer(machine, SSDSIM_READ,
											within * SSDSIM_BLOCK,
											count * SSDSIM_BLOCK);

	transfer->block = block;
	transfer->count = count;
	memset(machine->cache + block, COMING, count);
	ssdsim_array_submit(machine->devices[ssdsim_machine_device(machine,
															   block)],
						&transfer->request, machine->now);
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

	assert(ssdsim_machine_device(machine, end - 1) ==
		   ssdsim_machine_device(machine, block));
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
ssdsim_machine_write(SsdsimMachine *machine, int device, uint64_t address,
					 uint64_t bytes, SsdsimCall *call)
{
	SsdsimTransfer *transfer = new_transfer(machine, SSDSIM_WRITE, address,
											bytes);

	transfer->call = call;
	ssdsim_array_submit(machine->devices[device], &transfer->request,
						machine->now);
}

void
ssdsim_machine_after(SsdsimMachine *machine, int64_t duration,
					 SsdsimCall *call)
{
	ssdsim_events_plan(&machine->alarms, machine->now + duration, 0, call);
}
