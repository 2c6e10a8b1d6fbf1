/*
 * session.c
 *		The clients of the daemon: their messages, files and counters.
 *
 * A violation of protocol.h ends only the client's session.  Nothing here
 * waits for a client.
 */
#include "session.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "packet.h"
#include "refusal.h"
#include "status.h"

/* Messages taken from one client before serving the next. */
#define MESSAGES_PER_TURN 32

typedef struct Handle
{
	SsdpardFile *file;
	bool		no_room;		/* handed over, but there was no room for it */
} Handle;

/* Invariant: counters and client both exist after HELLO, and not before. */
struct SsdpardSession
{
	TAILQ_ENTRY(SsdpardSession) link;
	SsdpardSessions *all;
	int			socket;			/* -1: closing */
	uint32_t	pid;
	SsdparWireCounters *counters;
	SsdpardClient *client;
	Handle		handles[SSDPAR_WIRE_MAX_HANDLES];
};

/* Checks the invariants above and in session.h. */
static void
check_session(const SsdpardSession *session)
{
	assert((session->counters != NULL) == (session->client != NULL));
	assert(session->socket < 0 || !TAILQ_EMPTY(&session->all->open));
	assert(session->socket >= 0 || !TAILQ_EMPTY(&session->all->closing));
	assert((session->all->nopen == 0) == TAILQ_EMPTY(&session->all->open));
}

void
ssdpard_sessions_init(SsdpardSessions *sessions, SsdpardState *state)
{
	sessions->state = state;
	sessions->poll = -1;
	TAILQ_INIT(&sessions->open);
	TAILQ_INIT(&sessions->closing);
	sessions->nopen = 0;
	sessions->max_open = 0;
}

SsdparWireRefusal
ssdpard_session_open(SsdpardSessions *sessions, int socket, uint32_t pid)
{
	SsdpardSession *session;
	struct epoll_event event = {.events = EPOLLIN};

	if (sessions->nopen >= sessions->max_open)
		return SSDPAR_WIRE_TOO_MANY;
	session = calloc(1, sizeof(*session));
	if (session == NULL)
		return SSDPAR_WIRE_TOO_MANY;
	session->all = sessions;
	session->socket = socket;
	session->pid = pid;
	event.data.ptr = session;
	if (epoll_ctl(sessions->poll, EPOLL_CTL_ADD, socket, &event) != 0)
	{
		free(session);
		return SSDPAR_WIRE_TOO_MANY;
	}
	TAILQ_INSERT_TAIL(&sessions->open, session, link);
	sessions->nopen++;
	check_session(session);
	return SSDPAR_WIRE_OK;
}

/* Queued requests for it become stale; outstanding ones keep it open. */
static void
drop_handle(SsdpardSession *session, Handle *handle)
{
	SsdpardFiles *files = &session->all->state->files;
	SsdpardFile *file = handle->file;

	handle->file = NULL;
	handle->no_room = false;
	if (file == NULL)
		return;
	ssdpard_file_close(files, file);
	ssdpard_file_release(files, file);
}

static void
close_session(SsdpardSession *session)
{
	SsdpardSessions *all = session->all;

	if (session->client != NULL)
		ssdpard_scheduler_drop_client(all->state->scheduler, session->client);
	for (int i = 0; i < SSDPAR_WIRE_MAX_HANDLES; i++)
		drop_handle(session, &session->handles[i]);

	/* epoll forgets a descriptor when it is closed */
	close(session->socket);
	session->socket = -1;
	TAILQ_REMOVE(&all->open, session, link);
	TAILQ_INSERT_TAIL(&all->closing, session, link);
	all->nopen--;
	check_session(session);
	ssdpard_log(SSDPARD_LOG_DEBUG, "session of process %u ended",
				session->pid);
}

void
ssdpard_sessions_close_all(SsdpardSessions *sessions)
{
	while (!TAILQ_EMPTY(&sessions->open))
		close_session(TAILQ_FIRST(&sessions->open));
}

void
ssdpard_sessions_free_closed(SsdpardSessions *sessions)
{
	SsdpardSession *next;

	for (SsdpardSession *session = TAILQ_FIRST(&sessions->closing);
		 session != NULL; session = next)
	{
		next = TAILQ_NEXT(session, link);
		if (session->client != NULL &&
			ssdpard_client_ranges(session->client) > 0)
			continue;
		TAILQ_REMOVE(&sessions->closing, session, link);
		if (session->client != NULL)
			ssdpard_client_free(session->client);
		if (session->counters != NULL)
			munmap(session->counters, SSDPAR_WIRE_COUNTERS_SIZE);
		free(session);
	}
}

