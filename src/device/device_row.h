/*
 * device_row.h
 *		What the planner takes of a tablespace's device besides the measured
 *		grid: its row of ssdpar.device.
 */
#ifndef SSDPAR_DEVICE_ROW_H
#define SSDPAR_DEVICE_ROW_H

#include "device/machine.h"
#include "device/profile_json.h"

/*
 * The identity of a device that stands for any: of profiles made by hand, to
 * try what the planner would do with another device.
 */
#define SSDPAR_ANY_DEVICE "any device"

typedef struct SsdparDeviceRow
{
	SsdparMachine machine;		/* measured, or typical where it was not */
	double		read_ahead_kb;	/* the kernel's, at calibration */
	uint64		device;			/* the same for tablespaces on one device; any
								 * device is taken for one of its own */
} SsdparDeviceRow;

/* The answer of ssdpar_device_row_check() that may be another one soon. */
extern const char *const ssdpar_device_unsure;

/*
 * Fills in ROW from the document of a tablespace.  Returns NULL, or in a few
 * constant words why the cost model cannot use it.
 */
extern const char *ssdpar_device_row_check(Oid tablespace,
										   JsonbContainer *document,
										   SsdparDeviceRow *row);

/* The tablespace's directory, relative to the data directory. */
extern void ssdpar_tablespace_directory(Oid tablespace, char *path,
										size_t size);

/*
 * The number of the device, or file system, that the tablespace lies on: the
 * same for all that lie there, profile or not.  InvalidOid is the database's.
 */
extern uint32 ssdpar_tablespace_device(Oid tablespace);

#endif							/* SSDPAR_DEVICE_ROW_H */
