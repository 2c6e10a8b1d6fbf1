/*
 * ssdsim_error.h
 *		One error message, filled in where something went wrong and printed
 *		once, by main: what happened, what it means, what to do.
 */
#ifndef SSDSIM_ERROR_H
#define SSDSIM_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct SsdsimError
{
	char		text[1024];
} SsdsimError;

/* Store the message; always false, so that callers can return it. */
static inline bool
__attribute__((format(printf, 2, 3)))
ssdsim_fail(SsdsimError *error, const char *format, ...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return false;
}

#endif							/* SSDSIM_ERROR_H */
