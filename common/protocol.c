/*
 * protocol.c
 *		Serialization of the messages between backend and ssdpard.
 *
 * Integers are written and read one at a time, so alignment, padding and byte
 * order of the machine do not matter, and no struct is laid over untrusted
 * bytes.  Rules that concern more than one message (order, descriptors, open
 * handles) are checked by the daemon.
 */
#include "protocol.h"

#include <string.h>

/*
 * Writer and Reader have no end pointer: the size of a message follows from
 * its type, and the caller has compared it with the buffer's size before the
 * first integer.
 */
typedef struct Writer
{
	unsigned char *at;
} Writer;

typedef struct Reader
{
	const unsigned char *at;
} Reader;

static void
put16(Writer *writer, uint16_t value)
{
	*writer->at++ = value & 0xff;
	*writer->at++ = value >> 8;
}

static void
put32(Writer *writer, uint32_t value)
{
	put16(writer, value & 0xffff);
	put16(writer, value >> 16);
}

static void
put64(Writer *writer, uint64_t value)
{
	put32(writer, value & 0xffffffff);
	put32(writer, value >> 32);
}

static uint16_t
get16(Reader *reader)
{
	uint16_t	value = (uint16_t) (reader->at[0] | reader->at[1] << 8);

	reader->at += 2;
	return value;
}

static uint32_t
get32(Reader *reader)
{
	uint32_t	low = get16(reader);

	return low | (uint32_t) get16(reader) << 16;
}

static uint64_t
get64(Reader *reader)
{
	uint64_t	low = get32(reader);

	return low | (uint64_t) get32(reader) << 32;
}

int
ssdpar_wire_descriptors(SsdparWireType type)
{
	return type == SSDPAR_WIRE_HELLO || type == SSDPAR_WIRE_FILE ? 1 : 0;
}

/* Size of a message of this type, or 0 if there is no such type. */
static size_t
size_of_type(uint32_t type)
{
	static const size_t sizes[] = {
		[SSDPAR_WIRE_HELLO] = SSDPAR_WIRE_HELLO_SIZE,
		[SSDPAR_WIRE_FILE] = SSDPAR_WIRE_FILE_SIZE,
		[SSDPAR_WIRE_READ] = SSDPAR_WIRE_READ_SIZE,
		[SSDPAR_WIRE_CANCEL] = SSDPAR_WIRE_CANCEL_SIZE,
		[SSDPAR_WIRE_CLOSE_FILE] = SSDPAR_WIRE_CLOSE_FILE_SIZE,
		[SSDPAR_WIRE_STATUS_REQUEST] = SSDPAR_WIRE_STATUS_REQUEST_SIZE,
		[SSDPAR_WIRE_STATUS] = SSDPAR_WIRE_STATUS_SIZE,
		[SSDPAR_WIRE_ERROR] = SSDPAR_WIRE_ERROR_SIZE,
	};

	return type < sizeof(sizes) / sizeof(sizes[0]) ? sizes[type] : 0;
}

static SsdparWireRefusal
check_read(const SsdparWireRead *read)
{
	if (read->count < 1 || read->count > SSDPAR_WIRE_MAX_RANGES)
		return SSDPAR_WIRE_BAD_COUNT;
	if (read->class != SSDPAR_WIRE_CLASS_RANDOM &&
		read->class != SSDPAR_WIRE_CLASS_SEQUENTIAL)
		return SSDPAR_WIRE_BAD_CLASS;
	for (int i = 0; i < read->count; i++)
	{
		const SsdparWireRange *range = &read->ranges[i];

		if (range->handle >= SSDPAR_WIRE_MAX_HANDLES)
			return SSDPAR_WIRE_BAD_HANDLE;
		if (range->length == 0 || range->length > SSDPAR_WIRE_MAX_LENGTH ||
			range->length % SSDPAR_WIRE_RANGE_UNIT != 0 ||
			range->offset % SSDPAR_WIRE_RANGE_UNIT != 0)
			return SSDPAR_WIRE_BAD_RANGE;

		/* off_t is signed: the end of the range must not turn negative */
		if (range->offset > (uint64_t) INT64_MAX - range->length)
			return SSDPAR_WIRE_BAD_RANGE;
	}
	return SSDPAR_WIRE_OK;
}

