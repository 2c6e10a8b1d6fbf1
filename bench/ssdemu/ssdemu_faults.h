/*
 * ssdemu_faults.h
 *		Faults that can be set while the emulated device runs.
 *
 * Pure: random numbers come from a seed, commands are text.
 */
#ifndef SSDEMU_FAULTS_H
#define SSDEMU_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/ssdsim/ssdsim_error.h"
#include "bench/ssdsim/ssdsim_request.h"

typedef struct SsdemuFaults
{
	double		eio[2];			/* probability, by SsdsimKind */
	double		spike;			/* probability of a late completion */
	int64_t		spike_time;		/* how late, in nanoseconds */
	bool		read_only;
	uint64_t	random;
} SsdemuFaults;

extern void ssdemu_faults_init(SsdemuFaults *faults, uint64_t seed);

/*
 * Executes the commands in TEXT, one per line; all of them or, if one is
 * invalid, none.
 *
 *	eio read|write PROBABILITY		such requests fail with EIO
 *	spike PROBABILITY MICROSECONDS	such requests take that much longer
 *	read-only on|off				writes fail with EROFS
 *	reset							no fault at all
 */
extern bool ssdemu_faults_command(SsdemuFaults *faults, const char *text,
								  SsdsimError *error);

/* The current faults, as commands; returns the length without the zero. */
extern size_t ssdemu_faults_print(const SsdemuFaults *faults, char *text,
								  size_t size);

/* The errno of the next request of this kind, usually 0. */
extern int	ssdemu_faults_errno(SsdemuFaults *faults, SsdsimKind kind);

/* The delay of the next request, usually 0. */
extern int64_t ssdemu_faults_delay(SsdemuFaults *faults);

#endif							/* SSDEMU_FAULTS_H */
