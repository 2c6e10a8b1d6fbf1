/*
 * hash_match.h
 *		The rows of a table in hand that match a joined row.
 */
#ifndef SSDPAR_SAMPLE_HASH_MATCH_H
#define SSDPAR_SAMPLE_HASH_MATCH_H

#include "sample/join_clauses.h"

typedef struct SsdparSampleHash SsdparSampleHash;

/* Of the table that the join adds, by its keys; made once.  NULL: no time. */
extern SsdparSampleHash *ssdpar_sample_hash(SsdparSampler *sampler,
											const SsdparSampleJoin *join);

/*
 * One row more was hashed or compared, of rows so far.  Is the time up?  It is
 * looked at every 128 rows.
 */
extern bool ssdpar_sample_match_is_over(SsdparSampler *sampler, uint64 *rows);

/* The rows whose keys equal those of a joined row. */
typedef struct SsdparSampleMatches
{
	SsdparSampler *sampler;
	const SsdparSampleHash *hash;
	const SsdparSampleJoin *join;
	SsdparSampleRow *const *members;
	int			position;		/* in the table, of the last one; -1: none */
	bool		is_over;		/* the time: there may be more */
} SsdparSampleMatches;

/*
 * The next one; NULL: there is none, or the time is up.  Rows that are compared
 * are added to those so far.
 */
extern SsdparSampleRow *ssdpar_sample_next_match(SsdparSampleMatches *matches,
												 uint64 *rows);

#endif							/* SSDPAR_SAMPLE_HASH_MATCH_H */
