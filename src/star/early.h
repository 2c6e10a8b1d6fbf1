/*
 * early.h
 *		Whether an expression may be evaluated before it is certain that it has
 *		to be, and again later.
 */
#ifndef SSDPAR_EARLY_H
#define SSDPAR_EARLY_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * SSDPAR_ACCEPTED, or why a user could tell that expr, an expression of the
 * query level root or a list of them, was evaluated early or more than once.
 */
extern SsdparRefusal ssdpar_early_problem(PlannerInfo *root, Node *expr);

#endif							/* SSDPAR_EARLY_H */
