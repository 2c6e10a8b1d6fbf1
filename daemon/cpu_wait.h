/*
 * cpu_wait.h
 *		How long this thread has been ready to run without a CPU.
 */
#ifndef SSDPARD_CPU_WAIT_H
#define SSDPARD_CPU_WAIT_H

#include <stdint.h>

/* Microseconds since the thread began; 0 where the kernel does not tell. */
extern uint64_t ssdpard_cpu_wait(void);

#endif							/* SSDPARD_CPU_WAIT_H */
