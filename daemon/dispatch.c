/*
 * dispatch.c
 *		Passes requests from the scheduler to the reader, and results back.
 *
 * The scheduler chooses the next request.  This file checks that there is
 * still something to read and that the page cache does not have it already.
 */
#include "dispatch.h"

#include <assert.h>

#include "clock.h"
#include "log.h"
#include "page_cache.h"
#include "session.h"

/* Requests per device and turn, so that sockets do not wait. */
#define REQUESTS_PER_TURN 512

/* Checks the invariant in dispatch.h, which holds between calls. */
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
 * How much of the request is left to read, since the file may have been
 * deleted or truncated after it was queued.  0 if nothing is left.
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

/*
 * Starts the request in a free slot, or ends it if there is nothing to read.
 */
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
	 * If the reader recognizes cached reads, starting a small one costs less
	 * than asking first.  A large one would be copied, so ask.
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

	/* not the turn's time, because starting 512 reads takes a while */
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
		/* the session will get the same error, and the server reports it */
		if (state->totals.errors++ == 0)
			ssdpard_log(SSDPARD_LOG_WARNING, "a read failed (error %d); "
						"further ones are only counted", -bytes);
		return SSDPARD_RESULT_FAILED;
	}
	if ((uint32_t) bytes < slot->length)
		state->totals.short_reads++;

	/* nothing was read: the file was truncated meanwhile */
	return bytes == 0 ? SSDPARD_RESULT_STALE : SSDPARD_RESULT_READ;
}

/* Writes a slot's read to the trace, unless the trace has it already. */
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
 * Frees the slot.  BYTES were read from a device; they are counted for the
 * session, and traced even if the read ended before its turn was written.
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

	/* last: it may free the range, the file, and the session */
	ssdpard_scheduler_done(state->scheduler, &slot->request, result, latency);
}

/*
 * Takes the reads that were complete as soon as they were submitted; true if
 * there were any.  A small read did not need the device.  A large one was
 * missing when it was requested, so its bytes count.  However, the scan that
 * needs it may have read it meanwhile, and scans adapt to how much they find
 * cached (src/prefetch/scan_window.c), so neither its latency nor its range is
 * attributed to the device.
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

/*
 * Traces the reads that this turn has given to devices and that have not
 * ended.
 */
static void
trace_started(SsdpardDispatch *dispatch)
{
	uint64_t	now = ssdpard_now();

	for (int i = 0; i < SSDPARD_SLOTS; i++)
		trace_slot(dispatch, &dispatch->slots[i], now);
}

/* Starts requests of one device and returns their number. */
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
 * Devices are served in turn, and the device that got the last slot is the
 * last one served next time.  Otherwise, because a device may be as deep as
 * there are slots, one device could take every slot that is freed.
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

	/* cached reads have freed slots for more */
	if (collect_cached(dispatch))
		more = true;
	if (state->trace.file != NULL)
		trace_started(dispatch);
	check_slots(dispatch);
	return more ? SSDPARD_MORE_TO_START
		: submitted ? SSDPARD_ALL_STARTED : SSDPARD_SUBMIT_AGAIN;
}

/* Takes all completions that are ready and returns their number. */
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
 * Repeat until there are none: since Linux 6.13 the kernel delivers only
 * twenty of the deferred completions at a time and does not signal the rest.
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
