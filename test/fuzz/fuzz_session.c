/*
 * fuzz_session.c
 *		Fuzz target for the daemon's sessions, files, scheduler and dispatch.
 *
 * The input is a script of actions of clients, files and the device, in one or
 * a few bytes each: connect, greet, pass a file, request, cancel, send invalid
 * messages, hang up, truncate or delete a file, let time pass, complete reads
 * with any result.  The daemon's code uses real sockets; only the reads are
 * simulated (fuzz_reader.c).  For any script: no memory is misused (according
 * to the sanitizers), each range of a client that broke no rule has one
 * outcome, and no resources remain at the end.
 *
 * LLVMFuzzerTestOneInput is libFuzzer's entry point.  Without libFuzzer,
 * session_driver.c calls it.  Returns the number of sessions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/protocol.h"
#include "dispatch.h"
#include "fuzz_reader.h"
#include "log.h"
#include "session.h"

#define CLIENTS 6
#define FILES 4
#define EVENTS 64

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) \
	do \
	{ \
		if (!(condition)) \
		{ \
			fprintf(stderr, "fuzz_session: violated: %s, line %d\n", \
					#condition, __LINE__); \
			abort(); \
		} \
	} while (0)

typedef struct Peer
{
	int			socket;			/* -1: not connected */
	bool		greeted;
	bool		sound;			/* has it obeyed all rules? */
	bool		used;			/* are its counters in use? */
	uint64_t	asked;			/* ranges requested */
} Peer;

/* The state of the daemon, and its environment. */
typedef struct World
{
	SsdpardState state;
	SsdpardSessions sessions;
	SsdpardDispatch dispatch;
	FuzzReader	reader;
	Peer		peers[CLIENTS];
	int			opened;
	const uint8_t *next;
	const uint8_t *end;
} World;

/* Created once; counters are reset for each input. */
static char folder[] = "/dev/shm/fuzz_session.XXXXXX";
static int	files[FILES];		/* read-only; -1: deleted */
static int	memfds[CLIENTS];
static SsdparWireCounters *counters[CLIENTS];
static int	poll_fd = -1;
static World world;

static void
file_path(int file, char path[64])
{
	snprintf(path, 64, "%s/%d", folder, file);
}

static void
make_file(int file)
{
	char		path[64];
	int			fd;

	file_path(file, path);
	fd = open(path, O_CREAT | O_RDWR, 0600);
	REQUIRE(fd >= 0 && ftruncate(fd, 4 << 20) == 0);
	close(fd);
	if (files[file] <= 0)
		files[file] = open(path, O_RDONLY);
	REQUIRE(files[file] > 0);
}

static void
remove_folder(void)
{
	char		path[64];

	for (int i = 0; i < FILES; i++)
	{
		file_path(i, path);
		unlink(path);
	}
	rmdir(folder);
}

static void
make_surroundings(void)
{
	if (poll_fd >= 0)
		return;
	REQUIRE(mkdtemp(folder) != NULL);
	atexit(remove_folder);
	poll_fd = epoll_create1(EPOLL_CLOEXEC);
	for (int i = 0; i < CLIENTS; i++)
	{
		memfds[i] = memfd_create("counters", MFD_ALLOW_SEALING);
		REQUIRE(ftruncate(memfds[i], SSDPAR_WIRE_COUNTERS_SIZE) == 0 &&
				fcntl(memfds[i], F_ADD_SEALS,
					  F_SEAL_SHRINK | F_SEAL_GROW) == 0);
		counters[i] = mmap(NULL, SSDPAR_WIRE_COUNTERS_SIZE,
						   PROT_READ | PROT_WRITE, MAP_SHARED, memfds[i], 0);
		REQUIRE(counters[i] != MAP_FAILED);
	}
	ssdpard_log_level(SSDPARD_LOG_ERROR);
}

/* The script's next byte; zeros after its end. */
static unsigned
byte(void)
{
	return world.next < world.end ? *world.next++ : 0;
}

static void
begin(const uint8_t *data, size_t size)
{
	SsdpardRules rules = {
		.max_request_bytes = 128 * 1024,
		.random_deadline = 5000,
		.sequential_deadline = 50000,
	};
	unsigned	shape;

	memset(&world, 0, sizeof(world));
	world.next = data;
	world.end = data + size;
	shape = byte();
	rules.max_ranges = 16u << shape % 5;
	rules.depth = shape >> 5;
	world.state.scheduler =
		ssdpard_scheduler_create(&rules, ssdpard_session_finished, NULL);
	REQUIRE(world.state.scheduler != NULL);
	fuzz_reader_init(&world.reader);
	world.reader.base.tells_cached = (shape & 8) != 0;
	world.state.reader = &world.reader.base;
	world.state.now = world.state.started = 1;
	ssdpard_files_init(&world.state.files);
	world.state.files.max_open = 1 + (int) (byte() % 8);
	ssdpard_sessions_init(&world.sessions, &world.state);
	world.sessions.poll = poll_fd;
	world.sessions.max_open = CLIENTS - 1;
	ssdpard_dispatch_init(&world.dispatch, &world.state);
	for (int i = 0; i < FILES; i++)
		make_file(i);
	for (int i = 0; i < CLIENTS; i++)
	{
		world.peers[i].socket = -1;
		memset(counters[i], 0, SSDPAR_WIRE_COUNTERS_SIZE);
	}
}

