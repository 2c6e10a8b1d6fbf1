/*
 * ssdsim_number.h
 *		A decimal number in descriptions, options and commands.
 */
#ifndef SSDSIM_NUMBER_H
#define SSDSIM_NUMBER_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * False if TEXT is not exactly one number, or not distinguishable from zero
 * and infinity as a double.  strtod() would accept those, hexadecimal,
 * infinity, and NaN.
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
