/*
 * summary.h
 *		Summarizes a sweep for a person.  Pure arithmetic.
 *
 * The view ssdpar.device_summary shows the same for stored profiles.
 */
#ifndef SSDPAR_PROBE_SUMMARY_H
#define SSDPAR_PROBE_SUMMARY_H

#include "probe.h"

/* The sizes that "random" and "sequential" mean in a summary. */
#define PROBE_SUMMARY_RANDOM (8 * 1024)
#define PROBE_SUMMARY_SEQUENTIAL (256 * 1024)

/* Reads only.  0 if the required sizes or depths were not measured. */
typedef struct ProbeSummary
{
	double		peak_iops;		/* 8 kB random */
	double		peak_bytes_per_second;	/* any point */
	int			saturation_depth;	/* smallest with 90 % of peak_iops */
	double		ratio_at_one;	/* random / sequential bandwidth, depth 1 */
	double		ratio_at_saturation;	/* the same at the saturation depth */
	double		median_spread;
	double		confidence;		/* 1 - median_spread, not below 0 */
} ProbeSummary;

/* Points may be in any order; missing ones leave zeros. */
extern void ssdpar_probe_summarize(const ProbePoint *points, int npoints,
								   ProbeSummary *summary);

/* Values of a point shown in tables, in the units shown. */
typedef enum ProbeValue
{
	PROBE_VALUE_IOPS,
	PROBE_VALUE_MEGABYTES,		/* per second */
	PROBE_VALUE_P50,			/* microseconds */
	PROBE_VALUE_P99,
} ProbeValue;

extern double ssdpar_probe_value(const ProbePoint *point, ProbeValue value);

/* Room for "fair: half of the points repeat within 20 %". */
typedef struct ProbeConfidenceText
{
	char		text[80];
} ProbeConfidenceText;

extern ProbeConfidenceText
			ssdpar_probe_confidence_text(const ProbeSummary *summary);

/* good from 0.85, fair from 0.65, poor below: as in ssdpar.device_summary */
extern const char *ssdpar_probe_confidence_word(double confidence);

#endif							/* SSDPAR_PROBE_SUMMARY_H */
