/*
 * part_devices.h
 *		The scans of a fact's partitions, by the devices that these lie on.
 */
#ifndef SSDPAR_PLAN_PART_DEVICES_H
#define SSDPAR_PLAN_PART_DEVICES_H

#include "nodes/pathnodes.h"

/* Of one device. */
typedef struct SsdparDeviceScans
{
	uint64		device;			/* by SsdparModel */
	List	   *paths;			/* scans of partitions, in their order */
	Cost		cpu;			/* part of their costs that computing takes */
} SsdparDeviceScans;

/*
 * devices, a List of SsdparDeviceScans, with a scan on one, of whose cost
 * computing takes cpu.
 */
extern List *ssdpar_add_device_scan(List *devices, uint64 device, Path *path,
									Cost cpu);

/*
 * What is saved of the sum of the costs of appends, of each device's scans in
 * the order of devices, as the devices work at the same time.
 */
extern Cost ssdpar_devices_save(const List *devices, const List *appends);

#endif							/* SSDPAR_PLAN_PART_DEVICES_H */
