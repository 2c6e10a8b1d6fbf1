/*
 * joined.h
 *		A sample of joined rows, while it is made.
 */
#ifndef SSDPAR_SAMPLE_JOINED_H
#define SSDPAR_SAMPLE_JOINED_H

#include "sample/join_clauses.h"

typedef struct SsdparJoinedBuilder SsdparJoinedBuilder;

/* A set of one table. */
extern SsdparSampleJoined *ssdpar_joined_table(SsdparSampler *sampler,
											   SsdparSampleTable *table);

/* Puts its rows of one page of the table in a row. */
extern void ssdpar_joined_sort(SsdparSampleJoined *set,
							   const SsdparSampleTable *table);

/*
 * What no row of the set was found of has at most so many rows for each of the
 * set's, with 95 % certainty.  alike: rows from one page count once.
 */
extern double ssdpar_joined_unfound(const SsdparSampler *sampler,
									const SsdparSampleJoined *set,
									bool alike);

/* set joined with a table: no rows yet. */
extern SsdparJoinedBuilder *ssdpar_joined_begin(SsdparSampler *sampler,
												const SsdparSampleJoined *set,
												const SsdparSampleJoin *join);

/* A set without a row, joined with a table in whatever way: no row, either. */
extern SsdparSampleJoined *ssdpar_joined_empty(SsdparSampler *sampler,
											   const SsdparSampleJoined *set,
											   const SsdparSampleJoin *join);

/* A row that comes out, in the order of the set; NULL: without a partner. */
extern void ssdpar_joined_add(SsdparJoinedBuilder *builder,
							  SsdparSampleRow *const *members,
							  SsdparSampleRow *row);

/* What the join asks of the two beside its keys. */
extern bool ssdpar_joined_condition(SsdparJoinedBuilder *builder,
									SsdparSampleRow *const *members,
									SsdparSampleRow *row);

/*
 * The set, of this many rows in all; found: see SsdparSampleJoined.  exact says
 * that every row of the join was added.
 */
extern SsdparSampleJoined *ssdpar_joined_end(SsdparJoinedBuilder *builder,
											 double rows, double found,
											 bool exact);

/* Rows added, and from how many rows of the target they come. */
extern double ssdpar_joined_added(const SsdparJoinedBuilder *builder);
extern int	ssdpar_joined_targets(const SsdparJoinedBuilder *builder);

#endif							/* SSDPAR_SAMPLE_JOINED_H */
