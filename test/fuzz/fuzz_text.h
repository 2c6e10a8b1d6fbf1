/*
 * fuzz_text.h
 *		What a fuzz target whose input is text tells text_driver.c of itself.
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

/* Sound inputs to begin with, and pieces to put into them; NULL at the end. */
extern const char *const fuzz_seeds[];
extern const char *const fuzz_words[];

/*
 * libFuzzer's entry.  Without libFuzzer it says whether the input was
 * accepted.
 */
extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif							/* FUZZ_TEXT_H */
