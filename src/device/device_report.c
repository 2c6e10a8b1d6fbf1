/*
 * device_report.c
 *		ssdpar.device_report(): a profile in pictures, as an HTML page.
 *
 * The page is ssdpar-probe's own (probe/page.c).  A profile has no reads beside
 * writes, so they are not drawn.
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "device/profile_changes.h"
#include "probe/page.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_device_report);

static bool
is_null(const SsdparStoredDevice *device, SsdparDeviceColumn column)
{
	return (device->nulls & ssdpar_device_bit(column)) != 0;
}

static void
take_device(const SsdparStoredDevice *stored, ProbeDevice *device)
{
	strlcpy(device->disk, stored->disk, sizeof(device->disk));
	strlcpy(device->model, stored->model, sizeof(device->model));
	strlcpy(device->file_system, stored->file_system,
			sizeof(device->file_system));
	device->size_bytes = is_null(stored, SSDPAR_DEVICE_SIZE_BYTES) ? -1 :
		stored->size_bytes;
	device->rotational = is_null(stored, SSDPAR_DEVICE_ROTATIONAL) ? -1 :
		stored->rotational;
	device->read_ahead_kb =
		is_null(stored, SSDPAR_DEVICE_READ_AHEAD_KB) ? -1 :
		stored->read_ahead_kb;
}

static void
take_point(const SsdparStoredPoint *stored, ProbePoint *point)
{
	point->operation =
		strcmp(stored->operation, "read") == 0 ? PROBE_READ : PROBE_WRITE;
	point->pattern =
		strcmp(stored->pattern, "random") == 0 ? PROBE_RANDOM :
		strcmp(stored->pattern, SSDPAR_STREAMS) == 0 ? PROBE_STREAMS :
		PROBE_SEQUENTIAL;
	point->request_size = (uint32_t) stored->request_size;
	point->queue_depth = stored->queue_depth;
	point->iops = stored->iops;
	point->bytes_per_second = stored->bytes_per_second;
	point->latency_p50 = stored->latency_p50;
	point->latency_p99 = stored->latency_p99;
	point->spread = stored->spread;
	point->passes = stored->passes;
}

/* Of one tablespace those that are streams, or the others; how many. */
static int
take_points(const SsdparStored *stored, Oid tablespace, bool streams,
			ProbePoint *points)
{
	int			count = 0;

	for (int i = 0; i < stored->npoints; i++)
	{
		const SsdparStoredPoint *from = &stored->points[i];

		if (from->tablespace == tablespace &&
			(strcmp(from->pattern, SSDPAR_STREAMS) == 0) == streams)
			take_point(from, &points[count++]);
	}
	return count;
}

/* As the engine would have left it. */
static void
take_result(const SsdparStored *stored, const SsdparStoredDevice *device,
			ProbeResult *result)
{
	memset(result, 0, sizeof(*result));
	take_device(device, &result->device);
	result->points = palloc0(sizeof(ProbePoint) * (stored->npoints + 1));
	result->npoints = take_points(stored, device->tablespace, false,
								  result->points);
	result->streams = result->points + result->npoints;
	result->nstreams = take_points(stored, device->tablespace, true,
								   result->streams);
}

/* Null without a profile, as profile_document(). */
Datum
ssdpar_sql_device_report(PG_FUNCTION_ARGS)
{
	Name		tablespace = PG_GETARG_NAME(0);
	SsdparProfileFile file = ssdpar_profiles_read();
	const SsdparStoredDevice *device =
		ssdpar_stored_find(file.stored,
						   get_tablespace_oid(NameStr(*tablespace), false));
	ProbeResult result;
	char	   *page;
	text	   *value;

	if (device == NULL)
		PG_RETURN_NULL();
	take_result(file.stored, device, &result);
	page = ssdpar_probe_page(NameStr(*tablespace), &result,
							 timestamptz_to_time_t(device->calibrated_at));
	if (page == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory for the page")));
	value = cstring_to_text(page);
	free(page);
	PG_RETURN_TEXT_P(value);
}
