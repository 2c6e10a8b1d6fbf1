/*
 * client.c
 *		The backend's side of the protocol with ssdpard.
 *
 * Each process has one connection, made when it is first needed.  Nothing
 * waits: the socket is non-blocking, and messages that do not fit are not
 * sent.  The daemon does not answer; it counts its results in a page of memory
 * that is handed over with HELLO and can be read here at any time.
 *
 * No error can be raised while a descriptor is held that would be leaked:
 * files are opened, sent and closed without calling a server function that
 * could raise one.  The connection lasts as long as the process, across
 * aborted transactions.
 *
 * After the daemon has gone, a new connection is tried at most twice a second.
 */
#include "postgres.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/hashfn.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "storage/fd.h"
#include "storage/ipc.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "device/profile.h"
#include "prefetch/client.h"
#include "prefetch/daemon_socket.h"
#include "base/settings.h"
#include "prefetch/counters.h"

#define RETRY_MS 500
/* A daemon that refused us will probably do so again. */
#define RETRY_REFUSED_MS 10000
/* Number of packets to read for the reason of a refusal. */
#define LAST_PACKETS 16

/* A file that the daemon has, indexed by its handle. */
typedef struct SentFile
{
	SsdparRelationFile file;
	uint32		segment;
	int64		used_ms;		/* last FILE or READ; 0: never */
	int64		sent_ms;		/* last FILE */
	uint64		not_read;		/* not_read() at sent_ms */
	bool		withheld;		/* must not be sent to the daemon */
} SentFile;

typedef enum SendResult
{
	SEND_DONE,
	SEND_FULL,					/* no room at present */
	SEND_LOST,					/* the daemon is gone */
} SendResult;

static int	connection = -1;
static SsdparWireCounters *progress = NULL; /* mapped while connected */
static SsdparWireCounters settled;	/* the part of progress already counted */
static uint64 sent_here = 0;	/* ranges sent over this connection */
static uint32 sequence = 0;
static int64 retry_at_ms = 0;
static bool exit_registered = false;
static bool told_missing = false;
static SentFile *files = NULL;	/* array of SSDPAR_WIRE_MAX_HANDLES */
static SsdparWireMessage batch; /* the READ being assembled */

static int64
now_ms(void)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	return (int64) INSTR_TIME_GET_MILLISEC(now);
}

/*
 * Ends the connection.  Ranges that the daemon has not finished by now count
 * as dropped, because we would not learn of their results.
 */
static void
disconnect(int retry_ms)
{
	uint64		done;

	if (connection < 0)
		return;
	close(connection);
	connection = -1;
	ReleaseExternalFD();
	ssdpar_client_settle();
	done = settled.served + settled.cached + settled.stale + settled.dropped;
	if (sent_here > done)
		ssdpar_count(SSDPAR_COUNT_DROPPED, sent_here - done);
	munmap(progress, SSDPAR_WIRE_COUNTERS_SIZE);
	progress = NULL;
	retry_at_ms = now_ms() + retry_ms;
}

/*
 * Finds out why the daemon has closed the session.  Messages that it sent
 * before, one per packet, can still be received.
 */
static void
hear_last_word(void)
{
	unsigned char packet[SSDPAR_WIRE_MAX_MESSAGE];
	SsdparWireMessage message;
	int			retry_ms = RETRY_MS;

	for (int heard = 0; heard < LAST_PACKETS; heard++)
	{
		ssize_t		length = recv(connection, packet, sizeof(packet),
								  MSG_DONTWAIT);

		if (length <= 0)
			break;
		if (ssdpar_wire_decode(packet, length, &message) != SSDPAR_WIRE_OK ||
			message.type != SSDPAR_WIRE_ERROR)
			continue;
		if (message.u.error.code != SSDPAR_WIRE_STOPPING)
		{
			/*
			 * logging checks for cancellation, and descriptors are open here
			 */
			HOLD_INTERRUPTS();
			ereport(LOG,
					(errmsg("ssdpard refused this session: %s",
							message.u.error.text),
					 errdetail("The session continues without prefetching and asks again in %d seconds.",
							   RETRY_REFUSED_MS / 1000)));
			RESUME_INTERRUPTS();
			retry_ms = RETRY_REFUSED_MS;
		}
	}
	disconnect(retry_ms);
}

/*
 * Sends one message, with a descriptor unless that is -1.  The kernel keeps a
 * descriptor alive while it is being sent, so the caller may close it
 * immediately.
 *
 * A packet is sent completely or not at all, so a full socket never contains
 * half a message.  ETOOMANYREFS counts this user's descriptors in transit of
 * all processes; it disappears when the daemon has received some.
 *
 * The union aligns the control buffer, as cmsg(3) requires.
 */
