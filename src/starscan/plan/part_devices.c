/*
 * part_devices.c
 *		The scans of a fact's partitions, by the devices that these lie on.
 *
 * Each device has requests of its own outstanding (exec/turns.c), so together
 * they take as long as the one that takes longest, and no less than all that
 * is computed: that is one process's, or shared already in the costs.
 */
#include "postgres.h"

#include "base/compat.h"
#include "starscan/plan/part_devices.h"

List *
ssdpar_add_device_scan(List *devices, uint64 device, Path *path, Cost cpu)
{
	SsdparDeviceScans *scans = NULL;
	ListCell   *lc;

	foreach(lc, devices)
	{
		scans = lfirst(lc);
		if (scans->device == device)
			break;
	}
	if (lc == NULL)
	{
		scans = palloc0_object(SsdparDeviceScans);
		scans->device = device;
		devices = lappend(devices, scans);
	}
	scans->paths = lappend(scans->paths, path);
	scans->cpu += cpu;
	return devices;
}

Cost
ssdpar_devices_save(const List *devices, const List *appends)
{
	Cost		sum = 0;
	Cost		longest = 0;
	Cost		cpu = 0;
	const ListCell *device;
	const ListCell *append;

	forboth(device, devices, append, appends)
	{
		const SsdparDeviceScans *scans = lfirst(device);
		const Path *path = lfirst(append);

		sum += path->total_cost;
		longest = Max(longest, path->total_cost);
		cpu += scans->cpu;
	}
	return sum - Min(sum, Max(longest, cpu));
}
