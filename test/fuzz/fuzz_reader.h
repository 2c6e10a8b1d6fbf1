/*
 * fuzz_reader.h
 *		A reader that reads nothing; the fuzz target chooses the results.
 */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include "reader_method.h"

typedef struct FuzzReader
{
	SsdpardReader base;
	int			slots[SSDPARD_SLOTS];	/* queued, then outstanding */
	uint32_t	lengths[SSDPARD_SLOTS]; /* of these slots */
	int			noutstanding;
	int			allowed;		/* completions that take may return */
	unsigned	outcome;		/* of the next completions, see take_result */
	bool		refuses;		/* submit returns EAGAIN */
} FuzzReader;

extern void fuzz_reader_init(FuzzReader *reader);

#endif							/* FUZZ_READER_H */
