/*
 * fuzz_protocol.c
 *		Fuzz target for the wire format (common/protocol.c).
 *
 * For any bytes: decode accesses nothing outside of them (they are in a block
 * of exactly their length, under AddressSanitizer), and what it accepts obeys
 * every rule of protocol.h and is encoded to the same bytes again.
 *
 * LLVMFuzzerTestOneInput is libFuzzer's entry point.  Without libFuzzer,
 * fuzz_driver.c calls it and counts the results of 1: accepted messages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) \
	do \
	{ \
		if (!(condition)) \
		{ \
			fprintf(stderr, "fuzz_protocol: violated: %s\n", #condition); \
			abort(); \
		} \
	} while (0)

/* The rules, implemented independently of protocol.c. */
static void
require_read(const SsdparWireRead *read)
{
	REQUIRE(read->count >= 1 && read->count <= 60);
	REQUIRE(read->class == 1 || read->class == 2);
	for (int i = 0; i < read->count; i++)
	{
		const SsdparWireRange *range = &read->ranges[i];

		REQUIRE(range->handle < 1024);
		REQUIRE(range->length >= 512 && range->length <= 1048576);
		REQUIRE(range->length % 512 == 0 && range->offset % 512 == 0);
		REQUIRE(range->offset < UINT64_C(1) << 63);
		REQUIRE(range->offset + range->length < UINT64_C(1) << 63);
	}
}

static void
require_rules(const SsdparWireMessage *message, size_t size)
{
	static const size_t sizes[] = {0, 32, 24, 984, 24, 24, 16, 136, 120};

	REQUIRE(message->type >= 1 && message->type <= 8);
	REQUIRE(size == sizes[message->type]);
	if (message->type == SSDPAR_WIRE_HELLO)
		REQUIRE(message->u.hello.depth <= 1024);
	else if (message->type == SSDPAR_WIRE_FILE)
	{
		REQUIRE(message->u.file.handle < 1024);
		REQUIRE(message->u.file.device_depth <= 1024);
	}
	else if (message->type == SSDPAR_WIRE_READ)
		require_read(&message->u.read);
	else if (message->type == SSDPAR_WIRE_CLOSE_FILE)
		REQUIRE(message->u.close_file.handle < 1024);
	else if (message->type == SSDPAR_WIRE_ERROR)
	{
		const char *end = memchr(message->u.error.text, 0,
								 SSDPAR_WIRE_ERROR_TEXT);

		REQUIRE(end != NULL);
		for (const char *byte = message->u.error.text; byte < end; byte++)
			REQUIRE(*byte >= 0x20 && *byte <= 0x7e);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char again[SSDPAR_WIRE_MAX_MESSAGE];
	uint8_t    *exact = malloc(size > 0 ? size : 1);
	SsdparWireMessage message;
	SsdparWireRefusal refusal;

	REQUIRE(exact != NULL);
	if (size > 0)
		memcpy(exact, data, size);
	/* garbage, so that an unset field does not look like a zero */
	memset(&message, 0xa5, sizeof(message));
	refusal = ssdpar_wire_decode(exact, size, &message);
	REQUIRE(refusal >= SSDPAR_WIRE_OK && refusal < SSDPAR_WIRE_BAD_ORDER);
	REQUIRE(strlen(ssdpar_wire_refusal_text(refusal)) < SSDPAR_WIRE_ERROR_TEXT);
	if (refusal == SSDPAR_WIRE_OK)
	{
		require_rules(&message, size);
		REQUIRE(ssdpar_wire_encode(&message, again) == size);
		if (message.type != SSDPAR_WIRE_ERROR)	/* bytes after its text are
												 * free */
			REQUIRE(memcmp(again, exact, size) == 0);
	}
	free(exact);
#ifdef SSDPAR_LIBFUZZER
	return 0;					/* other values have a meaning for libFuzzer */
#else
	return refusal == SSDPAR_WIRE_OK ? 1 : 0;
#endif
}
