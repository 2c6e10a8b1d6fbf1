/*
 * rows_asked.c
 *		The number of rows that an execution is asked for.
 */
#include "postgres.h"

#include "base/rows_asked.h"

static uint64 asked = 0;

uint64
ssdpar_rows_asked(void)
{
	return asked;
}

uint64
ssdpar_rows_asked_begin(uint64 count)
{
	uint64		outer = asked;

	asked = count;
	return outer;
}

void
ssdpar_rows_asked_end(uint64 outer)
{
	asked = outer;
}
