/*
 * ssdemu_device.h
 *		The device that runs: model and faults under a lock, and what it
 *		counts.  Knows times, not clocks; requests, not files.
 */
#ifndef SSDEMU_DEVICE_H
#define SSDEMU_DEVICE_H

#include <pthread.h>

#include "ssdemu_faults.h"
#include "ssdemu_model.h"

typedef struct SsdemuDevice
{
	pthread_mutex_t lock;		/* of all that follows */
	SsdemuModel model;
	SsdemuFaults faults;
	SsdemuError refused;		/* the last command not understood, or empty */
	int64_t		transport;		/* taken off completions, nanoseconds */
	uint64_t	requests[2];	/* by SsdemuKind */
	uint64_t	bytes[2];
	uint64_t	errors;
	uint64_t	spikes;
	uint64_t	flushes;
	int			most_outstanding;
} SsdemuDevice;

/* NULL when out of memory. */
extern SsdemuDevice *ssdemu_device_new(const SsdemuProfile *profile,
									   uint64_t seed);
extern void ssdemu_device_free(SsdemuDevice *device);

/*
 * Submit a request: 0 and the time at which to answer it, or the errno to
 * answer with at that time.
 */
extern int	ssdemu_device_submit(SsdemuDevice *device, SsdemuKind kind,
								 uint64_t address, uint32_t bytes,
								 int64_t now, int64_t *answer);
extern int64_t ssdemu_device_flush(SsdemuDevice *device, int64_t now);

/* What is known of a way through the kernel that the device did not take. */
extern void ssdemu_device_set_transport(SsdemuDevice *device, int64_t time);

extern bool ssdemu_device_command(SsdemuDevice *device, const char *text);

/* Text for the files of the control directory; give the length. */
extern size_t ssdemu_device_print_stats(SsdemuDevice *device, char *text,
										size_t size);
extern size_t ssdemu_device_print_faults(SsdemuDevice *device, char *text,
										 size_t size);

#endif							/* SSDEMU_DEVICE_H */
