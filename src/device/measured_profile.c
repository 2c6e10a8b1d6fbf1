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

static void
add_points(SsdparStored *stored, const SsdparStoredPoint *points, int count)
{
	for (int i = 0; i < count; i++)
		if (ssdpar_stored_find_point(stored, &points[i]) == NULL &&
			!ssdpar_stored_add_point(stored, &points[i]))
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("there are too many points in device profiles")));
}

/* Copies, in the current memory context. */
static SsdparStoredPoint *
find_writes(const SsdparStored *stored, Oid tablespace, int *count)
{
	SsdparStoredPoint *writes = palloc_array(SsdparStoredPoint,
											 stored->npoints + 1);

	*count = 0;
	for (int i = 0; i < stored->npoints; i++)
		if (stored->points[i].tablespace == tablespace &&
			strcmp(stored->points[i].operation, "write") == 0)
			writes[(*count)++] = stored->points[i];
	return writes;
}

/* What was probed of the inside stays. */
static void
keep_inside(const SsdparStoredDevice *before, SsdparStoredDevice *device)
{
	device->inside_confidence = before->inside_confidence;
	device->inside_mapping_confidence = before->inside_mapping_confidence;
	device->inside_probed_at = before->inside_probed_at;
	device->inside_chunk_bytes = before->inside_chunk_bytes;
	device->inside_degree = before->inside_degree;
	device->inside_subdomains = before->inside_subdomains;
	strlcpy(device->inside_verdict, before->inside_verdict,
			sizeof(device->inside_verdict));
	strlcpy(device->inside_mapping, before->inside_mapping,
			sizeof(device->inside_mapping));
	for (int i = SSDPAR_DEVICE_INSIDE_VERDICT; i < SSDPAR_DEVICE_COLUMNS; i++)
	{
		uint64		bit = ssdpar_device_bit(i);

		device->nulls = (device->nulls & ~bit) | (before->nulls & bit);
	}
}

static bool
has_writes(const SsdparMeasured *measured)
{
	for (int i = 0; i < measured->npoints; i++)
		if (strcmp(measured->points[i].operation, "write") == 0)
			return true;
	return false;
}

/*
 * Writes are kept all or none, as those of two calibrations may not fit
 * together.
 */
void
ssdpar_measured_store(SsdparMeasured *measured)
{
	SsdparStored *stored = ssdpar_profiles_change();
	Oid			tablespace = measured->device.tablespace;
	const SsdparStoredDevice *before = ssdpar_stored_find(stored, tablespace);
	bool		same = before != NULL &&
		ssdpar_probe_is_device(&measured->found, before->identity);
	int			nwrites;
	SsdparStoredPoint *writes = find_writes(stored, tablespace, &nwrites);

	if (same)
		keep_inside(before, &measured->device);
	ssdpar_stored_remove(stored, tablespace);
	if (!ssdpar_stored_add(stored, &measured->device))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many device profiles")));
	add_points(stored, measured->points, measured->npoints);
	if (same && !has_writes(measured))
		add_points(stored, writes, nwrites);
	pfree(writes);
}
