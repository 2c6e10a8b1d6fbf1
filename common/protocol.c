/*
 * protocol.c
 *		Messages between backend and ssdpard to bytes and back.
 *
 * Bytes are read and written one integer at a time, so alignment, padding and
 * byte order of the machine do not matter, and nothing is trusted because a
 * struct happens to fit over it.  What needs more than one message to judge
 * (order, descriptors, open handles) is the daemon's.
 */
#include "protocol.h"

#include <string.h>

/* Where the next integer stands; every caller knows the size beforehand. */
typedef struct Cursor
{
	unsigned char *at;
} Cursor;

static void
put16(Cursor *cursor, uint16_t value)
{
	*cursor->at++ = value & 0xff;
	*cursor->at++ = value >> 8;
}

static void
put32(Cursor *cursor, uint32_t value)
{
	put16(cursor, value & 0xffff);
	put16(cursor, value >> 16);
}

static void
put64(Cursor *cursor, uint64_t value)
{
	put32(cursor, value & 0xffffffff);
	put32(cursor, value >> 32);
}

typedef struct Reader
{
	const unsigned char *at;
} Reader;

static uint16_t
get16(Reader *reader)
{
	uint16_t value = (uint16_t) (reader->at[0] | reader->at[1] << 8);

	reader->at += 2;
	return value;
}

static uint32_t
get32(Reader *reader)
{
	uint32_t low = get16(reader);

	return low | (uint32_t) get16(reader) << 16;
}

static uint64_t
get64(Reader *reader)
{
	uint64_t low = get32(reader);

	return low | (uint64_t) get32(reader) << 32;
}

int
ssdpar_protocol_descriptors(SsdparMessageType type)
{
	return type == SSDPAR_HELLO || type == SSDPAR_FILE ? 1 : 0;
}

size_t
ssdpar_protocol_size(uint32_t type)
{
	switch (type)
	{
		case SSDPAR_HELLO:
			return SSDPAR_HELLO_SIZE;
		case SSDPAR_FILE:
			return SSDPAR_FILE_SIZE;
		case SSDPAR_READ:
			return SSDPAR_READ_SIZE;
		case SSDPAR_CANCEL:
			return SSDPAR_CANCEL_SIZE;
		case SSDPAR_CLOSE_FILE:
			return SSDPAR_CLOSE_FILE_SIZE;
		case SSDPAR_STATUS_REQUEST:
			return SSDPAR_STATUS_REQUEST_SIZE;
		case SSDPAR_STATUS:
			return SSDPAR_STATUS_SIZE;
		case SSDPAR_ERROR:
			return SSDPAR_ERROR_SIZE;
	}
	return 0;
}

static SsdparRefusal
check_range(const SsdparRange *range)
{
	if (range->handle >= SSDPAR_MAX_HANDLES)
		return SSDPAR_BAD_HANDLE;
	if (range->length == 0 || range->length > SSDPAR_MAX_LENGTH ||
		range->length % SSDPAR_RANGE_UNIT != 0 ||
		range->offset % SSDPAR_RANGE_UNIT != 0)
		return SSDPAR_BAD_RANGE;
	/* file offsets are signed */
	if (range->offset > (uint64_t) INT64_MAX - range->length)
		return SSDPAR_BAD_RANGE;
	return SSDPAR_GOOD;
}

static SsdparRefusal
check_read(const SsdparRead *read)
{
	if (read->count < 1 || read->count > SSDPAR_MAX_RANGES)
		return SSDPAR_BAD_COUNT;
	if (read->class != SSDPAR_CLASS_RANDOM &&
		read->class != SSDPAR_CLASS_SEQUENTIAL)
		return SSDPAR_BAD_CLASS;
	for (int i = 0; i < read->count; i++)
	{
		SsdparRefusal refusal = check_range(&read->ranges[i]);

		if (refusal != SSDPAR_GOOD)
			return refusal;
	}
	return SSDPAR_GOOD;
}

/* The rules about values, the same for those who send and who receive. */
static SsdparRefusal
check(const SsdparMessage *message)
{
	switch (message->type)
	{
		case SSDPAR_HELLO:
			return message->u.hello.depth > SSDPAR_MAX_DEPTH ?
				SSDPAR_BAD_DEPTH : SSDPAR_GOOD;
		case SSDPAR_FILE:
			if (message->u.file.handle >= SSDPAR_MAX_HANDLES)
				return SSDPAR_BAD_HANDLE;
			return message->u.file.device_depth > SSDPAR_MAX_DEPTH ?
				SSDPAR_BAD_DEPTH : SSDPAR_GOOD;
		case SSDPAR_READ:
			return check_read(&message->u.read);
		case SSDPAR_CLOSE_FILE:
			return message->u.close_file.handle >= SSDPAR_MAX_HANDLES ?
				SSDPAR_BAD_HANDLE : SSDPAR_GOOD;
		case SSDPAR_ERROR:
			return memchr(message->u.error.text, '\0', SSDPAR_ERROR_TEXT) ?
				SSDPAR_GOOD : SSDPAR_BAD_TEXT;
		case SSDPAR_CANCEL:
		case SSDPAR_STATUS_REQUEST:
		case SSDPAR_STATUS:
			return SSDPAR_GOOD;
	}
	return SSDPAR_BAD_TYPE;
}

