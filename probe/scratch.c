/*
 * scratch.c
 *		The scratch file: an unnamed file on the device.
 *
 * Every problem of the directory is detected here, before anything is written;
 * load.c then fills the file.  A file without a name needs no cleanup: the
 * kernel frees the space however the process ends.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#define ZFS_SUPER_MAGIC 0x2fc12fc1

/*
 * File systems without a device, or that cannot contain a user's files.
 * Overlay and FUSE are not listed, because they may have a device below, and
 * opening the file shows whether they support direct I/O.
 */
static const struct
{
	long		magic;
	const char *name;
	bool		memory;
}			deviceless[] = {
	{TMPFS_MAGIC, "tmpfs", true},
	{RAMFS_MAGIC, "ramfs", true},
	{HUGETLBFS_MAGIC, "hugetlbfs", true},
	{PROC_SUPER_MAGIC, "proc", false},
	{SYSFS_MAGIC, "sysfs", false},
	{CGROUP_SUPER_MAGIC, "cgroup", false},
	{CGROUP2_SUPER_MAGIC, "cgroup2", false},
	{DEVPTS_SUPER_MAGIC, "devpts", false},
	{DEBUGFS_MAGIC, "debugfs", false},
	{TRACEFS_MAGIC, "tracefs", false},
	{SECURITYFS_MAGIC, "securityfs", false},
	{BPF_FS_MAGIC, "bpf", false},
};

/* Explains errno for a directory, independent of the failed call. */
static void
explain_access(const char *directory, int errnum, ProbeError *error)
{
	ProbeErrorKind kind = errnum == EACCES || errnum == EPERM
		? PROBE_NO_ACCESS
		: PROBE_BAD_PLACE;

	ssdpar_probe_error(error, kind, "cannot use directory \"%s\": %s",
					   directory, strerror(errnum));
	ssdpar_probe_detail(error, "A scratch file must be written there.");
	switch (errnum)
	{
		case ENOENT:
			ssdpar_probe_hint(error, "Give an existing directory on the "
							  "device to measure.");
			break;
		case ENOTDIR:
			ssdpar_probe_hint(error, "Give a directory on the device to "
							  "measure, not a file or a device.");
			break;
		case EACCES:
		case EPERM:
			ssdpar_probe_hint(error, "Run as a user who may write there, for "
							  "a tablespace the server's user.");
			break;
		case EROFS:
			ssdpar_probe_hint(error, "Mount the file system for writing, or "
							  "give another directory.");
			break;
		default:
			ssdpar_probe_hint(error, "Give another directory on the device.");
	}
}

static void
explain_cache(const char *directory, ProbeError *error)
{
	ssdpar_probe_error(error, PROBE_NOT_SUPPORTED,
					   "the file system of \"%s\" keeps a cache that direct "
					   "I/O does not bypass",
					   directory);
	ssdpar_probe_detail(error, "Memory would be measured, not the device: so "
						"it is with ZFS, and ext4 with data=journal.");
	ssdpar_probe_hint(error, "Measure the device on another file system with "
					  "ssdpar-probe --json, and store that with "
					  "ssdpar.store_profile(), its identity being \"any "
					  "device\".");
}

/* Named, because "Invalid argument" from O_DIRECT would explain nothing. */
static bool
check_file_system(const char *directory, ProbeError *error)
{
	struct statfs fs;

	if (statfs(directory, &fs) != 0)
	{
		explain_access(directory, errno, error);
		return false;
	}
	if ((unsigned long) fs.f_type == ZFS_SUPER_MAGIC)
	{
		explain_cache(directory, error);
		return false;
	}
	for (size_t i = 0; i < sizeof(deviceless) / sizeof(deviceless[0]); i++)
	{
		if ((unsigned long) fs.f_type != (unsigned long) deviceless[i].magic)
			continue;
		ssdpar_probe_error(error, PROBE_NOT_SUPPORTED,
						   "directory \"%s\" is on %s, which has no device",
						   directory, deviceless[i].name);
		ssdpar_probe_detail(error, deviceless[i].memory
							? "Its files are in memory: there is no device "
							"to measure."
							: "It is a view into the kernel, not a place for "
							"files.");
		ssdpar_probe_hint(error, "Give a directory on the device that holds "
						  "the tables.");
		return false;
	}
	return true;
}

