/*
 * protocol.h
 *		What a backend and ssdpard say to each other: the messages, their
 *		limits and the rules of the conversation.
 *
 * Neither sockets nor descriptors are handled here; no header of the server
 * or of the ring is needed.  docs/internals/daemon.md tells the same in prose.
 *
 * The socket is AF_UNIX, SOCK_SEQPACKET.  All integers are little-endian, a
 * type of message has one size, unused and reserved bytes are zero.  Whatever
 * is not as described here is an error: the daemon sends one ERROR if the
 * socket has room, closes the session and releases all that belonged to it.
 *
 * Rules of the conversation
 *	- HELLO comes first and once.  Only STATUS_REQUEST may come without it.
 *	- The daemon never answers, except STATUS_REQUEST with one STATUS.  What
 *	  became of the requests stands in the counters that HELLO handed over.
 *	- FILE hands over a descriptor under a handle that the client chooses.  A
 *	  second FILE with the same handle replaces the first; what was asked of
 *	  the first and is still queued becomes stale, unless both are the same
 *	  file: then all stays as it was, and the time of idleness begins anew.
 *	  The client opens the file for this purpose: the daemon sets advice on it,
 *	  and the open file description is the same on both sides.  One that was
 *	  deleted meanwhile is no error.
 *	- The daemon closes a file without notice: after
 *	  SSDPAR_WIRE_FILE_IDLE_MS without a request for it, and within
 *	  SSDPAR_WIRE_FILE_DELETED_MS of its deletion.  A READ of a handle that is
 *	  not open is no error, its ranges are stale.  So a client that has not
 *	  sent FILE or READ for a handle during the last
 *	  SSDPAR_WIRE_FILE_RESEND_MS sends FILE again before the next READ.  So
 *	  does one whose last FILE is as old and that has seen ranges become stale
 *	  or dropped since: there may have been no room for the file.
 *	- Ranges of a READ keep their order within one class and stream, and are
 *	  reordered otherwise.
 *	- CANCEL drops what is queued for a stream; what the device has been asked
 *	  for already is finished.  CLOSE_FILE makes what is queued for the handle
 *	  stale.
 *	- Closing the socket ends everything.
 *
 * Every range of a READ that the daemon received is counted exactly once:
 *	served	read from the device, at least in part
 *	cached	all of it was in the page cache before the daemon's read had begun;
 *			that was asked for, and counts in bytes_read, if some was missing
 *			when its turn came
 *	stale	nothing to read: handle not open, file deleted, offset at or past
 *			the end of the file, replaced or closed before its turn
 *	dropped	cancelled, no room in the queue or for the file, or the device
 *			failed
 * so served + cached + stale + dropped = ranges sent once queued is 0.
 */
#ifndef SSDPAR_PROTOCOL_H
#define SSDPAR_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SSDPAR_WIRE_MAGIC 0x50445353u	/* "SSDP" */
#define SSDPAR_WIRE_VERSION 1

#define SSDPAR_WIRE_MAX_DEPTH 1024	/* requests outstanding */
#define SSDPAR_WIRE_MAX_HANDLES 1024	/* handles are 0 to 1023 */
#define SSDPAR_WIRE_MAX_RANGES 60	/* in one READ */
#define SSDPAR_WIRE_MAX_LENGTH (1024 * 1024)	/* bytes in one range */
#define SSDPAR_WIRE_RANGE_UNIT 512	/* offsets and lengths are multiples */

#define SSDPAR_WIRE_FILE_RESEND_MS 500
#define SSDPAR_WIRE_FILE_IDLE_MS 1000
#define SSDPAR_WIRE_FILE_DELETED_MS 2000

#define SSDPAR_WIRE_COUNTERS_SIZE 4096	/* of the memfd that HELLO carries */
#define SSDPAR_WIRE_ERROR_TEXT 96

/*
 * Bytes on the wire.  One size a type, so that a length alone tells a message
 * that was cut off; the price, a READ of one range that is as long as one of
 * 60, is a kilobyte copied between two processes.
 */
#define SSDPAR_WIRE_HEADER_SIZE 16
#define SSDPAR_WIRE_HELLO_SIZE 32
#define SSDPAR_WIRE_FILE_SIZE 24
#define SSDPAR_WIRE_READ_SIZE (24 + 16 * SSDPAR_WIRE_MAX_RANGES)
#define SSDPAR_WIRE_CANCEL_SIZE 24
#define SSDPAR_WIRE_CLOSE_FILE_SIZE 24
#define SSDPAR_WIRE_STATUS_REQUEST_SIZE 16
#define SSDPAR_WIRE_STATUS_SIZE 136
#define SSDPAR_WIRE_ERROR_SIZE (24 + SSDPAR_WIRE_ERROR_TEXT)
#define SSDPAR_WIRE_MAX_MESSAGE SSDPAR_WIRE_READ_SIZE