/* Counts the outcome of one range, in total and for this session. */
static void
count(SsdpardSession *session, SsdpardOutcome outcome)
{
	SsdparWireCounters *counters = session->counters;
	uint64_t   *const own[SSDPARD_OUTCOMES] = {
		[SSDPARD_SERVED] = &counters->served,
		[SSDPARD_CACHED] = &counters->cached,
		[SSDPARD_STALE] = &counters->stale,
		[SSDPARD_DROPPED] = &counters->dropped,
	};

	session->all->state->totals.outcomes[outcome]++;
	ssdpar_wire_counter_add(own[outcome], 1);
	ssdpar_wire_counter_set(&counters->queued,
							ssdpard_client_ranges(session->client));
}

void
ssdpard_session_finished(void *owner, void *file, SsdpardOutcome outcome)
{
	SsdpardSession *session = owner;

	count(session, outcome);
	ssdpard_file_release(&session->all->state->files, file);
}

uint32_t
ssdpard_session_process(const void *owner)
{
	const SsdpardSession *session = owner;

	return session->pid;
}

void
ssdpard_session_was_read(void *owner, uint32_t bytes)
{
	SsdpardSession *session = owner;

	session->all->state->totals.bytes_read += bytes;
	ssdpar_wire_counter_add(&session->counters->bytes_read, bytes);
}

static SsdparWireRefusal
take_hello(SsdpardSession *session, const SsdparWireHello *hello, int memfd)
{
	const int	needed = F_SEAL_SHRINK | F_SEAL_GROW;
	int			seals = fcntl(memfd, F_GET_SEALS);
	struct stat status;
	void	   *counters;

	if (session->client != NULL)
		return SSDPAR_WIRE_BAD_ORDER;

	/* must be sealed: by shrinking it, a client could kill us with SIGBUS */
	if (seals < 0 || (seals & needed) != needed ||
		fstat(memfd, &status) != 0 || !S_ISREG(status.st_mode) ||
		status.st_size != SSDPAR_WIRE_COUNTERS_SIZE)
		return SSDPAR_WIRE_BAD_COUNTERS;
	counters = mmap(NULL, SSDPAR_WIRE_COUNTERS_SIZE, PROT_READ | PROT_WRITE,
					MAP_SHARED, memfd, 0);
	if (counters == MAP_FAILED)
		return SSDPAR_WIRE_BAD_COUNTERS;

	session->client =
		ssdpard_scheduler_add_client(session->all->state->scheduler,
									 hello->depth, session);
	if (session->client == NULL)
	{
		munmap(counters, SSDPAR_WIRE_COUNTERS_SIZE);
		return SSDPAR_WIRE_TOO_MANY;
	}
	session->counters = counters;
	ssdpard_client_heed(session->client, &session->counters->allowed);
	check_session(session);
	ssdpard_log(SSDPARD_LOG_DEBUG, "session of process %u, database %u, "
				"depth %u", session->pid, hello->database, hello->depth);
	return SSDPAR_WIRE_OK;
}

/*
 * Takes over the descriptor if there is room.  If the same file is handed over
 * again, its queued requests and the existing descriptor are kept.
 */
static SsdparWireRefusal
take_file(SsdpardSession *session, const SsdparWireFile *message,
		  SsdpardPacket *packet)
{
	SsdpardState *state = session->all->state;
	Handle	   *handle = &session->handles[message->handle];
	uint64_t	number;
	int			device;

	if (packet->nfds == 0)
	{
		/* our descriptor limit, not the client's fault */
		drop_handle(session, handle);
		handle->no_room = true;
		return SSDPAR_WIRE_OK;
	}
	if (!ssdpard_file_is_good(packet->fds[0], &number))
		return SSDPAR_WIRE_BAD_FILE;
	device = ssdpard_scheduler_device(state->scheduler, number);
	if (message->device_depth > 0)
		ssdpard_scheduler_set_profile(state->scheduler, device,
									  message->device_depth);
	if (handle->file != NULL && !handle->file->stale &&
		ssdpard_file_is_same(handle->file, packet->fds[0]))
	{
		handle->file->used = state->now;
		return SSDPAR_WIRE_OK;
	}
	drop_handle(session, handle);
	handle->file = ssdpard_file_add(&state->files, packet->fds[0], device,
									state->now);
	handle->no_room = handle->file == NULL;
	if (handle->file != NULL)
		packet->nfds = 0;		/* taken over */
	return SSDPAR_WIRE_OK;
}

