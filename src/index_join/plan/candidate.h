/*
 * candidate.h
 *		One possible index join of two relations.
 */
#ifndef SSDPAR_JOIN_CANDIDATE_H
#define SSDPAR_JOIN_CANDIDATE_H

#include "nodes/pathnodes.h"

#include "keys/join_key.h"

/* What one of the index's first columns is compared with. */
typedef struct SsdparSearchedColumn
{
	RestrictInfo *clause;		/* of the join, or of the inner table */
	Var		   *inner;			/* the index's column */
	Var		   *outer;			/* compared with it, or else ... */
	Expr	   *constant;		/* ... this, a Const or a Param */
} SsdparSearchedColumn;

typedef struct SsdparJoinCandidate
{
	PlannerInfo *root;
	RelOptInfo *joinrel;
	RelOptInfo *outer;
	RelOptInfo *inner;			/* a plain table */
	JoinType	type;
	bool		single_match;	/* is an outer row's first partner enough? */
	List	   *restrictlist;	/* of the join, as core has it */
	bool		all_wanted;		/* will all rows of the query be asked for? */
	bool		all_unordered_wanted;	/* and if they come in no order? */

	IndexOptInfo *index;		/* of the inner table; NULL: none */
	bool		index_only;		/* has it all columns that are read? */
	double		selected;		/* share of the inner rows that a key has,
								 * each column taken for independent */
	int			nkeys;			/* one at least is of the outer side */
	SsdparSearchedColumn keys[SSDPAR_MAX_KEY_COLUMNS];
} SsdparJoinCandidate;

/* The conditions that the index is searched by. */
static inline List *
ssdpar_searched_clauses(const SsdparJoinCandidate *candidate)
{
	List	   *clauses = NIL;

	for (int i = 0; i < candidate->nkeys; i++)
		clauses = lappend(clauses, candidate->keys[i].clause);
	return clauses;
}

#endif							/* SSDPAR_JOIN_CANDIDATE_H */
