/*
 * error_free.h
 *		Determines which functions cannot raise an error.
 */
#ifndef SSDPAR_ERROR_FREE_H
#define SSDPAR_ERROR_FREE_H

#include "nodes/pg_list.h"

/*
 * Is it known that a call with these arguments and this collation never raises
 * an error, whatever values the columns among the arguments have?  If args is
 * NIL, nothing is known about them.  Running out of memory and exceeding the 1
 * GB limit of a value do not count.
 */
extern bool ssdpar_call_is_error_free(Oid function, List *args,
									  Oid collation);

/* The same for an aggregate, including its transition and final functions.  */
extern bool ssdpar_aggregate_is_error_free(Oid aggregate, List *args,
										   Oid collation);

/*
 * Can values of a type be sorted, grouped and hashed by its default operators
 * with this collation without an error?  InvalidOid for a collatable type
 * means conflicting collations.
 */
extern bool ssdpar_sorting_is_error_free(Oid type, Oid collation);

/* The same for the values of an expression, with its own collation.  */
extern bool ssdpar_grouping_is_error_free(Node *expr);

/*
 * Can this support function of an operator class, for example a hash function,
 * be called without an error?  This holds for the server's own functions,
 * except those of container types: arrays, ranges, records.
 */
extern bool ssdpar_support_is_error_free(Oid function);

#endif							/* SSDPAR_ERROR_FREE_H */
