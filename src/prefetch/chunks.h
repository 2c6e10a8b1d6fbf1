/*
 * chunks.h
 *		What a process of a sequential scan asks for itself, close ahead.
 *
 * Pure: no server header, so that unit tests hold it alone.
 */
#ifndef SSDPAR_CHUNKS_H
#define SSDPAR_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

/* 256 kB: one or two of them in flight are nearly a device's full rate. */
#define SSDPAR_CHUNK_BLOCKS 32

typedef struct SsdparChunks
{
	bool		begun;
	uint32_t	block;			/* where the scan was last */
	uint64_t	asked;			/* from there up to here, not including */
} SsdparChunks;

/*
 * The scan has come to block, and this process will read up to, but not
 * including, block end.  True if it is to ask for count blocks from first on,
 * all in one file of segment blocks (a multiple of a chunk): once a chunk for
 * the next one, and after a jump for the rest of this one as well.
 *
 * Of most pages, 1 or more, that may be outstanding each chunk has half at
 * most, since two may be.
 */
extern bool ssdpar_chunks_next(SsdparChunks *chunks, uint32_t block,
							   uint32_t end, uint32_t segment, uint32_t most,
							   uint32_t *first, uint32_t *count);

#endif							/* SSDPAR_CHUNKS_H */
