/*
 * device_row.c
 *		Checks a tablespace's row of ssdpar.device: what the planner uses of
 *		its device in addition to the measured grid.
 *
 * profile.c caches it, cpu_calibration.c measures it.
 */
#include "postgres.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "catalog/pg_tablespace.h"
#include "common/hashfn.h"
#include "common/relpath.h"
#include "miscadmin.h"

#include "device_row.h"
#include "known_devices.h"

/* Default of Linux. */
#define USUAL_READ_AHEAD_KB 128.0

/*
 * Used if ssdpar-probe made the profile, because it measures only the device.
 * These are the reference machine's times (docs/internals/cost-model.md).
 */
static const SsdparMachine typical_machine = {
	.cores = 2.0,
	.seconds_per_cost_unit = 5.0e-6,
	.page_hit_seconds = 0.15e-6,
	.page_copy_seconds = 2.0e-6,
	.page_fill_seconds = 12.0e-6,
	.page_stream_seconds = 4.0e-6,
	.memory_access_seconds = 0.2e-6,
	.cache_bytes = 2.0 * 1024 * 1024,
};

void
ssdpar_tablespace_directory(Oid tablespace, char *path, size_t size)
{
	if (tablespace == DEFAULTTABLESPACE_OID)
		strlcpy(path, "base", size);
	else if (tablespace == GLOBALTABLESPACE_OID)
		strlcpy(path, "global", size);
	else
		snprintf(path, size, "pg_tblspc/%u/%s", tablespace,
				 TABLESPACE_VERSION_DIRECTORY);
}

/*
 * Caches recent answers, because planning asks often, and a tablespace does
 * not move while the server runs.  The kernel's numbers have 12 and 20 bits.
 */
uint32
ssdpar_tablespace_device(Oid tablespace)
{
	static struct
	{
		Oid			tablespace;
		uint32		device;
	}			known[8], *place;
	char		directory[MAXPGPATH];
	struct stat status;

	if (!OidIsValid(tablespace))
		tablespace = MyDatabaseTableSpace;
	place = &known[tablespace % lengthof(known)];
	if (tablespace == place->tablespace)
		return place->device;
	ssdpar_tablespace_directory(tablespace, directory, sizeof(directory));
	if (stat(directory, &status) != 0)
		return tablespace;
	place->tablespace = tablespace;
	place->device = major(status.st_dev) << 20 | minor(status.st_dev);
	return place->device;
}

static bool
is_known(const SsdparStoredDevice *device, SsdparDeviceColumn column)
{
	return (device->nulls & ssdpar_device_bit(column)) == 0;
}

/* A profile of an older version has neither; then keep the typical values. */
static void
take_memory(const SsdparStoredDevice *device, SsdparMachine *machine)
{
	if (!is_known(device, SSDPAR_DEVICE_MEMORY_ACCESS_SECONDS) ||
		!is_known(device, SSDPAR_DEVICE_CACHE_BYTES))
		return;
	machine->memory_access_seconds = device->memory_access_seconds;
	machine->cache_bytes = (double) device->cache_bytes;
}

/* Its times are all known, or none is (profile_json.c). */
static void
take_machine(const SsdparStoredDevice *device, SsdparMachine *machine)
{
	*machine = typical_machine;
	if (!is_known(device, SSDPAR_DEVICE_CORES))
		return;
	machine->cores = device->cores;
	machine->seconds_per_cost_unit = device->cost_unit_seconds;
	machine->page_hit_seconds = device->page_hit_seconds;
	machine->page_copy_seconds = device->page_copy_seconds;
	machine->page_fill_seconds = device->page_fill_seconds;
	machine->page_stream_seconds = device->page_stream_seconds;
	take_memory(device, machine);
}

const char *const ssdpar_device_unsure =
	"it cannot be found out for now which device it is on";

/*
 * Is the tablespace on the device that was measured?  It may not be: on a
 * standby, after a restore, or if the directory has been moved.
 */
static SsdparDeviceAnswer
is_this_device(const SsdparStoredDevice *device)
{
	char		directory[MAXPGPATH];

	if (strcmp(device->identity, SSDPAR_ANY_DEVICE) == 0)
		return SSDPAR_DEVICE_SAME;
	ssdpar_tablespace_directory(device->tablespace, directory,
								sizeof(directory));
	return ssdpar_device_is(directory, device->identity);
}

/* 64 bits make collisions of a server's devices practically impossible. */
static uint64
device_number(const SsdparStoredDevice *device)
{
	if (strcmp(device->identity, SSDPAR_ANY_DEVICE) == 0)
		return device->tablespace;
	return hash_bytes_extended((const unsigned char *) device->identity,
							   strlen(device->identity), 0);
}

const char *
ssdpar_device_row_check(const SsdparStoredDevice *device,
						SsdparDeviceRow *row)
{
	row->read_ahead_kb = is_known(device, SSDPAR_DEVICE_READ_AHEAD_KB) ?
		device->read_ahead_kb : USUAL_READ_AHEAD_KB;
	row->device = device_number(device);
	switch (is_this_device(device))
	{
		case SSDPAR_DEVICE_OTHER:
			return "it was measured on another device";
		case SSDPAR_DEVICE_UNSURE:
			return ssdpar_device_unsure;
		case SSDPAR_DEVICE_SAME:
			break;
	}
	take_machine(device, &row->machine);
	return NULL;
}
