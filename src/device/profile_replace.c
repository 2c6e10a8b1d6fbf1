/*
 * profile_replace.c
 *		Puts a profile in the place of another, of which some may stay.
 *
 * A document of ssdpar-probe has nothing of the processors, and a calibration
 * mostly no writes.
 */
#include "postgres.h"

#include "commands/tablespace.h"

#include "base/compat.h"
#include "device/profile_columns.h"
#include "device/profile_replace.h"

static bool
is_write(const SsdparStoredPoint *point, Oid tablespace)
{
	return point->tablespace == tablespace &&
		strcmp(point->operation, "write") == 0;
}

static bool
has_writes(const SsdparStored *stored, Oid tablespace)
{
	for (int i = 0; i < stored->npoints; i++)
		if (is_write(&stored->points[i], tablespace))
			return true;
	return false;
}

/* Copies, as the profile's own go with it. */
static void
take_writes(const SsdparStored *stored, Oid tablespace, SsdparKept *kept)
{
	kept->writes = palloc_array(SsdparStoredPoint, stored->npoints + 1);
	kept->nwrites = 0;
	for (int i = 0; i < stored->npoints; i++)
		if (is_write(&stored->points[i], tablespace))
			kept->writes[kept->nwrites++] = stored->points[i];
}

SsdparKept *
ssdpar_profile_take_out(SsdparStored *stored, Oid tablespace)
{
	const SsdparStoredDevice *device = ssdpar_stored_find(stored, tablespace);
	SsdparKept *kept = NULL;

	if (device != NULL)
	{
		kept = palloc_object(SsdparKept);
		kept->device = *device;
		take_writes(stored, tablespace, kept);
	}
	ssdpar_stored_remove(stored, tablespace);
	return kept;
}

void
ssdpar_profile_add(SsdparStored *stored, const SsdparStoredDevice *device)
{
	if (ssdpar_stored_find(stored, device->tablespace) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("tablespace \"%s\" has a device profile already",
						get_tablespace_name(device->tablespace))));
	if (!ssdpar_stored_add(stored, device))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many device profiles")));
}

void
ssdpar_profile_add_point(SsdparStored *stored, const SsdparStoredPoint *point)
{
	if (ssdpar_stored_find_point(stored, point) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("the device profile of tablespace \"%s\" has this point already",
						get_tablespace_name(point->tablespace))));
	if (!ssdpar_stored_add_point(stored, point))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many points in device profiles")));
}

static void
keep_columns(const SsdparStoredDevice *before, SsdparStoredDevice *device,
			 SsdparDeviceColumn first, SsdparDeviceColumn last)
{
	for (int i = first; i <= (int) last; i++)
		if ((device->nulls & ssdpar_device_bit(i)) == 0)
			return;
	ssdpar_device_copy_columns(before, device, first, last);
}

void
ssdpar_profile_keep(SsdparStored *stored, const SsdparKept *kept)
{
	Oid			tablespace = kept->device.tablespace;
	SsdparStoredDevice *device = ssdpar_stored_find(stored, tablespace);

	keep_columns(&kept->device, device, SSDPAR_DEVICE_CORES,
				 SSDPAR_DEVICE_CACHE_BYTES);
	keep_columns(&kept->device, device, SSDPAR_DEVICE_INSIDE_VERDICT,
				 SSDPAR_DEVICE_INSIDE_PROBED_AT);
	if (has_writes(stored, tablespace))
		return;
	for (int i = 0; i < kept->nwrites; i++)
		ssdpar_profile_add_point(stored, &kept->writes[i]);
}
