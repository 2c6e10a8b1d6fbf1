/*
 * query_memory.h
 *		Memory in the DSA area that the processes of a parallel query share.
 *
 * The area is destroyed at the end of the query (ExecParallelCleanup), so
 * memory that a failed process did not free is not leaked.  A full area is not
 * an error here, because all callers can continue without the memory.  If the
 * system is out of shared memory (for example a container's /dev/shm), core
 * raises an error, as it does for a parallel hash join.
 */
#ifndef SSDPAR_QUERY_MEMORY_H
#define SSDPAR_QUERY_MEMORY_H

#include "utils/dsa.h"

/*
 * Allocates size bytes and sets *pointer to the address that is valid in all
 * processes.  If the area is full, returns NULL and sets *pointer to
 * InvalidDsaPointer.
 */
static inline void *
ssdpar_query_allocate(dsa_area *area, Size size, dsa_pointer *pointer)
{
	*pointer = dsa_allocate_extended(area, size,
									 DSA_ALLOC_HUGE | DSA_ALLOC_NO_OOM);
	return DsaPointerIsValid(*pointer) ? dsa_get_address(area, *pointer)
		: NULL;
}

/* Frees the memory, if any, and invalidates the pointer.  */
static inline void
ssdpar_query_free(dsa_area *area, dsa_pointer *pointer)
{
	if (DsaPointerIsValid(*pointer))
		dsa_free(area, *pointer);
	*pointer = InvalidDsaPointer;
}

#endif							/* SSDPAR_QUERY_MEMORY_H */
