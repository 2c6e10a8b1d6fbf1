/*
 * known_devices.h
 *		Whether a directory lies on the device that a profile was measured on.
 */
#ifndef SSDPAR_KNOWN_DEVICES_H
#define SSDPAR_KNOWN_DEVICES_H

/*
 * Whether what is under DIRECTORY (relative to the data directory) calls itself
 * IDENTITY, as ssdpar_probe_is_device() has it.  The answer is at most a
 * minute old.  False if it cannot be found out.
 */
extern bool ssdpar_device_is(const char *directory, const char *identity);

/* For the hooks of the same names. */
extern void ssdpar_known_devices_request_shmem(void);
extern void ssdpar_known_devices_attach_shmem(void);

#endif							/* SSDPAR_KNOWN_DEVICES_H */
