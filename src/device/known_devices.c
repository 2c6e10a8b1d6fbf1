/*
 * known_devices.c
 *		Checks whether a directory is on the device that a profile was measured
 *		on.
 *
 * Asking a disk for its serial number can be a request to the disk, which
 * waits behind all others there.  On a busy device, that would delay the first
 * plan of each new session.  So we keep the identity of devices in shared
 * memory, keyed by what the file system reports without asking the device.
 * Without shared memory, each session asks once, and profile.c caches the
 * answer.
 *
 * An answer is used for a minute, so it takes that long to notice that a file
 * system has been moved to another device under a running server.
 */
#include "postgres.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/hashfn.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "base/elapsed.h"
#include "device/known_devices.h"
#include "probe/probe.h"

/* More file systems than tablespaces are likely to use. */
#define PLACES 64

#define FRESH_MS (60 * 1000)

typedef struct KnownDevice
{
	dev_t		number;
	unsigned long file_system;
	uint64		identity;		/* hash of the text */
	TimestampTz asked;			/* 0: the place is free */
} KnownDevice;

/* Invariant: no two places in use have the same number and file system. */
typedef struct SharedDevices
{
	slock_t		mutex;
	KnownDevice places[PLACES];
} SharedDevices;

static SharedDevices *shared = NULL;

Size
ssdpar_known_devices_shmem_size(void)
{
	return sizeof(SharedDevices);
}

void
ssdpar_known_devices_shmem_init(void *part)
{
	shared = part;
	memset(shared, 0, sizeof(SharedDevices));
	SpinLockInit(&shared->mutex);
}

/* 64 bits make collisions of a server's devices practically impossible. */
static uint64
hash_identity(const char *identity)
{
	return hash_bytes_extended((const unsigned char *) identity,
							   strlen(identity), 0);
}

/* The place of this device, or else the oldest or a free one. */
static KnownDevice *
find_place(const KnownDevice *wanted)
{
	KnownDevice *oldest = &shared->places[0];

	for (int i = 0; i < PLACES; i++)
	{
		KnownDevice *place = &shared->places[i];

		if (place->asked != 0 && place->number == wanted->number &&
			place->file_system == wanted->file_system)
			return place;
		if (place->asked < oldest->asked)
			oldest = place;
	}
	return oldest;
}

/* Fills in the identity, if it is known and fresh. */
static bool
recall(KnownDevice *device)
{
	TimestampTz now = GetCurrentTimestamp();
	KnownDevice known;

	if (shared == NULL)
		return false;
	SpinLockAcquire(&shared->mutex);
	known = *find_place(device);
	SpinLockRelease(&shared->mutex);
	if (known.number != device->number ||
		known.file_system != device->file_system ||
		ssdpar_is_past(known.asked, now, FRESH_MS))
		return false;
	device->identity = known.identity;
	return true;
}

static void
remember(KnownDevice *device)
{
	if (shared == NULL)
		return;
	device->asked = GetCurrentTimestamp();
	SpinLockAcquire(&shared->mutex);
	*find_place(device) = *device;
	SpinLockRelease(&shared->mutex);
}

static bool
ask(const char *directory, KnownDevice *device)
{
	ProbeDevice found;
	ProbeError	error;

	if (!ssdpar_probe_identify(directory, &found, &error))
		return false;
	device->identity = hash_identity(found.identity);
	return true;
}

SsdparDeviceAnswer
ssdpar_device_is(const char *directory, const char *identity)
{
	KnownDevice device = {0};
	struct stat status;
	struct statvfs file_system;
	uint64		wanted = hash_identity(identity);

	if (stat(directory, &status) != 0 ||
		statvfs(directory, &file_system) != 0)
		return SSDPAR_DEVICE_OTHER;
	device.number = status.st_dev;
	device.file_system = file_system.f_fsid;
	if (!recall(&device))
	{
		if (!ask(directory, &device))
			return SSDPAR_DEVICE_UNSURE;
		remember(&device);
	}
	return wanted == device.identity ? SSDPAR_DEVICE_SAME :
		SSDPAR_DEVICE_OTHER;
}
