/*
 * cpu_wait.h
 *		How long this thread has been runnable without having a CPU.
 */
#ifndef SSDPARD_CPU_WAIT_H
#define SSDPARD_CPU_WAIT_H

#include <stdint.h>

/*
 * Microseconds since the thread began, or 0 if the kernel does not report it.
 */
extern uint64_t ssdpard_cpu_wait(void);

#endif							/* SSDPARD_CPU_WAIT_H */
