/*
 * further_partners.h
 *		Has a row any partner, where the first ones asked for are none?
 */
#ifndef SSDPAR_FURTHER_PARTNERS_H
#define SSDPAR_FURTHER_PARTNERS_H

#include "sample/index_sample.h"
#include "sample/joined.h"

/* What is known of a row of an index sample. */
typedef struct SsdparAnswer
{
	bool		partner;		/* one was found */
	int			asked;			/* row addresses that were looked at */
	int			like;			/* the row whose answer stands for this one's,
								 * its own number if it was asked itself */
	int			stands_for;		/* rows whose answer it is, itself too */
} SsdparAnswer;

typedef struct SsdparAsking
{
	SsdparSampler *sampler;
	const SsdparSampleJoined *set;
	const SsdparSampleJoin *join;
	SsdparIndexSample *sample;
	SsdparJoinedBuilder *builder;
	int			most_pairs;		/* fetched at a time */
	SsdparAnswer *answers;		/* of each row of the sample */
	double		heaviest;		/* rows that one has answered for, about */
} SsdparAsking;

/* Every row has been asked once.  False if the time is up. */
extern bool ssdpar_ask_further(SsdparAsking *asking);

/* The row that was asked. */
static inline int
ssdpar_row_asked(const SsdparAnswer *answers, int row)
{
	while (answers[row].like != row)
		row = answers[row].like;
	return row;
}

/* Was none found, but not all of them looked at? */
static inline bool
ssdpar_is_undecided(const SsdparIndexSample *sample,
					const SsdparAnswer *answers, int row)
{
	return sample->keys[row] != NULL && !answers[row].partner &&
		answers[row].asked < sample->keys[row]->rows;
}

#endif							/* SSDPAR_FURTHER_PARTNERS_H */
