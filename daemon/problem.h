/*
 * problem.h
 *		The one message with which a step of the daemon's start fails.
 *
 * The caller of the step decides what becomes of it; log.h writes messages.
 */
#ifndef SSDPARD_PROBLEM_H
#define SSDPARD_PROBLEM_H

#include <stdbool.h>

/* Bytes of a message, the terminator included; longer ones are cut off. */
#define SSDPARD_PROBLEM 512

/* Puts the message into PROBLEM (SSDPARD_PROBLEM bytes) and returns false. */
extern bool ssdpard_fail(char *problem, const char *format, ...)
			__attribute__((format(printf, 2, 3)));

#endif							/* SSDPARD_PROBLEM_H */
