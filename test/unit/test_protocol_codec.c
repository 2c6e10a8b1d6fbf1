/*
 * test_protocol_codec.c
 *		Unit tests of common/protocol.c: messages are decoded as they were
 *		encoded, and nothing else is accepted as a message.
 *
 * links: common/protocol.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/protocol.h"

/*
 * One valid message of each type, with nonzero values in all possible fields.
 */
static SsdparWireMessage
sound(SsdparWireType type)
{
	SsdparWireMessage message;

	memset(&message, 0, sizeof(message));
	message.type = type;
	message.sequence = 0x01020304;
	switch (type)
	{
		case SSDPAR_WIRE_HELLO:
			message.u.hello = (SsdparWireHello){4711, 0xfffffffe, 1024};
			break;
		case SSDPAR_WIRE_FILE:
			message.u.file = (SsdparWireFile){1023, 64};
			break;
		case SSDPAR_WIRE_READ:
			message.u.read.count = 60;
			message.u.read.class = SSDPAR_WIRE_CLASS_SEQUENTIAL;
			message.u.read.stream = 9;
			for (int i = 0; i < 60; i++)
				message.u.read.ranges[i] = (SsdparWireRange){
															 (uint16_t) i, 8192 * (uint32_t) (i + 1),
															 UINT64_C(0x7fffffffffe00000) - 8192 * (uint64_t) i};
			break;
		case SSDPAR_WIRE_CANCEL:
			message.u.cancel.stream = 0x80000001;
			break;
		case SSDPAR_WIRE_CLOSE_FILE:
			message.u.close_file.handle = 77;
			break;
		case SSDPAR_WIRE_STATUS:
			message.u.status = (SsdparWireStatus){1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
												  11, 12, 13, 14, 15, 16, 17, 18, UINT64_MAX};
			break;
		case SSDPAR_WIRE_ERROR:
			message.u.error.code = SSDPAR_WIRE_BAD_RANGE;
			strcpy(message.u.error.text, "range");
			break;
		case SSDPAR_WIRE_STATUS_REQUEST:
			break;
	}
	return message;
}

static void
every_type_comes_back(void **state)
{
	static const size_t sizes[] = {0, 32, 24, 984, 24, 24, 16, 136, 120};
	unsigned char first[SSDPAR_WIRE_MAX_MESSAGE];
	unsigned char second[SSDPAR_WIRE_MAX_MESSAGE];

	(void) state;
	for (int type = SSDPAR_WIRE_HELLO; type <= SSDPAR_WIRE_ERROR; type++)
	{
		SsdparWireMessage message = sound(type);
		SsdparWireMessage back;
		size_t		size = ssdpar_wire_encode(&message, first);

		memset(&back, 0, sizeof(back));
		assert_int_equal(size, sizes[type]);
		assert_int_equal(ssdpar_wire_decode(first, size, &back),
						 SSDPAR_WIRE_OK);
		assert_int_equal(back.type, type);
		assert_int_equal(back.sequence, message.sequence);
		assert_memory_equal(&back.u, &message.u, sizeof(back.u));
		assert_int_equal(ssdpar_wire_encode(&back, second), size);
		assert_memory_equal(first, second, size);
	}
}

/* Checks the bytes, so that both ends cannot change together. */
static void
bytes_are_little_endian(void **state)
{
	static const unsigned char expected[SSDPAR_WIRE_CANCEL_SIZE] = {
		'S', 'S', 'D', 'P', 1, 0, 4, 0, 24, 0, 0, 0, 4, 3, 2, 1,
	1, 0, 0, 0x80};
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];
	SsdparWireMessage message = sound(SSDPAR_WIRE_CANCEL);

	(void) state;
	assert_int_equal(ssdpar_wire_encode(&message, bytes), 24);
	assert_memory_equal(bytes, expected, sizeof(expected));
}

static void
any_other_length_is_refused(void **state)
{
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE + 8];
	SsdparWireMessage back;

	(void) state;
	for (int type = SSDPAR_WIRE_HELLO; type <= SSDPAR_WIRE_ERROR; type++)
	{
		SsdparWireMessage message = sound(type);
		size_t		size;

		memset(bytes, 0, sizeof(bytes));
		size = ssdpar_wire_encode(&message, bytes);
		for (size_t length = 0; length <= sizeof(bytes); length++)
			assert_int_equal(ssdpar_wire_decode(bytes, length, &back),
							 length == size ? SSDPAR_WIRE_OK : SSDPAR_WIRE_BAD_LENGTH);
	}
}

