/*
 * session_driver.c
 *		Feeds random scripts to fuzz_session.c, as a replacement for libFuzzer,
 *		which needs clang.
 *
 * Usage: fuzz_session [SECONDS [SEED [CORPUS]]]	(60, 1 and none)
 *
 * All bytes are valid scripts, so none are wasted.  Prints TAP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fuzz_corpus.h"
#include "fuzz_random.h"

#define MOST 512
#define BATCH 100

int
main(int argc, char **argv)
{
	double		seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
	uint64_t	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct timespec start;
	struct timespec now;
	unsigned long long kept;
	unsigned long long inputs = 0;
	unsigned long long sessions = 0;

	kept = argc > 3 ? replay_corpus(argv[3]) : 0;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do
	{
		for (int i = 0; i < BATCH; i++)
		{
			unsigned char bytes[MOST];
			size_t		size = 8 + next_random(&state) % (MOST - 8);

			for (size_t j = 0; j < size; j++)
				bytes[j] = (unsigned char) (next_random(&state) >> 32);
			sessions += (unsigned) LLVMFuzzerTestOneInput(bytes, size);
		}
		inputs += BATCH;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (difftime(now.tv_sec, start.tv_sec) < seconds);
	printf("%s 1 - no session broke the daemon\n1..1\n# %llu scripts, %llu "
		   "sessions; %llu scripts of the corpus\n",
		   sessions > inputs ? "ok" : "not ok", inputs, sessions, kept);
	return 0;
}
