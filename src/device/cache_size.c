/*
 * cache_size.c
 *		Determines the size of the processor's caches, and of areas that exceed
 *		it.
 *
 * The kernel shows the caches at "cpu0/cache/index*", numbered without gaps.
 * In a virtual machine, it can only show what the host reveals.
 */
#include "device/cache_size.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PLACE "/sys/devices/system/cpu/cpu0/cache/index"

/* Accesses to an area this many times as large mostly miss the cache. */
#define PAST 4

/*
 * The file contains "32768K", for example.  Returns false if there is no such
 * cache.
 */
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
