/*
 * early.h
 *		Determines whether an expression may be evaluated earlier than in
 *		core's plan, before it is certain that core would evaluate it, and
 *		again later.
 */
#ifndef SSDPAR_EARLY_H
#define SSDPAR_EARLY_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * Returns SSDPAR_ACCEPTED, or why a user could notice that expr, an expression
 * or a list of expressions of query level root, was evaluated early or
 * repeatedly.
 */
extern SsdparRefusal ssdpar_early_problem(PlannerInfo *root, Node *expr);

#endif							/* SSDPAR_EARLY_H */
