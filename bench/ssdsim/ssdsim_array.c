/*
 * ssdsim_array.c
 *		Divides requests among devices.
 *
 * Each device gets at most one fragment of a request, because consecutive
 * chunks on a device are also consecutive in the array.  If the host does not
 * merge what it has divided, each chunk is a fragment.  A single device gets
 * the request itself.
 */
#include "ssdsim_array.h"

#include <assert.h>
#include <stdlib.h>

#include "ssdsim_memory.h"

#define FRAGMENTS_AT_ONCE 64

typedef struct Fragment
{
	SsdsimRequest request;		/* first, so that both have the same address */
	struct Fragment *next;		/* of the unused ones, or of the blocks */
} Fragment;

struct SsdsimArray
{
	SsdsimSpec	spec;
	int			count;
	SsdsimDevice **devices;
	Fragment   *lots;			/* allocated, FRAGMENTS_AT_ONCE each */
	Fragment   *unused;
	SsdsimDone	done;
	SsdsimDone	foreseen;		/* or NULL */
	void	   *argument;
};

static void
drop_fragment(SsdsimArray *array, Fragment *fragment)
{
	fragment->next = array->unused;
	array->unused = fragment;
}

/* The first fragment of each block is used to free the block. */
static void
more_fragments(SsdsimArray *array)
{
	Fragment   *lot = ssdsim_allocate(FRAGMENTS_AT_ONCE + 1,
									  sizeof(Fragment));

	lot[0].next = array->lots;
	array->lots = lot;
	for (int i = 1; i <= FRAGMENTS_AT_ONCE; i++)
		drop_fragment(array, &lot[i]);
}

static void
fragment_done(void *argument, SsdsimRequest *request, int64_t now)
{
	SsdsimArray *array = argument;
	Fragment   *fragment = (Fragment *) request;
	SsdsimRequest *whole = request->owner;

	if (request->admitted > whole->admitted)
		whole->admitted = request->admitted;
	drop_fragment(array, fragment);
	if (--whole->left == 0)
		array->done(array->argument, whole, now);
}

/* A request is foreseen with the last of its fragments. */
static void
fragment_foreseen(void *argument, SsdsimRequest *request, int64_t time)
{
	SsdsimArray *array = argument;
	SsdsimRequest *whole = request->owner;

	whole->end_time = time > whole->end_time ? time : whole->end_time;
	whole->hurry = request->hurry < whole->hurry ? request->hurry :
		whole->hurry;
	if (--whole->unforeseen == 0)
		array->foreseen(array->argument, whole, whole->end_time);
}

SsdsimArray *
ssdsim_array_new(const SsdsimSpec *spec, const SsdsimPolicy *policy,
				 uint64_t seed, SsdsimDone done, void *argument)
{
	SsdsimArray *array = ssdsim_allocate(1, sizeof(*array));
	bool		alone = spec->devices == 1;

	array->spec = *spec;
	array->count = (int) spec->devices;
	array->devices = ssdsim_allocate((size_t) array->count,
									 sizeof(SsdsimDevice *));
	array->done = done;
	array->argument = argument;
	for (int i = 0; i < array->count; i++)
		array->devices[i] = ssdsim_device_new(spec, policy,
											  seed + (uint64_t) i,
											  alone ? done : fragment_done,
											  alone ? argument : array);
	return array;
}

void
ssdsim_array_foresee(SsdsimArray *array, SsdsimDone foreseen)
{
	array->foreseen = foreseen;
	for (int i = 0; i < array->count; i++)
		ssdsim_device_foresee(array->devices[i], array->count == 1 ?
							  foreseen : fragment_foreseen);
}

void
ssdsim_array_free(SsdsimArray *array)
{
	for (int i = 0; i < array->count; i++)
		ssdsim_device_free(array->devices[i]);
	while (array->lots != NULL)
	{
		Fragment   *lot = array->lots;

		array->lots = lot->next;
		free(lot);
	}
	free(array->devices);
	free(array);
}

void
ssdsim_array_fill(SsdsimArray *array)
{
	if (array->spec.mechanical)
		return;
	for (int i = 0; i < array->count; i++)
		ssdsim_device_fill(array->devices[i], 0, (uint64_t)
						   ssdsim_spec_user_pages(&array->spec));
}

void
ssdsim_array_age(SsdsimArray *array, double times)
{
	if (array->spec.mechanical)
		return;
	for (int i = 0; i < array->count; i++)
		ssdsim_device_age(array->devices[i], (uint64_t)
						  (times * (double)
						   ssdsim_spec_user_pages(&array->spec)));
}

