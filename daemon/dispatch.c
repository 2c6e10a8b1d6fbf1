/*
 * dispatch.c
 *		From the scheduler to the reader, and back.
 *
 * The scheduler says what is next; here it is found out whether there is
 * still something to read, and whether the page cache has it already.
 */
#include "dispatch.h"

#include <assert.h>

#include "clock.h"
#include "log.h"
#include "page_cache.h"
#include "session.h"

/* Requests per device and turn, so that sockets are not kept waiting. */
#define REQUESTS_PER_TURN 512

/* Exactly the invariant in dispatch.h; it holds between calls. */
static void
check_slots(const SsdpardDispatch *dispatch)
{
	assert((dispatch->nfree == 0) == (dispatch->first_free < 0));
	assert(ssdpard_scheduler_outstanding(dispatch->state->scheduler) ==
		   (uint32_t) (SSDPARD_SLOTS - dispatch->nfree));
}

void
ssdpard_dispatch_init(SsdpardDispatch *dispatch, SsdpardState *state)
{
	dispatch->state = state;
	for (int i = 0; i < SSDPARD_SLOTS; i++)
		dispatch->slots[i].next_free = i + 1 < SSDPARD_SLOTS ? i + 1 : -1;
	dispatch->first_free = 0;
	dispatch->nfree = SSDPARD_SLOTS;
	dispatch->first_device = 0;
}

/*
 * How much of the request is left to read: it may have been deleted or
 * truncated since it was queued.  0: nothing.
 */
static uint32_t
readable_length(SsdpardState *state, const SsdpardDeviceRequest *request)
{
	SsdpardFile *file = request->file;
	uint64_t	rest;

	if (!ssdpard_file_check(&state->files, file, state->turn) ||
		request->offset >= file->size)
		return 0;
	rest = file->size - request->offset;
	return rest < request->length ? (uint32_t) rest : request->length;
}

/* Takes a slot, or ends the request where there is nothing to read. */
static void
start(SsdpardDispatch *dispatch, const SsdpardDeviceRequest *request)
{
	SsdpardState *state = dispatch->state;
	SsdpardFile *file = request->file;
	uint32_t	length = readable_length(state, request);
	int			number = dispatch->first_free;
	SsdpardSlot *slot = &dispatch->slots[number];

	if (length == 0)
	{
		ssdpard_scheduler_done(state->scheduler, request,
							   SSDPARD_RESULT_STALE, 0);
		return;
	}

	/*
	 * Where the reader tells cached reads, a small one finds out by itself
	 * for less than the question costs; a large one would be copied.
	 */
	if (!(state->reader->tells_cached && length <= SSDPARD_SMALL) &&
		ssdpard_page_cache_has(file->fd, request->offset, length))
	{
		file->used = state->now;
		ssdpard_scheduler_done(state->scheduler, request,
							   SSDPARD_RESULT_CACHED, 0);
		return;
	}

	dispatch->first_free = slot->next_free;
	dispatch->nfree--;
	slot->request = *request;
	slot->length = length;

	/* not the turn's time: a turn that starts 512 reads takes a while */
	slot->started = ssdpard_now();
	slot->untraced = true;
	ssdpard_file_begin_read(file);
	state->reader->method->queue(state->reader, number, file->fd,
								 request->offset, length);
}

static SsdpardResult
result_of(SsdpardState *state, const SsdpardSlot *slot, int bytes)
{
	if (bytes < 0)
	{
		/* the session will get the same error, and the server says so */
		if (state->totals.errors++ == 0)
			ssdpard_log(SSDPARD_LOG_WARNING, "a read failed (error %d); "
						"further ones are only counted", -bytes);
		return SSDPARD_RESULT_FAILED;
	}
	if ((uint32_t) bytes < slot->length)
		state->totals.short_reads++;

	/* nothing at all: it was truncated meanwhile */
	return bytes == 0 ? SSDPARD_RESULT_STALE : SSDPARD_RESULT_READ;
}

/* A slot's read, once, if the trace does not have it yet. */
static void
trace_slot(SsdpardDispatch *dispatch, SsdpardSlot *slot, uint64_t now)
{
	SsdpardTrace *trace = &dispatch->state->trace;
	const SsdpardFile *file = slot->request.file;
	const void *owner;

	if (trace->file == NULL || !slot->untraced)
		return;
	slot->untraced = false;
	owner = ssdpard_request_owner(&slot->request);
	ssdpard_trace_read(trace, now, file->fd, slot->request.offset,
					   slot->length,
					   ssdpard_session_process(owner));
}

/*
 * Gives the slot back.  BYTES came from a device; they go to the session, and
 * into the trace even when the read ended before its turn was written down.
 */
