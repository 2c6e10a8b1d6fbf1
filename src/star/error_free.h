/*
 * error_free.h
 *		Which functions cannot raise an error.
 */
#ifndef SSDPAR_ERROR_FREE_H
#define SSDPAR_ERROR_FREE_H

#include "nodes/pg_list.h"

/*
 * Is a call with these arguments, under this collation, known never to raise
 * an error whatever the columns among the arguments hold?  args may be NIL:
 * then nothing is known of them.  Running out of memory does not count, nor
 * does that a value may not exceed 1 GB.
 */
extern bool ssdpar_call_is_error_free(Oid function, List *args,
									  Oid collation);

/* The same for an aggregate, of its transitions and its result. */
extern bool ssdpar_aggregate_is_error_free(Oid aggregate, List *args,
										   Oid collation);

/*
 * Can values of a type be sorted, grouped and hashed by its default operators
 * under this collation without an error?  InvalidOid for a type that has
 * collations: several that conflict.
 */
extern bool ssdpar_sorting_is_error_free(Oid type, Oid collation);

/* The same for the values of an expression, under its own collation. */
extern bool ssdpar_grouping_is_error_free(Node *expr);

/*
 * Can this support function of an operator class, a hash function for example,
 * be called without an error?  The server's own can, except those of types
 * made of others: arrays, ranges, records.
 */
extern bool ssdpar_support_is_error_free(Oid function);

#endif							/* SSDPAR_ERROR_FREE_H */