/*
 * Checks in the order of a person: does it exist, what is it, is it permitted?
 */
static bool
check_directory(const char *directory, ProbeError *error)
{
	struct stat status;
	int			errnum = 0;

	if (stat(directory, &status) != 0)
		errnum = errno;
	else if (!S_ISDIR(status.st_mode))
		errnum = ENOTDIR;
	if (errnum != 0)
	{
		explain_access(directory, errnum, error);
		return false;
	}
	if (!check_file_system(directory, error))
		return false;

	/* AT_EACCESS: the effective user will open the file */
	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) != 0)
	{
		explain_access(directory, errno, error);
		return false;
	}
	return true;
}

void
ssdpar_probe_scratch_full(const char *directory, uint64_t size,
						  ProbeError *error)
{
	ssdpar_probe_error(error, PROBE_NO_SPACE,
					   "no space left for the scratch file in \"%s\"",
					   directory);
	ssdpar_probe_detail(error, "The file takes %.10g MB, and the file system "
						"or the user's quota is full.",
						(double) size / (1 << 20));
	ssdpar_probe_hint(error, "Free space, or ask for a smaller scratch file.");
}

/*
 * Returns what the server can still write there: f_bavail instead of f_bfree,
 * as the rest is reserved for root.
 */
static bool
find_available(const char *directory, uint64_t *bytes)
{
	struct statvfs fs;

	if (statvfs(directory, &fs) != 0)
		return false;
	if (__builtin_mul_overflow((uint64_t) fs.f_bavail, (uint64_t) fs.f_frsize,
							   bytes))
		*bytes = UINT64_MAX;	/* saturated */
	return true;
}

/*
 * The file exists for most of a minute while others write, and must be removed
 * before they run out of space.  An eighth of the room may be missing, since
 * the file also needs blocks of file system metadata.  A quota is not visible
 * here, and a removed directory is noticed elsewhere.
 */
bool
ssdpar_probe_scratch_leaves_room(const char *directory, uint64_t size,
								 uint64_t room, ProbeError *error)
{
	uint64_t	have;

	if (!find_available(directory, &have) || have >= room - room / 8)
		return true;
	ssdpar_probe_error(error, PROBE_NO_SPACE,
					   "others need the free space in \"%s\": %.0f MB were "
					   "left of %.0f MB",
					   directory, (double) have / (1 << 20),
					   (double) room / (1 << 20));
	ssdpar_probe_detail(error, "The scratch file of %.10g MB is gone, and "
						"nothing is kept.", (double) size / (1 << 20));
	ssdpar_probe_hint(error, "Free space, or ask for a smaller scratch file.");
	return false;
}

/* The next smaller size to try, in whole megabytes. */
static uint64_t
halve(uint64_t size, uint64_t least)
{
	uint64_t	half = size / 2 / PROBE_MAX_SIZE * PROBE_MAX_SIZE;

	return half > least ? half : least;
}

/*
 * Called before anything is written: the file system may be the server's,
 * which stops without space for WAL.  So ROOM is left, however small the file
 * becomes.
 */
static bool
fit_in_space(const char *directory, uint64_t *size, uint64_t least,
			 uint64_t room, ProbeError *error)
{
	uint64_t	have;

	if (!find_available(directory, &have))
	{
		explain_access(directory, errno, error);
		return false;
	}
	while (have < *size + room && *size > least)
		*size = halve(*size, least);
	if (have >= *size + room)
		return true;
	ssdpar_probe_error(error, PROBE_NO_SPACE,
					   "too little free space in \"%s\": need %.0f MB, have "
					   "%.0f MB",
					   directory, (double) (*size + room) / (1 << 20),
					   (double) have / (1 << 20));
	ssdpar_probe_detail(error, "The scratch file takes %.10g MB, and some "
						"room is left for others.",
						(double) *size / (1 << 20));
	ssdpar_probe_hint(error, "Free space, or ask for a smaller scratch file.");
	return false;
}

