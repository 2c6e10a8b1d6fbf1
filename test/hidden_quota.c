/*
 * hidden_quota.c
 *		Loaded into a program (LD_PRELOAD): every file system says that it has
 *		much room, as one does whose quota is used up.
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
