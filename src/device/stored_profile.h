/*
 * stored_profile.h
 *		Device profiles in memory: those of all tablespaces of the server, and
 *		the links to other servers.
 *
 * profile_json.c makes JSON of them and reads it.
 */
#ifndef SSDPAR_STORED_PROFILE_H
#define SSDPAR_STORED_PROFILE_H

/* More than any server has.  A sweep has at most a thousand points. */
#define SSDPAR_STORED_DEVICES_MAX 1024
#define SSDPAR_STORED_POINTS_MAX 2048	/* of one device */
#define SSDPAR_STORED_LINKS_MAX 4096

/* The columns of ssdpar.device, in order: bits of what is null. */
typedef enum SsdparDeviceColumn
{
	SSDPAR_DEVICE_TABLESPACE,
	SSDPAR_DEVICE_IDENTITY,
	SSDPAR_DEVICE_DISK,
	SSDPAR_DEVICE_MODEL,
	SSDPAR_DEVICE_SIZE_BYTES,
	SSDPAR_DEVICE_ROTATIONAL,
	SSDPAR_DEVICE_FILE_SYSTEM,
	SSDPAR_DEVICE_READ_AHEAD_KB,
	SSDPAR_DEVICE_SCRATCH_BYTES,
	SSDPAR_DEVICE_SECONDS,
	SSDPAR_DEVICE_ENGINE_VERSION,
	SSDPAR_DEVICE_SERVER_VERSION,
	SSDPAR_DEVICE_DOCUMENT_VERSION,
	SSDPAR_DEVICE_CALIBRATED_AT,
	SSDPAR_DEVICE_CORES,
	SSDPAR_DEVICE_COST_UNIT_SECONDS,
	SSDPAR_DEVICE_PAGE_HIT_SECONDS,
	SSDPAR_DEVICE_PAGE_COPY_SECONDS,
	SSDPAR_DEVICE_PAGE_FILL_SECONDS,
	SSDPAR_DEVICE_PAGE_STREAM_SECONDS,
	SSDPAR_DEVICE_COLUMNS,
} SsdparDeviceColumn;

static inline uint64
ssdpar_device_bit(SsdparDeviceColumn column)
{
	return UINT64CONST(1) << column;
}

/* Tablespaces are known by OID: they keep it when they are renamed. */
typedef struct SsdparStoredDevice
{
	Oid			tablespace;
	uint64		nulls;			/* a bit for each column */
	int64		size_bytes;
	int64		scratch_bytes;
	int64		calibrated_at;	/* a TimestampTz */
	double		seconds;
	double		cores;
	double		cost_unit_seconds;
	double		page_hit_seconds;
	double		page_copy_seconds;
	double		page_fill_seconds;
	double		page_stream_seconds;
	int32		read_ahead_kb;
	int32		document_version;
	bool		rotational;
	char		identity[775];
	char		disk[64];
	char		model[128];
	char		file_system[32];
	char		engine_version[32];
	char		server_version[128];
} SsdparStoredDevice;

/* A pattern: as many sequential reads at once as the depth says. */
#define SSDPAR_STREAMS "streams"

typedef struct SsdparStoredPoint
{
	Oid			tablespace;
	char		operation[8];
	char		pattern[16];
	int32		request_size;
	int32		queue_depth;
	double		iops;
	double		bytes_per_second;
	double		latency_p50;
	double		latency_p99;
	double		spread;
	int32		passes;
} SsdparStoredPoint;

/*
 * The way to another server, known by its address (shards/link/address.c): the
 * same for all databases, and another one when the address changes.
 */
#define SSDPAR_ADDRESS_SIZE 488

typedef struct SsdparStoredLink
{
	int64		measured_at;	/* a TimestampTz */
	double		latency_seconds;
	double		bytes_per_second;
	double		device_bytes_per_second;	/* of the server there; 0: not
											 * known */
	double		cost_unit_seconds;	/* likewise */
	char		address[SSDPAR_ADDRESS_SIZE];
} SsdparStoredLink;

/*
 * Invariant: no two devices of one tablespace, no two points of one key, no two
 * links to one address.
 */
typedef struct SsdparStored
{
	int			ndevices;
	int			npoints;
	int			nlinks;
	SsdparStoredDevice *devices;
	SsdparStoredPoint *points;
	SsdparStoredLink *links;
} SsdparStored;

/* Add a record of zeros.  It is valid until the next one is added. */
extern SsdparStoredDevice *ssdpar_stored_add(SsdparStored *stored);
extern SsdparStoredPoint *ssdpar_stored_add_point(SsdparStored *stored);
extern SsdparStoredLink *ssdpar_stored_add_link(SsdparStored *stored);

/* NULL if there is none. */
extern SsdparStoredDevice *ssdpar_stored_find(const SsdparStored *stored,
											  Oid tablespace);

/* The link to an address; NULL if none was measured. */
extern SsdparStoredLink *ssdpar_stored_find_link(const SsdparStored *stored,
												 const char *address);

/* Removes the device of a tablespace and its points; false if none is there. */
extern bool ssdpar_stored_remove(SsdparStored *stored, Oid tablespace);

/* False if there is none. */
extern bool ssdpar_stored_remove_link(SsdparStored *stored,
									  const char *address);

#endif							/* SSDPAR_STORED_PROFILE_H */
