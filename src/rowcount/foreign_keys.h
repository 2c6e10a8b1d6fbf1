/*
 * foreign_keys.h
 *		What core is to take from foreign keys between two tables whose join is
 *		known.
 */
#ifndef SSDPAR_FOREIGN_KEYS_H
#define SSDPAR_FOREIGN_KEYS_H

#include "nodes/pathnodes.h"

/* Removes them, because core prefers them to the clauses between the two. */
extern void ssdpar_forget_foreign_keys(PlannerInfo *root, Relids pair);

/*
 * The same of an inner join, by these clauses, whose known selectivity that
 * is; but where rows join as by a foreign key of several columns, core is to go
 * by one for this join and for larger ones: by that which there is, or else by
 * one that is made up.
 */
extern void ssdpar_put_foreign_key(PlannerInfo *root, Relids pair,
								   List *clauses, double selectivity);

#endif							/* SSDPAR_FOREIGN_KEYS_H */
