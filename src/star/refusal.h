/*
 * refusal.h
 *		All reasons why a star query is not optimized.
 *
 * EXPLAIN (VERBOSE) prints the text.
 */
#ifndef SSDPAR_REFUSAL_H
#define SSDPAR_REFUSAL_H

/* The comments state what a user can do.  */
typedef enum SsdparRefusal
{
	SSDPAR_ACCEPTED,			/* optimized, or not expected to be */

	/* No star scan of a fact.  */
	SSDPAR_REFUSED_CHANGES_ROWS,	/* select the rows first */
	SSDPAR_REFUSED_LOCKS_ROWS,	/* omit FOR UPDATE or FOR SHARE */
	SSDPAR_REFUSED_VOLATILE,	/* mark the function STABLE if it is */
	SSDPAR_REFUSED_SHORT,		/* nothing: the query is fast */
	SSDPAR_REFUSED_OUTER_JOIN,	/* use an inner join if equivalent */
	SSDPAR_REFUSED_NO_PLAIN_KEY,	/* compare columns, not expressions, of
									 * hashable types */
	SSDPAR_REFUSED_SECURITY_BARRIER,	/* compare by leakproof operators, as
										 * of integers and most texts */
	SSDPAR_REFUSED_KEEPS_ALL,	/* ANALYZE, if the filters drop many rows */

	/* A relation cannot be a dimension, so there may be no star scan.  */
	SSDPAR_REFUSED_KIND,		/* store the rows of the function or CTE in a
								 * table */
	SSDPAR_REFUSED_SAMPLED,		/* omit TABLESAMPLE */
	SSDPAR_REFUSED_NOT_FIXED,	/* for a sequence, compare with a subselect */
	SSDPAR_REFUSED_FOREIGN,		/* copy it, as a materialized view */
	SSDPAR_REFUSED_SUBQUERY,	/* omit LIMIT, aggregates and the like */
	SSDPAR_REFUSED_LATERAL_DIMENSION,	/* write it as a join */
	SSDPAR_REFUSED_NOT_ALONE,	/* filter it by its own columns */
	SSDPAR_REFUSED_DIMENSION_VOLATILE,	/* mark the function STABLE if it is */
	SSDPAR_REFUSED_CAN_RAISE,	/* use filters that cannot fail, as
								 * comparisons of columns with constants */
	SSDPAR_REFUSED_SUBPLAN,		/* write the subquery as a join */
	SSDPAR_REFUSED_UNKNOWN_PATH,	/* nothing: core's plan for it is not
									 * supported */

	/* No split, or no star scan with a bitmap.  */
	SSDPAR_REFUSED_NO_INDEX,	/* index the fact's foreign keys */

	/* No split.  */
	SSDPAR_REFUSED_NOT_PLAIN,	/* nothing, but a star scan may be used */
	SSDPAR_REFUSED_SPECIAL_JOIN,	/* as above */
	SSDPAR_REFUSED_LATERAL,		/* write it as a join */
	SSDPAR_REFUSED_NOT_JOINED,	/* join each table by equality */
	SSDPAR_REFUSED_NOT_PARALLEL,	/* mark functions PARALLEL SAFE; see the
									 * server's parallel safety rules */
	SSDPAR_REFUSED_FIXED_ORDER, /* raise join_collapse_limit and
								 * from_collapse_limit */
	SSDPAR_REFUSED_TOO_LITTLE,	/* nothing: the query is fast */
	SSDPAR_REFUSED_ENDS_EARLY,	/* nothing: a few rows are found quickly */
	SSDPAR_REFUSED_NO_LOOPS,	/* set enable_nestloop = on */
	SSDPAR_REFUSED_SLOWER,		/* ssdpar.subqueries = N forces it */
} SsdparRefusal;

#define SSDPAR_REFUSALS (SSDPAR_REFUSED_SLOWER + 1)

/* Returns a constant string, or NULL for SSDPAR_ACCEPTED. */
extern const char *ssdpar_refusal_text(SsdparRefusal refusal);

#endif							/* SSDPAR_REFUSAL_H */
