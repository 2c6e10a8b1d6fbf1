/*
 * test_protocol_codec.c
 *		Unit tests of common/protocol.c: what goes out comes back, and nothing
 *		else is taken for a message.
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

/* One sound message of each type, no field zero that may be otherwise. */
static SsdparMessage
sound(SsdparMessageType type)
{
	SsdparMessage message;

	memset(&message, 0, sizeof(message));
	message.type = type;
	message.sequence = 0x01020304;
	switch (type)
	{
		case SSDPAR_HELLO:
			message.u.hello = (SsdparHello){4711, 0xfffffffe, 1024};
			break;
		case SSDPAR_FILE:
			message.u.file = (SsdparFile){1023, 64};
			break;
		case SSDPAR_READ:
			message.u.read.count = 60;
			message.u.read.class = SSDPAR_CLASS_SEQUENTIAL;
			message.u.read.stream = 9;
			for (int i = 0; i < 60; i++)
				message.u.read.ranges[i] = (SsdparRange){
					(uint16_t) i, 8192 * (uint32_t) (i + 1),
					UINT64_C(0x7fffffffffe00000) - 8192 * (uint64_t) i};
			break;
		case SSDPAR_CANCEL:
			message.u.cancel.stream = 0x80000001;
			break;
		case SSDPAR_CLOSE_FILE:
			message.u.close_file.handle = 77;
			break;
		case SSDPAR_STATUS:
			message.u.status = (SsdparStatus){1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
				11, 12, 13, 14, 15, 16, 17, 18, UINT64_MAX};
			break;
		case SSDPAR_ERROR:
			message.u.error.code = SSDPAR_BAD_RANGE;
			strcpy(message.u.error.text, "range");
			break;
		case SSDPAR_STATUS_REQUEST:
			break;
	}
	return message;
}

static void
every_type_comes_back(void **state)
{
	unsigned char first[SSDPAR_MAX_MESSAGE];
	unsigned char second[SSDPAR_MAX_MESSAGE];

	(void) state;
	for (int type = SSDPAR_HELLO; type <= SSDPAR_ERROR; type++)
	{
		SsdparMessage message = sound(type);
		SsdparMessage back;
		size_t size = ssdpar_protocol_encode(&message, first);

		memset(&back, 0, sizeof(back));
		assert_int_equal(size, ssdpar_protocol_size((uint32_t) type));
		assert_int_equal(ssdpar_protocol_decode(first, size, &back),
						 SSDPAR_GOOD);
		assert_int_equal(back.type, type);
		assert_int_equal(back.sequence, message.sequence);
		assert_memory_equal(&back.u, &message.u, sizeof(back.u));
		assert_int_equal(ssdpar_protocol_encode(&back, second), size);
		assert_memory_equal(first, second, size);
	}
}

/* The bytes themselves, so that both ends cannot change together. */
static void
bytes_are_little_endian(void **state)
{
	static const unsigned char expected[SSDPAR_CANCEL_SIZE] = {
		'S', 'S', 'D', 'P', 1, 0, 4, 0, 24, 0, 0, 0, 4, 3, 2, 1,
		1, 0, 0, 0x80};
	unsigned char bytes[SSDPAR_MAX_MESSAGE];
	SsdparMessage message = sound(SSDPAR_CANCEL);

	(void) state;
	assert_int_equal(ssdpar_protocol_encode(&message, bytes), 24);
	assert_memory_equal(bytes, expected, sizeof(expected));
}

static void
any_other_length_is_refused(void **state)
{
	unsigned char bytes[SSDPAR_MAX_MESSAGE + 8];
	SsdparMessage back;

	(void) state;
	for (int type = SSDPAR_HELLO; type <= SSDPAR_ERROR; type++)
	{
		SsdparMessage message = sound(type);
		size_t size;

		memset(bytes, 0, sizeof(bytes));
		size = ssdpar_protocol_encode(&message, bytes);
		for (size_t length = 0; length <= sizeof(bytes); length++)
			assert_int_equal(ssdpar_protocol_decode(bytes, length, &back),
							 length == size ? SSDPAR_GOOD : SSDPAR_BAD_LENGTH);
	}
}

