/*
 * pretended_fs.c
 *		Makes every file system look like another one, through LD_PRELOAD.
 *
 * FS_TYPE is its type and FS_ID its id, in hexadecimal; an XFS has a fixed
 * UUID. With FS_CACHED it accepts O_DIRECT, but still reads through a cache.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* XFS_IOC_FSGEOMETRY_V1 has 112 bytes, with the UUID at byte 64. */
#define GEOMETRY_BYTES 112
#define GEOMETRY _IOR('X', 100, char[GEOMETRY_BYTES])
#define UUID_AT 64

static unsigned long
told(const char *variable, unsigned long otherwise)
{
	const char *text = getenv(variable);

	return text != NULL ? strtoul(text, NULL, 16) : otherwise;
}

int
statfs(const char *path, struct statfs *found)
{
	int			(*next) (const char *, struct statfs *) =
		dlsym(RTLD_NEXT, "statfs");
	int			result = next(path, found);

	found->f_type = told("FS_TYPE", found->f_type);
	return result;
}

int
fstatfs(int fd, struct statfs *found)
{
	int			(*next) (int, struct statfs *) = dlsym(RTLD_NEXT, "fstatfs");
	int			result = next(fd, found);

	found->f_type = told("FS_TYPE", found->f_type);
	return result;
}

int
statvfs(const char *path, struct statvfs *found)
{
	int			(*next) (const char *, struct statvfs *) =
		dlsym(RTLD_NEXT, "statvfs");
	int			result = next(path, found);

	found->f_fsid = told("FS_ID", found->f_fsid);
	return result;
}

int
ioctl(int fd, unsigned long request, ...)
{
	int			(*next) (int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
	va_list		arguments;
	char	   *place;

	va_start(arguments, request);
	place = va_arg(arguments, char *);
	va_end(arguments);
	if (request != GEOMETRY)
		return next(fd, request, place);
	memset(place, 0, GEOMETRY_BYTES);
	memcpy(place + UUID_AT, "ssdpar's XFS UUI", 16);
	return 0;
}

int
open(const char *path, int flags, ...)
{
	int			(*next) (const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	va_list		arguments;
	int			mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, int);
	va_end(arguments);
	if (getenv("FS_CACHED") != NULL)
		flags &= ~O_DIRECT;
	return next(path, flags, mode);
}
