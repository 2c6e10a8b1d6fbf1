/*
 * query_memory.h
 *		Memory in the area that the processes of a parallel query share.
 *
 * The area ends with the query's execution (ExecParallelCleanup), so what a
 * process that failed has not freed is not lost.  That the area is full is no
 * error here: whoever asks has a way to go on without.  That the system is (a
 * container's /dev/shm) is one, core's, as under a parallel hash join.
 */
#ifndef SSDPAR_QUERY_MEMORY_H
#define SSDPAR_QUERY_MEMORY_H

#include "utils/dsa.h"

/*
 * size bytes, with the address that is good in every process in *pointer; NULL
 * and InvalidDsaPointer if the area has no room.
 */
static inline void *
ssdpar_query_allocate(dsa_area *area, Size size, dsa_pointer *pointer)
{
	*pointer = dsa_allocate_extended(area, size,
									 DSA_ALLOC_HUGE | DSA_ALLOC_NO_OOM);
	return DsaPointerIsValid(*pointer) ? dsa_get_address(area, *pointer)
		: NULL;
}

/* Free what is there, if anything is; there is nothing any more then. */
static inline void
ssdpar_query_free(dsa_area *area, dsa_pointer *pointer)
{
	if (DsaPointerIsValid(*pointer))
		dsa_free(area, *pointer);
	*pointer = InvalidDsaPointer;
}

#endif							/* SSDPAR_QUERY_MEMORY_H */
