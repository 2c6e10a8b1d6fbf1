/*
 * problem.c
 *		The message with which a step of the daemon's start fails.
 *
 * The caller decides what to do with it; log.c writes messages.
 */
#include "problem.h"

#include <stdarg.h>
#include <stdio.h>

bool
ssdpard_fail(char *problem, const char *format, ...)
{
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(problem, SSDPARD_PROBLEM, format, arguments);
	va_end(arguments);
	return false;
}
