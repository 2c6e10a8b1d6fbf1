/*
 * candidate.h
 *		One possible index join of two relations.
 */
#ifndef SSDPAR_JOIN_CANDIDATE_H
#define SSDPAR_JOIN_CANDIDATE_H

#include "nodes/pathnodes.h"

typedef struct SsdparJoinCandidate
{
	PlannerInfo *root;
	RelOptInfo *joinrel;
	RelOptInfo *inner;			/* a plain table */
	JoinType	type;
	bool		single_match;	/* is an outer row's first partner enough? */
	List	   *restrictlist;	/* of the join, as core has it */
	SpecialJoinInfo *sjinfo;

	IndexOptInfo *index;		/* of the inner table */
	RestrictInfo *key;			/* of restrictlist: what it is searched by */
	Var		   *inner_key;		/* the index's first column */
	Var		   *outer_key;		/* compared with it */
} SsdparJoinCandidate;

#endif							/* SSDPAR_JOIN_CANDIDATE_H */
