/*
 * device_writes.c
 *		Does anybody wait for the data directory's device to write, whoever
 *		wants it?
 *
 * Of others than the server's processes, a mail server on the same device for
 * instance, the kernel knows.  Its files stay open once they are: opening takes
 * longer than reading.
 *
 * Where there are none (a file system of many devices, no /sys) nothing is
 * known.  Flushes are counted by the whole disk, not by its partitions, and not
 * by a device that the kernel makes of others: there writes count that are
 * outstanding, though some are not waited for, as the kernel writes back what
 * was changed before.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/fd.h"

#include "prefetch/device_writes.h"

/* A file of the kernel's about the device. */
typedef struct DeviceFile
{
	const char *name;			/* below the device's directory */
	bool		opened;
	int			fd;				/* -1: there is none */
} DeviceFile;

/* of the disk, where the device is a partition of it, or else of itself */
static DeviceFile disk_statistics = {.name = "../stat"};
static DeviceFile statistics = {.name = "stat"};
static DeviceFile outstanding = {.name = "inflight"};

static int
open_file(const char *name)
{
	struct stat status;
	char		path[64];
	int			fd;

	if (stat(DataDir, &status) != 0 || !AcquireExternalFD())
		return -1;
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s",
			 major(status.st_dev), minor(status.st_dev), name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		ReleaseExternalFD();
	return fd;
}

/* Its text; false if there is none. */
static bool
read_file(DeviceFile *file, char *text, size_t size)
{
	ssize_t		length;

	if (!file->opened)
		file->fd = open_file(file->name);
	file->opened = true;
	length = file->fd < 0 ? 0 : pread(file->fd, text, size - 1, 0);
	if (length <= 0)
		return false;
	text[length] = '\0';
	return true;
}

bool
ssdpar_device_flushes(SsdparFlushes *flushes)
{
	char		text[512];

	return (read_file(&disk_statistics, text, sizeof(text)) ||
			read_file(&statistics, text, sizeof(text))) &&
		ssdpar_flushes_parse(text, flushes);
}

bool
ssdpar_device_writes(void)
{
	char		text[64];
	unsigned int writes;

	return read_file(&outstanding, text, sizeof(text)) &&
		sscanf(text, "%*u %u", &writes) == 1 && writes > 0;
}
