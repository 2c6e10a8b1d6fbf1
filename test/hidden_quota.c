/*
 * hidden_quota.c
 *		Makes every file system report much free space, through LD_PRELOAD,
 *		like one whose quota is used up.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/statvfs.h>

int
statvfs(const char *path, struct statvfs *found)
{
	int			(*real) (const char *, struct statvfs *) =
		(int (*) (const char *, struct statvfs *)) dlsym(RTLD_NEXT, "statvfs");
	int			result = real(path, found);

	found->f_bavail = 1L << 30;
	return result;
}