/*
 * The receiver prints the text with %s, into a log and into text values, so it
 * must be terminated and must be one line of ASCII.
 */
static bool
is_text(const char text[SSDPAR_WIRE_ERROR_TEXT])
{
	for (int i = 0; i < SSDPAR_WIRE_ERROR_TEXT; i++)
	{
		if (text[i] == '\0')
			return true;
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	}
	return false;
}

/*
 * The rules about values.  Sender and receiver apply the same ones, so decode
 * accepts everything that encode of the same version has produced.
 */
static SsdparWireRefusal
check_values(const SsdparWireMessage *message)
{
	switch (message->type)
	{
		case SSDPAR_WIRE_HELLO:
			if (message->u.hello.depth > SSDPAR_WIRE_MAX_DEPTH)
				return SSDPAR_WIRE_BAD_DEPTH;
			return SSDPAR_WIRE_OK;
		case SSDPAR_WIRE_FILE:
			if (message->u.file.handle >= SSDPAR_WIRE_MAX_HANDLES)
				return SSDPAR_WIRE_BAD_HANDLE;
			if (message->u.file.device_depth > SSDPAR_WIRE_MAX_DEPTH)
				return SSDPAR_WIRE_BAD_DEPTH;
			return SSDPAR_WIRE_OK;
		case SSDPAR_WIRE_READ:
			return check_read(&message->u.read);
		case SSDPAR_WIRE_CLOSE_FILE:
			if (message->u.close_file.handle >= SSDPAR_WIRE_MAX_HANDLES)
				return SSDPAR_WIRE_BAD_HANDLE;
			return SSDPAR_WIRE_OK;
		case SSDPAR_WIRE_ERROR:
			return is_text(message->u.error.text) ? SSDPAR_WIRE_OK :
				SSDPAR_WIRE_BAD_TEXT;
		case SSDPAR_WIRE_CANCEL:	/* any stream is valid */
		case SSDPAR_WIRE_STATUS_REQUEST:
		case SSDPAR_WIRE_STATUS:
			return SSDPAR_WIRE_OK;
	}
	return SSDPAR_WIRE_BAD_TYPE;
}

static void
put_status(Writer *writer, const SsdparWireStatus *status)
{
	put32(writer, status->pid);
	put32(writer, status->method);
	put32(writer, status->depth);
	put32(writer, status->outstanding);
	put32(writer, status->queued);
	put32(writer, status->sessions);
	put32(writer, status->files);
	put32(writer, status->restarts);
	put32(writer, status->latency_p50_us);
	put32(writer, status->latency_p99_us);
	put64(writer, 0);			/* reserved */
	put64(writer, status->uptime_ms);
	put64(writer, status->served);
	put64(writer, status->cached);
	put64(writer, status->stale);
	put64(writer, status->dropped);
	put64(writer, status->bytes_read);
	put64(writer, status->errors);
	put64(writer, status->short_reads);
	put64(writer, status->refused);
}

/*
 * Unused and reserved bytes are already zero, except those followed by a
 * field.
 */
static void
put_body(Writer *writer, const SsdparWireMessage *message)
{
	switch (message->type)
	{
		case SSDPAR_WIRE_HELLO:
			put32(writer, message->u.hello.pid);
			put32(writer, message->u.hello.database);
			put32(writer, message->u.hello.depth);
			break;
		case SSDPAR_WIRE_FILE:
			put16(writer, message->u.file.handle);
			put16(writer, message->u.file.device_depth);
			break;
		case SSDPAR_WIRE_READ:
			put16(writer, message->u.read.count);
			put16(writer, message->u.read.class);
			put32(writer, message->u.read.stream);
			for (int i = 0; i < message->u.read.count; i++)
			{
				put16(writer, message->u.read.ranges[i].handle);
				put16(writer, 0);
				put32(writer, message->u.read.ranges[i].length);
				put64(writer, message->u.read.ranges[i].offset);
			}
			break;
		case SSDPAR_WIRE_CANCEL:
			put32(writer, message->u.cancel.stream);
			break;
		case SSDPAR_WIRE_CLOSE_FILE:
			put16(writer, message->u.close_file.handle);
			break;
		case SSDPAR_WIRE_STATUS:
			put_status(writer, &message->u.status);
			break;
		case SSDPAR_WIRE_ERROR:
			put32(writer, message->u.error.code);
			put32(writer, 0);

			/*
			 * strncpy is wanted here: the bytes after the text must be zero
			 */
			strncpy((char *) writer->at, message->u.error.text,
					SSDPAR_WIRE_ERROR_TEXT);
			writer->at += SSDPAR_WIRE_ERROR_TEXT;
			break;
		case SSDPAR_WIRE_STATUS_REQUEST:
			break;
	}
}

