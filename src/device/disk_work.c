/*
 * disk_work.c
 *		Reads how long the disk of a tablespace has worked, from kernel
 *		statistics.
 */
#include "postgres.h"

#include <stdio.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/fd.h"

#include "base/transient_file.h"
#include "device/device_row.h"
#include "device/disk_work.h"
#include "probe/probe.h"

/* The tenth field is io_ticks (Documentation/block/stat.rst of the kernel). */
#define WORKED_FORMAT "%*s %*s %*s %*s %*s %*s %*s %*s %*s %lld"

/*
 * The disk's name, or "".  Caches the last one, because finding it takes
 * longer than reading its statistics, and a tablespace does not move while the
 * server runs.
 */
static const char *
disk_of(Oid tablespace)
{
	static Oid	known = InvalidOid;
	static ProbeDevice device;
	char		path[MAXPGPATH];
	ProbeError	error;

	if (known == tablespace)
		return device.disk;
	known = InvalidOid;
	ssdpar_tablespace_directory(tablespace, path, sizeof(path));
	if (!ssdpar_probe_identify(path, &device, &error))
		return "";
	known = tablespace;
	return device.disk;
}

int64
ssdpar_disk_worked_ms(Oid tablespace)
{
	const char *disk = disk_of(OidIsValid(tablespace) ? tablespace :
							   MyDatabaseTableSpace);
	char		path[MAXPGPATH];
	char		line[512] = "";
	long long	worked;
	int			fd;

	if (disk[0] == '\0')
		return -1;
	snprintf(path, sizeof(path), "/sys/block/%s/stat", disk);
	fd = ssdpar_open_if_possible(path);
	if (fd < 0)
		return -1;
	if (read(fd, line, sizeof(line) - 1) < 0)
		line[0] = '\0';
	CloseTransientFile(fd);
	return sscanf(line, WORKED_FORMAT, &worked) == 1 ? worked : -1;
}
