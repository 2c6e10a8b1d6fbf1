/*
 * busy.c
 *		Divides elapsed time by what was busy: this process or the device.
 */
#include "device/busy.h"

static double
least(double a, double b)
{
	return a < b ? a : b;
}

/* Different clocks do not agree to the last digit. */
static double
within(double seconds, double elapsed)
{
	return seconds < 0.0 ? 0.0 : least(seconds, elapsed);
}

void
ssdpar_busy_add(SsdparBusy *busy, double elapsed, double computed,
				double device)
{
	double		idle;
	double		for_device;

	if (!(elapsed > 0.0))
		return;
	computed = within(computed, elapsed);
	idle = elapsed - computed;
	if (device < 0.0)
	{
		busy->processor += computed;
		busy->waited += idle;
		busy->blind = true;
		return;
	}
	device = within(device, elapsed);
	for_device = least(idle, device);
	busy->device += for_device;
	busy->both += device - for_device;
	busy->processor += computed - (device - for_device);
	busy->neither += idle - for_device;
}

void
ssdpar_busy_sum(SsdparBusy *total, const SsdparBusy *busy)
{
	total->processor += busy->processor;
	total->device += busy->device;
	total->both += busy->both;
	total->neither += busy->neither;
	total->waited += busy->waited;
	total->blind |= busy->blind;
}
