/*
 * scan_chunks.h
 *		Requests the next chunk (chunks.h) of a sequential heap scan, for
 *		callers that know the next page of the scan.
 *
 * Nothing waits, and nothing here can make the scan fail.
 */
#ifndef SSDPAR_SCAN_CHUNKS_H
#define SSDPAR_SCAN_CHUNKS_H

#include "access/relscan.h"
#include "utils/relcache.h"

typedef struct SsdparScanChunks SsdparScanChunks;

/*
 * Creates the state for scans of rel, in the current memory context.  rel must
 * stay open and locked until the end.  Returns NULL if nothing should be
 * requested, because of ssdpar.prefetch or of the table; the functions below
 * accept NULL.
 *
 * beside_writers: request only while a process waits for a write, in chunks
 * that delay the write less than the kernel's windows.
 */
extern SsdparScanChunks *ssdpar_scan_chunks_open(Relation rel,
												 bool beside_writers);

/* The scan is about to begin. */
extern void ssdpar_scan_chunks_begin(SsdparScanChunks *chunks,
									 TableScanDesc scan);

/*
 * The forward scan, or its read stream, has reached block; invalid: the end.
 */
extern void ssdpar_scan_chunks_ask(SsdparScanChunks *chunks,
								   TableScanDesc scan, BlockNumber block);

/* The scan ends here; the state can be reused.  May be called repeatedly. */
extern void ssdpar_scan_chunks_end(SsdparScanChunks *chunks);

#endif							/* SSDPAR_SCAN_CHUNKS_H */
