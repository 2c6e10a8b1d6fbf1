/*
 * dispatch.c
 *		Queued ranges to the device, and what comes back.
 *
 * The scheduler says what is next; here it is found out whether there is
 * still something to read, and whether anybody has to.
 */
#include <errno.h>

#include "log.h"
#include "server.h"

/* Pieces started in one turn, so that sockets are not kept waiting. */
#define MOST_IN_A_TURN 512

void
ssdpard_dispatch_init(SsdpardServer *server)
{
	for (int i = 0; i < SSDPARD_SLOTS; i++)
		server->slots[i].next = i + 1 < SSDPARD_SLOTS ? i + 1 : -1;
	server->free_slot = 0;
}

/* What of the piece lies in the file; 0 if nothing does. */
static uint32_t
clip(const SsdpardFile *file, const SsdpardPiece *piece)
{
	uint64_t rest;

	if (piece->offset >= file->size)
		return 0;
	rest = file->size - piece->offset;
	return rest < piece->length ? (uint32_t) rest : piece->length;
}

static void
start(SsdpardServer *server, const SsdpardPiece *piece, uint32_t length)
{
	SsdpardFile *file = piece->file;
	int number = server->free_slot;
	SsdpardSlot *slot = &server->slots[number];

	server->free_slot = slot->next;
	slot->piece = *piece;
	slot->length = length;
	slot->started = ssdpard_now();
	ssdpard_file_reading(file);
	server->reader->method->queue(server->reader, number, file->fd,
								  piece->offset, length);
}

/*
 * Small reads find out by themselves whether they are cached, where the reader
 * can tell; a large one had cost more than the question.
 */
static bool
is_known_cached(const SsdpardServer *server, const SsdpardFile *file,
				const SsdpardPiece *piece, uint32_t length)
{
	if (server->reader->tells_cached && length <= SSDPARD_SMALL)
		return false;
	return ssdpard_is_cached(file->fd, piece->offset, length);
}

static void
judge(SsdpardServer *server, const SsdpardPiece *piece)
{
	SsdpardFile *file = piece->file;
	uint32_t length = 0;

	if (ssdpard_file_check(&server->files, file, server->turn))
		length = clip(file, piece);
	if (length == 0)
		ssdpard_scheduler_done(server->scheduler, piece, SSDPARD_WAS_STALE, 0);
	else if (is_known_cached(server, file, piece, length))
	{
		file->used = server->now;
		ssdpard_scheduler_done(server->scheduler, piece, SSDPARD_WAS_CACHED,
							   0);
	}
	else
		start(server, piece, length);
}

static SsdpardResult
result_of(SsdpardServer *server, const SsdpardSlot *slot, int result)
{
	if (result < 0)
	{
		if (server->totals.errors++ == 0)
			ssdpard_log(SSDPARD_LOG_WARNING, "a read failed (error %d); "
						"further ones are only counted", -result);
		return SSDPARD_HAS_FAILED;
	}
	if ((uint32_t) result < slot->length)
		server->totals.short_reads++;
	/* nothing at all: it was truncated meanwhile */
	return result == 0 ? SSDPARD_WAS_STALE : SSDPARD_WAS_READ;
}

static void
finish(SsdpardServer *server, int number, SsdpardResult kind, int result)
{
	SsdpardSlot *slot = &server->slots[number];
	uint64_t now = ssdpard_now();
	uint64_t took = now - slot->started;
	uint32_t latency = took < UINT32_MAX ? (uint32_t) took : UINT32_MAX;

	if (kind == SSDPARD_WAS_READ)
	{
		ssdpard_recent_add(&server->recent, latency);
		ssdpard_session_was_read(ssdpard_piece_owner(&slot->piece),
								 (uint32_t) result);
	}
	ssdpard_file_was_read(&server->files, slot->piece.file, server->now);
	slot->next = server->free_slot;
	server->free_slot = number;
	ssdpard_scheduler_done(server->scheduler, &slot->piece, kind, latency);
}

/*
 * Those that were complete as soon as they were submitted; true if any.  A
 * small one needed no device.  A large one was missing when it was asked for,
 * so its bytes count; but the scan that it is for may have read it meanwhile,
 * and scans go by how much they find cached (scan_window.c): neither its
 * latency nor its range counts as the device's.
 */
static bool
take_cached(SsdpardServer *server)
{
	SsdpardReader *reader = server->reader;
	bool any = false;
	int number;
	int result;

	if (!reader->tells_cached)
		return false;
	while (reader->method->take(reader, &number, &result))
	{
		const SsdpardSlot *slot = &server->slots[number];
		SsdpardResult kind = result_of(server, slot, result);

		if (kind == SSDPARD_WAS_READ)
		{
			if (slot->length > SSDPARD_SMALL)
				ssdpard_session_was_read(ssdpard_piece_owner(&slot->piece),
										 (uint32_t) result);
			kind = SSDPARD_WAS_CACHED;
		}
		finish(server, number, kind, result);
		any = true;
	}
	return any;
}

/* Starts as much as may be in flight; true if that was all of a turn. */
static bool
fill_device(SsdpardServer *server, int device)
{
	SsdpardPiece piece;
	int started = 0;

	while (server->free_slot >= 0 && started < MOST_IN_A_TURN &&
		   ssdpard_scheduler_next(server->scheduler, device, server->now,
								  &piece))
	{
		judge(server, &piece);
		started++;
	}
	return started == MOST_IN_A_TURN;
}

void
ssdpard_dispatch(SsdpardServer *server)
{
	int devices = ssdpard_scheduler_devices(server->scheduler);

	for (int device = 0; device < devices; device++)
		if (fill_device(server, device))
			server->again = true;
	server->retry = !server->reader->method->submit(server->reader);
	/* what was cached has left room for more */
	if (take_cached(server))
		server->again = true;
}

void
ssdpard_collect(SsdpardServer *server)
{
	SsdpardReader *reader = server->reader;
	int number;
	int result;

	reader->method->gather(reader);
	while (reader->method->take(reader, &number, &result))
		finish(server, number,
			   result_of(server, &server->slots[number], result), result);
}
