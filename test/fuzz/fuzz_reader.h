/*
 * fuzz_reader.h
 *		A reader that reads nothing: the fuzz target says what comes of it.
 */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include "reader_method.h"

typedef struct FuzzReader
{
	SsdpardReader base;
	int			slots[SSDPARD_SLOTS];	/* queued, then outstanding */
	uint32_t	lengths[SSDPARD_SLOTS]; /* of the same */
	int			noutstanding;
	int			allowed;		/* completions that take may give */
	unsigned	outcome;		/* of the next ones, see take_result */
	bool		refuses;		/* submit says: again */
} FuzzReader;

extern void fuzz_reader_init(FuzzReader *reader);

#endif							/* FUZZ_READER_H */