typedef enum SsdparWireType
{
	SSDPAR_WIRE_HELLO = 1,		/* carries a memfd */
	SSDPAR_WIRE_FILE = 2,		/* carries the file */
	SSDPAR_WIRE_READ = 3,
	SSDPAR_WIRE_CANCEL = 4,
	SSDPAR_WIRE_CLOSE_FILE = 5,
	SSDPAR_WIRE_STATUS_REQUEST = 6,
	SSDPAR_WIRE_STATUS = 7,		/* from the daemon */
	SSDPAR_WIRE_ERROR = 8,		/* from the daemon, its last word */
} SsdparWireType;

typedef enum SsdparWireClass
{
	SSDPAR_WIRE_CLASS_RANDOM = 1,	/* small, needed soon */
	SSDPAR_WIRE_CLASS_SEQUENTIAL = 2,	/* a window ahead of a scan */
} SsdparWireClass;

/* Why a message is refused; also the code in ERROR. */
typedef enum SsdparWireRefusal
{
	SSDPAR_WIRE_OK = 0,
	SSDPAR_WIRE_BAD_LENGTH,		/* no whole header, or not the type's size */
	SSDPAR_WIRE_BAD_MAGIC,
	SSDPAR_WIRE_BAD_VERSION,
	SSDPAR_WIRE_BAD_TYPE,
	SSDPAR_WIRE_BAD_SIZE,		/* the size field is not the type's size */
	SSDPAR_WIRE_BAD_RESERVED,	/* a byte that has to be zero is not */
	SSDPAR_WIRE_BAD_DEPTH,
	SSDPAR_WIRE_BAD_HANDLE,
	SSDPAR_WIRE_BAD_CLASS,
	SSDPAR_WIRE_BAD_COUNT,
	SSDPAR_WIRE_BAD_RANGE,		/* length, alignment, or offset + length */
	SSDPAR_WIRE_BAD_TEXT,		/* ERROR's text: no end, or not printable */

	/* Only the daemon can tell: a single message does not show these. */
	SSDPAR_WIRE_BAD_ORDER,		/* no HELLO yet, two, or a daemon's type */
	SSDPAR_WIRE_BAD_DESCRIPTORS,	/* not as many as the type carries */
	SSDPAR_WIRE_BAD_COUNTERS,	/* not a sealed memfd of 4096 bytes */
	SSDPAR_WIRE_BAD_FILE,		/* not a regular file opened read-only */
	SSDPAR_WIRE_NOT_ALLOWED,	/* uid */
	SSDPAR_WIRE_TOO_MANY,		/* sessions */
	SSDPAR_WIRE_STOPPING,		/* the daemon is about to stop */
	SSDPAR_WIRE_REFUSALS		/* their number */
} SsdparWireRefusal;

typedef struct SsdparWireHello
{
	uint32_t	pid;			/* of the client, for the log only */
	uint32_t	database;		/* its OID, or 0 */
	uint32_t	depth;			/* requests it wants outstanding for itself, 0
								 * to 1024; 0: the daemon decides */
} SsdparWireHello;

typedef struct SsdparWireFile
{
	uint16_t	handle;
	uint16_t	device_depth;	/* the profile's saturation depth of the
								 * device that the file is on, 1 to 1024; 0:
								 * unknown. The latest word of any session
								 * counts */
} SsdparWireFile;

typedef struct SsdparWireRange
{
	uint16_t	handle;
	uint32_t	length;			/* 512 to 1 MB, a multiple of 512 */
	uint64_t	offset;			/* a multiple of 512 */
} SsdparWireRange;

typedef struct SsdparWireRead
{
	uint16_t	count;			/* 1 to 60 */
	uint16_t	class;			/* an SsdparWireClass */
	uint32_t	stream;			/* chosen by the client, for CANCEL */
	SsdparWireRange ranges[SSDPAR_WIRE_MAX_RANGES];
} SsdparWireRead;

typedef struct SsdparWireCancel
{
	uint32_t	stream;
} SsdparWireCancel;

typedef struct SsdparWireCloseFile
{
	uint16_t	handle;
} SsdparWireCloseFile;

