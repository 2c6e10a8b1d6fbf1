/*
 * attempt.h
 *		Reads pages that a statement can do without.
 */
#ifndef SSDPAR_ATTEMPT_H
#define SSDPAR_ATTEMPT_H

typedef void (*SsdparAttempt) (void *arg);

/*
 * Call the function.  False if it has failed: what it has opened is closed
 * then, and what it has allocated stays in its memory context.  Errors by which
 * somebody ends the statement go on.
 */
extern bool ssdpar_attempt(SsdparAttempt function, void *arg);

#endif							/* SSDPAR_ATTEMPT_H */
