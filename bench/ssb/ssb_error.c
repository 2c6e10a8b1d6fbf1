/*
 * ssb_error.c
 *		Fills in the error message, without printing it.
 */
#include "ssb_error.h"

#include <stdarg.h>
#include <stdio.h>

bool
ssb_fail(SsbError *error, const char *format, ...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return false;
}
