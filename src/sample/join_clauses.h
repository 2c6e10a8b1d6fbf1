/*
 * join_clauses.h
 *		By what a set of relations is joined with one more, if core could join
 *		them.
 */
#ifndef SSDPAR_SAMPLE_JOIN_CLAUSES_H
#define SSDPAR_SAMPLE_JOIN_CLAUSES_H

#include "fmgr.h"

#include "sample/sampler.h"

/* column of table "outer" = column of the one that is added */
typedef struct SsdparSampleKey
{
	int			outer;			/* table */
	int			outer_column;	/* of those that are kept */
	int			inner_column;
	Oid			outer_type;
	Oid			operator;
	Oid			collation;
	FmgrInfo	equal;
	FmgrInfo	outer_hash;
	FmgrInfo	inner_hash;
} SsdparSampleKey;

typedef struct SsdparSampleJoin
{
	JoinType	type;			/* inner, left, semi or anti */
	Index		joined;			/* relid of the outer join (16 and later) */
	SsdparSampleTable *table;	/* that is added */
	List	   *keys;			/* NIL: all rows match, or others say */
	List	   *others;			/* clauses, without RestrictInfo */
	ExprState  *condition;		/* of these; NULL: none */
} SsdparSampleJoin;

/* A way to join a set with a table; NULL: it cannot be gone, or no time. */
typedef SsdparSampleJoined *(*SsdparSampleJoiner) (SsdparSampler *,
												   const SsdparSampleJoined *,
												   const SsdparSampleJoin *);

/*
 * How core would join the set with the table, which is the inner side of all
 * but inner joins; false if it would not, or not by what can be asked here.
 */
extern bool ssdpar_sample_find_join(SsdparSampler *sampler,
									const SsdparSampleJoined *set,
									SsdparSampleTable *table,
									SsdparSampleJoin *join);

/* Look up the functions of a key's operator; false if one might fail. */
extern bool ssdpar_sample_prepare_key(SsdparSampleKey *key);

/*
 * Is no value met so far, of the columns that the join compares, stored out of
 * line?  Each comparison would fetch it.
 */
extern bool ssdpar_sample_is_in_line(SsdparSampler *sampler,
									 const SsdparSampleJoin *join);

/* Do the keys of a joined row and of the table's row equal each other? */
extern bool ssdpar_sample_keys_equal(const SsdparSampleJoin *join,
									 SsdparSampleRow *const *members,
									 const SsdparSampleRow *row);

#endif							/* SSDPAR_SAMPLE_JOIN_CLAUSES_H */
