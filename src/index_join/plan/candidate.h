/*
 * candidate.h
 *		An index join of two relations that the planner considers.
 */
#ifndef SSDPAR_JOIN_CANDIDATE_H
#define SSDPAR_JOIN_CANDIDATE_H

#include "nodes/pathnodes.h"

#include "keys/join_key.h"

/* One of the index's first columns, and the value it is compared with. */
typedef struct SsdparSearchedColumn
{
	RestrictInfo *clause;		/* of the join, or of the inner table */
	Var		   *inner;			/* the index's column */
	Var		   *outer;			/* compared with it, or NULL and ... */
	Expr	   *constant;		/* ... this is, a Const or a Param */
} SsdparSearchedColumn;

typedef struct SsdparJoinCandidate
{
	PlannerInfo *root;
	RelOptInfo *joinrel;
	RelOptInfo *outer;
	RelOptInfo *inner;			/* a plain table */
	JoinType	type;
	bool		single_match;	/* does the first match of an outer row
								 * suffice? */
	List	   *restrictlist;	/* of the join, as core built it */
	bool		all_wanted;		/* will all rows of the query be requested? */
	bool		all_unordered_wanted;	/* even if they have no order? */

	IndexOptInfo *index;		/* of the inner table, or NULL */
	bool		index_only;		/* does it have all columns that are read? */
	double		selected;		/* share of the inner rows that match a key,
								 * if its columns are independent */
	int			nkeys;			/* at least one compares the outer side */
	SsdparSearchedColumn keys[SSDPAR_MAX_KEY_COLUMNS];
} SsdparJoinCandidate;

/* Conditions that become the index condition. */
static inline List *
ssdpar_searched_clauses(const SsdparJoinCandidate *candidate)
{
	List	   *clauses = NIL;

	for (int i = 0; i < candidate->nkeys; i++)
		clauses = lappend(clauses, candidate->keys[i].clause);
	return clauses;
}

#endif							/* SSDPAR_JOIN_CANDIDATE_H */
