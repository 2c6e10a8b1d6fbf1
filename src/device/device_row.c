/*
 * device_row.c
 *		Checks a tablespace's row of ssdpar.device: what the planner uses of
 *		its device in addition to the measured grid.
 *
 * profile.c caches it, cpu_calibration.c measures it.
 */
#include "postgres.h"

#include <math.h>
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

/* All of its times are known or none (profile_json.c). */
static void
take_machine(JsonbContainer *document, SsdparMachine *machine)
{
	JsonbContainer *from = ssdpar_json_child(document, "machine");
	double		cores = from == NULL ? NAN : ssdpar_json_number(from, "cores");

	*machine = typical_machine;
	if (isnan(cores))
		return;
	machine->cores = cores;
	machine->seconds_per_cost_unit =
		ssdpar_json_number(from, "cost_unit_seconds");
	machine->page_hit_seconds = ssdpar_json_number(from, "page_hit_seconds");
	machine->page_copy_seconds = ssdpar_json_number(from, "page_copy_seconds");
	machine->page_fill_seconds = ssdpar_json_number(from, "page_fill_seconds");
	machine->page_stream_seconds =
		ssdpar_json_number(from, "page_stream_seconds");
}

const char *const ssdpar_device_unsure =
	"it cannot be found out for now which device it is on";

/*
 * Is the tablespace on the device that was measured?  It may not be: on a
 * standby, after a restore, or if the directory has been moved.
 */
static SsdparDeviceAnswer
is_this_device(Oid tablespace, const char *identity)
{
	char		directory[MAXPGPATH];

	if (strcmp(identity, SSDPAR_ANY_DEVICE) == 0)
		return SSDPAR_DEVICE_SAME;
	ssdpar_tablespace_directory(tablespace, directory, sizeof(directory));
	return ssdpar_device_is(directory, identity);
}

/* 64 bits make collisions of a server's devices practically impossible. */
static uint64
device_number(Oid tablespace, const char *identity)
{
	if (strcmp(identity, SSDPAR_ANY_DEVICE) == 0)
		return tablespace;
	return hash_bytes_extended((const unsigned char *) identity,
							   strlen(identity), 0);
}

const char *
ssdpar_device_row_check(Oid tablespace, JsonbContainer *document,
						SsdparDeviceRow *row)
{
	JsonbContainer *device = ssdpar_json_child(document, "device");
	char	   *identity = ssdpar_json_text(device, "identity");

	row->read_ahead_kb = ssdpar_json_number(device, "read_ahead_kb");
	if (isnan(row->read_ahead_kb))
		row->read_ahead_kb = USUAL_READ_AHEAD_KB;
	row->device = device_number(tablespace, identity);
	switch (is_this_device(tablespace, identity))
	{
		case SSDPAR_DEVICE_OTHER:
			return "it was measured on another device";
		case SSDPAR_DEVICE_UNSURE:
			return ssdpar_device_unsure;
		case SSDPAR_DEVICE_SAME:
			break;
	}
	take_machine(document, &row->machine);
	return NULL;
}
