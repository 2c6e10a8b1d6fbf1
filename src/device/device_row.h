/*
 * device_row.h
 *		Checks a tablespace's row of ssdpar.device: what the planner uses of
 *		its device in addition to the measured grid.
 */
#ifndef SSDPAR_DEVICE_ROW_H
#define SSDPAR_DEVICE_ROW_H

#include "device/machine.h"
#include "device/profile_json.h"

/*
 * The identity that matches any device, for profiles written by hand to test
 * what the planner would do with another device.
 */
#define SSDPAR_ANY_DEVICE "any device"

typedef struct SsdparDeviceRow
{
	SsdparMachine machine;		/* measured, or typical values */
	double		read_ahead_kb;	/* the kernel's, at calibration */
	uint64		device;			/* equal for tablespaces on one device; unique
								 * for SSDPAR_ANY_DEVICE */
} SsdparDeviceRow;

/* A result of ssdpar_device_row_check() that is temporary. */
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
 * Number of the device, or file system, of the tablespace.  It is the same for
 * all tablespaces there, even without a profile.  InvalidOid means the
 * database's tablespace.
 */
extern uint32 ssdpar_tablespace_device(Oid tablespace);

#endif							/* SSDPAR_DEVICE_ROW_H */
