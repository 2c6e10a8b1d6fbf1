/*
 * compared.h
 *		Devices to hold a measured one against.  Pure.
 */
#ifndef SSDPAR_PROBE_COMPARED_H
#define SSDPAR_PROBE_COMPARED_H

#define PROBE_COMPARED_DEVICES 6
#define PROBE_COMPARED_DEPTHS 7

typedef struct ProbeCompared
{
	const char *name;
	const char *about;
	double		iops[PROBE_COMPARED_DEPTHS];	/* random reads of 8 kB */
} ProbeCompared;

extern const int ssdpar_probe_compared_depths[PROBE_COMPARED_DEPTHS];
extern const ProbeCompared
			ssdpar_probe_compared[PROBE_COMPARED_DEVICES];

#endif							/* SSDPAR_PROBE_COMPARED_H */
