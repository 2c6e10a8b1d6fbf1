/*
 * report.h
 *		Prints a sweep as tables for a person.
 */
#ifndef SSDPAR_PROBE_REPORT_H
#define SSDPAR_PROBE_REPORT_H

#include <stdio.h>

#include "inside_file.h"

/* The caller checks errors of OUT with ferror(). */
extern void ssdpar_probe_report(FILE *out, const ProbeOptions *options,
								const ProbeResult *result);

extern void ssdpar_probe_report_inside(FILE *out,
									   const ProbeInsideResult *result);

#endif							/* SSDPAR_PROBE_REPORT_H */
