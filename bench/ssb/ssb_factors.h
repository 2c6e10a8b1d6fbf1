/*
 * ssb_factors.h
 *		How many lineorder rows each query selects, counted from the
 *		generator alone, without a server.
 *
 * The predicates here are the WHERE clauses of queries/ in C, a second time
 * on purpose: the TAP test compares the two on a loaded database, and the
 * unit test compares these counts with the specification's filter factors.
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

/* Makes the whole fact table once; holds the dimensions in memory. */
extern bool ssb_count_factors(const SsbGen *gen, SsbCounts *counts,
							  SsbError *error);

#endif							/* SSB_FACTORS_H */
