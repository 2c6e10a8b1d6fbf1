/*
 * machine.h
 *		What this machine's processors take for what the planner counts.
 *
 * Pure: no server header, so that unit tests hold it alone.
 */
#ifndef SSDPAR_MACHINE_H
#define SSDPAR_MACHINE_H

/*
 * Measured by calibrate() (cpu_calibration.c).  All positive and finite; the
 * page times are CPU time, without any wait for the device.
 */
typedef struct SsdparMachine
{
	double		cores;			/* processes that compute at once */
	double		seconds_per_cost_unit;	/* CPU time of planner cost 1 (cpu_*
										 * units) */
	double		page_hit_seconds;	/* find a page in shared buffers */
	double		page_copy_seconds;	/* take it over from the page cache */
	double		page_fill_seconds;	/* the same, from the device, alone */
	double		page_stream_seconds;	/* the same, in a long sequence */
} SsdparMachine;

/* NULL, or in a few words why MACHINE cannot be right. */
extern const char *ssdpar_machine_problem(const SsdparMachine *machine);

#endif							/* SSDPAR_MACHINE_H */
