/*
 * no_device_files.c
 *		No descriptor is left for what tells of a device: for LD_PRELOAD.
 *
 * Only while there is a file of the name in NO_DEVICE_FILES.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FILE *
fopen(const char *path, const char *mode)
{
	FILE	   *(*next) (const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
	const char *name = getenv("NO_DEVICE_FILES");

	if (name == NULL || access(name, F_OK) != 0 ||
		(strcmp(path, "/proc/self/mountinfo") != 0 &&
		 strncmp(path, "/sys/", 5) != 0))
		return next(path, mode);
	errno = ENFILE;
	return NULL;
}