static SendResult
send_message(SsdparWireMessage *message, int descriptor)
{
	unsigned char packet[SSDPAR_WIRE_MAX_MESSAGE];
	union
	{
		struct cmsghdr align;
		char		space[CMSG_SPACE(sizeof(int))];
	}			control = {0};
	struct iovec data = {.iov_base = packet};
	struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};

	message->sequence = ++sequence;
	data.iov_len = ssdpar_wire_encode(message, packet);
	Assert(data.iov_len > 0);
	if (descriptor >= 0)
	{
		struct cmsghdr *carried;

		header.msg_control = control.space;
		header.msg_controllen = sizeof(control.space);
		carried = CMSG_FIRSTHDR(&header);
		carried->cmsg_level = SOL_SOCKET;
		carried->cmsg_type = SCM_RIGHTS;
		carried->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(carried), &descriptor, sizeof(int));
	}
	if (sendmsg(connection, &header, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
		return SEND_DONE;
	if (errno == EAGAIN || errno == EINTR || errno == ENOBUFS ||
		errno == ENOMEM || errno == ETOOMANYREFS)
		return SEND_FULL;
	hear_last_word();
	return SEND_LOST;
}

/* Since Linux 6.3; vm.memfd_noexec may require it. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

/* Kernels return EINVAL for an unknown flag. */
static int
make_memfd(void)
{
	unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	int			fd = memfd_create("ssdpar", flags | MFD_NOEXEC_SEAL);

	return fd < 0 && errno == EINVAL ? memfd_create("ssdpar", flags) : fd;
}

/*
 * Creates the page in which the daemon counts, sealed as the protocol
 * requires: if it could shrink, an access would raise SIGBUS, so neither side
 * lets the other do that.  The mapping outlives the descriptor.  We write only
 * "allowed" (ssdpar_client_allow).
 */
static int
make_progress_page(void)
{
	int			fd = make_memfd();
	void	   *page;
	int			problem;

	if (fd < 0)
		return -1;
	/* report lack of memory here, instead of SIGBUS at the first access */
	do
		problem = posix_fallocate(fd, 0, SSDPAR_WIRE_COUNTERS_SIZE);
	while (problem == EINTR);
	if (problem == 0 &&
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
	{
		page = mmap(NULL, SSDPAR_WIRE_COUNTERS_SIZE, PROT_READ | PROT_WRITE,
					MAP_SHARED, fd, 0);
		if (page != MAP_FAILED)
		{
			progress = page;
			return fd;
		}
	}
	close(fd);
	return -1;
}

static bool
say_hello(void)
{
	SsdparWireMessage message = {.type = SSDPAR_WIRE_HELLO};
	int			page = make_progress_page();
	SendResult	result;

	if (page < 0)
		return false;
	message.u.hello.pid = MyProcPid;
	message.u.hello.database = MyDatabaseId;
	message.u.hello.depth = ssdpar_io_concurrency;
	result = send_message(&message, page);
	close(page);
	return result == SEND_DONE;
}

/* At the end of the process, while shared memory still accepts counters. */
static void
leave(int code, Datum arg)
{
	disconnect(0);
	ssdpar_counters_flush();
}

/*
 * The table of files survives reconnection, but not its contents, because a
 * new session has no handles.  Without memory for it, nothing is prefetched.
 */
static bool
prepare_process(void)
{
	if (files == NULL)
		files = MemoryContextAllocExtended(TopMemoryContext,
										   sizeof(SentFile) *
										   SSDPAR_WIRE_MAX_HANDLES,
										   MCXT_ALLOC_NO_OOM);
	if (files == NULL)
		return false;
	if (!exit_registered)
		before_shmem_exit(leave, (Datum) 0);
	exit_registered = true;
	memset(files, 0, sizeof(SentFile) * SSDPAR_WIRE_MAX_HANDLES);
	return true;
}

/*
 * The descriptor is reserved before it is created, so that the server's
 * virtual files leave room for it, and released when the connection is closed.
 *
 * A missing daemon is reported once instead of by every query, and in the log
 * only if it was requested.
 *
 * If HELLO does not fit, the socket is still open here.  If the daemon is
 * gone, disconnect() has closed it and unmapped the page.
 */
static bool
connect_to_daemon(void)
{
	int64		now = now_ms();

	if (connection >= 0)
		return true;
	if (now < retry_at_ms)
		return false;
	retry_at_ms = now + RETRY_MS;
	if (!prepare_process() || !AcquireExternalFD())
		return false;
	connection = ssdpar_open_daemon_socket();
	if (connection < 0)
	{
		int			why = errno;

		ReleaseExternalFD();
		if (!told_missing)
			ereport(ssdpar_prefetch == SSDPAR_PREFETCH_DAEMON ? LOG : DEBUG1,
					(errmsg("could not connect to the prefetch daemon at \"%s\": %s",
							ssdpar_daemon_socket, strerror(why)),
					 errdetail("Queries run without prefetching until it is there."),
					 errhint("Start ssdpard, or set ssdpar.daemon_socket to where it listens.")));
		told_missing = true;
		return false;
	}
	memset(&settled, 0, sizeof(settled));
	sent_here = 0;
	if (say_hello())
	{
		told_missing = false;
		return true;
	}
	if (connection >= 0)
	{
		close(connection);
		connection = -1;
		ReleaseExternalFD();
	}
	if (progress != NULL)
		munmap(progress, SSDPAR_WIRE_COUNTERS_SIZE);
	progress = NULL;
	return false;
}

void
ssdpar_relation_file(SsdparRelationFile *file, Relation rel, ForkNumber fork)
{
	const SsdparProfile *profile;

	memset(file, 0, sizeof(*file));
	ssdpar_relation_locator(rel, &file->tablespace, &file->database,
							&file->number);
	file->fork = fork;
	profile = ssdpar_profile_for_reading(file->tablespace);
	if (profile != NULL)
		file->device_depth = Min(ssdpar_profile_saturation_depth(profile),
								 SSDPAR_WIRE_MAX_DEPTH);
}

uint32
ssdpar_client_new_stream(void)
{
	static uint32 last = 0;

	return ++last;
}

/*
 * On NFS, a file that is held open prevents its directory from being removed,
 * because the file is renamed and stays.  The server closes its descriptors
 * before it removes a tablespace or a database, but does not know of the
 * daemon's.
 */
static bool
is_kept_while_open(int fd)
{
	struct statfs place;

	return fstatfs(fd, &place) == 0 && place.f_type == NFS_SUPER_MAGIC;
}

/*
 * Sends a file to the daemon.  Returns false if that was not possible or the
 * file is withheld.  The file may be gone or may not exist yet, like the last
 * segment of a table that is being extended; the server then reads without
 * help.
 *
 * It is opened for reading, and the daemon gets only its descriptor, not a
 * name with which it could open other files.
 */
static bool
send_file(const SsdparRelationFile *file, uint32 segment, int handle,
		  bool *withheld)
{
	SsdparWireMessage message = {.type = SSDPAR_WIRE_FILE};
	char		path[MAXPGPATH];
	SendResult	result = SEND_FULL;
	int			fd;

	ssdpar_relation_path(file->tablespace, file->database, file->number,
						 file->fork, path, sizeof(path));
	if (segment > 0)
		snprintf(path + strlen(path), sizeof(path) - strlen(path), ".%u",
				 segment);
	fd = BasicOpenFile(path, O_RDONLY | O_CLOEXEC | PG_BINARY);
	if (fd < 0)
		return false;
	*withheld = is_kept_while_open(fd);
	if (!*withheld)
	{
		message.u.file.handle = handle;
		message.u.file.device_depth = file->device_depth;
		result = send_message(&message, fd);
	}
	close(fd);
	return result == SEND_DONE;
}

/* Number of ranges that the daemon has counted as stale or dropped. */
static uint64
not_read(void)
{
	return ssdpar_wire_counter_read(&progress->stale) +
		ssdpar_wire_counter_read(&progress->dropped);
}

/*
 * May the daemon no longer have the file, so that it must be sent again?  The
 * daemon closes idle files without notice, or may have had no room for this
 * one, which shows only in counters that all files share.
 */
static bool
may_be_lost(const SentFile *entry, int64 now)
{
	return now - entry->used_ms >= SSDPAR_WIRE_FILE_RESEND_MS ||
		(now - entry->sent_ms >= SSDPAR_WIRE_FILE_RESEND_MS &&
		 not_read() != entry->not_read);
}

static bool
is_in_batch(int handle)
{
	for (int i = 0; i < batch.u.read.count; i++)
		if (batch.u.read.ranges[i].handle == handle)
			return true;
	return false;
}

/*
 * Returns the handle of a segment, or -1.  Handles are the slots of a hash
 * table without chains, so an entry displaced by another table, or by the
 * segment 1024 further on, is sent again later.  Ranges of the batch would be
 * read from the file that displaces theirs, so the batch is sent first.
 *
 * Invalidate the entry while the file is being sent: if sending fails, the
 * handle may refer to another file.  A file that is withheld has an entry too,
 * so that it is not opened again for each range.
 */
static int
get_handle(const SsdparRelationFile *file, uint32 segment)
{
	uint32		hash = hash_bytes((const unsigned char *) file,
								  sizeof(*file));
	int			handle = (hash + segment) % SSDPAR_WIRE_MAX_HANDLES;
	SentFile   *entry = &files[handle];
	int64		now = now_ms();

	if (entry->used_ms == 0 || may_be_lost(entry, now) ||
		entry->segment != segment ||
		memcmp(&entry->file, file, sizeof(*file)) != 0)
	{
		if (is_in_batch(handle))
			ssdpar_client_end();
		if (connection < 0)
			return -1;
		entry->used_ms = 0;
		entry->sent_ms = now;
		entry->not_read = not_read();
		entry->withheld = false;
		if (!send_file(file, segment, handle, &entry->withheld) &&
			!entry->withheld)
			return -1;
		entry->file = *file;
		entry->segment = segment;
	}
	entry->used_ms = now;
	return entry->withheld ? -1 : handle;
}

bool
ssdpar_client_begin(SsdparWireClass class, uint32 stream)
{
	batch.type = SSDPAR_WIRE_READ;
	batch.u.read.class = class;
	batch.u.read.stream = stream;
	batch.u.read.count = 0;
	return connect_to_daemon();
}

bool
ssdpar_client_add(const SsdparRelationFile *file, BlockNumber block,
				  uint32 count)
{
	SsdparWireRange *range;
	int			handle;

	if (batch.u.read.count == SSDPAR_WIRE_MAX_RANGES)
		ssdpar_client_end();
	handle = connection < 0 ? -1 : get_handle(file, block / RELSEG_SIZE);
	if (handle < 0)
	{
		ssdpar_count(SSDPAR_COUNT_FALLBACKS, 1);
		return false;
	}
	range = &batch.u.read.ranges[batch.u.read.count++];
	range->handle = handle;
	range->length = count * BLCKSZ;
	range->offset = (uint64) (block % RELSEG_SIZE) * BLCKSZ;
	return true;
}

/*
 * Ranges that cannot be sent are not kept for later, since they would be too
 * late.  The count is cleared first because a batch must never be sent twice.
 */
void
ssdpar_client_end(void)
{
	int			count = batch.u.read.count;

	batch.u.read.count = 0;
	if (count == 0)
		return;
	if (connection >= 0)
	{
		batch.u.read.count = count;
		if (send_message(&batch, -1) == SEND_DONE)
		{
			ssdpar_count(SSDPAR_COUNT_REQUESTS, count);
			sent_here += count;
			count = 0;
		}
		batch.u.read.count = 0;
	}
	ssdpar_count(SSDPAR_COUNT_FALLBACKS, count);
}

void
ssdpar_client_cancel(uint32 stream)
{
	SsdparWireMessage message = {.type = SSDPAR_WIRE_CANCEL};

	if (connection < 0)
		return;
	message.u.cancel.stream = stream;
	send_message(&message, -1);
}

void
ssdpar_client_allow(uint32 pages)
{
	uint64		bytes = pages == PG_UINT32_MAX ? 0 : (uint64) pages * BLCKSZ;

	if (progress != NULL &&
		ssdpar_wire_counter_read(&progress->allowed) != bytes)
		ssdpar_wire_counter_set(&progress->allowed, bytes);
}

/*
 * Each counter is read separately while the daemon works, so their sum may be
 * less than what was sent, but never more.
 */
void
ssdpar_client_progress(SsdparWireCounters *now)
{
	memset(now, 0, sizeof(*now));
	if (progress == NULL)
		return;
	now->served = ssdpar_wire_counter_read(&progress->served);
	now->cached = ssdpar_wire_counter_read(&progress->cached);
	now->stale = ssdpar_wire_counter_read(&progress->stale);
	now->dropped = ssdpar_wire_counter_read(&progress->dropped);
	now->bytes_read = ssdpar_wire_counter_read(&progress->bytes_read);
	now->queued = ssdpar_wire_counter_read(&progress->queued);
}

void
ssdpar_client_settle(void)
{
	SsdparWireCounters now;

	if (progress != NULL)
	{
		ssdpar_client_progress(&now);
		ssdpar_count(SSDPAR_COUNT_SERVED, now.served - settled.served);
		ssdpar_count(SSDPAR_COUNT_CACHED, now.cached - settled.cached);
		ssdpar_count(SSDPAR_COUNT_STALE, now.stale - settled.stale);
		ssdpar_count(SSDPAR_COUNT_DROPPED, now.dropped - settled.dropped);
		ssdpar_count(SSDPAR_COUNT_BYTES, now.bytes_read - settled.bytes_read);
		settled = now;
	}
	ssdpar_counters_flush();
}
