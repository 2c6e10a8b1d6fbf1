/*
 * ssdsim_memory.h
 *		Allocates memory or exits, because a simulation without it has no
 *		result.
 */
#ifndef SSDSIM_MEMORY_H
#define SSDSIM_MEMORY_H

#include <stddef.h>

/* COUNT objects of SIZE bytes, all zero. */
extern void *ssdsim_allocate(size_t count, size_t size);

/* Enlarges to COUNT objects; new ones have arbitrary values. */
extern void *ssdsim_enlarge(void *old, size_t count, size_t size);

#endif							/* SSDSIM_MEMORY_H */