typedef enum SsdparWireMethod
{
	SSDPAR_WIRE_METHOD_RING = 1,
	SSDPAR_WIRE_METHOD_THREADS = 2,
} SsdparWireMethod;

typedef struct SsdparWireStatus
{
	uint32_t	pid;			/* the daemon's */
	uint32_t	method;			/* an SsdparWireMethod */
	uint32_t	depth;			/* allowed now, all devices in sum */
	uint32_t	outstanding;	/* device requests */
	uint32_t	queued;			/* ranges, those outstanding included */
	uint32_t	sessions;
	uint32_t	files;			/* descriptors held */
	uint32_t	restarts;		/* as the supervisor says */
	uint32_t	latency_p50_us; /* of the last few hundred device reads */
	uint32_t	latency_p99_us;
	uint64_t	uptime_ms;
	/* Ranges since start, all sessions. */
	uint64_t	served;
	uint64_t	cached;
	uint64_t	stale;
	uint64_t	dropped;
	uint64_t	bytes_read;
	uint64_t	errors;			/* device reads that failed, as with EIO */
	uint64_t	short_reads;
	uint64_t	refused;		/* sessions closed for what they sent */
} SsdparWireStatus;

typedef struct SsdparWireError
{
	uint32_t	code;			/* an SsdparWireRefusal */
	char		text[SSDPAR_WIRE_ERROR_TEXT];	/* printable ASCII, then a
												 * zero byte */
} SsdparWireError;

typedef struct SsdparWireMessage
{
	SsdparWireType type;
	uint32_t	sequence;		/* the sender's; STATUS and ERROR repeat it */
	union
	{
		SsdparWireHello hello;
		SsdparWireFile file;
		SsdparWireRead read;
		SsdparWireCancel cancel;
		SsdparWireCloseFile close_file;
		SsdparWireStatus status;
		SsdparWireError error;
	}			u;
} SsdparWireMessage;

/*
 * The page of memory in the memfd of HELLO: exactly SSDPAR_WIRE_COUNTERS_SIZE
 * bytes, sealed with F_SEAL_SHRINK | F_SEAL_GROW.  Without the seals the
 * client could truncate it, and the daemon's next write would raise SIGBUS.
 *
 * The daemon adds to it as it works, the client reads at any time; both use
 * only the functions below.  Unlike messages it is in the machine's byte
 * order.  The client zeroes it (a new memfd is zero) and afterwards writes
 * nothing but what it allows: the daemon trusts nothing it finds in it, and
 * whatever that is slows down none but this client.
 */
typedef struct SsdparWireCounters
{
	uint64_t	served;
	uint64_t	cached;
	uint64_t	stale;
	uint64_t	dropped;
	uint64_t	bytes_read;		/* asked of the device, ahead of the client */
	uint64_t	queued;			/* a gauge: ranges queued or outstanding */
	uint64_t	allowed;		/* the client's: bytes outstanding for it on a
								 * device; one request always is. 0: any
								 * number */
} SsdparWireCounters;

/*
 * Relaxed order is enough: each counter stands for itself, and a reader that
 * sees one a moment before another decides nothing by it.
 */
static inline uint64_t
ssdpar_wire_counter_read(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static inline void
ssdpar_wire_counter_add(uint64_t *counter, uint64_t amount)
{
	__atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

static inline void
ssdpar_wire_counter_set(uint64_t *counter, uint64_t value)
{
	__atomic_store_n(counter, value, __ATOMIC_RELAXED);
}

/* How many descriptors a message of this type carries: 0 or 1. */
extern int	ssdpar_wire_descriptors(SsdparWireType type);

/*
 * Writes MESSAGE to BUFFER, which has room for SSDPAR_WIRE_MAX_MESSAGE bytes,
 * and returns the bytes to send; 0 if the message breaks a rule of this file.
 * Ranges past count are written as zero whatever they hold.
 */
extern size_t ssdpar_wire_encode(const SsdparWireMessage *message,
								 unsigned char *buffer);

/*
 * Reads MESSAGE from the LENGTH bytes of one packet, whatever they are.
 * SSDPAR_WIRE_OK: every rule of this file about a single message holds.
 * Anything else: MESSAGE must not be looked at, except for sequence, which is
 * the packet's if it has a whole header and else 0.
 */
extern SsdparWireRefusal ssdpar_wire_decode(const void *bytes, size_t length,
											SsdparWireMessage *message);

/* A few words for logs and ERROR, never NULL. */
extern const char *ssdpar_wire_refusal_text(SsdparWireRefusal refusal);

#endif							/* SSDPAR_PROTOCOL_H */
