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

#include "base/elapsed.h"
#include "base/settings.h"
#include "device/device_load.h"
#include "device/disk_work.h"
#include "recalibrate/quiet.h"

bool
ssdpar_is_read(Oid tablespace)
{
	return ssdpar_device_load_others(tablespace) > 0.0;
}

void
ssdpar_quiet_begin(SsdparQuietWatch *watch, Oid tablespace)
{
	watch->tablespace = tablespace;
	watch->begun = ssdpar_monotonic_us();
	watch->worked_ms = ssdpar_disk_worked_ms(tablespace);
	watch->busy_at_begin = ssdpar_is_read(tablespace);
}

bool
ssdpar_quiet_end(const SsdparQuietWatch *watch)
{
	int64		worked = ssdpar_disk_worked_ms(watch->tablespace);
	double		passed = (double) (ssdpar_monotonic_us() - watch->begun) /
		1000.0;

	if (watch->busy_at_begin || ssdpar_is_read(watch->tablespace))
		return false;
	return worked < 0 || watch->worked_ms < 0 ||
		(double) (worked - watch->worked_ms) * 100.0 <=
		passed * ssdpar_auto_calibrate_busy;
}
