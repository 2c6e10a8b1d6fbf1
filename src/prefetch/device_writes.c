/*
 * device_writes.c
 *		Does any program wait for the data directory's device to write?
 *
 * For programs other than the server, such as a mail server on the same
 * device, the kernel's statistics tell.  Their files are kept open, because
 * opening takes longer than reading.
 *
 * Without these files (a file system on several devices, no /sys) nothing is
 * known.  Flushes are counted for the whole disk, not for its partitions, and
 * not for devices that the kernel composes of others.  For those, outstanding
 * writes are used instead, although some of them are not waited for, because
 * the kernel writes back earlier changes in the background.
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
	const char *name;			/* relative to the device's directory */
	bool		opened;
	int			fd;				/* -1: does not exist */
} DeviceFile;

/* of the disk if the device is a partition, else of the device */
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

/* Reads the file's text; false if there is none. */
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
