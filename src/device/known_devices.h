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
 * Whether what is under DIRECTORY (relative to the data directory) calls itself
 * IDENTITY.  The answer is at most a minute old.
 */
extern SsdparDeviceAnswer ssdpar_device_is(const char *directory,
										   const char *identity);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_known_devices_shmem_size(void);
extern void ssdpar_known_devices_shmem_init(void *part);

#endif							/* SSDPAR_KNOWN_DEVICES_H */
