/*
 * fuzz_text.h
 *		The interface between a fuzz target for text and text_driver.c.
 */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition) \
	do \
	{ \
		if (!(condition)) \
		{ \
			fprintf(stderr, "%s: violated: %s, line %d\n", \
					fuzz_name, #condition, __LINE__); \
			abort(); \
		} \
	} while (0)

extern const char *const fuzz_name;

/* Valid inputs to start with, and words to insert; terminated by NULL. */
extern const char *const fuzz_seeds[];
extern const char *const fuzz_words[];

/*
 * libFuzzer's entry point.  Without libFuzzer, it returns whether the input
 * was accepted.
 */
extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif							/* FUZZ_TEXT_H */
