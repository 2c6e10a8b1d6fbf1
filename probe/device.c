/*
 * device.c
 *		Finds the device of a directory: file system, disk, and an identity
 *		that detects a profile made on another device.
 *
 * Everything except the device number may be missing (overlay, FUSE, a
 * container without /sys).  Then it stays empty and the identity consists of
 * the rest.  Something that exists but is temporarily unreadable must not be
 * treated as missing, because the device would seem to be another one.  Each
 * step stores the errno of such a failure in *LACK, and then there is no
 * identity.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "probe.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef XFS_SUPER_MAGIC			/* before Linux 5.1 */
#define XFS_SUPER_MAGIC 0x58465342
#endif

/* struct xfs_fsop_geom_v1; its header is part of xfsprogs. */
typedef struct XfsGeometry
{
	uint32_t	sizes[8];
	uint64_t	blocks[4];
	unsigned char uuid[16];
	uint32_t	rest[7];
} XfsGeometry;

#define XFS_GEOMETRY _IOR('X', 100, XfsGeometry)

/*
 * Copies TEXT without leading and trailing blanks, and replaces unprintable
 * characters by '?'.  Drives pad their names with blanks, and some firmware
 * fills a serial number with bytes that neither a terminal nor a JSON reader
 * accepts.
 */
static void
copy_clean(char *target, size_t size, const char *text)
{
	size_t		length = 0;

	while (isspace((unsigned char) *text))
		text++;
	while (*text != '\0' && length + 1 < size)
	{
		unsigned char c = (unsigned char) *text++;

		target[length++] = (c < 0x20 || c > 0x7e) ? '?' : (char) c;
	}
	while (length > 0 &&
		   (target[length - 1] == ' ' || target[length - 1] == '?'))
		length--;
	target[length] = '\0';
}

/* After a failed call: was it due to a temporary shortage? */
static void
note_lack(int *lack)
{
	switch (errno)
	{
		case EMFILE:
		case ENFILE:
		case ENOMEM:
		case EAGAIN:
		case EINTR:
			*lack = errno;
	}
}

/* Reads the first line of DIR/NAME; false if there is none, or it is empty. */
static bool
read_line(const char *dir, const char *name, char *target, size_t size,
		  int *lack)
{
	char		path[PATH_MAX];
	char		line[512];
	FILE	   *file;
	bool		good;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >=
		(int) sizeof(path))
		return false;
	file = fopen(path, "re");
	if (file == NULL)
	{
		note_lack(lack);
		return false;
	}
	good = fgets(line, sizeof(line), file) != NULL;
	if (!good && ferror(file))
		note_lack(lack);
	fclose(file);
	if (!good)
		return false;
	line[strcspn(line, "\n")] = '\0';
	copy_clean(target, size, line);
	return target[0] != '\0';
}

/* Reads the first non-empty one of NAMES; drivers use different files. */
static void
read_first(const char *dir, const char *const *names, char *target,
		   size_t size, int *lack)
{
	for (; *names != NULL; names++)
		if (read_line(dir, *names, target, size, lack))
			return;
}

/*
 * Returns a nonnegative number, or MISSING if the file or the number is
 * missing.
 */
static int64_t
read_number(const char *dir, const char *name, int64_t missing, int *lack)
{
	char		text[32];
	char	   *end;
	long long	value;

	if (!read_line(dir, name, text, sizeof(text), lack))
		return missing;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno != 0 || *end != '\0' || value < 0)
		return missing;
	return value;
}

/* Converts sectors, which are always 512 bytes here. */
static int64_t
in_bytes(int64_t sectors)
{
	return sectors >= 0 && sectors < INT64_MAX / 512 ? sectors * 512 : -1;
}

