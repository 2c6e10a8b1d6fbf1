/*
 * known_devices.h
 *		Checks whether a directory is on the device that a profile was measured
 *		on.
 */
#ifndef SSDPAR_KNOWN_DEVICES_H
#define SSDPAR_KNOWN_DEVICES_H

typedef enum SsdparDeviceAnswer
{
	SSDPAR_DEVICE_OTHER,		/* or the directory cannot be accessed */
	SSDPAR_DEVICE_SAME,
	SSDPAR_DEVICE_UNSURE,		/* not now: no descriptor or memory left */
} SsdparDeviceAnswer;

/*
 * Does the device of DIRECTORY (relative to the data directory) have this
 * IDENTITY, as ssdpar_probe_is_device() defines it?  The answer is at most a
 * minute old.
 */
extern SsdparDeviceAnswer ssdpar_device_is(const char *directory,
										   const char *identity);

/* To be called by the hooks of the same names. */
extern void ssdpar_known_devices_request_shmem(void);
extern void ssdpar_known_devices_attach_shmem(void);

#endif							/* SSDPAR_KNOWN_DEVICES_H */
