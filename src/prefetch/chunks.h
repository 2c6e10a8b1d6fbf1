/*
 * chunks.h
 *		Chunks that a process of a sequential scan requests shortly ahead.
 *
 * No server header is included, so that unit tests can use it alone.
 */
#ifndef SSDPAR_CHUNKS_H
#define SSDPAR_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * 256 kB: one or two outstanding reads of this size nearly reach a device's
 * full throughput.
 */
#define SSDPAR_CHUNK_BLOCKS 32

typedef struct SsdparChunks
{
	bool		begun;
	uint32_t	block;			/* last position of the scan */
	uint64_t	asked;			/* requested from there up to here, exclusive */
} SsdparChunks;

/*
 * The scan has reached block, and this process will read up to, but not
 * including, block end.  Returns true if count blocks starting with first
 * should be requested, all in one file of segment blocks (a multiple of a
 * chunk).  This happens once per chunk, for the next chunk, and after a jump
 * also for the rest of the present one.
 *
 * At most "most" pages, 1 or more, may be outstanding.  Each chunk uses at
 * most half of them, since two chunks may be outstanding.
 */
extern bool ssdpar_chunks_next(SsdparChunks *chunks, uint32_t block,
							   uint32_t end, uint32_t segment, uint32_t most,
							   uint32_t *first, uint32_t *count);

#endif							/* SSDPAR_CHUNKS_H */
