/*
 * join_key.h
 *		The columns that a join compares for equality, and the operators.
 *
 * A target row and a key row match if each pair of columns matches: target
 * column i, operator i, key column i, with collation i.  The target is the
 * left argument of the operators, whose two types may differ (int4 = int8).
 */
#ifndef SSDPAR_JOIN_KEY_H
#define SSDPAR_JOIN_KEY_H

#include "access/attnum.h"

/*
 * Maximum number of columns of a key: enough for composite keys in practice,
 * and few enough to store in the plan as an array.
 */
#define SSDPAR_MAX_KEY_COLUMNS 8

/*
 * Invariant: 1 <= ncolumns <= SSDPAR_MAX_KEY_COLUMNS, all column numbers are
 * positive (no system columns), and ssdpar_key_can_be_coded() accepts all
 * operators.
 */
typedef struct SsdparJoinKey
{
	int			ncolumns;
	AttrNumber	target_columns[SSDPAR_MAX_KEY_COLUMNS];
	AttrNumber	key_columns[SSDPAR_MAX_KEY_COLUMNS];
	Oid			operators[SSDPAR_MAX_KEY_COLUMNS];
	Oid			collations[SSDPAR_MAX_KEY_COLUMNS];
} SsdparJoinKey;

/*
 * Returns column number i as a separate key, which an index on that column can
 * find.
 */
static inline SsdparJoinKey
ssdpar_join_key_column(const SsdparJoinKey *key, int i)
{
	SsdparJoinKey column = {
		.ncolumns = 1,
		.target_columns = {key->target_columns[i]},
		.key_columns = {key->key_columns[i]},
		.operators = {key->operators[i]},
		.collations = {key->collations[i]},
	};

	Assert(i >= 0 && i < key->ncolumns);
	return column;
}

#endif							/* SSDPAR_JOIN_KEY_H */
