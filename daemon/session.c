/*
 * session.c
 *		One client of the daemon: its messages, descriptors and counters.
 *
 * Whatever a client sends that protocol.h does not allow ends its session and
 * nothing else.  Nothing here waits for a client.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "server.h"

/* Messages taken from one client before the next one's turn. */
#define MESSAGES_A_TURN 32

/* Enough to see that there are too many; the kernel closes the rest. */
#define MOST_DESCRIPTORS 2

typedef struct Handle
{
	SsdpardFile *file;
	bool no_room;				/* it was given, but there was no room for it */
} Handle;

struct SsdpardSession
{
	TAILQ_ENTRY(SsdpardSession) link;
	SsdpardServer *server;
	int socket;					/* -1: closed */
	uint32_t pid;
	SsdparCounters *counters;	/* NULL until HELLO */
	SsdpardClient *client;		/* NULL until HELLO */
	Handle handles[SSDPAR_MAX_HANDLES];
};

/* A packet and what came with it. */
typedef struct Packet
{
	unsigned char bytes[SSDPAR_MAX_MESSAGE + 1];
	size_t length;
	int fds[MOST_DESCRIPTORS];
	int nfds;
	bool fds_lost;				/* by the kernel */
} Packet;

static void
refuse(SsdpardSession *session, uint32_t sequence, SsdparRefusal refusal)
{
	ssdpard_refuse(session->server, session->socket, session->pid, sequence,
				   refusal);
	ssdpard_session_close(session);
}

static void
drop_handle(SsdpardSession *session, Handle *handle)
{
	SsdpardFile *file = handle->file;

	handle->file = NULL;
	handle->no_room = false;
	if (file == NULL)
		return;
	ssdpard_file_close(&session->server->files, file);
	ssdpard_file_release(&session->server->files, file);
}

void
ssdpard_session_close(SsdpardSession *session)
{
	SsdpardServer *server = session->server;

	if (session->socket < 0)
		return;
	if (session->client != NULL)
		ssdpard_scheduler_drop_client(server->scheduler, session->client);
	for (int i = 0; i < SSDPAR_MAX_HANDLES; i++)
		drop_handle(session, &session->handles[i]);
	close(session->socket);
	session->socket = -1;
	TAILQ_REMOVE(&server->sessions, session, link);
	TAILQ_INSERT_TAIL(&server->gone, session, link);
	server->nsessions--;
	ssdpard_log(SSDPARD_LOG_DEBUG, "session of process %u ended",
				session->pid);
}

void
ssdpard_session_free_gone(SsdpardServer *server)
{
	SsdpardSession *session = TAILQ_FIRST(&server->gone);

	while (session != NULL)
	{
		SsdpardSession *next = TAILQ_NEXT(session, link);

		if (session->client == NULL ||
			ssdpard_client_ranges(session->client) == 0)
		{
			TAILQ_REMOVE(&server->gone, session, link);
			if (session->client != NULL)
				ssdpard_scheduler_free_client(server->scheduler,
											  session->client);
			if (session->counters != NULL)
				munmap(session->counters, SSDPAR_COUNTERS_SIZE);
			free(session);
		}
		session = next;
	}
}

static void
count(SsdpardSession *session, SsdpardOutcome outcome)
{
	SsdparStatus *totals = &session->server->totals;
	SsdparCounters *own = session->counters;

	switch (outcome)
	{
		case SSDPARD_SERVED:
			totals->served++;
			ssdpar_counter_add(&own->served, 1);
			break;
		case SSDPARD_CACHED:
			totals->cached++;
			ssdpar_counter_add(&own->cached, 1);
			break;
		case SSDPARD_STALE:
			totals->stale++;
			ssdpar_counter_add(&own->stale, 1);
			break;
		case SSDPARD_DROPPED:
			totals->dropped++;
			ssdpar_counter_add(&own->dropped, 1);
			break;
	}
	ssdpar_counter_set(&own->queued, ssdpard_client_ranges(session->client));
}

void
ssdpard_session_finished(void *owner, void *file, SsdpardOutcome outcome)
{
	SsdpardSession *session = owner;

	count(session, outcome);
	ssdpard_file_release(&session->server->files, file);
}

void
ssdpard_session_was_read(void *owner, uint32_t bytes)
{
	SsdpardSession *session = owner;

	session->server->totals.bytes_read += bytes;
	ssdpar_counter_add(&session->counters->bytes_read, bytes);
}