/* Like take_turn in daemon/server.c. */
static void
turn(unsigned completions)
{
	struct epoll_event events[EVENTS];
	int			count = epoll_wait(poll_fd, events, EVENTS, 0);

	world.state.turn++;
	for (int i = 0; i < count; i++)
		ssdpard_session_receive(events[i].data.ptr);
	world.reader.allowed = (int) completions;
	ssdpard_dispatch_collect(&world.dispatch);
	(void) ssdpard_dispatch_start(&world.dispatch);
	ssdpard_sessions_free_closed(&world.sessions);
}

static void
connect_peer(Peer *peer)
{
	int			pair[2];
	SsdparWireRefusal refusal;

	if (peer->used)
		return;
	REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	refusal = ssdpard_session_open(&world.sessions, pair[1], 1);
	REQUIRE(refusal == SSDPAR_WIRE_OK || refusal == SSDPAR_WIRE_TOO_MANY);
	if (refusal != SSDPAR_WIRE_OK)
	{
		close(pair[0]);
		close(pair[1]);
		return;
	}
	peer->socket = pair[0];
	peer->used = peer->sound = true;
	world.opened++;
}

/* Passes the descriptor NFDS times; returns true if it was sent. */
static bool
send_bytes(const Peer *peer, const unsigned char *bytes, size_t size, int fd,
		   unsigned nfds)
{
	union
	{
		struct cmsghdr header;
		char		room[CMSG_SPACE(4 * sizeof(int))];
	}			control;
	struct iovec vector = {(void *) bytes, size};
	struct msghdr header = {.msg_iov = &vector, .msg_iovlen = 1};

	if (nfds > 0)
	{
		header.msg_control = control.room;
		header.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
		memset(control.room, 0, sizeof(control.room));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(nfds * sizeof(int));
		for (unsigned i = 0; i < nfds; i++)
			memcpy(CMSG_DATA(&control.header) + i * sizeof(int), &fd,
				   sizeof(int));
	}
	return sendmsg(peer->socket, &header, MSG_DONTWAIT | MSG_NOSIGNAL) ==
		(ssize_t) size;
}

/* A message that the protocol allows, of the type that FILL has set. */
static bool
send_message(const Peer *peer, const SsdparWireMessage *message, int fd)
{
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];
	size_t		size = ssdpar_wire_encode(message, bytes);

	return send_bytes(peer, bytes, size, fd,
					  (unsigned) ssdpar_wire_descriptors(message->type));
}

static void
greet(Peer *peer)
{
	SsdparWireMessage message = {.type = SSDPAR_WIRE_HELLO};

	message.u.hello.depth = byte() % 5;
	if (peer->greeted)
		peer->sound = false;	/* a second HELLO ends a session */
	if (send_message(peer, &message, memfds[peer - world.peers]))
		peer->greeted = true;
}

static void
fill_read(SsdparWireMessage *message)
{
	SsdparWireRead *read = &message->u.read;
	unsigned	where;

	message->type = SSDPAR_WIRE_READ;
	read->count = (uint16_t) (1 + byte() % SSDPAR_WIRE_MAX_RANGES);
	read->class = (uint16_t) (1 + byte() % 2);
	read->stream = byte() % 3;
	where = byte();
	for (int i = 0; i < read->count; i++)
	{
		/* the first few are random, the others follow from them */
		where = i < 4 ? byte() : where * 37 + 11;
		read->ranges[i].handle = (uint16_t) (where % (FILES + 2));
		read->ranges[i].length = SSDPAR_WIRE_RANGE_UNIT << where / 8 % 12;
		read->ranges[i].offset = (uint64_t) (where / 4 % 64) * 131072;
	}
}

/* One of the messages that only a greeted client may send. */
static void
ask(Peer *peer, unsigned what)
{
	SsdparWireMessage message;
	int			fd = -1;

	memset(&message, 0, sizeof(message));
	if (what % 4 == 0)
	{
		unsigned	file = byte() % FILES;

		message.type = SSDPAR_WIRE_FILE;
		message.u.file.handle = (uint16_t) (byte() % (FILES + 2));
		message.u.file.device_depth = (uint16_t) (byte() % 9);
		fd = files[file];
	}
	else if (what % 4 == 1)
		fill_read(&message);
	else if (what % 4 == 2)
	{
		message.type = SSDPAR_WIRE_CANCEL;
		message.u.cancel.stream = byte() % 3;
	}
	else
	{
		message.type = SSDPAR_WIRE_CLOSE_FILE;
		message.u.close_file.handle = (uint16_t) (byte() % (FILES + 2));
	}
	if (!peer->greeted)
		peer->sound = false;
	if (send_message(peer, &message, fd) &&
		message.type == SSDPAR_WIRE_READ)
		peer->asked += message.u.read.count;
}

