/*
 * page_file.c
 *		The file of ssdpar-probe --report.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool
cannot_write(const ProbePageFile *file, const char *detail, ProbeError *error)
{
	ssdpar_probe_error(error, PROBE_IO_FAILED, "could not write \"%s\": %s",
					   file->name, strerror(errno));
	ssdpar_probe_detail(error, "%s", detail);
	ssdpar_probe_hint(error, "Give --report another file, or make room for "
					  "this one.");
	return false;
}

bool
ssdpar_probe_page_open(ProbePageFile *file, const char *name,
					   ProbeError *error)
{
	file->name = name;
	file->made = access(name, F_OK) != 0;
	file->fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (file->fd >= 0)
		return true;
	return cannot_write(file, "Nothing was measured.", error);
}

static bool
replace(int fd, const char *text)
{
	size_t		length = strlen(text);

	/* not possible for /dev/stdout, nor needed */
	if (ftruncate(fd, 0) != 0 && errno != EINVAL)
		return false;
	while (length > 0)
	{
		ssize_t		written = write(fd, text, length);

		if (written < 0)
			return false;
		text += written;
		length -= (size_t) written;
	}
	return true;
}

bool
ssdpar_probe_page_close(ProbePageFile *file, const char *text,
						ProbeError *error)
{
	bool		good = text == NULL || replace(file->fd, text);

	if (!good)
		cannot_write(file, "The page is not complete.", error);
	else if (close(file->fd) != 0)
		good = cannot_write(file, "The page may not be complete.", error);
	if (text == NULL && file->made)
		unlink(file->name);
	return good;
}