/* The page that HELLO brings, mapped; it cannot shrink under us. */
static SsdparCounters *
map_counters(int fd)
{
	struct stat status;
	const int needed = F_SEAL_SHRINK | F_SEAL_GROW;
	int seals = fcntl(fd, F_GET_SEALS);
	void *memory;

	if (seals < 0 || (seals & needed) != needed ||
		fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
		status.st_size != SSDPAR_COUNTERS_SIZE)
		return NULL;
	memory = mmap(NULL, SSDPAR_COUNTERS_SIZE, PROT_READ | PROT_WRITE,
				  MAP_SHARED, fd, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static SsdparRefusal
take_hello(SsdpardSession *session, const SsdparHello *hello,
		   const Packet *packet)
{
	if (session->client != NULL)
		return SSDPAR_BAD_ORDER;
	session->counters = map_counters(packet->fds[0]);
	if (session->counters == NULL)
		return SSDPAR_BAD_COUNTERS;
	session->client = ssdpard_scheduler_add_client(session->server->scheduler,
												   hello->depth, session);
	if (session->client == NULL)
		return SSDPAR_TOO_MANY;
	ssdpard_log(SSDPARD_LOG_DEBUG, "session of process %u, database %u, "
				"depth %u", session->pid, hello->database, hello->depth);
	return SSDPAR_GOOD;
}

static SsdparRefusal
take_file(SsdpardSession *session, const SsdparFile *message, Packet *packet)
{
	SsdpardServer *server = session->server;
	Handle *handle = &session->handles[message->handle];
	uint64_t number;
	int device;

	if (packet->nfds == 0)
	{
		/* our limit for descriptors, no fault of the client */
		drop_handle(session, handle);
		handle->no_room = true;
		return SSDPAR_GOOD;
	}
	if (!ssdpard_file_is_good(packet->fds[0], &number))
		return SSDPAR_BAD_FILE;
	drop_handle(session, handle);
	device = ssdpard_scheduler_device(server->scheduler, number);
	if (message->device_depth > 0)
		ssdpard_scheduler_set_profile(server->scheduler, device,
									  message->device_depth);
	handle->file = ssdpard_file_add(&server->files, packet->fds[0], device,
									server->now);
	handle->no_room = handle->file == NULL;
	if (handle->file != NULL)
		packet->nfds = 0;		/* taken over */
	return SSDPAR_GOOD;
}

static void
take_range(SsdpardSession *session, const SsdparRead *read,
		   const SsdparRange *range)
{
	SsdpardServer *server = session->server;
	Handle *handle = &session->handles[range->handle];
	SsdpardFile *file = handle->file;
	SsdpardRequest request;

	if (file == NULL || !ssdpard_file_check(&server->files, file,
											server->turn) ||
		range->offset >= file->size)
	{
		count(session, handle->no_room ? SSDPARD_DROPPED : SSDPARD_STALE);
		return;
	}
	file->used = server->now;
	request.device = file->device;
	request.class = read->class == SSDPAR_CLASS_RANDOM ? SSDPARD_RANDOM
		: SSDPARD_SEQUENTIAL;
	request.stream = read->stream;
	request.file = file;
	request.offset = range->offset;
	request.length = range->length;
	if (ssdpard_scheduler_add(server->scheduler, session->client, &request,
							  server->now))
		file->references++;
	else
		count(session, SSDPARD_DROPPED);
}

static void
take_read(SsdpardSession *session, const SsdparRead *read)
{
	for (int i = 0; i < read->count; i++)
		take_range(session, read, &read->ranges[i]);
	ssdpar_counter_set(&session->counters->queued,
					   ssdpard_client_ranges(session->client));
}

static void
answer_status(SsdpardSession *session, uint32_t sequence)
{
	unsigned char buffer[SSDPAR_MAX_MESSAGE];
	SsdparMessage message;
	size_t size;

	memset(&message, 0, sizeof(message));
	message.type = SSDPAR_STATUS;
	message.sequence = sequence;
	ssdpard_fill_status(session->server, &message.u.status);
	size = ssdpar_protocol_encode(&message, buffer);
	/* who does not read what it asked for does not get it */
	(void) send(session->socket, buffer, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static SsdparRefusal
take_message(SsdpardSession *session, const SsdparMessage *message,
			 Packet *packet)
{
	if (session->client == NULL && message->type != SSDPAR_HELLO &&
		message->type != SSDPAR_STATUS_REQUEST)
		return SSDPAR_BAD_ORDER;
	switch (message->type)
	{
		case SSDPAR_HELLO:
			return take_hello(session, &message->u.hello, packet);
		case SSDPAR_FILE:
			return take_file(session, &message->u.file, packet);
		case SSDPAR_READ:
			take_read(session, &message->u.read);
			return SSDPAR_GOOD;
		case SSDPAR_CANCEL:
			ssdpard_scheduler_cancel(session->server->scheduler,
									 session->client,
									 message->u.cancel.stream);
			return SSDPAR_GOOD;
		case SSDPAR_CLOSE_FILE:
			drop_handle(session,
						&session->handles[message->u.close_file.handle]);
			return SSDPAR_GOOD;
		case SSDPAR_STATUS_REQUEST:
			answer_status(session, message->sequence);
			return SSDPAR_GOOD;
		case SSDPAR_STATUS:
		case SSDPAR_ERROR:
			break;				/* a client has no business to send them */
	}
	return SSDPAR_BAD_ORDER;
}

/* As many descriptors as the type carries, or none because we have no room? */
static bool
right_descriptors(const SsdparMessage *message, const Packet *packet)
{
	int wanted = ssdpar_protocol_descriptors(message->type);

	if (message->type == SSDPAR_FILE && packet->nfds == 0 &&
		packet->fds_lost)
		return true;
	return packet->nfds == wanted && !packet->fds_lost;
}

static void
take_packet(SsdpardSession *session, Packet *packet)
{
	SsdparMessage message;
	SsdparRefusal refusal = ssdpar_protocol_decode(packet->bytes,
												   packet->length, &message);

	if (refusal == SSDPAR_GOOD && !right_descriptors(&message, packet))
		refusal = SSDPAR_BAD_DESCRIPTORS;
	if (refusal == SSDPAR_GOOD)
		refusal = take_message(session, &message, packet);
	for (int i = 0; i < packet->nfds; i++)
		close(packet->fds[i]);
	if (refusal != SSDPAR_GOOD)
		refuse(session, message.sequence, refusal);
}

static void
collect_descriptors(struct msghdr *header, Packet *packet)
{
	packet->nfds = 0;
	packet->fds_lost = (header->msg_flags & MSG_CTRUNC) != 0;
	for (struct cmsghdr *control = CMSG_FIRSTHDR(header); control != NULL;
		 control = CMSG_NXTHDR(header, control))
	{
		size_t bytes = control->cmsg_len - CMSG_LEN(0);

		if (control->cmsg_level != SOL_SOCKET ||
			control->cmsg_type != SCM_RIGHTS)
			continue;
		/* the buffer has no room for more */
		packet->nfds = (int) (bytes / sizeof(int));
		memcpy(packet->fds, CMSG_DATA(control), bytes);
	}
}

/* False if there is none, or the session is over. */
static bool
receive(SsdpardSession *session, Packet *packet)
{
	union
	{
		struct cmsghdr header;
		char room[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
	} control;
	struct iovec vector = {packet->bytes, sizeof(packet->bytes)};
	struct msghdr header = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int)),
	};
	ssize_t length = recvmsg(session->socket, &header,
							 MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (length < 0)
	{
		if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			ssdpard_session_close(session);
		return false;
	}
	collect_descriptors(&header, packet);
	packet->length = (size_t) length;
	if (length > 0)
		return true;
	/* the end, or an empty packet, which cannot be told from it */
	for (int i = 0; i < packet->nfds; i++)
		close(packet->fds[i]);
	ssdpard_session_close(session);
	return false;
}

void
ssdpard_session_ready(SsdpardSession *session)
{
	Packet packet;

	for (int i = 0; i < MESSAGES_A_TURN && session->socket >= 0; i++)
	{
		if (!receive(session, &packet))
			return;
		take_packet(session, &packet);
	}
}

SsdparRefusal
ssdpard_session_open(SsdpardServer *server, int fd, uint32_t pid)
{
	SsdpardSession *session;
	struct epoll_event event = {.events = EPOLLIN};

	if (server->nsessions >= server->most_sessions)
		return SSDPAR_TOO_MANY;
	session = calloc(1, sizeof(*session));
	if (session == NULL)
		return SSDPAR_TOO_MANY;
	session->server = server;
	session->socket = fd;
	session->pid = pid;
	event.data.ptr = session;
	if (epoll_ctl(server->poll, EPOLL_CTL_ADD, fd, &event) != 0)
	{
		free(session);
		return SSDPAR_TOO_MANY;
	}
	TAILQ_INSERT_TAIL(&server->sessions, session, link);
	server->nsessions++;
	return SSDPAR_GOOD;
}
