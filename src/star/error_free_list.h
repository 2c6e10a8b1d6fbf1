/*
 * error_free_list.h
 *		Lists what the server's own functions need in order not to raise an
 *		error.
 */
#ifndef SSDPAR_ERROR_FREE_LIST_H
#define SSDPAR_ERROR_FREE_LIST_H

/* error_free.c determines whether a call satisfies the need.  */
typedef enum SsdparNeed
{
	SSDPAR_NEEDS_NOTHING,
	SSDPAR_NEEDS_MARK,			/* the leakproof attribute */
	SSDPAR_NEEDS_IMPOSSIBLE,	/* cannot be satisfied */
	SSDPAR_NEEDS_DETERMINISTIC, /* a deterministic collation */
	SSDPAR_NEEDS_CASE_FOLDING,	/* an encoding in which this cannot fail */
	SSDPAR_NEEDS_PATTERN,		/* constant, and deterministic collation */
	SSDPAR_NEEDS_FOLDED_PATTERN,
	SSDPAR_NEEDS_LENGTH,		/* third argument, not negative */
	SSDPAR_NEEDS_FIELD_OF_DATE,
	SSDPAR_NEEDS_FIELD_OF_TIMESTAMP,
	SSDPAR_NEEDS_MODULUS,		/* not 0 */
	SSDPAR_NEEDS_DIVISOR,		/* neither 0 nor -1 */
	SSDPAR_NEEDS_CLOCK,			/* the time of the statement */
	SSDPAR_NEEDS_CLOCK_AND_SPAN,	/* the same, plus a limited interval */
} SsdparNeed;

/* Returns SSDPAR_NEEDS_MARK for functions that are not listed.  */
extern SsdparNeed ssdpar_need_of(Oid function);

#endif							/* SSDPAR_ERROR_FREE_LIST_H */
