/*
 * ssdemu_device.h
 *		ssdsim's device while the clock runs: submit at the present, let it
 *		work as time passes, answer what it completes; with faults, under a
 *		lock.  Knows times, not clocks; requests, not files.
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

/* What a device is to be. */
typedef struct SsdemuDeviceSpec
{
	const char *name;
	SsdsimSpec	spec;
	const SsdsimPolicy *policy;
	uint64_t	seed;
	double		age;			/* overwritten that many times before */
} SsdemuDeviceSpec;

typedef struct SsdemuDevice
{
	SsdemuDeviceSpec spec;		/* never changes */
	SsdemuAnswer answer;
	void	   *argument;

	pthread_mutex_t lock;		/* of all that follows */
	SsdsimArray *array;
	int64_t		now;			/* the array's */
	int64_t		wake;			/* when it was told that it has to run */
	bool		ended;
	int			outstanding;
	SsdemuFaults faults;
	SsdsimError refused;		/* the last command not understood, or empty */
	int64_t		transport;		/* taken off completions, nanoseconds */
	SsdsimCounts before;		/* when it was new */
	uint64_t	requests[SSDSIM_KINDS];
	uint64_t	bytes[SSDSIM_KINDS];
	uint64_t	errors;
	uint64_t	spikes;
	int			most_outstanding;
} SsdemuDevice;

/* NULL when out of memory. */
extern SsdemuDevice *ssdemu_device_new(const SsdemuDeviceSpec *spec,
									   SsdemuAnswer answer, void *argument);
extern void ssdemu_device_free(SsdemuDevice *device);

/* Where a file lies that is known by a number: by chance, in one piece. */
extern uint64_t ssdemu_device_place(const SsdemuDevice *device, uint64_t file);

/* The errno that the next request of a kind is to fail with, mostly 0. */
extern int	ssdemu_device_fault(SsdemuDevice *device, SsdsimKind kind);

/*
 * Submit a request; OWNER is answered for it.  Gives an errno, mostly 0, if
 * that was not possible.  Sets *WAKE to when ssdemu_device_run() has to be
 * called, or SSDSIM_NEVER if that is known already.
 */
extern int	ssdemu_device_submit(SsdemuDevice *device, SsdsimKind kind,
								 uint64_t address, uint32_t bytes,
								 int64_t now, void *owner, int64_t *wake);

/* Let it work until NOW; gives when to call again, or SSDSIM_NEVER. */
extern int64_t ssdemu_device_run(SsdemuDevice *device, int64_t now);

/* Have everything answered, whatever the time; nothing is submitted after. */
extern void ssdemu_device_end(SsdemuDevice *device);

/* What is known of a way through the kernel that the device did not take. */
extern void ssdemu_device_set_transport(SsdemuDevice *device, int64_t time);

extern bool ssdemu_device_command(SsdemuDevice *device, const char *text);

/* Text for the files of the control directory; give the length. */
extern size_t ssdemu_device_print_stats(SsdemuDevice *device, char *text,
										size_t size);
extern size_t ssdemu_device_print_faults(SsdemuDevice *device, char *text,
										 size_t size);

#endif							/* SSDEMU_DEVICE_H */
