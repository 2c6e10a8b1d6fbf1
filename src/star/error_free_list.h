/*
 * error_free_list.h
 *		What the server's own functions need so that they cannot raise an error.
 */
#ifndef SSDPAR_ERROR_FREE_LIST_H
#define SSDPAR_ERROR_FREE_LIST_H

/* Whether a call has it is error_free.c's to find out. */
typedef enum SsdparNeed
{
	SSDPAR_NEEDS_NOTHING,
	SSDPAR_NEEDS_MARK,			/* to be marked leakproof */
	SSDPAR_NEEDS_IMPOSSIBLE,	/* nothing would help */
	SSDPAR_NEEDS_DETERMINISTIC, /* a deterministic collation */
	SSDPAR_NEEDS_CASE_FOLDING,	/* an encoding in which that cannot fail */
	SSDPAR_NEEDS_PATTERN,		/* a constant one, and deterministic */
	SSDPAR_NEEDS_FOLDED_PATTERN,
	SSDPAR_NEEDS_LENGTH,		/* third argument, not negative */
	SSDPAR_NEEDS_FIELD_OF_DATE,
	SSDPAR_NEEDS_FIELD_OF_TIMESTAMP,
	SSDPAR_NEEDS_MODULUS,		/* not 0 */
	SSDPAR_NEEDS_DIVISOR,		/* neither 0 nor -1 */
	SSDPAR_NEEDS_CLOCK,			/* the time of the statement */
	SSDPAR_NEEDS_CLOCK_AND_SPAN,	/* and not more than years added */
} SsdparNeed;

/* Of a function that is not listed: the mark. */
extern SsdparNeed ssdpar_need_of(Oid function);

#endif							/* SSDPAR_ERROR_FREE_LIST_H */