static void
ask_status(const Peer *peer)
{
	SsdparWireMessage message = {.type = SSDPAR_WIRE_STATUS_REQUEST};
	unsigned char answer[SSDPAR_WIRE_MAX_MESSAGE];

	(void) send_message(peer, &message, -1);
	while (recv(peer->socket, answer, sizeof(answer), MSG_DONTWAIT) > 0)
		;						/* otherwise it would not get the next ones */
}

/* Sends something that is not a message, or has wrong descriptors. */
static void
send_broken(Peer *peer)
{
	SsdparWireMessage message;
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];
	size_t		size;
	unsigned	changes = byte() % 4;

	memset(&message, 0, sizeof(message));
	fill_read(&message);
	message.type = (SsdparWireType) (1 + byte() % 8);
	if (message.type != SSDPAR_WIRE_READ)
		memset(&message.u, 0, sizeof(message.u));
	size = ssdpar_wire_encode(&message, bytes);
	for (unsigned i = 0; i < changes; i++)
		bytes[byte() * 4 % size] ^= (unsigned char) byte();
	if (byte() % 4 == 0)
		size = byte() * 4 % size;
	peer->sound = false;
	(void) send_bytes(peer, bytes, size,
					  byte() % 2 == 0 ? poll_fd : memfds[0], byte() % 4);
}

static void
hang_up(Peer *peer)
{
	if (peer->socket >= 0)
		close(peer->socket);
	peer->socket = -1;
}

static void
change_file(unsigned how)
{
	char		path[64];
	int			file = (int) (how % FILES);

	file_path(file, path);
	if (how / FILES % 3 == 0)
		REQUIRE(truncate(path, (off_t) (how / 16) * 65536) == 0 ||
				errno == ENOENT);
	else
	{
		unlink(path);
		close(files[file]);
		files[file] = -1;
		make_file(file);
	}
}

static void
pass_time(unsigned how)
{
	world.state.now += (uint64_t) how * 20000;
	ssdpard_files_sweep(&world.state.files, world.state.now,
						SSDPAR_WIRE_FILE_IDLE_MS * UINT64_C(1000),
						world.state.turn);
}

static void
step(void)
{
	unsigned	what = byte();
	Peer	   *peer = &world.peers[what / 16 % CLIENTS];

	switch (what % 16)
	{
		case 0:
			turn(0);
			return;
		case 1:
			world.reader.outcome = byte();
			turn(byte());
			return;
		case 2:
			change_file(byte());
			return;
		case 3:
			pass_time(byte());
			return;
		case 4:
			world.reader.refuses = byte() % 2 == 0;
			return;
		default:
			break;
	}
	if (peer->socket < 0)
		connect_peer(peer);
	else if (!peer->greeted && what % 16 < 13)
		greet(peer);
	else if (what % 16 < 12)
		ask(peer, what);
	else if (what % 16 == 12)
		counters[peer - world.peers]->allowed = byte() * 4096u;
	else if (what % 16 == 13 || byte() % 8 > 0)
		ask_status(peer);		/* rarely, because otherwise no session would
								 * get far */
	else if (what % 16 == 14)
		send_broken(peer);
	else
		hang_up(peer);
}

/* Each range that a client requested had exactly one outcome. */
static void
check_counts(void)
{
	for (int i = 0; i < CLIENTS; i++)
	{
		const Peer *peer = &world.peers[i];
		uint64_t	ended = counters[i]->served + counters[i]->cached +
			counters[i]->stale + counters[i]->dropped;

		if (peer->sound && peer->greeted && peer->socket >= 0)
			REQUIRE(ended == peer->asked && counters[i]->queued == 0);
		else if (peer->used)
			REQUIRE(ended <= peer->asked + 60 * 256);
	}
}

/* Lets all requests end, and then all sessions. */
static void
finish(void)
{
	world.reader.refuses = false;
	for (int i = 0; i < CLIENTS; i++)
		counters[i]->allowed = 0;
	for (int i = 0; i < 10000; i++)
	{
		world.state.now += 1000;
		turn(SSDPARD_SLOTS);
		if (i > 100 && ssdpard_scheduler_ranges(world.state.scheduler) == 0)
			break;
	}
	REQUIRE(ssdpard_scheduler_ranges(world.state.scheduler) == 0);
	check_counts();
	ssdpard_sessions_close_all(&world.sessions);
	ssdpard_sessions_free_closed(&world.sessions);
	REQUIRE(TAILQ_EMPTY(&world.sessions.closing));
	REQUIRE(ssdpard_scheduler_outstanding(world.state.scheduler) == 0);
	REQUIRE(world.state.files.open == 0);
	REQUIRE(TAILQ_EMPTY(&world.state.files.list));
	ssdpard_scheduler_free(world.state.scheduler);
	for (int i = 0; i < CLIENTS; i++)
		hang_up(&world.peers[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	make_surroundings();
	begin(data, size);
	while (world.next < world.end)
		step();
	finish();
#ifdef SSDPAR_LIBFUZZER
	return 0;					/* other values have a meaning for libFuzzer */
#else
	return world.opened;
#endif
}
