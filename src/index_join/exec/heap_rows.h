/*
 * heap_rows.h
 *		Fetches rows of the inner table by their addresses, in block order and
 *		at the device's depth.
 */
#ifndef SSDPAR_JOIN_HEAP_ROWS_H
#define SSDPAR_JOIN_HEAP_ROWS_H

#include "utils/snapshot.h"

#include "index_join/exec/matches.h"

typedef struct SsdparHeapRows SsdparHeapRows;

/*
 * Allocates in the current memory context; heap must stay open and locked
 * until the end.
 */
extern SsdparHeapRows *ssdpar_heap_rows_begin(Relation heap, Relation index,
											  Snapshot snapshot);

/*
 * Finds those of matches first to end - 1 that the snapshot sees, each once
 * for a key, with their tuples unless the index has all needed columns.
 * Tuples are valid until they are cleared or until the next call, which frees
 * them.  Returns false if the tuples of more than one match exceed memory;
 * then no match is valid.
 */
extern bool ssdpar_heap_rows_fetch(SsdparHeapRows *rows,
								   SsdparMatches *matches, uint64 first,
								   uint64 end, Size memory,
								   SsdparJoinCounters *counters);
extern void ssdpar_heap_rows_clear(SsdparHeapRows *rows);

/* Returns the memory used by the tuples of the last call.  */
extern Size ssdpar_heap_rows_size(const SsdparHeapRows *rows);

extern void ssdpar_heap_rows_end(SsdparHeapRows *rows);

#endif							/* SSDPAR_JOIN_HEAP_ROWS_H */
