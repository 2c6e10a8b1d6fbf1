/*
 * ssb_factors.h
 *		Counts the lineorder rows that each query selects, from the generator
 *		alone, without a server.
 *
 * The predicates are the WHERE clauses of queries/ in C, repeated on purpose:
 * the TAP test compares the two on a loaded database, and the unit test
 * compares these counts with the specification's filter factors.
 */
#ifndef SSB_FACTORS_H
#define SSB_FACTORS_H

#include "ssb_gen.h"

#define SSB_NQUERIES 15

typedef struct SsbQueryInfo
{
	const char *name;			/* as in queries/qNAME.sql */
	double		factor;			/* the specification's filter factor */
} SsbQueryInfo;

extern const SsbQueryInfo ssb_queries[SSB_NQUERIES];

typedef struct SsbCounts
{
	uint64_t	rows;			/* of lineorder */
	uint64_t	selected[SSB_NQUERIES];
} SsbCounts;

/* Generates the whole fact table once; the dimensions are in memory. */
extern bool ssb_count_factors(const SsbGen *gen, SsbCounts *counts,
							  SsbError *error);

#endif							/* SSB_FACTORS_H */