/* SYS is the resolved /sys directory of a partition or disk. */
static void
describe_disk(char *sys, ProbeDevice *device, int *lack)
{
	static const char *const models[] = {"device/model", "dm/name", NULL};
	static const char *const serials[] = {"device/serial", "serial", NULL};
	static const char *const wwids[] = {"wwid", "device/wwid", "dm/uuid",
	"md/uuid", NULL};
	char		partition[16];
	char	   *slash;

	/* a partition's directory is within its disk's, which has the rest */
	if (read_line(sys, "partition", partition, sizeof(partition), lack) &&
		(slash = strrchr(sys, '/')) != NULL)
	{
		device->partition_start = in_bytes(read_number(sys, "start", -1, lack));
		*slash = '\0';
	}
	slash = strrchr(sys, '/');
	if (slash != NULL)
		copy_clean(device->disk, sizeof(device->disk), slash + 1);
	read_first(sys, models, device->model, sizeof(device->model), lack);
	read_first(sys, serials, device->serial, sizeof(device->serial), lack);
	read_first(sys, wwids, device->wwid, sizeof(device->wwid), lack);

	device->size_bytes = in_bytes(read_number(sys, "size", -1, lack));
	device->rotational = (int) read_number(sys, "queue/rotational", -1, lack);
	device->read_ahead_kb = (int) read_number(sys, "queue/read_ahead_kb", -1, lack);
	device->physical_block = read_number(sys, "queue/physical_block_size", -1, lack);
	device->stripe = read_number(sys, "queue/optimal_io_size", -1, lack);
	device->discard_limit = read_number(sys, "queue/discard_max_bytes", -1, lack);
}

static bool
find_disk(unsigned dev_major, unsigned dev_minor, ProbeDevice *device,
		  int *lack)
{
	char		link[64];
	char		sys[PATH_MAX];

	/* a link into /sys/devices, where a partition is within its disk */
	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", dev_major,
			 dev_minor);
	if (realpath(link, sys) == NULL)
	{
		note_lack(lack);
		return false;
	}
	describe_disk(sys, device, lack);
	return true;
}

/*
 * Finds the id of a directory's mount, as used in mountinfo: since Linux 5.8.
 * Without it, statfs() provides the type, and st_dev alone the disk.
 */
static bool
find_mount_id(const char *directory, unsigned long long *id, int *lack)
{
#ifdef STATX_MNT_ID
	struct statx status;

	memset(&status, 0, sizeof(status));
	if (statx(AT_FDCWD, directory, 0, STATX_MNT_ID, &status) != 0)
		note_lack(lack);
	else if ((status.stx_mask & STATX_MNT_ID) != 0)
	{
		*id = status.stx_mnt_id;
		return true;
	}
#else
	(void) directory;
	(void) id;
	(void) lack;
#endif
	return false;
}

/*
 * Finds the type of the directory's file system and, if that is a path, the
 * mounted source.  Each line of mountinfo is "36 35 98:0 /root /mnt options
 * [tags] - type source superoptions" (proc(5)); the number of tags varies, so
 * their end is searched.
 *
 * The mount is identified by its id: paths would be ambiguous if mounts cover
 * each other, and device numbers if a file system is mounted twice.
 */
static void
find_mount(const char *directory, ProbeDevice *device, char *source,
		   size_t source_size, int *lack)
{
	unsigned long long id;
	FILE	   *mounts;
	char		line[4096];

	source[0] = '\0';
	if (!find_mount_id(directory, &id, lack))
		return;
	mounts = fopen("/proc/self/mountinfo", "re");
	if (mounts == NULL)
	{
		note_lack(lack);
		return;
	}
	while (fgets(line, sizeof(line), mounts) != NULL)
	{
		const char *rest = strstr(line, " - ");
		char		type[64];
		char		from[256];

		if (strtoull(line, NULL, 10) != id || rest == NULL ||
			sscanf(rest, " - %63s %255s", type, from) != 2)
			continue;
		copy_clean(device->file_system, sizeof(device->file_system), type);

		/* "tmpfs", "overlay", "server:/export": these have no disk */
		copy_clean(source, source_size, from[0] == '/' ? from : "");
		break;
	}
	if (ferror(mounts))
		note_lack(lack);
	fclose(mounts);
}

/*
 * Finds the type by number if mountinfo did not have it, and the file system's
 * id, which statvfs() returns as a number and statfs() as two opaque ones.
 */
static void
find_file_system(const char *directory, ProbeDevice *device, int *lack)
{
	struct statfs fs;
	struct statvfs vfs;

	if (statfs(directory, &fs) != 0)
		note_lack(lack);
	else if (device->file_system[0] == '\0')
		snprintf(device->file_system, sizeof(device->file_system),
				 "type 0x%lx", (unsigned long) fs.f_type);
	if (statvfs(directory, &vfs) != 0)
		note_lack(lack);
	else
		snprintf(device->fs_id, sizeof(device->fs_id), "%lx", vfs.f_fsid);
}

/*
 * XFS derives the id from major:minor, but its UUID is the same after each
 * boot.
 */
