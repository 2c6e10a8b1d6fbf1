/*
 * protocol.h
 *		The protocol between a backend and ssdpard: messages, limits and
 *		rules.
 *
 * Neither sockets nor descriptors are handled here, and no header of the
 * server or of the ring is needed.  docs/internals/prefetch.md describes the
 * protocol in prose.
 *
 * The socket is AF_UNIX, SOCK_SEQPACKET.  All integers are little-endian, each
 * message type has one size, and unused and reserved bytes are zero.  Anything
 * not described here is an error: the daemon sends one ERROR if the socket has
 * room, closes the session and releases everything that belonged to it.
 *
 * Rules
 *	- HELLO comes first and only once.  Only STATUS_REQUEST may precede it.
 *	- The daemon answers STATUS_REQUEST with one STATUS, and nothing else.
 *	  The results of requests are in the counters that HELLO handed over.
 *	- FILE hands over a descriptor under a handle that the client chooses.  A
 *	  second FILE with the same handle replaces the first, and requests still
 *	  queued for the first become stale.  However, if both are the same file,
 *	  nothing changes except that the idle time restarts.  The client opens
 *	  the file for this purpose, because the daemon sets advice on it and the
 *	  open file description is shared.  A file that was deleted meanwhile is
 *	  not an error.
 *	- The daemon closes a file without notice after SSDPAR_WIRE_FILE_IDLE_MS
 *	  without a request for it, and within SSDPAR_WIRE_FILE_DELETED_MS of its
 *	  deletion.  A READ of a handle that is not open is not an error; its
 *	  ranges are stale.  Therefore a client that has not sent FILE or READ for
 *	  a handle during the last SSDPAR_WIRE_FILE_RESEND_MS sends FILE again
 *	  before the next READ.  It also does so if its last FILE is that old and
 *	  ranges have become stale or dropped since, because there may have been
 *	  no room for the file.
 *	- Ranges of a READ keep their order within one class and stream, but may
 *	  be reordered otherwise.
 *	- CANCEL drops the ranges queued for a stream; requests already given to
 *	  the device are finished.  CLOSE_FILE makes the ranges queued for the
 *	  handle stale.
 *	- Closing the socket ends the session and all of its requests.
 *
 * Every range of a READ that the daemon received is counted exactly once:
 *	served	read from the device, at least in part
 *	cached	all of it was in the page cache before the daemon's read began;
 *			if some was missing when its turn came, that part was requested
 *			and counts in bytes_read
 *	stale	nothing to read: handle not open, file deleted, offset at or past
 *			the end of the file, replaced or closed before its turn
 *	dropped	canceled, no room in the queue or for the file, or the device
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

#define SSDPAR_WIRE_MAX_DEPTH 1024	/* outstanding requests */
#define SSDPAR_WIRE_MAX_HANDLES 1024	/* handles are 0 to 1023 */
#define SSDPAR_WIRE_MAX_RANGES 60	/* per READ */
#define SSDPAR_WIRE_MAX_LENGTH (1024 * 1024)	/* bytes per range */
#define SSDPAR_WIRE_RANGE_UNIT 512	/* divides offsets and lengths */

#define SSDPAR_WIRE_FILE_RESEND_MS 500
#define SSDPAR_WIRE_FILE_IDLE_MS 1000
#define SSDPAR_WIRE_FILE_DELETED_MS 2000

#define SSDPAR_WIRE_COUNTERS_SIZE 4096	/* memfd that HELLO carries */
#define SSDPAR_WIRE_ERROR_TEXT 96

/*
 * Message sizes.  Each type has one size, so the length alone reveals a
 * truncated message.  The cost is that a READ of one range copies as many
 * bytes as one of 60.
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
	SSDPAR_WIRE_STATUS = 7,		/* sent by the daemon */
	SSDPAR_WIRE_ERROR = 8,		/* sent by the daemon as its last message */
} SsdparWireType;

typedef enum SsdparWireClass
{
	SSDPAR_WIRE_CLASS_RANDOM = 1,	/* small, needed soon */
	SSDPAR_WIRE_CLASS_SEQUENTIAL = 2,	/* read-ahead window of a scan */
} SsdparWireClass;

