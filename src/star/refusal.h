/*
 * refusal.h
 *		Why a star query is not helped: every reason there is, in one list.
 *
 * EXPLAIN (VERBOSE) prints the text.
 */
#ifndef SSDPAR_REFUSAL_H
#define SSDPAR_REFUSAL_H

/* The comment says what a user can do about it. */
typedef enum SsdparRefusal
{
	SSDPAR_ACCEPTED,			/* it is helped, or no one would expect it */

	/* No star scan of a fact. */
	SSDPAR_REFUSED_CHANGES_ROWS,	/* select the rows first */
	SSDPAR_REFUSED_LOCKS_ROWS,	/* leave FOR UPDATE or FOR SHARE away */
	SSDPAR_REFUSED_VOLATILE,	/* mark the function STABLE if it is */
	SSDPAR_REFUSED_OUTER_JOIN,	/* make it an inner join if it may be one */
	SSDPAR_REFUSED_NO_PLAIN_KEY,	/* compare columns, not expressions; of
									 * types that can be hashed */
	SSDPAR_REFUSED_SECURITY_BARRIER,	/* compare by leakproof operators: of
										 * integers, of most texts */
	SSDPAR_REFUSED_KEEPS_ALL,	/* ANALYZE, if the filters drop many rows */

	/* A relation is no dimension, so there may be no star scan. */
	SSDPAR_REFUSED_KIND,		/* put the rows of the function or CTE into a
								 * table */
	SSDPAR_REFUSED_SAMPLED,		/* leave TABLESAMPLE away */
	SSDPAR_REFUSED_NOT_FIXED,	/* of a sequence, compare with a subselect */
	SSDPAR_REFUSED_FOREIGN,		/* copy it: a materialized view */
	SSDPAR_REFUSED_SUBQUERY,	/* leave LIMIT, aggregates and the like away */
	SSDPAR_REFUSED_LATERAL_DIMENSION,	/* write it as a join */
	SSDPAR_REFUSED_NOT_ALONE,	/* filter it by its own columns */
	SSDPAR_REFUSED_DIMENSION_VOLATILE,	/* mark the function STABLE if it is */
	SSDPAR_REFUSED_CAN_RAISE,	/* filter by what cannot fail: comparisons of
								 * columns and constants */
	SSDPAR_REFUSED_SUBPLAN,		/* write the subquery as a join */
	SSDPAR_REFUSED_UNKNOWN_PATH,	/* nothing: core reads it by a plan that
									 * is not known here */

	/* No split, or no star scan by bitmap. */
	SSDPAR_REFUSED_NO_INDEX,	/* index the fact's foreign keys */

	/* No split. */
	SSDPAR_REFUSED_NOT_PLAIN,	/* nothing, but a star scan may do it */
	SSDPAR_REFUSED_SPECIAL_JOIN,	/* as above */
	SSDPAR_REFUSED_LATERAL,		/* write it as a join */
	SSDPAR_REFUSED_NOT_JOINED,	/* join each table by equality */
	SSDPAR_REFUSED_NOT_PARALLEL,	/* mark functions PARALLEL SAFE; see the
									 * server's rules of parallel safety */
	SSDPAR_REFUSED_FIXED_ORDER, /* raise join_collapse_limit and
								 * from_collapse_limit */
	SSDPAR_REFUSED_TOO_LITTLE,	/* nothing: it is fast */
	SSDPAR_REFUSED_ENDS_EARLY,	/* nothing: few rows are soon there */
	SSDPAR_REFUSED_NO_LOOPS,	/* set enable_nestloop = on */
	SSDPAR_REFUSED_SLOWER,		/* ssdpar.subqueries = N tries it */
} SsdparRefusal;

#define SSDPAR_REFUSALS (SSDPAR_REFUSED_SLOWER + 1)

/* In words: a constant string; NULL for SSDPAR_ACCEPTED. */
extern const char *ssdpar_refusal_text(SsdparRefusal refusal);

#endif							/* SSDPAR_REFUSAL_H */
