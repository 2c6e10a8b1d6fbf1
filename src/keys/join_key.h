/*
 * join_key.h
 *		The columns that a join compares for equality, and by what.
 *
 * A target row and a key row match if each pair of columns does: target column
 * i, operator i, key column i, under collation i.  The target is the left side
 * of the operators, whose two types may differ (int4 = int8).  Which rows
 * these are, and what follows from a match, is not known here.
 */
#ifndef SSDPAR_JOIN_KEY_H
#define SSDPAR_JOIN_KEY_H

#include "access/attnum.h"

/*
 * Columns that one key can have: enough for the composite keys that are met in
 * schemas, few enough to lie in the plan as an array.
 */
#define SSDPAR_MAX_KEY_COLUMNS 8

/*
 * Invariant: 1 <= ncolumns <= SSDPAR_MAX_KEY_COLUMNS, all column numbers above
 * 0 (no system columns), all operators such as ssdpar_key_can_be_coded()
 * takes.
 */
typedef struct SsdparJoinKey
{
	int			ncolumns;
	AttrNumber	target_columns[SSDPAR_MAX_KEY_COLUMNS];
	AttrNumber	key_columns[SSDPAR_MAX_KEY_COLUMNS];
	Oid			operators[SSDPAR_MAX_KEY_COLUMNS];
	Oid			collations[SSDPAR_MAX_KEY_COLUMNS];
} SsdparJoinKey;

/* Column number i as a key of its own: what an index on it alone can find. */
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
