/*
 * ssdemu_error.h
 *		One error message, filled in where something went wrong and printed
 *		once, by main: what happened, what it means, what to do.
 */
#ifndef SSDEMU_ERROR_H
#define SSDEMU_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct SsdemuError
{
	char		text[1024];
} SsdemuError;

/* Store the message; always false, so that callers can return it. */
static inline bool
__attribute__((format(printf, 2, 3)))
ssdemu_fail(SsdemuError *error, const char *format, ...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return false;
}

#endif							/* SSDEMU_ERROR_H */