size_t
ssdpar_wire_encode(const SsdparWireMessage *message, unsigned char *buffer)
{
	size_t		size = size_of_type(message->type);
	Writer		writer = {buffer};

	if (size == 0 || check_values(message) != SSDPAR_WIRE_OK)
		return 0;
	memset(buffer, 0, size);
	put32(&writer, SSDPAR_WIRE_MAGIC);
	put16(&writer, SSDPAR_WIRE_VERSION);
	put16(&writer, (uint16_t) message->type);
	put32(&writer, (uint32_t) size);
	put32(&writer, message->sequence);
	put_body(&writer, message);
	return size;
}

static SsdparWireRefusal
get_read(Reader *reader, SsdparWireRead *read)
{
	read->count = get16(reader);
	read->class = get16(reader);
	read->stream = get32(reader);

	/* before the loop uses it; check_values runs only afterwards */
	if (read->count < 1 || read->count > SSDPAR_WIRE_MAX_RANGES)
		return SSDPAR_WIRE_BAD_COUNT;
	for (int i = 0; i < read->count; i++)
	{
		read->ranges[i].handle = get16(reader);
		if (get16(reader) != 0)
			return SSDPAR_WIRE_BAD_RESERVED;
		read->ranges[i].length = get32(reader);
		read->ranges[i].offset = get64(reader);
	}
	return SSDPAR_WIRE_OK;
}

static SsdparWireRefusal
get_status(Reader *reader, SsdparWireStatus *status)
{
	status->pid = get32(reader);
	status->method = get32(reader);
	status->depth = get32(reader);
	status->outstanding = get32(reader);
	status->queued = get32(reader);
	status->sessions = get32(reader);
	status->files = get32(reader);
	status->restarts = get32(reader);
	status->latency_p50_us = get32(reader);
	status->latency_p99_us = get32(reader);
	if (get64(reader) != 0)
		return SSDPAR_WIRE_BAD_RESERVED;
	status->uptime_ms = get64(reader);
	status->served = get64(reader);
	status->cached = get64(reader);
	status->stale = get64(reader);
	status->dropped = get64(reader);
	status->bytes_read = get64(reader);
	status->errors = get64(reader);
	status->short_reads = get64(reader);
	status->refused = get64(reader);
	return SSDPAR_WIRE_OK;
}

static SsdparWireRefusal
get_body(Reader *reader, SsdparWireMessage *message)
{
	switch (message->type)
	{
		case SSDPAR_WIRE_HELLO:
			message->u.hello.pid = get32(reader);
			message->u.hello.database = get32(reader);
			message->u.hello.depth = get32(reader);
			break;
		case SSDPAR_WIRE_FILE:
			message->u.file.handle = get16(reader);
			message->u.file.device_depth = get16(reader);
			break;
		case SSDPAR_WIRE_READ:
			return get_read(reader, &message->u.read);
		case SSDPAR_WIRE_CANCEL:
			message->u.cancel.stream = get32(reader);
			break;
		case SSDPAR_WIRE_CLOSE_FILE:
			message->u.close_file.handle = get16(reader);
			break;
		case SSDPAR_WIRE_STATUS:
			return get_status(reader, &message->u.status);
		case SSDPAR_WIRE_ERROR:
			message->u.error.code = get32(reader);
			if (get32(reader) != 0)
				return SSDPAR_WIRE_BAD_RESERVED;
			memcpy(message->u.error.text, reader->at, SSDPAR_WIRE_ERROR_TEXT);
			reader->at += SSDPAR_WIRE_ERROR_TEXT;
			break;
		case SSDPAR_WIRE_STATUS_REQUEST:
			break;
	}
	return SSDPAR_WIRE_OK;
}

