/*
 * ssdsim_memory.h
 *		Memory, or the end: a simulation that lacks some has no result.
 */
#ifndef SSDSIM_MEMORY_H
#define SSDSIM_MEMORY_H

#include <stddef.h>

/* COUNT things of SIZE bytes, all zero. */
extern void *ssdsim_allocate(size_t count, size_t size);

/* Room for COUNT things where there was less; what is new has any value. */
extern void *ssdsim_enlarge(void *old, size_t count, size_t size);

#endif							/* SSDSIM_MEMORY_H */