/* File systems report a lack of O_DIRECT with EINVAL or EOPNOTSUPP. */
static void
explain_open(const char *directory, int errnum, ProbeError *error)
{
	if (errnum == EACCES || errnum == EPERM || errnum == EROFS ||
		errnum == ENOENT || errnum == ENOTDIR)
		explain_access(directory, errnum, error);
	else if (errnum == ENOSPC || errnum == EDQUOT)
		ssdpar_probe_scratch_full(directory, 0, error);
	else if (errnum == EINVAL || errnum == EOPNOTSUPP)
	{
		ssdpar_probe_error(error, PROBE_NOT_SUPPORTED,
						   "the file system of \"%s\" does not support direct "
						   "I/O",
						   directory);
		ssdpar_probe_detail(error, "Without O_DIRECT the page cache would be "
							"measured, not the device.");
		ssdpar_probe_hint(error, "Give a directory on the file system below "
						  "it (ext4, XFS, Btrfs, ...).");
	}
	else
	{
		ssdpar_probe_error(error, PROBE_BAD_PLACE,
						   "could not create a scratch file in \"%s\": %s",
						   directory, strerror(errnum));
		ssdpar_probe_detail(error, "Nothing was written.");
		ssdpar_probe_hint(error, "Remove the cause, or give another "
						  "directory.");
	}
}

/*
 * Without O_TMPFILE the file has a name for a moment.  A failed open with
 * O_DIRECT can also leave one behind, so unlink in either case.
 */
static int
open_and_unlink(const char *directory, int flags)
{
	char		path[4096];
	int			fd;
	int			errnum;
	int			length = snprintf(path, sizeof(path), "%s/.ssdpar-probe.%ld",
								  directory, (long) getpid());

	if (length < 0 || (size_t) length >= sizeof(path))
	{
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0600);
	errnum = errno;

	/* with O_EXCL, EEXIST means that it belongs to another process */
	if (fd >= 0 || errnum != EEXIST)
		unlink(path);
	errno = errnum;
	return fd;
}

int
ssdpar_probe_scratch_nameless(const char *directory, int flags)
{
	/* readable only by the owner: /proc/PID/fd leads to it without a name */
	int			fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | flags,
						  0600);

	/* kernels and file systems report a lack of O_TMPFILE in three ways */
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT))
		fd = open_and_unlink(directory, flags);
	return fd;
}

/*
 * Returns false if the file system reports that this file has no direct I/O.
 */
static bool
find_alignment(int fd, uint32_t *alignment)
{
	*alignment = PROBE_MIN_SIZE;
#ifdef STATX_DIOALIGN
	{
		struct statx status;

		/* Linux 6.1; on older kernels 4 kB, which suits common devices */
		memset(&status, 0, sizeof(status));
		if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) == 0 &&
			(status.stx_mask & STATX_DIOALIGN) != 0)
		{
			if (status.stx_dio_offset_align == 0)
				return false;

			/*
			 * offsets and buffers may differ; the larger one is valid for
			 * both
			 */
			*alignment = status.stx_dio_offset_align;
			if (status.stx_dio_mem_align > *alignment)
				*alignment = status.stx_dio_mem_align;
		}
	}
#endif
	return true;
}

/* Is the first page of a file in the page cache? */
static bool
is_resident(int fd, size_t page)
{
	unsigned char state = 0;
	void	   *map = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return false;
	if (mincore(map, page, &state) != 0)
		state = 0;
	munmap(map, page);
	return (state & 1) != 0;
}

