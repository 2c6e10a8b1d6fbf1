/*
 * scan_pieces.h
 *		Asks for the next piece (pieces.h) of a sequential scan of a heap, for
 *		whoever runs the scan and looks at each of its pages.
 *
 * Nothing waits, and nothing here can make the scan fail.
 */
#ifndef SSDPAR_SCAN_PIECES_H
#define SSDPAR_SCAN_PIECES_H

#include "access/relscan.h"
#include "utils/relcache.h"

typedef struct SsdparScanPieces SsdparScanPieces;

/*
 * What this process asks for ahead of scans of rel, in the current memory
 * context.  rel stays open and locked until the end.  NULL if nothing is to be
 * asked for: by ssdpar.prefetch, because of the table, or in PostgreSQL 17 and
 * later, whose scans run further ahead of the page that is seen here; the
 * functions below take NULL as well.
 */
extern SsdparScanPieces *ssdpar_scan_pieces_open(Relation rel);

/* The scan is about to begin. */
extern void ssdpar_scan_pieces_begin(SsdparScanPieces *pieces,
									 TableScanDesc scan);

/* The scan, forward, has come to another page. */
extern void ssdpar_scan_pieces_ask(SsdparScanPieces *pieces,
								   TableScanDesc scan);

/* The scan ends here; it can be used again.  More than once does no harm. */
extern void ssdpar_scan_pieces_end(SsdparScanPieces *pieces);

#endif							/* SSDPAR_SCAN_PIECES_H */
