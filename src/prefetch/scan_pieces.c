/*
 * scan_pieces.c
 *		Asks for the next piece of a sequential scan of a heap.
 *
 * Reads the position of a scan from its descriptor and never changes it.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "prefetch/local_read.h"
#include "prefetch/pieces.h"
#include "prefetch/scan_pieces.h"
#include "prefetch/scan_window.h"
#include "settings.h"

#ifndef SSDPAR_HAS_READ_STREAM

struct SsdparScanPieces
{
	SsdparPieces pieces;
	SsdparLocalRead read;
	BlockNumber chunk_end;		/* of the chunk whose successor is asked for */
	MemoryContextCallback callback;
};

static void
context_ends(void *arg)
{
	ssdpar_scan_pieces_end(arg);
}

SsdparScanPieces *
ssdpar_scan_pieces_open(Relation rel)
{
	SsdparScanPieces *self;

	/* local announces more than a piece by itself */
	if (ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL ||
		!ssdpar_scan_can_be_followed(rel))
		return NULL;
	self = palloc0(sizeof(SsdparScanPieces));
	self->chunk_end = InvalidBlockNumber;
	ssdpar_local_read_begin(&self->read, rel, MAIN_FORKNUM);
	self->callback.func = context_ends;
	self->callback.arg = self;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &self->callback);
	return self;
}

/* The piece that begins here, or as much of it as there is. */
static void
ask_from(SsdparScanPieces *self, BlockNumber block, BlockNumber nblocks)
{
	BlockNumber rest = SSDPAR_PIECE_BLOCKS - block % SSDPAR_PIECE_BLOCKS;

	if (block < nblocks)
		ssdpar_local_read_ahead(&self->read, block,
								Min(rest, nblocks - block));
}

/*
 * Where the process begins that takes the next chunk of a parallel scan.  If
 * that is another one, it has been helped.
 */
static void
ask_for_chunk(SsdparScanPieces *self, ParallelBlockTableScanDesc shared)
{
	uint64		allocated = pg_atomic_read_u64(&shared->phs_nallocated);
	BlockNumber start = shared->phs_startblock;

	/* the first process to come there chooses it */
	if (!BlockNumberIsValid(start) && !shared->base.phs_syncscan)
		start = 0;
	if (BlockNumberIsValid(start) && allocated < shared->phs_nblocks)
		ask_from(self, (start + allocated) % shared->phs_nblocks,
				 shared->phs_nblocks);
}

void
ssdpar_scan_pieces_begin(SsdparScanPieces *self, TableScanDesc table_scan)
{
	HeapScanDesc scan = (HeapScanDesc) table_scan;

	if (self == NULL)
		return;
	if (table_scan->rs_parallel == NULL)
		ask_from(self, scan->rs_startblock, scan->rs_nblocks);
	else
		ask_for_chunk(self,
					  (ParallelBlockTableScanDesc) table_scan->rs_parallel);
}

void
ssdpar_scan_pieces_ask(SsdparScanPieces *self, TableScanDesc table_scan)
{
	HeapScanDesc scan = (HeapScanDesc) table_scan;
	ParallelBlockTableScanWorker worker = scan->rs_parallelworkerdata;
	BlockNumber block = scan->rs_cblock;
	BlockNumber end = scan->rs_nblocks;
	uint32_t	first;
	uint32_t	count;

	if (self == NULL || !BlockNumberIsValid(block) || block >= end)
		return;
	if (worker != NULL)
		end = Min(end - block, (uint64) worker->phsw_chunk_remaining + 1) +
			block;
	if (ssdpar_pieces_next(&self->pieces, block, end, RELSEG_SIZE, &first,
						   &count))
		ssdpar_local_read_ahead(&self->read, first, count);
	if (worker != NULL && self->pieces.asked >= end && self->chunk_end != end)
	{
		self->chunk_end = end;
		ask_for_chunk(self,
					  (ParallelBlockTableScanDesc) table_scan->rs_parallel);
	}
}

void
ssdpar_scan_pieces_end(SsdparScanPieces *self)
{
	if (self == NULL)
		return;
	ssdpar_local_read_end(&self->read);
	self->pieces.begun = false;
	self->chunk_end = InvalidBlockNumber;
}

#else

/*
 * A read stream is further on than the page that the scan stands on: what would
 * be asked for here it has read already, or is reading.
 */
SsdparScanPieces *
ssdpar_scan_pieces_open(Relation rel)
{
	return NULL;
}

void
ssdpar_scan_pieces_begin(SsdparScanPieces *self, TableScanDesc scan)
{
}

void
ssdpar_scan_pieces_ask(SsdparScanPieces *self, TableScanDesc scan)
{
}

void
ssdpar_scan_pieces_end(SsdparScanPieces *self)
{
}

#endif							/* SSDPAR_HAS_READ_STREAM */
