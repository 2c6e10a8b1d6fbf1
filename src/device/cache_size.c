/*
 * cache_size.c
 *		How large the processor's caches are, and what goes past them.
 *
 * The kernel shows them at "cpu0/cache/index*", numbered without a gap.  Where
 * it is a virtual machine's, it may show what the host lets it see.
 */
#include "device/cache_size.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PLACE "/sys/devices/system/cpu/cpu0/cache/index"

/* Accesses of an area so many times as large mostly miss the cache. */
#define PAST 4

/* "size" is as "32768K".  False if there is no such cache. */
static bool
read_size(const char *root, int number, size_t *size)
{
	char		path[PATH_MAX];
	unsigned long kilobytes;
	char		unit;
	FILE	   *file;
	bool		good;

	if (snprintf(path, sizeof(path), "%s" PLACE "%d/size", root, number) >=
		(int) sizeof(path))
		return false;
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	good = fscanf(file, "%lu%c", &kilobytes, &unit) == 2 && unit == 'K' &&
		kilobytes <= SIZE_MAX / 1024;
	fclose(file);
	if (good)
		*size = (size_t) kilobytes * 1024;
	return good;
}

size_t
ssdpar_largest_cache(const char *root)
{
	size_t		largest = 0;
	size_t		size;

	for (int i = 0; read_size(root, i, &size); i++)
		if (size > largest)
			largest = size;
	return largest;
}

size_t
ssdpar_area_past_cache(size_t cache, size_t memory)
{
	size_t		area = SSDPAR_AREA_LEAST;

	while (area / PAST < cache && area < SSDPAR_AREA_MOST &&
		   area <= memory / 2)
		area *= 2;
	return area;
}