/* Why a message is refused; also the code in ERROR. */
typedef enum SsdparWireRefusal
{
	SSDPAR_WIRE_OK = 0,
	SSDPAR_WIRE_BAD_LENGTH,		/* header incomplete, or not the type's size */
	SSDPAR_WIRE_BAD_MAGIC,
	SSDPAR_WIRE_BAD_VERSION,
	SSDPAR_WIRE_BAD_TYPE,
	SSDPAR_WIRE_BAD_SIZE,		/* the size field is not the type's size */
	SSDPAR_WIRE_BAD_RESERVED,	/* a byte that must be zero is not */
	SSDPAR_WIRE_BAD_DEPTH,
	SSDPAR_WIRE_BAD_HANDLE,
	SSDPAR_WIRE_BAD_CLASS,
	SSDPAR_WIRE_BAD_COUNT,
	SSDPAR_WIRE_BAD_RANGE,		/* length, alignment, or offset + length */
	SSDPAR_WIRE_BAD_TEXT,		/* ERROR's text: no end, or not printable */

	/* Found by the daemon only; a single message does not show these. */
	SSDPAR_WIRE_BAD_ORDER,		/* no HELLO yet, a second one, or a type that
								 * only the daemon sends */
	SSDPAR_WIRE_BAD_DESCRIPTORS,	/* not as many as the type requires */
	SSDPAR_WIRE_BAD_COUNTERS,	/* not a sealed memfd of 4096 bytes */
	SSDPAR_WIRE_BAD_FILE,		/* not a regular file opened read-only */
	SSDPAR_WIRE_NOT_ALLOWED,	/* rejected by uid */
	SSDPAR_WIRE_TOO_MANY,		/* sessions */
	SSDPAR_WIRE_STOPPING,		/* the daemon is about to stop */
	SSDPAR_WIRE_REFUSALS		/* their number */
} SsdparWireRefusal;

typedef struct SsdparWireHello
{
	uint32_t	pid;			/* client's, for the log only */
	uint32_t	database;		/* OID, or 0 */
	uint32_t	depth;			/* wanted number of outstanding requests, 0 to
								 * 1024; 0: the daemon decides */
} SsdparWireHello;

typedef struct SsdparWireFile
{
	uint16_t	handle;
	uint16_t	device_depth;	/* saturation depth of the file's device from
								 * its profile, 1 to 1024; 0: unknown.  The
								 * latest value sent by any session applies */
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
	uint32_t	depth;			/* currently allowed, sum of all devices */
	uint32_t	outstanding;	/* requests at devices */
	uint32_t	queued;			/* ranges, including outstanding ones */
	uint32_t	sessions;
	uint32_t	files;			/* open descriptors */
	uint32_t	restarts;		/* as counted by the supervisor */
	uint32_t	latency_p50_us; /* over the last few hundred device reads */
	uint32_t	latency_p99_us;
	uint64_t	uptime_ms;
	/* Counts of ranges since start, over all sessions. */
	uint64_t	served;
	uint64_t	cached;
	uint64_t	stale;
	uint64_t	dropped;
	uint64_t	bytes_read;
	uint64_t	errors;			/* failed device reads (e.g. EIO) */
	uint64_t	short_reads;
	uint64_t	refused;		/* sessions closed because they broke the
								 * protocol */
} SsdparWireStatus;

typedef struct SsdparWireError
{
	uint32_t	code;			/* an SsdparWireRefusal */
	char		text[SSDPAR_WIRE_ERROR_TEXT];	/* printable ASCII,
												 * zero-terminated */
} SsdparWireError;

typedef struct SsdparWireMessage
{
	SsdparWireType type;
	uint32_t	sequence;		/* chosen by the sender; STATUS and ERROR
								 * repeat it */
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
 * The daemon updates it while it works, and the client may read it at any
 * time; both use only the functions below.  Unlike messages, it is in the
 * machine's byte order.  The client zeroes it (a new memfd is zero) and
 * afterwards writes only "allowed".  The daemon trusts nothing it finds there:
 * a bad value can slow down only this client.
 */
typedef struct SsdparWireCounters
{
	uint64_t	served;
	uint64_t	cached;
	uint64_t	stale;
	uint64_t	dropped;
	uint64_t	bytes_read;		/* requested from the device for the client */
	uint64_t	queued;			/* a gauge: ranges queued or outstanding */
	uint64_t	allowed;		/* written by the client: bytes that may be
								 * outstanding for it on a device, but always
								 * one request. 0: no limit */
} SsdparWireCounters;

/*
 * Relaxed order is enough: the counters are independent of each other, and no
 * decision depends on the order in which a reader sees them change.
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

/* Number of descriptors that a message of this type carries: 0 or 1. */
extern int	ssdpar_wire_descriptors(SsdparWireType type);

/*
 * Writes MESSAGE to BUFFER, which has room for SSDPAR_WIRE_MAX_MESSAGE bytes,
 * and returns the number of bytes to send, or 0 if the message breaks a rule
 * of this file.  Ranges past count are written as zero.
 */
extern size_t ssdpar_wire_encode(const SsdparWireMessage *message,
								 unsigned char *buffer);

/*
 * Reads MESSAGE from the LENGTH bytes of one packet, which may be arbitrary.
 * SSDPAR_WIRE_OK means that every rule of this file about a single message
 * holds.  Otherwise only MESSAGE's sequence is valid: the packet's if its
 * header is complete, else 0.
 */
extern SsdparWireRefusal ssdpar_wire_decode(const void *bytes, size_t length,
											SsdparWireMessage *message);

/* Returns a short text for logs and ERROR, never NULL. */
extern const char *ssdpar_wire_refusal_text(SsdparWireRefusal refusal);

#endif							/* SSDPAR_PROTOCOL_H */
