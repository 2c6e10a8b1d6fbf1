/*
 * foreign_keys.h
 *		Replaces foreign keys between two tables whose join was measured.
 */
#ifndef SSDPAR_FOREIGN_KEYS_H
#define SSDPAR_FOREIGN_KEYS_H

#include "nodes/pathnodes.h"

/* Removes them, because core prefers them to the clauses between the two. */
extern void ssdpar_forget_foreign_keys(PlannerInfo *root, Relids pair);

/*
 * The same for an inner join by these clauses, with its measured selectivity.
 * However, if rows are joined as by a foreign key of several columns, leaves
 * an existing key or adds an invented one, which core then uses for this join
 * and for larger ones.
 */
extern void ssdpar_put_foreign_key(PlannerInfo *root, Relids pair,
								   List *clauses, double selectivity);

#endif							/* SSDPAR_FOREIGN_KEYS_H */