static void
take_read(SsdpardSession *session, const SsdparWireRead *read)
{
	SsdpardState *state = session->all->state;

	for (int i = 0; i < read->count; i++)
	{
		const SsdparWireRange *range = &read->ranges[i];
		const Handle *handle = &session->handles[range->handle];
		SsdpardFile *file = handle->file;
		SsdpardRangeSpec spec;

		/* deleted, truncated or idle for too long: not an error */
		if (file == NULL ||
			!ssdpard_file_check(&state->files, file, state->turn) ||
			range->offset >= file->size)
		{
			count(session, handle->no_room ? SSDPARD_DROPPED : SSDPARD_STALE);
			continue;
		}
		file->used = state->now;
		spec.device = file->device;
		spec.class = read->class == SSDPAR_WIRE_CLASS_RANDOM ? SSDPARD_RANDOM
			: SSDPARD_SEQUENTIAL;
		spec.stream = read->stream;
		spec.file = file;
		spec.offset = range->offset;
		spec.length = range->length;
		if (ssdpard_scheduler_add(state->scheduler, session->client, &spec,
								  state->now))
			file->references++;
		else
			count(session, SSDPARD_DROPPED);
	}
	ssdpar_wire_counter_set(&session->counters->queued,
							ssdpard_client_ranges(session->client));
}

static void
answer_status(SsdpardSession *session, uint32_t sequence)
{
	unsigned char buffer[SSDPAR_WIRE_MAX_MESSAGE];
	SsdparWireMessage message;
	size_t		size;

	memset(&message, 0, sizeof(message));
	message.type = SSDPAR_WIRE_STATUS;
	message.sequence = sequence;
	ssdpard_status_fill(session->all->state, session->all->nopen,
						&message.u.status);
	size = ssdpar_wire_encode(&message, buffer);

	/* a client that does not read its answers loses them */
	(void) send(session->socket, buffer, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static SsdparWireRefusal
take_message(SsdpardSession *session, const SsdparWireMessage *message,
			 SsdpardPacket *packet)
{
	if (session->client == NULL && message->type != SSDPAR_WIRE_HELLO &&
		message->type != SSDPAR_WIRE_STATUS_REQUEST)
		return SSDPAR_WIRE_BAD_ORDER;
	switch (message->type)
	{
		case SSDPAR_WIRE_HELLO:
			return take_hello(session, &message->u.hello, packet->fds[0]);
		case SSDPAR_WIRE_FILE:
			return take_file(session, &message->u.file, packet);
		case SSDPAR_WIRE_READ:
			take_read(session, &message->u.read);
			return SSDPAR_WIRE_OK;
		case SSDPAR_WIRE_CANCEL:
			ssdpard_scheduler_cancel(session->all->state->scheduler,
									 session->client,
									 message->u.cancel.stream);
			return SSDPAR_WIRE_OK;
		case SSDPAR_WIRE_CLOSE_FILE:
			drop_handle(session,
						&session->handles[message->u.close_file.handle]);
			return SSDPAR_WIRE_OK;
		case SSDPAR_WIRE_STATUS_REQUEST:
			answer_status(session, message->sequence);
			return SSDPAR_WIRE_OK;
		case SSDPAR_WIRE_STATUS:
		case SSDPAR_WIRE_ERROR:
			break;				/* sent only by the daemon */
	}
	return SSDPAR_WIRE_BAD_ORDER;
}

/* Returns false if the message ended the session. */
static bool
take_packet(SsdpardSession *session, SsdpardPacket *packet)
{
	SsdparWireMessage message;
	SsdparWireRefusal refusal = ssdpar_wire_decode(packet->bytes,
												   packet->length, &message);

	/*
	 * There must be as many descriptors as the type requires.  FILE and HELLO
	 * may come without theirs if the kernel had no room for it on our side.
	 */
	if (refusal == SSDPAR_WIRE_OK)
	{
		bool		no_room = packet->nfds == 0 && packet->fds_lost;

		if (no_room && message.type == SSDPAR_WIRE_HELLO)
			refusal = SSDPAR_WIRE_TOO_MANY;
		else if ((!no_room || message.type != SSDPAR_WIRE_FILE) &&
				 (packet->fds_lost ||
				  packet->nfds != ssdpar_wire_descriptors(message.type)))
			refusal = SSDPAR_WIRE_BAD_DESCRIPTORS;
	}
	if (refusal == SSDPAR_WIRE_OK)
		refusal = take_message(session, &message, packet);
	ssdpard_packet_close(packet);
	if (refusal == SSDPAR_WIRE_OK)
		return true;
	ssdpard_refuse(session->all->state, session->socket, session->pid,
				   message.sequence, refusal);
	close_session(session);
	return false;
}

void
ssdpard_session_receive(SsdpardSession *session)
{
	SsdpardPacket packet;

	/* the session may have been closed by an earlier event of this batch */
	if (session->socket < 0)
		return;
	for (int i = 0; i < MESSAGES_PER_TURN; i++)
		switch (ssdpard_packet_receive(session->socket, &packet))
		{
			case SSDPARD_RECEIVED:
				if (!take_packet(session, &packet))
					return;
				break;
			case SSDPARD_NOTHING_THERE:
				return;
			case SSDPARD_CONNECTION_ENDED:
				close_session(session);
				return;
		}
}
