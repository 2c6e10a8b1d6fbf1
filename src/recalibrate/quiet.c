/*
 * quiet.c
 *		Whether a tablespace's device is quiet enough to be measured.
 *
 * Two things say so: what running queries are going to read by their plans,
 * which is known from their start (device_load.c), and how long the disk has
 * worked, as the kernel counts it, whoever used it.  Where there is no disk to
 * be seen (overlay, FUSE, network) the first stands alone.
 */
#include "postgres.h"

#include <stdio.h>

#include "storage/fd.h"
#include "utils/timestamp.h"

#include "base/settings.h"
#include "device/device_load.h"
#include "device/device_row.h"
#include "probe/probe.h"
#include "recalibrate/quiet.h"

/* Documentation/block/stat.rst of the kernel: the tenth is io_ticks. */
#define WORKED_FORMAT "%*s %*s %*s %*s %*s %*s %*s %*s %*s %lld"

static int64
worked_ms(Oid tablespace)
{
	char		path[MAXPGPATH];
	ProbeDevice device;
	ProbeError	error;
	long long	worked = -1;
	FILE	   *file;

	ssdpar_tablespace_directory(tablespace, path, sizeof(path));
	if (!ssdpar_probe_identify(path, &device, &error) ||
		device.disk[0] == '\0')
		return -1;
	snprintf(path, sizeof(path), "/sys/block/%s/stat", device.disk);
	file = AllocateFile(path, "r");
	if (file == NULL)
		return -1;
	if (fscanf(file, WORKED_FORMAT, &worked) != 1)
		worked = -1;
	FreeFile(file);
	return worked;
}

bool
ssdpar_is_read(Oid tablespace)
{
	return ssdpar_device_load_others(tablespace) > 0.0;
}

void
ssdpar_quiet_begin(SsdparQuietWatch *watch, Oid tablespace)
{
	watch->tablespace = tablespace;
	watch->begun = GetCurrentTimestamp();
	watch->worked_ms = worked_ms(tablespace);
	watch->busy_at_begin = ssdpar_is_read(tablespace);
}

bool
ssdpar_quiet_end(const SsdparQuietWatch *watch)
{
	int64		worked = worked_ms(watch->tablespace);
	double		passed = (double) (GetCurrentTimestamp() - watch->begun) /
		1000.0;

	if (watch->busy_at_begin || ssdpar_is_read(watch->tablespace))
		return false;
	return worked < 0 || watch->worked_ms < 0 ||
		(double) (worked - watch->worked_ms) * 100.0 <=
		passed * ssdpar_auto_calibrate_busy;
}
