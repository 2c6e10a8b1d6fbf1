/*
 * heap_rows.h
 *		Rows of the inner table by their addresses, read in block order at the
 *		device's depth.
 */
#ifndef SSDPAR_JOIN_HEAP_ROWS_H
#define SSDPAR_JOIN_HEAP_ROWS_H

#include "utils/snapshot.h"

#include "index_join/exec/matches.h"

typedef struct SsdparHeapRows SsdparHeapRows;

/* In the current memory context; heap stays open and locked until the end. */
extern SsdparHeapRows *ssdpar_heap_rows_begin(Relation heap, Relation index,
											  Snapshot snapshot);

/*
 * Find those of matches first to end - 1 that the snapshot sees, each once for
 * a key, with their tuples unless the index has all that is wanted.  Tuples
 * stay until the next call, which drops those it gave before, or until they are
 * cleared.  False if those of more than one match take more than so many bytes;
 * then none is good.
 */
extern bool ssdpar_heap_rows_fetch(SsdparHeapRows *rows,
								   SsdparMatches *matches, uint64 first,
								   uint64 end, Size memory,
								   SsdparJoinCounters *counters);
extern void ssdpar_heap_rows_clear(SsdparHeapRows *rows);

/* Bytes that the tuples of the last call take. */
extern Size ssdpar_heap_rows_size(const SsdparHeapRows *rows);

extern void ssdpar_heap_rows_end(SsdparHeapRows *rows);

#endif							/* SSDPAR_JOIN_HEAP_ROWS_H */
