/*
 * ssdemu_pid_file.c
 *		The file with the process ID to signal.
 */
#include "ssdemu_pid_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 10000
#define LOOK_AGAIN_MS 10

/* An existing one belongs to another process until it has our process ID. */
static bool
open_file(SsdemuPidFile *file)
{
	int			flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct stat attr;

	file->fd = open(file->path, flags | O_CREAT | O_EXCL, 0644);
	file->ours = file->fd >= 0;
	if (file->fd < 0 && errno == EEXIST)
		file->fd = open(file->path, flags);
	if (file->fd < 0 || fstat(file->fd, &attr) != 0)
		return false;
	errno = EINVAL;
	return S_ISREG(attr.st_mode);
}

/* False, with EWOULDBLOCK, if another process holds it all the time. */
static bool
lock_file(SsdemuPidFile *file)
{
	for (int waited = 0; flock(file->fd, LOCK_EX | LOCK_NB) != 0;
		 waited += LOOK_AGAIN_MS)
	{
		if (errno != EWOULDBLOCK || waited >= WAIT_MS)
			return false;
		poll(NULL, 0, LOOK_AGAIN_MS);
	}
	return true;
}

/* Its previous holder may have removed it meanwhile. */
static bool
still_named(const SsdemuPidFile *file)
{
	struct stat opened;
	struct stat named;

	return fstat(file->fd, &opened) == 0 && stat(file->path, &named) == 0 &&
		named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

static bool
open_locked(SsdemuPidFile *file)
{
	while (open_file(file))
	{
		if (!lock_file(file))
		{
			file->ours = false;
			return false;
		}
		if (still_named(file))
			return true;
		close(file->fd);
	}
	return false;
}

bool
ssdemu_pid_file_open(SsdemuPidFile *file, SsdsimError *error)
{
	if (file->path == NULL || open_locked(file))
		return true;
	if (errno == EWOULDBLOCK)
		return ssdsim_fail(error, "--pid-file %.200s: another process that "
						   "runs holds it. Nothing is mounted. Name another "
						   "file, or end that process.", file->path);
	return ssdsim_fail(error, "--pid-file %.200s: %s. Nothing is mounted. Name "
					   "a file that can be written.", file->path,
					   strerror(errno));
}

void
ssdemu_pid_file_write(SsdemuPidFile *file)
{
	if (file->fd < 0 || ftruncate(file->fd, 0) != 0)
		return;
	dprintf(file->fd, "%d\n", (int) getpid());
	file->ours = true;
}

void
ssdemu_pid_file_close(SsdemuPidFile *file)
{
	if (file->ours)
		unlink(file->path);
	if (file->fd >= 0)
		close(file->fd);
}
