/*
 * known_rows.h
 *		Row counts of the statement being planned that were measured, not
 *		estimated: what the planner is to go by where there is one.
 *
 * src/sample fills this, src/join_search makes core plan with it, src/star and
 * src/starscan/plan look it up.  It belongs to one PlannerInfo, lives as long
 * as the planning of its statement, and knows base relations only: bits of
 * outer joins (16 and later) are to be left out of every set by the caller.
 */
#ifndef SSDPAR_KNOWN_ROWS_H
#define SSDPAR_KNOWN_ROWS_H

#include "nodes/pathnodes.h"

typedef struct SsdparKnownRows
{
	Relids		relids;			/* base relations; more than one: their join */
	double		rows;			/* after all filters, joins by the query's own
								 * join types */
	double		found;			/* sample rows that rows rests on: the more,
								 * the surer; 0: none was found, rows is a
								 * bound */
	bool		exact;			/* counted, not extrapolated */
	Relids		guessed;		/* of these: core's selectivity stands for
								 * filters that were not evaluated */
	double		assumed;		/* by core before it was measured; -1: it has
								 * not joined them */
	double		planned;		/* what core plans with for it; 0: not told */
} SsdparKnownRows;

/* Rows of a target that dimensions keep: a semijoin, whatever joins follow. */
typedef struct SsdparKnownShare
{
	Index		target;			/* the table that is reduced */
	Relids		dimensions;		/* each keeps rows that it has a match for */
	double		share;			/* kept by all of them, of the target's rows
								 * that pass its own filter */
	double		found;
	bool		exact;			/* counted, not extrapolated */
} SsdparKnownShare;

/* Copied, in the current memory context.  The newest counts. */
extern void ssdpar_know_rows(PlannerInfo *root, const SsdparKnownRows *known);
extern void ssdpar_know_share(PlannerInfo *root,
							  const SsdparKnownShare *known);

/* NULL where that was not measured. */
extern const SsdparKnownRows *ssdpar_known_rows(PlannerInfo *root,
												Relids relids);
extern const SsdparKnownShare *ssdpar_known_share(PlannerInfo *root,
												  Index target,
												  Relids dimensions);

/* Core had assumed so many rows of these, which are known, or -1. */
extern void ssdpar_note_assumed_rows(PlannerInfo *root, Relids relids,
									 double rows);

/* Core plans with so many rows of these, which are known, from now on. */
extern void ssdpar_plan_with_rows(PlannerInfo *root, Relids relids,
								  double rows);

/* All of a query level, List of SsdparKnownRows, in the order measured. */
extern List *ssdpar_all_known_rows(PlannerInfo *root);

/* The same of the shares, List of SsdparKnownShare. */
extern List *ssdpar_all_known_shares(PlannerInfo *root);

/*
 * The statement is planned again, with to in the place of from: what is known
 * of the one becomes what is known of the other.
 */
extern void ssdpar_pass_on_known_rows(PlannerInfo *from, PlannerInfo *to);

/*
 * Planning a statement begins: nothing is known of it.  Returns what was known
 * of the outer one, to be given back at the end, also after an error.
 */
extern List *ssdpar_known_rows_begin(void);
extern void ssdpar_known_rows_end(List *outer);

#endif							/* SSDPAR_KNOWN_ROWS_H */
