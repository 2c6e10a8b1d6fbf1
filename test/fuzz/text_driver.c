/*
 * text_driver.c
 *		Mutates valid texts and feeds them to a fuzz target, as a replacement
 *		for libFuzzer, which needs clang.
 *
 * Usage: fuzz_... [SECONDS [SEED [CORPUS]]]	(60, 1 and none)
 *
 * The same seed creates the same inputs in the same order.  Prints TAP.  It is
 * not guided by coverage; instead, the target provides valid texts and their
 * important words.  The first byte is passed to the target too, which decides
 * what it means.
 */
#include "fuzz_text.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "fuzz_corpus.h"
#include "fuzz_random.h"

#define MOST 10240
#define BATCH 1000
#define MOST_CHANGES 7

typedef struct Text
{
	size_t		length;
	unsigned char bytes[MOST];
} Text;

static size_t
count(const char *const *list)
{
	size_t		n = 0;

	while (list[n] != NULL)
		n++;
	return n;
}

static const char *
any_of(uint64_t *state, const char *const *list)
{
	return list[next_random(state) % count(list)];
}

/* Replaces some bytes by others, as far as there is room. */
static void
replace(Text *text, size_t at, size_t gone, const void *bytes, size_t length)
{
	size_t		behind;

	if (at > text->length)
		at = text->length;
	if (gone > text->length - at)
		gone = text->length - at;
	if (length > MOST - (text->length - gone))
		return;
	behind = text->length - at - gone;
	memmove(text->bytes + at + length, text->bytes + at + gone, behind);
	memcpy(text->bytes + at, bytes, length);
	text->length = at + length + behind;
}

/* Repeats a piece of the text at another position. */
static void
repeat(uint64_t *state, Text *text, size_t at)
{
	unsigned char piece[MOST];
	size_t		from = next_random(state) % text->length;
	size_t		length = next_random(state) % (text->length - from) + 1;

	memcpy(piece, text->bytes + from, length);
	for (unsigned i = next_random(state) % 8 == 0 ? 60 : 1; i > 0; i--)
		replace(text, at, 0, piece, length);
}

static void
change(uint64_t *state, Text *text)
{
	size_t		at = next_random(state) % (text->length + 1);
	const char *word = any_of(state, fuzz_words);
	unsigned char byte = (unsigned char) next_random(state);

	switch (next_random(state) % 8)
	{
		case 0:
			replace(text, at, 1, &byte, 1);
			break;
		case 1:
			replace(text, at, next_random(state) % 16, "", 0);
			break;
		case 2:
			replace(text, at, 0, &byte, 1);
			break;
		case 3:
			text->length = at;
			break;
		case 4:
			if (text->length > 0)
				repeat(state, text, at);
			break;
		case 5:
			word = any_of(state, fuzz_seeds);
			replace(text, at, 0, word, strlen(word));
			break;
		default:
			replace(text, at, next_random(state) % 6, word, strlen(word));
	}
}

static bool
try_one(uint64_t *state)
{
	static Text text;
	const char *seed = any_of(state, fuzz_seeds);
	unsigned	changes = next_random(state) % MOST_CHANGES;
	unsigned char first = (unsigned char) next_random(state);

	text.length = 0;
	replace(&text, 0, 0, seed, strlen(seed));
	for (unsigned i = 0; i < changes; i++)
		change(state, &text);
	replace(&text, 0, 0, &first, 1);
	return LLVMFuzzerTestOneInput(text.bytes, text.length) != 0;
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
			accepted += try_one(&state);
		inputs += BATCH;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (difftime(now.tv_sec, start.tv_sec) < seconds);
	/* both outcomes must occur, or nothing was tested */
	printf("ok 1 - no rule was violated\n%s 2 - both sound and broken "
		   "texts came up\n1..2\n# %llu inputs, %llu of them accepted; "
		   "%llu of the corpus\n",
		   accepted > inputs / 50 && accepted < inputs ? "ok" : "not ok",
		   inputs, accepted, kept);
	return 0;
}
