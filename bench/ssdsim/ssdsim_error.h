/*
 * ssdsim_error.h
 *		A single error message, filled in where the error happened and printed
 *		once, by main: what happened, what it means, what to do.
 */
#ifndef SSDSIM_ERROR_H
#define SSDSIM_ERROR_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct SsdsimError
{
	char		text[1024];
} SsdsimError;

/*
 * Stores the message; always returns false, so that callers can return it.  A
 * quotation may have a file's arbitrary bytes, so control characters and line
 * ends are replaced.
 */
static inline bool
__attribute__((format(printf, 2, 3)))
ssdsim_fail(SsdsimError *error, const char *format, ...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	for (char *c = error->text; *c != '\0'; c++)
		*c = (unsigned char) *c < ' ' || *c == 0x7f ? '?' : *c;
	return false;
}

/* Was everything printed to standard output also written? */
static inline bool
ssdsim_written(SsdsimError *error)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	return ssdsim_fail(error, "could not write the result: %s. What was "
					   "printed is not complete. Check where standard output "
					   "goes.", strerror(errno));
}

#endif							/* SSDSIM_ERROR_H */
