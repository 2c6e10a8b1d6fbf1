/*
 * problem.h
 *		The message with which a step of the daemon's start fails.
 *
 * The caller decides what to do with it; log.h writes messages.
 */
#ifndef SSDPARD_PROBLEM_H
#define SSDPARD_PROBLEM_H

#include <stdbool.h>

/* Size of a message with its terminator; longer ones are truncated. */
#define SSDPARD_PROBLEM 512

/* Writes the message to PROBLEM (SSDPARD_PROBLEM bytes) and returns false. */
extern bool ssdpard_fail(char *problem, const char *format, ...)
			__attribute__((format(printf, 2, 3)));

#endif							/* SSDPARD_PROBLEM_H */
