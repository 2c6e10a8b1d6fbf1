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

/* The next row after this one, NULL to begin with, whose keys are equal. */
extern SsdparSampleRow *
			ssdpar_sample_hash_next(const SsdparSampleHash *hash,
									const SsdparSampleJoin *join,
									SsdparSampleRow *const *members,
									int *position);

/*
 * One row more was hashed or matched, of rows so far.  Is the time up?  It is
 * looked at every 128 rows.
 */
extern bool ssdpar_sample_match_is_over(SsdparSampler *sampler, uint64 *rows);

#endif							/* SSDPAR_SAMPLE_HASH_MATCH_H */