typedef struct Damage
{
	const char *name;
	SsdparWireType type;
	size_t		at;
	unsigned char byte;
	SsdparWireRefusal refusal;
} Damage;

static const Damage damages[] = {
	{"magic", SSDPAR_WIRE_READ, 0, 's', SSDPAR_WIRE_BAD_MAGIC},
	{"version 0", SSDPAR_WIRE_READ, 4, 0, SSDPAR_WIRE_BAD_VERSION},
	{"version 2", SSDPAR_WIRE_READ, 4, 2, SSDPAR_WIRE_BAD_VERSION},
	{"version 257", SSDPAR_WIRE_READ, 5, 1, SSDPAR_WIRE_BAD_VERSION},
	{"type 0", SSDPAR_WIRE_READ, 6, 0, SSDPAR_WIRE_BAD_TYPE},
	{"type 9", SSDPAR_WIRE_READ, 6, 9, SSDPAR_WIRE_BAD_TYPE},
	{"type 259", SSDPAR_WIRE_READ, 7, 1, SSDPAR_WIRE_BAD_TYPE},
	{"size field", SSDPAR_WIRE_READ, 8, 1, SSDPAR_WIRE_BAD_SIZE},
	{"size field, high byte", SSDPAR_WIRE_READ, 11, 1, SSDPAR_WIRE_BAD_SIZE},
	{"another type's size", SSDPAR_WIRE_CANCEL, 6, 6, SSDPAR_WIRE_BAD_SIZE},
	{"hello: reserved", SSDPAR_WIRE_HELLO, 28, 1, SSDPAR_WIRE_BAD_RESERVED},
	{"hello: depth 1280", SSDPAR_WIRE_HELLO, 25, 5, SSDPAR_WIRE_BAD_DEPTH},
	{"hello: depth 2^24", SSDPAR_WIRE_HELLO, 27, 1, SSDPAR_WIRE_BAD_DEPTH},
	{"file: handle 1279", SSDPAR_WIRE_FILE, 17, 4, SSDPAR_WIRE_BAD_HANDLE},
	{"file: depth 1088", SSDPAR_WIRE_FILE, 19, 4, SSDPAR_WIRE_BAD_DEPTH},
	{"file: reserved", SSDPAR_WIRE_FILE, 23, 1, SSDPAR_WIRE_BAD_RESERVED},
	{"read: no range", SSDPAR_WIRE_READ, 16, 0, SSDPAR_WIRE_BAD_COUNT},
	{"read: 61 ranges", SSDPAR_WIRE_READ, 16, 61, SSDPAR_WIRE_BAD_COUNT},
	{"read: 316 ranges", SSDPAR_WIRE_READ, 17, 1, SSDPAR_WIRE_BAD_COUNT},
	{"read: 59 ranges and bytes", SSDPAR_WIRE_READ, 16, 59, SSDPAR_WIRE_BAD_RESERVED},
	{"read: class 0", SSDPAR_WIRE_READ, 18, 0, SSDPAR_WIRE_BAD_CLASS},
	{"read: class 3", SSDPAR_WIRE_READ, 18, 3, SSDPAR_WIRE_BAD_CLASS},
	{"read: class 258", SSDPAR_WIRE_READ, 19, 1, SSDPAR_WIRE_BAD_CLASS},
	{"read: handle", SSDPAR_WIRE_READ, 25, 4, SSDPAR_WIRE_BAD_HANDLE},
	{"read: reserved", SSDPAR_WIRE_READ, 26, 1, SSDPAR_WIRE_BAD_RESERVED},
	{"read: length 0", SSDPAR_WIRE_READ, 29, 0, SSDPAR_WIRE_BAD_RANGE},
	{"read: odd length", SSDPAR_WIRE_READ, 28, 1, SSDPAR_WIRE_BAD_RANGE},
	{"read: length 16 MB", SSDPAR_WIRE_READ, 31, 1, SSDPAR_WIRE_BAD_RANGE},
	{"read: odd offset", SSDPAR_WIRE_READ, 32, 1, SSDPAR_WIRE_BAD_RANGE},
	{"read: negative offset", SSDPAR_WIRE_READ, 39, 0xff, SSDPAR_WIRE_BAD_RANGE},
	{"read: last range", SSDPAR_WIRE_READ, 983, 0x80, SSDPAR_WIRE_BAD_RANGE},
	{"cancel: reserved", SSDPAR_WIRE_CANCEL, 20, 1, SSDPAR_WIRE_BAD_RESERVED},
	{"close: handle", SSDPAR_WIRE_CLOSE_FILE, 17, 4, SSDPAR_WIRE_BAD_HANDLE},
	{"close: reserved", SSDPAR_WIRE_CLOSE_FILE, 18, 1, SSDPAR_WIRE_BAD_RESERVED},
	{"status: reserved", SSDPAR_WIRE_STATUS, 56, 1, SSDPAR_WIRE_BAD_RESERVED},
	{"error: reserved", SSDPAR_WIRE_ERROR, 20, 1, SSDPAR_WIRE_BAD_RESERVED},
};

