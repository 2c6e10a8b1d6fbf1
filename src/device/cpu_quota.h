/*
 * cpu_quota.h
 *		Determines how much CPU time control groups allow this process.
 *
 * No server headers, so that unit tests can use it alone.
 */
#ifndef SSDPAR_CPU_QUOTA_H
#define SSDPAR_CPU_QUOTA_H

/*
 * Least quota of the process's group and its ancestors, in processors, or
 * HUGE_VAL if there is none.  ROOT precedes each path; it is "" except in
 * tests.
 */
extern double ssdpar_cpu_quota(const char *root);

#endif							/* SSDPAR_CPU_QUOTA_H */
