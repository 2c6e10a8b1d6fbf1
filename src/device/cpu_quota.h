/*
 * cpu_quota.h
 *		How many processors' time the control groups leave to this process.
 *
 * Pure: no server header, so that unit tests hold it alone.
 */
#ifndef SSDPAR_CPU_QUOTA_H
#define SSDPAR_CPU_QUOTA_H

/*
 * The least quota of the process's group and those around it, in processors;
 * HUGE_VAL without one.  ROOT stands before each path: "" but in tests.
 */
extern double ssdpar_cpu_quota(const char *root);

#endif							/* SSDPAR_CPU_QUOTA_H */