static void
put_read(Cursor *cursor, const SsdparRead *read)
{
	put16(cursor, read->count);
	put16(cursor, read->class);
	put32(cursor, read->stream);
	for (int i = 0; i < read->count; i++)
	{
		put16(cursor, read->ranges[i].handle);
		put16(cursor, 0);
		put32(cursor, read->ranges[i].length);
		put64(cursor, read->ranges[i].offset);
	}
}

static void
put_status(Cursor *cursor, const SsdparStatus *status)
{
	put32(cursor, status->pid);
	put32(cursor, status->method);
	put32(cursor, status->depth);
	put32(cursor, status->in_flight);
	put32(cursor, status->queued);
	put32(cursor, status->sessions);
	put32(cursor, status->files);
	put32(cursor, status->restarts);
	put32(cursor, status->latency_p50_us);
	put32(cursor, status->latency_p99_us);
	put32(cursor, 0);
	put32(cursor, 0);
	put64(cursor, status->uptime_ms);
	put64(cursor, status->served);
	put64(cursor, status->cached);
	put64(cursor, status->stale);
	put64(cursor, status->dropped);
	put64(cursor, status->bytes_read);
	put64(cursor, status->errors);
	put64(cursor, status->short_reads);
	put64(cursor, status->refused);
}

static void
put_body(Cursor *cursor, const SsdparMessage *message)
{
	switch (message->type)
	{
		case SSDPAR_HELLO:
			put32(cursor, message->u.hello.pid);
			put32(cursor, message->u.hello.database);
			put32(cursor, message->u.hello.depth);
			break;
		case SSDPAR_FILE:
			put16(cursor, message->u.file.handle);
			put16(cursor, message->u.file.device_depth);
			break;
		case SSDPAR_READ:
			put_read(cursor, &message->u.read);
			break;
		case SSDPAR_CANCEL:
			put32(cursor, message->u.cancel.stream);
			break;
		case SSDPAR_CLOSE_FILE:
			put16(cursor, message->u.close_file.handle);
			break;
		case SSDPAR_STATUS:
			put_status(cursor, &message->u.status);
			break;
		case SSDPAR_ERROR:
			put32(cursor, message->u.error.code);
			put32(cursor, 0);
			strncpy((char *) cursor->at, message->u.error.text,
					SSDPAR_ERROR_TEXT);
			break;
		case SSDPAR_STATUS_REQUEST:
			break;
	}
}

size_t
ssdpar_protocol_encode(const SsdparMessage *message, unsigned char *buffer)
{
	size_t size = ssdpar_protocol_size(message->type);
	Cursor cursor = {buffer};

	if (size == 0 || check(message) != SSDPAR_GOOD)
		return 0;
	memset(buffer, 0, size);
	put32(&cursor, SSDPAR_PROTOCOL_MAGIC);
	put16(&cursor, SSDPAR_PROTOCOL_VERSION);
	put16(&cursor, (uint16_t) message->type);
	put32(&cursor, (uint32_t) size);
	put32(&cursor, message->sequence);
	put_body(&cursor, message);
	return size;
}

static SsdparRefusal
get_read(Reader *reader, SsdparRead *read)
{
	read->count = get16(reader);
	read->class = get16(reader);
	read->stream = get32(reader);
	if (read->count < 1 || read->count > SSDPAR_MAX_RANGES)
		return SSDPAR_BAD_COUNT;
	for (int i = 0; i < read->count; i++)
	{
		read->ranges[i].handle = get16(reader);
		if (get16(reader) != 0)
			return SSDPAR_BAD_RESERVED;
		read->ranges[i].length = get32(reader);
		read->ranges[i].offset = get64(reader);
	}
	return SSDPAR_GOOD;
}

static SsdparRefusal
get_status(Reader *reader, SsdparStatus *status)
{
	status->pid = get32(reader);
	status->method = get32(reader);
	status->depth = get32(reader);
	status->in_flight = get32(reader);
	status->queued = get32(reader);
	status->sessions = get32(reader);
	status->files = get32(reader);
	status->restarts = get32(reader);
	status->latency_p50_us = get32(reader);
	status->latency_p99_us = get32(reader);
	if (get64(reader) != 0)
		return SSDPAR_BAD_RESERVED;
	status->uptime_ms = get64(reader);
	status->served = get64(reader);
	status->cached = get64(reader);
	status->stale = get64(reader);
	status->dropped = get64(reader);
	status->bytes_read = get64(reader);
	status->errors = get64(reader);
	status->short_reads = get64(reader);
	status->refused = get64(reader);
	return SSDPAR_GOOD;
}