static void
find_xfs_uuid(const char *directory, ProbeDevice *device, int *lack)
{
	struct statfs fs;
	XfsGeometry geometry;
	int			fd;

	if (statfs(directory, &fs) != 0 || fs.f_type != XFS_SUPER_MAGIC)
		return;
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
	{
		note_lack(lack);
		return;
	}
	if (ioctl(fd, XFS_GEOMETRY, &geometry) != 0)
		note_lack(lack);
	else
		for (int i = 0; i < (int) sizeof(geometry.uuid); i++)
			snprintf(device->fs_id + 2 * i, 3, "%02x", geometry.uuid[i]);
	close(fd);
}

static void
append_part(char *identity, size_t size, const char *name, const char *value)
{
	size_t		used = strlen(identity);

	/* all parts together are shorter than the buffer, so none is truncated */
	if (value[0] != '\0')
		snprintf(identity + used, size - used, "%s%s=%s",
				 used > 0 ? " " : "", name, value);
}

/*
 * The names that the device reports come first.  Names that can change between
 * boots (major:minor, vda) are used only if there is no disk to describe.  The
 * file system is included because virtual disks often have neither serial
 * number nor WWID, so two of the same size would be confused.
 *
 * ssdpar compares only this text.  Any addition makes every stored profile one
 * of another device.
 */
static void
compose_identity(const ProbeDevice *device, char *identity, size_t size)
{
	char		text[32];

	if (device->disk[0] == '\0')
	{
		snprintf(text, sizeof(text), "%u:%u", device->dev_major,
				 device->dev_minor);
		append_part(identity, size, "device", text);
	}
	append_part(identity, size, "model", device->model);
	append_part(identity, size, "serial", device->serial);
	append_part(identity, size, "wwid", device->wwid);
	if (device->size_bytes >= 0)
	{
		snprintf(text, sizeof(text), "%lld",
				 (long long) device->size_bytes);
		append_part(identity, size, "bytes", text);
	}
	append_part(identity, size, "fs", device->file_system);
	append_part(identity, size, "fsid", device->fs_id);
}

static void
identify_file_system(const char *directory, ProbeDevice *device, int *lack)
{
	find_file_system(directory, device, lack);
	find_xfs_uuid(directory, device, lack);
	compose_identity(device, device->identity, sizeof(device->identity));
}

static void
explain_lack(const char *directory, int lack, ProbeError *error)
{
	ssdpar_probe_error(error, PROBE_NO_MEMORY,
					   "could not find out which device directory \"%s\" is "
					   "on: %s", directory, strerror(lack));
	ssdpar_probe_detail(error, "By a part of what it calls itself it would be "
						"taken for another device.");
	ssdpar_probe_hint(error, "Try again; if that does not help, raise the "
					  "limit for open files (ulimit -n).");
}

bool
ssdpar_probe_identify(const char *directory, ProbeDevice *device,
					  ProbeError *error)
{
	struct stat status;
	struct stat disk;
	char		source[256];
	char		bdi[64];
	int			lack = 0;

	memset(device, 0, sizeof(*device));
	device->size_bytes = -1;
	device->rotational = -1;
	device->read_ahead_kb = -1;
	device->physical_block = -1;
	device->stripe = -1;
	device->partition_start = -1;
	device->discard_limit = -1;
	if (stat(directory, &status) != 0)
	{
		ssdpar_probe_error(error, PROBE_BAD_PLACE,
						   "could not look at directory \"%s\": %s",
						   directory, strerror(errno));
		ssdpar_probe_detail(error, "Its device cannot be found.");
		ssdpar_probe_hint(error, "Give an existing directory that this user "
						  "may enter.");
		return false;
	}
	device->dev_major = major(status.st_dev);
	device->dev_minor = minor(status.st_dev);
	find_mount(directory, device, source, sizeof(source), &lack);

	/*
	 * Btrfs and others give files a separate device number; then the mount's
	 * source names the disk.
	 */
	if (!find_disk(device->dev_major, device->dev_minor, device, &lack) &&
		source[0] != '\0' && stat(source, &disk) == 0 &&
		S_ISBLK(disk.st_mode))
		find_disk(major(disk.st_rdev), minor(disk.st_rdev), device, &lack);

	/* without a disk, read-ahead belongs to the mounted file system */
	snprintf(bdi, sizeof(bdi), "/sys/class/bdi/%u:%u", device->dev_major,
			 device->dev_minor);
	if (device->read_ahead_kb < 0)
		device->read_ahead_kb = (int) read_number(bdi, "read_ahead_kb", -1, &lack);
	identify_file_system(directory, device, &lack);
	if (lack != 0)
		explain_lack(directory, lack, error);
	return lack == 0;
}
