/*
 * profile_columns.h
 *		The columns of ssdpar.device and ssdpar.device_profile: rows become
 *		records of the profile file, checked, and records rows.
 */
#ifndef SSDPAR_PROFILE_COLUMNS_H
#define SSDPAR_PROFILE_COLUMNS_H

#include "access/htup.h"
#include "access/tupdesc.h"

#include "device/stored_profile.h"

/* The most columns that a row of either has. */
#define SSDPAR_PROFILE_COLUMNS_MAX SSDPAR_DEVICE_COLUMNS
#define SSDPAR_POINT_COLUMNS 11

/* From a row that the user gave.  Errors for what cannot be. */
extern void ssdpar_device_from_row(HeapTuple row, TupleDesc columns,
								   SsdparStoredDevice *device);
extern void ssdpar_point_from_row(HeapTuple row, TupleDesc columns,
								  SsdparStoredPoint *point);

/* Copies the columns from FIRST to LAST, null where they are null. */
extern void ssdpar_device_copy_columns(const SsdparStoredDevice *from,
									   SsdparStoredDevice *to,
									   SsdparDeviceColumn first,
									   SsdparDeviceColumn last);

/* The types of the columns of such rows. */
extern void ssdpar_device_types(Oid types[SSDPAR_DEVICE_COLUMNS]);
extern void ssdpar_point_types(Oid types[SSDPAR_POINT_COLUMNS]);

/*
 * To a row, as values of its columns in order.  False if its tablespace has
 * been dropped.
 */
extern bool ssdpar_device_to_row(const SsdparStoredDevice *device,
								 Datum *values, bool *nulls);
extern bool ssdpar_point_to_row(const SsdparStoredPoint *point,
								Datum *values, bool *nulls);

#endif							/* SSDPAR_PROFILE_COLUMNS_H */
