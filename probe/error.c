/*
 * error.c
 *		Fills a ProbeError: what happened, what it means, what to do.
 *
 * The caller reports it: ssdpar-probe on stderr, the server with ereport().
 * The engine must not do that, because a longjmp would leave requests
 * outstanding whose buffers the kernel still writes to.
 */
#include <stdarg.h>
#include <stdio.h>

#include "probe.h"

void
ssdpar_probe_error(ProbeError *error, ProbeErrorKind kind, const char *format,
				   ...)
{
	va_list		args;

	/* do not keep the detail of an earlier error */
	error->kind = kind;
	error->detail[0] = '\0';
	error->hint[0] = '\0';

	/* a path may exceed the buffer: truncated rather than refused */
	va_start(args, format);
	vsnprintf(error->message, sizeof(error->message), format, args);
	va_end(args);
}

void
ssdpar_probe_detail(ProbeError *error, const char *format, ...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(error->detail, sizeof(error->detail), format, args);
	va_end(args);
}

void
ssdpar_probe_hint(ProbeError *error, const char *format, ...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(error->hint, sizeof(error->hint), format, args);
	va_end(args);
}