static void
damaged_bytes_are_refused(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++)
	{
		const Damage *damage = &damages[i];
		SsdparWireMessage message = sound(damage->type);
		SsdparWireMessage back;
		unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];
		size_t		size;
		SsdparWireRefusal refusal;

		if (strcmp(damage->name, "read: length 0") == 0)
			message.u.read.ranges[0].length = 512;
		size = ssdpar_wire_encode(&message, bytes);
		bytes[damage->at] = damage->byte;
		refusal = ssdpar_wire_decode(bytes, size, &back);
		if (refusal != damage->refusal)
			fail_msg("%s: %s", damage->name,
					 ssdpar_wire_refusal_text(refusal));
	}
}

static void
error_without_end_is_refused(void **state)
{
	SsdparWireMessage message = sound(SSDPAR_WIRE_ERROR);
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];
	size_t		size = ssdpar_wire_encode(&message, bytes);

	(void) state;
	memset(bytes + 24, 'x', SSDPAR_WIRE_ERROR_TEXT);
	assert_int_equal(ssdpar_wire_decode(bytes, size, &message),
					 SSDPAR_WIRE_BAD_TEXT);
}

/* It could forge a line in a log, or be invalid in any encoding. */
static void
error_that_is_not_printable_is_refused(void **state)
{
	const unsigned char damages[] = {'\n', 0x1f, 0x7f, 0xff};

	(void) state;
	for (size_t i = 0; i < sizeof(damages); i++)
	{
		SsdparWireMessage message = sound(SSDPAR_WIRE_ERROR);
		unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];
		size_t		size = ssdpar_wire_encode(&message, bytes);

		bytes[24] = damages[i];
		assert_int_equal(ssdpar_wire_decode(bytes, size, &message),
						 SSDPAR_WIRE_BAD_TEXT);
	}
}

/* The last byte of a file can be requested, but not the one after it. */
static void
offset_and_length_do_not_overflow(void **state)
{
	SsdparWireMessage message = sound(SSDPAR_WIRE_READ);
	SsdparWireRange *range = &message.u.read.ranges[3];
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];
	uint64_t	end = (uint64_t) INT64_MAX - 511;

	(void) state;
	*range = (SsdparWireRange){3, SSDPAR_WIRE_MAX_LENGTH, end - SSDPAR_WIRE_MAX_LENGTH};
	assert_int_equal(ssdpar_wire_encode(&message, bytes),
					 SSDPAR_WIRE_READ_SIZE);
	range->offset += SSDPAR_WIRE_RANGE_UNIT;
	assert_int_equal(ssdpar_wire_encode(&message, bytes), 0);
	range->offset = UINT64_MAX - 511;
	assert_int_equal(ssdpar_wire_encode(&message, bytes), 0);
}

static void
bad_messages_are_not_sent(void **state)
{
	SsdparWireMessage message = sound(SSDPAR_WIRE_HELLO);
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE];

	(void) state;
	message.u.hello.depth = 1025;
	assert_int_equal(ssdpar_wire_encode(&message, bytes), 0);
	message = sound(SSDPAR_WIRE_READ);
	message.u.read.count = 61;
	assert_int_equal(ssdpar_wire_encode(&message, bytes), 0);
	message.type = (SsdparWireType) 9;
	assert_int_equal(ssdpar_wire_encode(&message, bytes), 0);
}

static void
every_refusal_has_words(void **state)
{
	(void) state;
	for (int i = 0; i < SSDPAR_WIRE_REFUSALS; i++)
		assert_non_null(ssdpar_wire_refusal_text((SsdparWireRefusal) i));
	assert_string_equal(ssdpar_wire_refusal_text((SsdparWireRefusal) 999),
						"unknown reason");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_comes_back),
		cmocka_unit_test(bytes_are_little_endian),
		cmocka_unit_test(any_other_length_is_refused),
		cmocka_unit_test(damaged_bytes_are_refused),
		cmocka_unit_test(error_without_end_is_refused),
		cmocka_unit_test(error_that_is_not_printable_is_refused),
		cmocka_unit_test(offset_and_length_do_not_overflow),
		cmocka_unit_test(bad_messages_are_not_sent),
		cmocka_unit_test(every_refusal_has_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
