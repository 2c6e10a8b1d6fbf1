/*
 * ssdemu_warm.c
 *		Reads the backing files once, so that afterwards only the model costs
 *		time.  Reads them, because the kernel limits the effect of advice.
 */
#include "ssdemu_warm.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (1024 * 1024)
#define MAX_OPEN_DIRECTORIES 16

static SsdsimError *warm_error;

static int
read_file(const char *path, const struct stat *attr, int type,
		  struct FTW *where)
{
	static char block[BLOCK];
	ssize_t		got = 1;
	int			fd;

	(void) where;
	if (type != FTW_F || !S_ISREG(attr->st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;				/* removed meanwhile */
	while (fd >= 0 && got > 0)
		got = read(fd, block, sizeof(block));
	if (fd >= 0 && got == 0)
	{
		close(fd);
		return 0;
	}
	ssdsim_fail(warm_error, "could not read %.200s: %s. Nothing is mounted. "
				"Run as a user who may read all of the backing directory, or "
				"without --warm.", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return 1;
}

bool
ssdemu_warm(const char *path, SsdsimError *error)
{
	int			result;

	warm_error = error;
	result = nftw(path, read_file, MAX_OPEN_DIRECTORIES,
				  FTW_PHYS | FTW_MOUNT);
	if (result == 0)
		return true;
	if (result < 0)
		ssdsim_fail(error, "could not walk %.200s: %s. Nothing is mounted.",
					path, strerror(errno));
	return false;
}
