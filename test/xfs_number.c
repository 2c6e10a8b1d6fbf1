/*
 * xfs_number.c
 *		Every file system is an XFS: for LD_PRELOAD.
 *
 * It has one UUID, and the id that XFS makes of a device's number, which is
 * what the environment variable XFS_NUMBER says.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* Of XFS_IOC_FSGEOMETRY_V1, 112 bytes, in which the UUID is at byte 64. */
#define GEOMETRY _IOR('X', 100, char[112])
#define UUID_AT 64

int
statfs(const char *path, struct statfs *found)
{
	int			(*next) (const char *, struct statfs *) =
		dlsym(RTLD_NEXT, "statfs");
	int			result = next(path, found);

	found->f_type = 0x58465342;
	return result;
}

int
statvfs(const char *path, struct statvfs *found)
{
	int			(*next) (const char *, struct statvfs *) =
		dlsym(RTLD_NEXT, "statvfs");
	int			result = next(path, found);

	found->f_fsid = strtoul(getenv("XFS_NUMBER"), NULL, 16);
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
	memset(place, 0, 112);
	memcpy(place + UUID_AT, "ssdpar's XFS UUI", 16);
	return 0;
}
