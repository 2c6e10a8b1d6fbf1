/*
 * attempt.h
 *		Reads pages that a statement can do without.
 */
#ifndef SSDPAR_ATTEMPT_H
#define SSDPAR_ATTEMPT_H

typedef void (*SsdparAttempt) (void *arg);

/*
 * Calls the function.  Returns false if it failed; then its resources have
 * been released, but its allocations remain in its memory context.  Errors
 * that interrupt the statement are rethrown.
 */
extern bool ssdpar_attempt(SsdparAttempt function, void *arg);

#endif							/* SSDPAR_ATTEMPT_H */