static void
finish(SsdpardDispatch *dispatch, int number, SsdpardResult result,
	   uint32_t bytes)
{
	SsdpardState *state = dispatch->state;
	SsdpardSlot *slot = &dispatch->slots[number];
	uint64_t	took = ssdpard_now() - slot->started;
	uint32_t	latency = took < UINT32_MAX ? (uint32_t) took : UINT32_MAX;

	if (result == SSDPARD_RESULT_READ)
		ssdpard_recent_add(&state->recent, latency);
	if (bytes > 0)
	{
		trace_slot(dispatch, slot, ssdpard_now());
		ssdpard_session_was_read(ssdpard_request_owner(&slot->request),
								 bytes);
	}
	ssdpard_file_end_read(&state->files, slot->request.file, state->now);
	slot->untraced = false;
	slot->next_free = dispatch->first_free;
	dispatch->first_free = number;
	dispatch->nfree++;

	/* last: it may free the range, the file, and what its owner waits for */
	ssdpard_scheduler_done(state->scheduler, &slot->request, result, latency);
}

/*
 * Takes what was complete as soon as it was submitted; true if any was.  A
 * small read needed no device.  A large one was missing when it was asked for,
 * so its bytes count; but the scan that it is for may have read it meanwhile,
 * and scans go by how much they find cached (src/prefetch/scan_window.c): so
 * neither its latency nor its range counts as the device's.
 */
static bool
collect_cached(SsdpardDispatch *dispatch)
{
	SsdpardState *state = dispatch->state;
	bool		any = false;
	int			number;
	int			bytes;

	if (!state->reader->tells_cached)
		return false;
	while (state->reader->method->take(state->reader, &number, &bytes))
	{
		const SsdpardSlot *slot = &dispatch->slots[number];
		SsdpardResult result = result_of(state, slot, bytes);
		bool		asked_device = result == SSDPARD_RESULT_READ &&
			slot->length > SSDPARD_SMALL;

		if (result == SSDPARD_RESULT_READ)
			result = SSDPARD_RESULT_CACHED;
		finish(dispatch, number, result, asked_device ? (uint32_t) bytes : 0);
		any = true;
	}
	return any;
}

/* Write down what this turn has given to a device and has not ended yet. */
static void
trace_started(SsdpardDispatch *dispatch)
{
	uint64_t	now = ssdpard_now();

	for (int i = 0; i < SSDPARD_SLOTS; i++)
		trace_slot(dispatch, &dispatch->slots[i], now);
}

/* How many requests of one device have been started. */
static int
start_device(SsdpardDispatch *dispatch, int device)
{
	SsdpardState *state = dispatch->state;
	SsdpardDeviceRequest request;
	int			started = 0;

	while (dispatch->nfree > 0 && started < REQUESTS_PER_TURN &&
		   ssdpard_scheduler_next(state->scheduler, device, state->now,
								  &request))
	{
		start(dispatch, &request);
		started++;
	}
	return started;
}

/*
 * Devices are asked in turn, and who got the last slot is the last one to be
 * asked next time: a device may be as deep as there are slots, and would get
 * each that is given back.
 */
SsdpardDispatched
ssdpard_dispatch_start(SsdpardDispatch *dispatch)
{
	SsdpardState *state = dispatch->state;
	int			devices = ssdpard_scheduler_devices(state->scheduler);
	int			first = dispatch->first_device;
	bool		more = false;
	bool		submitted;

	for (int i = 0; i < devices; i++)
	{
		int			device = (first + i) % devices;
		int			started = start_device(dispatch, device);

		if (started == REQUESTS_PER_TURN)
			more = true;
		if (started > 0 && dispatch->nfree == 0)
			dispatch->first_device = device + 1;
	}
	submitted = state->reader->method->submit(state->reader);

	/* what was cached has left room for more */
	if (collect_cached(dispatch))
		more = true;
	if (state->trace.file != NULL)
		trace_started(dispatch);
	check_slots(dispatch);
	return more ? SSDPARD_MORE_TO_START
		: submitted ? SSDPARD_ALL_STARTED : SSDPARD_SUBMIT_AGAIN;
}

/* How many have been taken. */
static int
take_all(SsdpardDispatch *dispatch)
{
	SsdpardState *state = dispatch->state;
	int			taken = 0;
	int			number;
	int			bytes;

	while (state->reader->method->take(state->reader, &number, &bytes))
	{
		SsdpardResult result = result_of(state, &dispatch->slots[number],
										 bytes);

		finish(dispatch, number, result,
			   result == SSDPARD_RESULT_READ ? (uint32_t) bytes : 0);
		taken++;
	}
	return taken;
}

/*
 * Until there is none: since Linux 6.13 the kernel hands over twenty of those
 * that it has deferred, and does not tell again of the rest.
 */
void
ssdpard_dispatch_collect(SsdpardDispatch *dispatch)
{
	SsdpardReader *reader = dispatch->state->reader;

	do
		reader->method->gather(reader);
	while (take_all(dispatch) > 0);
	check_slots(dispatch);
}
