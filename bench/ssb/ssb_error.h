/*
 * ssb_error.h
 *		A single error message, filled in where the error happened and printed
 *		once, in ssbload.c.
 *
 * Functions that can fail for external reasons return false and leave their
 * message here: what happened, what it means, what to do.  Nothing below main
 * prints or exits.
 */
#ifndef SSB_ERROR_H
#define SSB_ERROR_H

#include <stdbool.h>

typedef struct SsbError
{
	char		text[2048];
} SsbError;

/* Stores the message; always returns false, so that callers can return it. */
extern bool ssb_fail(SsbError *error, const char *format, ...)
			__attribute__((format(printf, 2, 3)));

#endif							/* SSB_ERROR_H */