/*
 * Magic and version come first, so that a peer of another version is told so
 * instead of getting a message about wrong sizes.
 */
static SsdparWireRefusal
get_header(Reader *reader, size_t length, SsdparWireMessage *message)
{
	uint32_t	magic = get32(reader);
	uint16_t	version = get16(reader);
	uint16_t	type = get16(reader);
	uint32_t	size = get32(reader);

	message->sequence = get32(reader);
	if (magic != SSDPAR_WIRE_MAGIC)
		return SSDPAR_WIRE_BAD_MAGIC;
	if (version != SSDPAR_WIRE_VERSION)
		return SSDPAR_WIRE_BAD_VERSION;
	if (size_of_type(type) == 0)
		return SSDPAR_WIRE_BAD_TYPE;
	if (size != size_of_type(type))
		return SSDPAR_WIRE_BAD_SIZE;
	if (size != length)
		return SSDPAR_WIRE_BAD_LENGTH;
	message->type = (SsdparWireType) type;
	return SSDPAR_WIRE_OK;
}

SsdparWireRefusal
ssdpar_wire_decode(const void *bytes, size_t length,
				   SsdparWireMessage *message)
{
	const unsigned char *end = (const unsigned char *) bytes + length;
	Reader		reader = {bytes};
	SsdparWireRefusal refusal;

	message->sequence = 0;
	if (length < SSDPAR_WIRE_HEADER_SIZE)
		return SSDPAR_WIRE_BAD_LENGTH;
	refusal = get_header(&reader, length, message);
	if (refusal == SSDPAR_WIRE_OK)
		refusal = get_body(&reader, message);
	if (refusal != SSDPAR_WIRE_OK)
		return refusal;

	/* a later version may use these bytes, so none may be ignored */
	while (reader.at < end)
		if (*reader.at++ != 0)
			return SSDPAR_WIRE_BAD_RESERVED;
	return check_values(message);
}

const char *
ssdpar_wire_refusal_text(SsdparWireRefusal refusal)
{
	static const char *const texts[SSDPAR_WIRE_REFUSALS] = {
		[SSDPAR_WIRE_OK] = "nothing is wrong",
		[SSDPAR_WIRE_BAD_LENGTH] = "packet of a wrong length",
		[SSDPAR_WIRE_BAD_MAGIC] = "not a message of this protocol",
		[SSDPAR_WIRE_BAD_VERSION] = "another version of the protocol",
		[SSDPAR_WIRE_BAD_TYPE] = "unknown type of message",
		[SSDPAR_WIRE_BAD_SIZE] = "size is not the one of the message's type",
		[SSDPAR_WIRE_BAD_RESERVED] = "reserved bytes are not zero",
		[SSDPAR_WIRE_BAD_DEPTH] = "depth above 1024",
		[SSDPAR_WIRE_BAD_HANDLE] = "handle above 1023",
		[SSDPAR_WIRE_BAD_CLASS] = "unknown class of requests",
		[SSDPAR_WIRE_BAD_COUNT] = "number of ranges is not 1 to 60",
		[SSDPAR_WIRE_BAD_RANGE] = "range with an impossible offset or length",
		[SSDPAR_WIRE_BAD_TEXT] = "text without an end, or not printable",
		[SSDPAR_WIRE_BAD_ORDER] = "message out of order",
		[SSDPAR_WIRE_BAD_DESCRIPTORS] = "wrong number of descriptors",
		[SSDPAR_WIRE_BAD_COUNTERS] = "counters are no sealed memfd of 4096 "
			"bytes",
		[SSDPAR_WIRE_BAD_FILE] = "not a regular file opened read-only",
		[SSDPAR_WIRE_NOT_ALLOWED] = "user is not allowed",
		[SSDPAR_WIRE_TOO_MANY] = "too many sessions",
		[SSDPAR_WIRE_STOPPING] = "the daemon is stopping",
	};

	return refusal >= 0 && refusal < SSDPAR_WIRE_REFUSALS ? texts[refusal]
		: "unknown reason";
}
