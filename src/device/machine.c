/*
 * machine.c
 *		Checks whether measured CPU times are plausible.
 *
 * The times come from a table that users can write, so they are checked before
 * anything is divided by them.
 */
#include <stdbool.h>
#include <stddef.h>

#include "device/machine.h"

/*
 * A picosecond to a second of CPU time, and a million cores: numbers beyond
 * that are mistakes, and predicted times would be infinite or NaN.  NaN is in
 * no interval.
 */
static bool
is_cpu_time(double seconds)
{
	return seconds >= 1e-12 && seconds <= 1.0;
}

const char *
ssdpar_machine_problem(const SsdparMachine *machine)
{
	if (!(machine->cores >= 1.0 && machine->cores <= 1e6))
		return "its number of cores is no machine's";
	if (!is_cpu_time(machine->seconds_per_cost_unit))
		return "its CPU time of a planner cost unit is no machine's";
	if (!is_cpu_time(machine->page_hit_seconds) ||
		!is_cpu_time(machine->page_copy_seconds) ||
		!is_cpu_time(machine->page_fill_seconds) ||
		!is_cpu_time(machine->page_stream_seconds))
		return "its CPU time of a page is no machine's";
	return NULL;
}