typedef struct Damage
{
	const char *name;
	SsdparMessageType type;
	size_t at;
	unsigned char byte;
	SsdparRefusal refusal;
} Damage;

static const Damage damages[] = {
	{"magic", SSDPAR_READ, 0, 's', SSDPAR_BAD_MAGIC},
	{"version 0", SSDPAR_READ, 4, 0, SSDPAR_BAD_VERSION},
	{"version 2", SSDPAR_READ, 4, 2, SSDPAR_BAD_VERSION},
	{"version 257", SSDPAR_READ, 5, 1, SSDPAR_BAD_VERSION},
	{"type 0", SSDPAR_READ, 6, 0, SSDPAR_BAD_TYPE},
	{"type 9", SSDPAR_READ, 6, 9, SSDPAR_BAD_TYPE},
	{"type 259", SSDPAR_READ, 7, 1, SSDPAR_BAD_TYPE},
	{"size field", SSDPAR_READ, 8, 1, SSDPAR_BAD_SIZE},
	{"size field, high byte", SSDPAR_READ, 11, 1, SSDPAR_BAD_SIZE},
	{"another type's size", SSDPAR_CANCEL, 6, 6, SSDPAR_BAD_SIZE},
	{"hello: reserved", SSDPAR_HELLO, 28, 1, SSDPAR_BAD_RESERVED},
	{"hello: depth 1280", SSDPAR_HELLO, 25, 5, SSDPAR_BAD_DEPTH},
	{"hello: depth 2^24", SSDPAR_HELLO, 27, 1, SSDPAR_BAD_DEPTH},
	{"file: handle 1279", SSDPAR_FILE, 17, 4, SSDPAR_BAD_HANDLE},
	{"file: depth 1088", SSDPAR_FILE, 19, 4, SSDPAR_BAD_DEPTH},
	{"file: reserved", SSDPAR_FILE, 23, 1, SSDPAR_BAD_RESERVED},
	{"read: no range", SSDPAR_READ, 16, 0, SSDPAR_BAD_COUNT},
	{"read: 61 ranges", SSDPAR_READ, 16, 61, SSDPAR_BAD_COUNT},
	{"read: 316 ranges", SSDPAR_READ, 17, 1, SSDPAR_BAD_COUNT},
	{"read: 59 ranges and bytes", SSDPAR_READ, 16, 59, SSDPAR_BAD_RESERVED},
	{"read: class 0", SSDPAR_READ, 18, 0, SSDPAR_BAD_CLASS},
	{"read: class 3", SSDPAR_READ, 18, 3, SSDPAR_BAD_CLASS},
	{"read: class 258", SSDPAR_READ, 19, 1, SSDPAR_BAD_CLASS},
	{"read: handle", SSDPAR_READ, 25, 4, SSDPAR_BAD_HANDLE},
	{"read: reserved", SSDPAR_READ, 26, 1, SSDPAR_BAD_RESERVED},
	{"read: length 0", SSDPAR_READ, 29, 0, SSDPAR_BAD_RANGE},
	{"read: odd length", SSDPAR_READ, 28, 1, SSDPAR_BAD_RANGE},
	{"read: length 16 MB", SSDPAR_READ, 31, 1, SSDPAR_BAD_RANGE},
	{"read: odd offset", SSDPAR_READ, 32, 1, SSDPAR_BAD_RANGE},
	{"read: negative offset", SSDPAR_READ, 39, 0xff, SSDPAR_BAD_RANGE},
	{"read: last range", SSDPAR_READ, 983, 0x80, SSDPAR_BAD_RANGE},
	{"cancel: reserved", SSDPAR_CANCEL, 20, 1, SSDPAR_BAD_RESERVED},
	{"close: handle", SSDPAR_CLOSE_FILE, 17, 4, SSDPAR_BAD_HANDLE},
	{"close: reserved", SSDPAR_CLOSE_FILE, 18, 1, SSDPAR_BAD_RESERVED},
	{"status: reserved", SSDPAR_STATUS, 56, 1, SSDPAR_BAD_RESERVED},
	{"error: reserved", SSDPAR_ERROR, 20, 1, SSDPAR_BAD_RESERVED},
};