static SsdparRefusal
get_error(Reader *reader, SsdparError *error)
{
	error->code = get32(reader);
	if (get32(reader) != 0)
		return SSDPAR_BAD_RESERVED;
	memcpy(error->text, reader->at, SSDPAR_ERROR_TEXT);
	reader->at += SSDPAR_ERROR_TEXT;
	return SSDPAR_GOOD;
}

static SsdparRefusal
get_body(Reader *reader, SsdparMessage *message)
{
	switch (message->type)
	{
		case SSDPAR_HELLO:
			message->u.hello.pid = get32(reader);
			message->u.hello.database = get32(reader);
			message->u.hello.depth = get32(reader);
			break;
		case SSDPAR_FILE:
			message->u.file.handle = get16(reader);
			message->u.file.device_depth = get16(reader);
			break;
		case SSDPAR_READ:
			return get_read(reader, &message->u.read);
		case SSDPAR_CANCEL:
			message->u.cancel.stream = get32(reader);
			break;
		case SSDPAR_CLOSE_FILE:
			message->u.close_file.handle = get16(reader);
			break;
		case SSDPAR_STATUS:
			return get_status(reader, &message->u.status);
		case SSDPAR_ERROR:
			return get_error(reader, &message->u.error);
		case SSDPAR_STATUS_REQUEST:
			break;
	}
	return SSDPAR_GOOD;
}

/* Everything between what was read and the end must be zero. */
static bool
rest_is_zero(const Reader *reader, const unsigned char *end)
{
	for (const unsigned char *at = reader->at; at < end; at++)
		if (*at != 0)
			return false;
	return true;
}

static SsdparRefusal
get_header(Reader *reader, size_t length, SsdparMessage *message)
{
	uint32_t magic = get32(reader);
	uint16_t version = get16(reader);
	uint16_t type = get16(reader);
	uint32_t size = get32(reader);

	message->sequence = get32(reader);
	if (magic != SSDPAR_PROTOCOL_MAGIC)
		return SSDPAR_BAD_MAGIC;
	if (version != SSDPAR_PROTOCOL_VERSION)
		return SSDPAR_BAD_VERSION;
	if (ssdpar_protocol_size(type) == 0)
		return SSDPAR_BAD_TYPE;
	if (size != ssdpar_protocol_size(type))
		return SSDPAR_BAD_SIZE;
	if (size != length)
		return SSDPAR_BAD_LENGTH;
	message->type = (SsdparMessageType) type;
	return SSDPAR_GOOD;
}

SsdparRefusal
ssdpar_protocol_decode(const void *bytes, size_t length,
					   SsdparMessage *message)
{
	Reader reader = {bytes};
	SsdparRefusal refusal;

	message->sequence = 0;
	if (length < SSDPAR_HEADER_SIZE)
		return SSDPAR_BAD_LENGTH;
	refusal = get_header(&reader, length, message);
	if (refusal == SSDPAR_GOOD)
		refusal = get_body(&reader, message);
	if (refusal == SSDPAR_GOOD &&
		!rest_is_zero(&reader, (const unsigned char *) bytes + length))
		refusal = SSDPAR_BAD_RESERVED;
	if (refusal == SSDPAR_GOOD)
		refusal = check(message);
	return refusal;
}

const char *
ssdpar_protocol_refusal(SsdparRefusal refusal)
{
	static const char *const words[SSDPAR_REFUSALS] = {
		[SSDPAR_GOOD] = "nothing is wrong",
		[SSDPAR_BAD_LENGTH] = "packet of a wrong length",
		[SSDPAR_BAD_MAGIC] = "not a message of this protocol",
		[SSDPAR_BAD_VERSION] = "another version of the protocol",
		[SSDPAR_BAD_TYPE] = "unknown type of message",
		[SSDPAR_BAD_SIZE] = "size is not the one of the message's type",
		[SSDPAR_BAD_RESERVED] = "reserved bytes are not zero",
		[SSDPAR_BAD_DEPTH] = "depth above 1024",
		[SSDPAR_BAD_HANDLE] = "handle above 1023",
		[SSDPAR_BAD_CLASS] = "unknown class of requests",
		[SSDPAR_BAD_COUNT] = "number of ranges is not 1 to 60",
		[SSDPAR_BAD_RANGE] = "range with an impossible offset or length",
		[SSDPAR_BAD_TEXT] = "text without an end",
		[SSDPAR_BAD_ORDER] = "message out of order",
		[SSDPAR_BAD_DESCRIPTORS] = "wrong number of descriptors",
		[SSDPAR_BAD_COUNTERS] = "counters are no sealed memfd of 4096 bytes",
		[SSDPAR_BAD_FILE] = "not a regular file opened read-only",
		[SSDPAR_NOT_ALLOWED] = "user is not allowed",
		[SSDPAR_TOO_MANY] = "too many sessions",
		[SSDPAR_ENDING] = "the daemon is stopping",
	};

	return refusal >= 0 && refusal < SSDPAR_REFUSALS ? words[refusal]
		: "unknown reason";
}
