/*
 * ssdemu_device.h
 *		ssdsim's device while the clock runs: submits requests now, lets the
 *		device work as time passes, and answers completed requests; with
 *		faults, under a lock.  It uses times and requests, but no clocks or
 *		files.
 */
#ifndef SSDEMU_DEVICE_H
#define SSDEMU_DEVICE_H

#include <pthread.h>

#include "bench/ssdsim/ssdsim_array.h"
#include "ssdemu_faults.h"

/*
 * Called once for each request, as soon as it is known WHEN to answer it; the
 * device is locked.
 */
typedef void (*SsdemuAnswer) (void *argument, void *owner, int64_t when);

/* The properties of a device. */
typedef struct SsdemuDeviceSpec
{
	const char *name;
	SsdsimSpec	spec;
	const SsdsimPolicy *policy;
	uint64_t	seed;
	double		age;			/* how often it was overwritten before */
} SsdemuDeviceSpec;

typedef struct SsdemuDevice
{
	SsdemuDeviceSpec spec;		/* never changes */
	SsdemuAnswer answer;
	void	   *argument;

	pthread_mutex_t lock;		/* protects the following */
	SsdsimArray *array;
	int64_t		now;			/* the array's */
	int64_t		wake;			/* when it expects to be run */
	bool		ended;
	int			outstanding;
	SsdemuFaults faults;
	SsdsimError refused;		/* the last invalid command, or empty */
	int64_t		transport;		/* subtracted from completions, in ns */
	SsdsimCounts before;		/* when it was new */
	uint64_t	requests[SSDSIM_KINDS];
	uint64_t	bytes[SSDSIM_KINDS];
	uint64_t	errors;
	uint64_t	spikes;
	int			most_outstanding;
} SsdemuDevice;

/* NULL if out of memory. */
extern SsdemuDevice *ssdemu_device_new(const SsdemuDeviceSpec *spec,
									   SsdemuAnswer answer, void *argument);
extern void ssdemu_device_free(SsdemuDevice *device);

/* The position of a file with this number: random, contiguous. */
extern uint64_t ssdemu_device_place(const SsdemuDevice *device, uint64_t file);

/* The errno with which the next request of a kind is to fail, usually 0. */
extern int	ssdemu_device_fault(SsdemuDevice *device, SsdsimKind kind);

/*
 * Submits a request; OWNER is answered for it.  Returns an errno, usually 0,
 * if that was impossible.  Sets *WAKE to the time when ssdemu_device_run() has
 * to be called, or to SSDSIM_NEVER if that was already reported.
 */
extern int	ssdemu_device_submit(SsdemuDevice *device, SsdsimKind kind,
								 uint64_t address, uint32_t bytes,
								 int64_t now, void *owner, int64_t *wake);

/* Lets it work until NOW; returns when to call again, or SSDSIM_NEVER. */
extern int64_t ssdemu_device_run(SsdemuDevice *device, int64_t now);

/* Answers everything immediately; nothing may be submitted afterwards. */
extern void ssdemu_device_end(SsdemuDevice *device);

/* Sets the time of the way through the kernel, outside of the device. */
extern void ssdemu_device_set_transport(SsdemuDevice *device, int64_t time);

extern bool ssdemu_device_command(SsdemuDevice *device, const char *text);

/* Text for the files of the control directory; return the length. */
extern size_t ssdemu_device_print_stats(SsdemuDevice *device, char *text,
										size_t size);
extern size_t ssdemu_device_print_faults(SsdemuDevice *device, char *text,
										 size_t size);

#endif							/* SSDEMU_DEVICE_H */
