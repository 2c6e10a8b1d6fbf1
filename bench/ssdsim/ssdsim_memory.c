/*
 * ssdsim_memory.c
 *		The only place that exits when out of memory.
 */
#include "ssdsim_memory.h"

#include <stdio.h>
#include <stdlib.h>

static void *
not_null(void *memory, size_t count, size_t size)
{
	if (memory == NULL)
	{
		fprintf(stderr, "ssdsim: out of memory, %zu times %zu bytes wanted. Describe a device of fewer pages.\n",
				count, size);
		exit(1);
	}
	return memory;
}

void *
ssdsim_allocate(size_t count, size_t size)
{
	return not_null(calloc(count > 0 ? count : 1, size), count, size);
}

void *
ssdsim_enlarge(void *old, size_t count, size_t size)
{
	old = reallocarray(old, count > 0 ? count : 1, size);
	return not_null(old, count, size);
}
