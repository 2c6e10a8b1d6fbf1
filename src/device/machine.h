/*
 * machine.h
 *		CPU times of this machine for the operations that the planner counts.
 *
 * No server headers, so that unit tests can use it alone.
 */
#ifndef SSDPAR_MACHINE_H
#define SSDPAR_MACHINE_H

/*
 * Measured by calibrate() (cpu_calibration.c).  All values are positive and
 * finite.  The page times are CPU time, without waiting for the device.
 */
typedef struct SsdparMachine
{
	double		cores;			/* processes that can compute concurrently */
	double		seconds_per_cost_unit;	/* of planner cost 1 (cpu_* units) */
	double		page_hit_seconds;	/* find a page in shared buffers */
	double		page_copy_seconds;	/* copy it from the page cache */
	double		page_fill_seconds;	/* read it from the device */
	double		page_stream_seconds;	/* the same, in a long sequence */
} SsdparMachine;

/* NULL, or a short message that tells why MACHINE cannot be right. */
extern const char *ssdpar_machine_problem(const SsdparMachine *machine);

#endif							/* SSDPAR_MACHINE_H */