/* Bytes of a device below an address of the array. */
static uint64_t
bytes_below(const SsdsimArray *array, int device, uint64_t address)
{
	uint64_t	chunk = (uint64_t) array->spec.stripe;
	uint64_t	row = chunk * (uint64_t) array->count;
	uint64_t	before = address / row * chunk;
	uint64_t	within = address % row;
	uint64_t	start = chunk * (uint64_t) device;

	if (within <= start)
		return before;
	return before + (within - start < chunk ? within - start : chunk);
}

void
ssdsim_array_fill_until(SsdsimArray *array, uint64_t bytes)
{
	uint64_t	size = (uint64_t) array->spec.page_bytes;

	if (array->spec.mechanical)
		return;
	for (int i = 0; i < array->count; i++)
		ssdsim_device_fill(array->devices[i], 0,
						   (bytes_below(array, i, bytes) + size - 1) / size);
}

static void
submit_fragment(SsdsimArray *array, int device, SsdsimRequest *whole,
				uint64_t from, uint64_t to, int64_t now)
{
	Fragment   *fragment;

	if (array->unused == NULL)
		more_fragments(array);
	fragment = array->unused;
	array->unused = fragment->next;
	fragment->request = (SsdsimRequest)
	{
		.kind = whole->kind, .address = from, .bytes = to - from,
			.owner = whole, .hurry = whole->hurry
	};
	ssdsim_device_submit(array->devices[device], &fragment->request, now);
}

/* Does a device have a share of a request?  A flush is for all. */
static bool
concerns(const SsdsimArray *array, int device, const SsdsimRequest *request)
{
	return request->kind == SSDSIM_FLUSH ||
		bytes_below(array, device, request->address + request->bytes) >
		bytes_below(array, device, request->address);
}

/*
 * Sets the number of fragments before the first is submitted and may be done.
 */
static void
expect(SsdsimRequest *request, uint64_t fragments, int64_t now)
{
	request->arrived = now;
	request->admitted = now;
	request->left = fragments;
	request->unforeseen = fragments;
	request->end_time = now;
}

static void
submit_joined(SsdsimArray *array, SsdsimRequest *request, int64_t now)
{
	uint64_t	end = request->address + request->bytes;
	uint64_t	fragments = 0;

	for (int i = 0; i < array->count; i++)
		fragments += concerns(array, i, request);
	expect(request, fragments, now);
	for (int i = 0; i < array->count; i++)
		if (concerns(array, i, request))
			submit_fragment(array, i, request,
							bytes_below(array, i, request->address),
							bytes_below(array, i, end), now);
}

static void
submit_cut(SsdsimArray *array, SsdsimRequest *request, int64_t now)
{
	uint64_t	chunk = (uint64_t) array->spec.stripe;
	uint64_t	end = request->address + request->bytes;
	uint64_t	from = request->address;

	expect(request, (end - 1) / chunk - from / chunk + 1, now);
	while (from < end)
	{
		uint64_t	number = from / chunk;
		uint64_t	to = (number + 1) * chunk < end ? (number + 1) * chunk :
			end;
		int			device = (int) (number % (uint64_t) array->count);

		submit_fragment(array, device, request,
						bytes_below(array, device, from),
						bytes_below(array, device, to), now);
		from = to;
	}
}

void
ssdsim_array_submit(SsdsimArray *array, SsdsimRequest *request, int64_t now)
{
	if (array->count == 1)
		ssdsim_device_submit(array->devices[0], request, now);
	else if (array->spec.stripe_cut && request->kind != SSDSIM_FLUSH)
		submit_cut(array, request, now);
	else
		submit_joined(array, request, now);
}

/* The device with the next event; of equal ones the first. */
static SsdsimDevice *
first_to_act(const SsdsimArray *array)
{
	SsdsimDevice *first = array->devices[0];

	for (int i = 1; i < array->count; i++)
		if (ssdsim_device_next(array->devices[i]) < ssdsim_device_next(first))
			first = array->devices[i];
	return first;
}

int64_t
ssdsim_array_next(const SsdsimArray *array)
{
	return ssdsim_device_next(first_to_act(array));
}

void
ssdsim_array_step(SsdsimArray *array)
{
	ssdsim_device_step(first_to_act(array));
}

bool
ssdsim_array_collects(const SsdsimArray *array, uint64_t address)
{
	assert(array->count == 1);
	return ssdsim_device_collects(array->devices[0], address /
								  (uint64_t) array->spec.page_bytes);
}

/* All counters have 64 bits and are sums. */
void
ssdsim_array_count(const SsdsimArray *array, SsdsimCounts *counts)
{
	*counts = (SsdsimCounts)
	{
		0
	};
	for (int i = 0; i < array->count; i++)
	{
		SsdsimCounts one;
		const uint64_t *from = (const uint64_t *) &one;
		uint64_t   *to = (uint64_t *) counts;

		ssdsim_device_count(array->devices[i], &one);
		for (size_t j = 0; j < sizeof(one) / sizeof(*from); j++)
			to[j] += from[j];
	}
}
