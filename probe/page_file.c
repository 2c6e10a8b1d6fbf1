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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* A pipe that nobody reads is refused, not waited for. */
static int
open_file(const char *name)
{
	int			fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK,
						  0666);

	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

static bool
is_standard_output(int fd)
{
	struct stat file;
	struct stat output;

	return fstat(fd, &file) == 0 && fstat(STDOUT_FILENO, &output) == 0 &&
		file.st_dev == output.st_dev && file.st_ino == output.st_ino;
}

bool
ssdpar_probe_page_open(ProbePageFile *file, const char *name,
					   ProbeError *error)
{
	bool		known = access(name, F_OK) == 0;

	file->name = name;
	file->fd = open_file(name);
	if (file->fd < 0)
		return cannot_write(file, "Nothing was measured.", error);

	/* the name may be a link to what was not there */
	file->made = known ? NULL : realpath(name, NULL);
	file->is_output = is_standard_output(file->fd);
	return true;
}

static bool
replace(const ProbePageFile *file, const char *text)
{
	int			fd = file->is_output ? STDOUT_FILENO : file->fd;
	size_t		length = strlen(text);

	/* a pipe or a device has nothing to replace */
	if (!file->is_output && ftruncate(fd, 0) != 0 && errno != EINVAL)
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
	bool		good = text == NULL || replace(file, text);

	if (!good)
		cannot_write(file, "The page is not complete.", error);
	else if (close(file->fd) != 0)
		good = cannot_write(file, "The page may not be complete.", error);
	if (text == NULL && file->made != NULL)
		unlink(file->made);
	free(file->made);
	return good;
}
