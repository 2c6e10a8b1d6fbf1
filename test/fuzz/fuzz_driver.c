/*
 * fuzz_driver.c
 *		Mutates valid messages and feeds them to a fuzz target, as a
 *		replacement for libFuzzer, which needs clang.
 *
 * Usage: fuzz_protocol [SECONDS [SEED [CORPUS]]]	(60, 1 and none)
 *
 * The same seed creates the same inputs in the same order; their number
 * depends on SECONDS and the machine.  Prints TAP.  It is not guided by
 * coverage; instead, the mutations know the positions of a message's integers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/protocol.h"
#include "fuzz_corpus.h"
#include "fuzz_random.h"

#define MOST (SSDPAR_WIRE_MAX_MESSAGE + 64)
#define BATCH 10000
#define MOST_CHANGES 6

/* A valid message of a random type, with values mostly at their bounds. */
static size_t
make_sound(uint64_t *state, unsigned char *bytes)
{
	SsdparWireMessage message;

	memset(&message, 0, sizeof(message));
	message.type = (SsdparWireType) (1 + next_random(state) % 8);
	message.sequence = (uint32_t) next_random(state);
	if (message.type == SSDPAR_WIRE_HELLO)
		message.u.hello.depth = next_random(state) % 1025;
	else if (message.type == SSDPAR_WIRE_FILE)
		message.u.file.handle = next_random(state) % 1024;
	else if (message.type == SSDPAR_WIRE_READ)
	{
		message.u.read.count = 1 + next_random(state) % SSDPAR_WIRE_MAX_RANGES;
		message.u.read.class = 1 + next_random(state) % 2;
		for (int i = 0; i < message.u.read.count; i++)
			message.u.read.ranges[i] = (SsdparWireRange){
														 next_random(state) % 1024,
														 512 * (uint32_t) (1 + next_random(state) % 2048),
														 512 * (next_random(state) >> (11 + next_random(state) % 50))};
	}
	return ssdpar_wire_encode(&message, bytes);
}

/* Sets one integer, at a plausible position, to a special value. */
static void
set_integer(uint64_t *state, unsigned char *bytes, size_t length)
{
	static const uint64_t special[] = {0, 1, 2, 9, 59, 60, 61, 511, 512, 513,
		1023, 1024, 1025, 65535, 1 << 20, (1 << 20) + 512, INT32_MAX,
		UINT32_MAX, UINT32_MAX - 511, INT64_MAX, INT64_MAX - 511,
	UINT64_MAX, UINT64_MAX - 511, UINT64_C(1) << 63};
	size_t		width = (size_t) 1 << next_random(state) % 4;
	size_t		at = next_random(state) % length / width * width;
	uint64_t	value = special[next_random(state) %
								(sizeof(special) / sizeof(special[0]))];

	for (size_t i = 0; i < width && at + i < length; i++)
		bytes[at + i] = (unsigned char) (value >> 8 * i);
}

static size_t
mutate(uint64_t *state, unsigned char *bytes, size_t length)
{
	int			changes = (int) (next_random(state) % MOST_CHANGES);

	for (int i = 0; i < changes && length > 0; i++)
		switch (next_random(state) % 5)
		{
			case 0:
				bytes[next_random(state) % length] ^=
					(unsigned char) (1 << next_random(state) % 8);
				break;
			case 1:
				bytes[next_random(state) % length] =
					(unsigned char) next_random(state);
				break;
			case 2:
				length = next_random(state) % MOST;
				break;
			default:
				set_integer(state, bytes, length);
		}
	return length;
}

int
main(int argc, char **argv)
{
	double		seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
	uint64_t	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct timespec start;
	struct timespec now;
	unsigned long long kept;
	unsigned long long inputs = 0;
	unsigned long long accepted = 0;

	kept = argc > 3 ? replay_corpus(argv[3]) : 0;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do
	{
		for (int i = 0; i < BATCH; i++)
		{
			unsigned char bytes[MOST] = {0};
			size_t		length = make_sound(&state, bytes);

			length = mutate(&state, bytes, length);
			accepted += (unsigned) LLVMFuzzerTestOneInput(bytes, length);
		}
		inputs += BATCH;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (difftime(now.tv_sec, start.tv_sec) < seconds);
	/* both outcomes must occur, or nothing was tested */
	printf("%s 1 - no rule was violated\n%s 2 - both sound and broken "
		   "messages came up\n1..2\n# %llu inputs, %llu of them accepted; "
		   "%llu of the corpus\n",
		   "ok", accepted > inputs / 50 && accepted < inputs / 2 ? "ok"
		   : "not ok", inputs, accepted, kept);
	return 0;
}
