/*
 * scan_chunks.h
 *		Asks for the next chunk (chunks.h) of a sequential scan of a heap, for
 *		whoever knows which page the scan reads next.
 *
 * Nothing waits, and nothing here can make the scan fail.
 */
#ifndef SSDPAR_SCAN_CHUNKS_H
#define SSDPAR_SCAN_CHUNKS_H

#include "access/relscan.h"
#include "utils/relcache.h"

typedef struct SsdparScanChunks SsdparScanChunks;

/*
 * What this process asks for ahead of scans of rel, in the current memory
 * context.  rel stays open and locked until the end.  NULL if nothing is to be
 * asked for, by ssdpar.prefetch or because of the table; the functions below
 * take NULL as well.
 *
 * beside_writers: only while a process waits for a write, in chunks that are
 * less for it to stand behind than the kernel's windows.
 */
extern SsdparScanChunks *ssdpar_scan_chunks_open(Relation rel,
												 bool beside_writers);

/* The scan is about to begin. */
extern void ssdpar_scan_chunks_begin(SsdparScanChunks *chunks,
									 TableScanDesc scan);

/* The scan, forward, or its read stream has come to block; none: to the end. */
extern void ssdpar_scan_chunks_ask(SsdparScanChunks *chunks,
								   TableScanDesc scan, BlockNumber block);

/* The scan ends here; it can be used again.  More than once does no harm. */
extern void ssdpar_scan_chunks_end(SsdparScanChunks *chunks);

#endif							/* SSDPAR_SCAN_CHUNKS_H */
