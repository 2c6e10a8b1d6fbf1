/*
 * ssdsim_number.h
 *		A decimal number as descriptions, options and commands have it.
 */
#ifndef SSDSIM_NUMBER_H
#define SSDSIM_NUMBER_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * False if TEXT is none, or more than one, or beyond what a double tells from
 * zero and infinity: strtod() would take that, hexadecimal, infinity itself and
 * what is not a number.
 */
static inline bool
ssdsim_parse_number(const char *text, double *value)
{
	char	   *end;

	errno = 0;
	*value = strtod(text, &end);
	return text[strspn(text, "0123456789.eE+-")] == '\0' && end != text &&
		*end == '\0' && errno == 0 && isfinite(*value);
}

#endif							/* SSDSIM_NUMBER_H */
