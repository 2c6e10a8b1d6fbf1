/*
 * files.c
 *		The files whose descriptors sessions handed over.
 *
 * An open descriptor keeps the disk space of a deleted file, and keeps the
 * file system mounted.  Therefore none is held longer than it is used, and the
 * link count is checked before every read.  No path is ever opened, so the
 * daemon can read only what a session of the server could read.
 */
#include "files.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void
ssdpard_files_init(SsdpardFiles *files)
{
	TAILQ_INIT(&files->list);
	files->open = 0;
	files->max_open = 0;
}

/* Checks the invariant in files.h. */
static void
check_file(const SsdpardFiles *files, const SsdpardFile *file)
{
	assert(file->references > 0 || file->stale);
	assert(file->fd >= 0 || file->outstanding == 0);
	assert(file->fd >= 0 || file->stale);
	assert(files->open >= 0);
}

bool
ssdpard_file_is_good(int fd, uint64_t *device)
{
	struct stat status;
	int			flags = fcntl(fd, F_GETFL);

	/*
	 * A pipe or a device could block the loop.  O_DIRECT would bypass the
	 * page cache, and O_PATH cannot be read.
	 */
	if (flags < 0 || (flags & O_ACCMODE) != O_RDONLY ||
		(flags & (O_PATH | O_DIRECT)) != 0 ||
		fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	*device = status.st_dev;
	return true;
}

SsdpardFile *
ssdpard_file_add(SsdpardFiles *files, int fd, int device, uint64_t now)
{
	SsdpardFile *file;

	if (files->open >= files->max_open)
		return NULL;
	file = calloc(1, sizeof(*file));
	if (file == NULL)
		return NULL;

	/*
	 * Read exactly what is requested: the kernel's own read-ahead would read
	 * more than could be canceled, and would split large reads at its window.
	 */
	(void) posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	file->fd = fd;
	file->device = device;
	file->references = 1;
	file->used = now;
	TAILQ_INSERT_TAIL(&files->list, file, link);
	files->open++;
	check_file(files, file);
	return file;
}

bool
ssdpard_file_is_same(const SsdpardFile *file, int fd)
{
	struct stat ours;
	struct stat theirs;

	return fstat(file->fd, &ours) == 0 && fstat(fd, &theirs) == 0 &&
		ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

static void
close_if_unused(SsdpardFiles *files, SsdpardFile *file)
{
	if (file->stale && file->outstanding == 0 && file->fd >= 0)
	{
		close(file->fd);
		file->fd = -1;
		files->open--;
	}
	check_file(files, file);
}

void
ssdpard_file_close(SsdpardFiles *files, SsdpardFile *file)
{
	file->stale = true;
	close_if_unused(files, file);
}

void
ssdpard_file_release(SsdpardFiles *files, SsdpardFile *file)
{
	assert(file->references > 0);
	if (--file->references > 0)
		return;

	/*
	 * not outstanding: an outstanding read has a range, which has a reference
	 */
	ssdpard_file_close(files, file);
	assert(file->fd < 0);
	TAILQ_REMOVE(&files->list, file, link);
	free(file);
}

bool
ssdpard_file_check(SsdpardFiles *files, SsdpardFile *file, uint64_t turn)
{
	struct stat status;

	/* once a turn, so a READ of 60 ranges of one file needs one fstat */
	if (file->stale || file->checked == turn)
		return !file->stale;
	file->checked = turn;
	if (fstat(file->fd, &status) != 0 || status.st_nlink == 0)
	{
		ssdpard_file_close(files, file);
		return false;
	}
	file->size = (uint64_t) status.st_size;
	return true;
}

void
ssdpard_file_begin_read(SsdpardFile *file)
{
	assert(file->fd >= 0 && !file->stale);
	file->outstanding++;
}

void
ssdpard_file_end_read(SsdpardFiles *files, SsdpardFile *file, uint64_t now)
{
	assert(file->outstanding > 0);
	file->outstanding--;
	file->used = now;
	close_if_unused(files, file);
}

void
ssdpard_files_sweep(SsdpardFiles *files, uint64_t now, uint64_t idle,
					uint64_t turn)
{
	SsdpardFile *file;

	/*
	 * closing frees nothing, because a handle or range still refers to the
	 * file
	 */
	TAILQ_FOREACH(file, &files->list, link)
	{
		if (!ssdpard_file_check(files, file, turn))
			continue;
		assert(file->used <= now);
		if (file->references <= 1 && now - file->used >= idle)
			ssdpard_file_close(files, file);
	}
}
