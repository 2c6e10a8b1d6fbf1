/*
 * measured_profile.c
 *		What the measuring engine found, as a profile that can be kept.
 *
 * In C, as the background calibrates in a database that may not have the
 * extension.  ssdpar.store_profile() makes the same of a document.
 */
#include "postgres.h"

#include "utils/guc.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "device/measured_profile.h"
#include "device/profile_changes.h"
#include "device/profile_replace.h"
#include "probe/plan.h"

/* What the engine does not know is empty or negative, and null in a profile. */
static void
set_unknown(SsdparStoredDevice *device, SsdparDeviceColumn column,
			bool unknown)
{
	if (unknown)
		device->nulls |= ssdpar_device_bit(column);
}

static void
take_device(const ProbeDevice *from, SsdparStoredDevice *device)
{
	strlcpy(device->identity, from->identity, sizeof(device->identity));
	strlcpy(device->disk, from->disk, sizeof(device->disk));
	strlcpy(device->model, from->model, sizeof(device->model));
	strlcpy(device->file_system, from->file_system,
			sizeof(device->file_system));
	device->size_bytes = from->size_bytes;
	device->rotational = from->rotational > 0;
	device->read_ahead_kb = from->read_ahead_kb;
	set_unknown(device, SSDPAR_DEVICE_DISK, from->disk[0] == '\0');
	set_unknown(device, SSDPAR_DEVICE_MODEL, from->model[0] == '\0');
	set_unknown(device, SSDPAR_DEVICE_FILE_SYSTEM,
				from->file_system[0] == '\0');
	set_unknown(device, SSDPAR_DEVICE_SIZE_BYTES, from->size_bytes < 0);
	set_unknown(device, SSDPAR_DEVICE_ROTATIONAL, from->rotational < 0);
	set_unknown(device, SSDPAR_DEVICE_READ_AHEAD_KB, from->read_ahead_kb < 0);
}

/* The run: how, when and by whom. */
static void
take_run(const ProbeResult *result, SsdparStoredDevice *device)
{
	device->scratch_bytes = (int64) result->file_size;
	device->seconds = result->seconds;
	strlcpy(device->engine_version, SSDPAR_PROBE_VERSION,
			sizeof(device->engine_version));
	strlcpy(device->server_version,
			GetConfigOption("server_version", false, false),
			sizeof(device->server_version));
	device->document_version = 1;
	device->calibrated_at = GetCurrentTimestamp();
}

static void
take_point(const ProbePoint *from, SsdparStoredPoint *point)
{
	strlcpy(point->operation, ssdpar_probe_operation_name(from->operation),
			sizeof(point->operation));
	strlcpy(point->pattern, ssdpar_probe_pattern_name(from->pattern),
			sizeof(point->pattern));
	point->request_size = (int32) from->request_size;
	point->queue_depth = from->queue_depth;
	point->iops = from->iops;
	point->bytes_per_second = from->bytes_per_second;
	point->latency_p50 = from->latency_p50;
	point->latency_p99 = from->latency_p99;
	point->spread = from->spread;
	point->passes = from->passes;
}

void
ssdpar_measured_take(Oid tablespace, const ProbeResult *result,
					 SsdparMeasured *measured)
{
	/* the records are written to the file as they lie in memory */
	memset(measured, 0, sizeof(*measured));
	measured->npoints = result->npoints + result->nstreams;
	measured->points = palloc0(measured->npoints * sizeof(SsdparStoredPoint));
	measured->found = result->device;
	measured->device.tablespace = tablespace;
	take_device(&result->device, &measured->device);
	take_run(result, &measured->device);
	for (int i = 0; i < measured->npoints; i++)
	{
		measured->points[i].tablespace = tablespace;
		take_point(i < result->npoints ? &result->points[i] :
				   &result->streams[i - result->npoints],
				   &measured->points[i]);
	}

	/* what only the CPU calibration knows */
	for (int i = SSDPAR_DEVICE_CORES; i < SSDPAR_DEVICE_COLUMNS; i++)
		set_unknown(&measured->device, i, true);
}

void
ssdpar_measured_store(SsdparMeasured *measured)
{
	SsdparStored *stored = ssdpar_profiles_change();
	SsdparKept *kept = ssdpar_profile_take_out(stored,
											   measured->device.tablespace);

	ssdpar_profile_add(stored, &measured->device);
	for (int i = 0; i < measured->npoints; i++)
		ssdpar_profile_add_point(stored, &measured->points[i]);
	if (kept != NULL &&
		ssdpar_probe_is_device(&measured->found, kept->device.identity))
		ssdpar_profile_keep(stored, kept);
}