/*
 * Some file systems accept O_DIRECT but use the page cache anyway, and kernels
 * before 6.1 do not tell which (find_alignment()).  So the beginning of the
 * file is written and read, and then checked for being cached.  If that fails,
 * so will the rest, and the error is reported then.
 */
static bool
is_cached(int fd, uint32_t alignment)
{
	size_t		page = (size_t) sysconf(_SC_PAGESIZE);
	size_t		size = page > alignment ? page : alignment;
	void	   *buffer;
	bool		cached;

	/* if this is reported for any page, it is meaningless */
	if (is_resident(fd, page) || posix_memalign(&buffer, size, size) != 0)
		return false;
	/* like the measured data: compressible data would be stored differently */
	cached = getrandom(buffer, size, 0) == (ssize_t) size &&
		pwrite(fd, buffer, size, 0) == (ssize_t) size &&
		pread(fd, buffer, size, 0) == (ssize_t) size &&
		is_resident(fd, page);
	free(buffer);
	return cached;
}

/*
 * Reserves space for the first BYTES of a file.  Returns 0, or an errno that
 * means there is none.  A file system that cannot reserve returns 0, since
 * writing extends the file.
 *
 * posix_fallocate() is not used, because it would write to each block there.
 */
static int
allocate(int fd, uint64_t bytes)
{
	if (fallocate(fd, 0, 0, (off_t) bytes) == 0 ||
		(errno != EFBIG && errno != ENOSPC && errno != EDQUOT))
		return 0;
	return errno;
}

/*
 * The same in addition to the scratch file, and released immediately: a quota,
 * which may also apply to the server, is not visible in statvfs().  It uses a
 * separate file, because a limit for the size of one file does not apply to
 * the sum of two.
 */
static int
allocate_for_others(const char *directory, uint64_t room)
{
	int			fd = ssdpar_probe_scratch_nameless(directory, 0);
	int			errnum;

	if (fd < 0)
		return errno;
	errnum = allocate(fd, room);
	close(fd);
	return errnum;
}

/*
 * Reserves all of it now, so that a lack of space is detected here instead of
 * during the run.  Reserved space reads as zeros without access to the device,
 * so load.c writes it before anything is measured.
 */
static bool
reserve(int fd, const char *directory, uint64_t *size, uint64_t least,
		uint64_t room, ProbeError *error)
{
	for (;;)
	{
		int			errnum = allocate(fd, *size);

		if (errnum == 0)
			errnum = allocate_for_others(directory, room);
		if (errnum == 0)
			return true;
		if (errnum == ENOSPC || errnum == EDQUOT)
		{
			if (*size <= least)
			{
				ssdpar_probe_scratch_full(directory, *size, error);
				return false;
			}
			*size = halve(*size, least);
			if (ftruncate(fd, (off_t) *size) == 0)
				continue;
			errnum = errno;
		}
		explain_open(directory, errnum, error);
		/* RLIMIT_FSIZE, as set by systemd units and some shells */
		if (errnum == EFBIG)
			ssdpar_probe_hint(error, "Raise the limit for file sizes (ulimit "
							  "-f), or ask for a smaller scratch file.");
		return false;
	}
}

int
ssdpar_probe_scratch_open(const char *directory, uint64_t *size,
						  uint64_t least, uint64_t *room, uint32_t *alignment,
						  ProbeError *error)
{
	uint64_t	beside = PROBE_ROOM_BESIDE(*size);
	int			fd;

	*room = beside;
	if (!check_directory(directory, error) ||
		!fit_in_space(directory, size, least, *room, error))
		return -1;
	fd = ssdpar_probe_scratch_nameless(directory, O_DIRECT);
	if (fd < 0)
	{
		explain_open(directory, errno, error);
		return -1;
	}
	if (!find_alignment(fd, alignment))
		explain_open(directory, EINVAL, error);
	else if (is_cached(fd, *alignment))
		explain_cache(directory, error);
	else if (reserve(fd, directory, size, least, beside, error))
		return fd;
	close(fd);
	return -1;
}