static void
damaged_bytes_are_refused(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++)
	{
		const Damage *damage = &damages[i];
		SsdparMessage message = sound(damage->type);
		SsdparMessage back;
		unsigned char bytes[SSDPAR_MAX_MESSAGE];
		size_t size;
		SsdparRefusal refusal;

		if (strcmp(damage->name, "read: length 0") == 0)
			message.u.read.ranges[0].length = 512;
		size = ssdpar_protocol_encode(&message, bytes);
		bytes[damage->at] = damage->byte;
		refusal = ssdpar_protocol_decode(bytes, size, &back);
		if (refusal != damage->refusal)
			fail_msg("%s: %s", damage->name,
					 ssdpar_protocol_refusal(refusal));
	}
}

static void
error_without_end_is_refused(void **state)
{
	SsdparMessage message = sound(SSDPAR_ERROR);
	unsigned char bytes[SSDPAR_MAX_MESSAGE];
	size_t size = ssdpar_protocol_encode(&message, bytes);

	(void) state;
	memset(bytes + 24, 'x', SSDPAR_ERROR_TEXT);
	assert_int_equal(ssdpar_protocol_decode(bytes, size, &message),
					 SSDPAR_BAD_TEXT);
}

/* The last byte of a file can be asked for, the one after it cannot. */
static void
offset_and_length_do_not_overflow(void **state)
{
	SsdparMessage message = sound(SSDPAR_READ);
	SsdparRange *range = &message.u.read.ranges[3];
	unsigned char bytes[SSDPAR_MAX_MESSAGE];
	uint64_t end = (uint64_t) INT64_MAX - 511;

	(void) state;
	*range = (SsdparRange){3, SSDPAR_MAX_LENGTH, end - SSDPAR_MAX_LENGTH};
	assert_int_equal(ssdpar_protocol_encode(&message, bytes),
					 SSDPAR_READ_SIZE);
	range->offset += SSDPAR_RANGE_UNIT;
	assert_int_equal(ssdpar_protocol_encode(&message, bytes), 0);
	range->offset = UINT64_MAX - 511;
	assert_int_equal(ssdpar_protocol_encode(&message, bytes), 0);
}

static void
bad_messages_are_not_sent(void **state)
{
	SsdparMessage message = sound(SSDPAR_HELLO);
	unsigned char bytes[SSDPAR_MAX_MESSAGE];

	(void) state;
	message.u.hello.depth = 1025;
	assert_int_equal(ssdpar_protocol_encode(&message, bytes), 0);
	message = sound(SSDPAR_READ);
	message.u.read.count = 61;
	assert_int_equal(ssdpar_protocol_encode(&message, bytes), 0);
	message.type = (SsdparMessageType) 9;
	assert_int_equal(ssdpar_protocol_encode(&message, bytes), 0);
}

static void
every_refusal_has_words(void **state)
{
	(void) state;
	for (int i = 0; i < SSDPAR_REFUSALS; i++)
		assert_non_null(ssdpar_protocol_refusal((SsdparRefusal) i));
	assert_string_equal(ssdpar_protocol_refusal((SsdparRefusal) 999),
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
		cmocka_unit_test(offset_and_length_do_not_overflow),
		cmocka_unit_test(bad_messages_are_not_sent),
		cmocka_unit_test(every_refusal_has_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
