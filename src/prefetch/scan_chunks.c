/*
 * scan_chunks.c
 *		Asks for the next chunk of a sequential scan of a heap.
 *
 * Reads from a scan's descriptor where it ends and never changes it.
 */
#include "postgres.h"

#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "prefetch/local_read.h"
#include "prefetch/chunks.h"
#include "prefetch/heap_position.h"
#include "prefetch/page_list.h"
#include "prefetch/scan_chunks.h"
#include "prefetch/scan_window.h"
#include "prefetch/yield.h"
#include "base/settings.h"

/* While nobody writes it is looked once for so many pages, 64 kB of them. */
#define PAGES_A_LOOK 8

struct SsdparScanChunks
{
	SsdparChunks chunks;
	SsdparLocalRead read;
	SsdparPace	pace;
	uint32		allowed;		/* at the last look */
	uint32		pages;			/* that were asked about */
	bool		beside_writers; /* asks only then */
	BlockNumber chunk_end;		/* of the chunk whose successor is asked for */
	MemoryContextCallback callback;
};

static void
context_ends(void *arg)
{
	ssdpar_scan_chunks_end(arg);
}

SsdparScanChunks *
ssdpar_scan_chunks_open(Relation rel, bool beside_writers)
{
	SsdparScanChunks *self;
	Oid			database;
	Oid			number;

	/* local announces more than a chunk by itself */
	if ((beside_writers && ssdpar_write_protection < 0) ||
		ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL ||
		!ssdpar_scan_window_possible(rel))
		return NULL;
	self = palloc0(sizeof(SsdparScanChunks));
	self->allowed = PG_UINT32_MAX;
	self->beside_writers = beside_writers;
	self->chunk_end = InvalidBlockNumber;
	ssdpar_relation_locator(rel, &self->pace.tablespace, &database, &number);
	ssdpar_local_read_begin(&self->read, rel, MAIN_FORKNUM);
	self->callback.func = context_ends;
	self->callback.arg = self;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &self->callback);
	return self;
}

/* Pages that may be asked for ahead; 0: the kernel reads ahead. */
static uint32
pages_allowed(SsdparScanChunks *self)
{
	if (self->allowed != PG_UINT32_MAX || self->pages % PAGES_A_LOOK == 0)
		self->allowed = ssdpar_yield_pages(&self->pace);
	self->pages++;
	return self->beside_writers && self->allowed == PG_UINT32_MAX ?
		0 : self->allowed;
}

/* Between two looks, while what has been asked for reaches beyond block. */
static bool
is_asked_for(const SsdparScanChunks *self, BlockNumber block)
{
	return self->chunks.begun && self->allowed == PG_UINT32_MAX &&
		self->pages % PAGES_A_LOOK != 0 &&
		block > self->chunks.block && block + 1 < self->chunks.asked;
}

/* Not if it is in shared buffers, by its first page and its last. */
static void
ask(SsdparScanChunks *self, BlockNumber first, uint32 count)
{
	BlockNumber ends[] = {first, first + count - 1};

	if (!ssdpar_pages_are_buffered(self->read.rel, MAIN_FORKNUM, ends,
								   lengthof(ends)))
		ssdpar_local_read_ahead(&self->read, first, count);
}

/* The chunk that begins here, or as much of it as there is and may be. */
static void
ask_from(SsdparScanChunks *self, BlockNumber block, BlockNumber nblocks)
{
	BlockNumber rest = SSDPAR_CHUNK_BLOCKS - block % SSDPAR_CHUNK_BLOCKS;

	rest = Min(rest, pages_allowed(self));
	if (block < nblocks && rest > 0)
		ask(self, block, Min(rest, nblocks - block));
}

/*
 * Where the process begins that takes the next chunk of a parallel scan.  If
 * that is another one, it has been helped.
 */
static void
ask_for_chunk(SsdparScanChunks *self, ParallelBlockTableScanDesc shared)
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
ssdpar_scan_chunks_begin(SsdparScanChunks *self, TableScanDesc table_scan)
{
	HeapScanDesc scan;

	if (self == NULL)
		return;
	scan = ssdpar_heap_scan(table_scan);
	if (table_scan->rs_parallel == NULL)
		ask_from(self, scan->rs_startblock, scan->rs_nblocks);
	else
		ask_for_chunk(self,
					  (ParallelBlockTableScanDesc) table_scan->rs_parallel);
}

/*
 * A process of a parallel scan reads to the end of its chunk and no further:
 * what lies behind belongs to another one.  When it has asked for all of its
 * own, it asks once for the beginning of the chunk that is handed out next.
 */
void
ssdpar_scan_chunks_ask(SsdparScanChunks *self, TableScanDesc table_scan,
					   BlockNumber block)
{
	HeapScanDesc scan;
	ParallelBlockTableScanWorker worker;
	BlockNumber end;
	uint32_t	first;
	uint32_t	count;
	uint32		allowed;

	if (self == NULL)
		return;
	if (is_asked_for(self, block))
	{
		self->pages++;
		return;
	}
	allowed = pages_allowed(self);
	if (allowed == 0)
	{
		self->chunks.begun = false;
		return;
	}
	scan = ssdpar_heap_scan(table_scan);
	worker = scan->rs_parallelworkerdata;
	end = scan->rs_nblocks;
	if (!BlockNumberIsValid(block) || block >= end)
		return;
	if (worker != NULL)
		end = Min(end - block, (uint64) worker->phsw_chunk_remaining + 1) +
			block;
	if (ssdpar_chunks_next(&self->chunks, block, end, RELSEG_SIZE,
						   allowed, &first, &count))
		ask(self, first, count);
	if (worker != NULL && self->chunks.asked >= end && self->chunk_end != end)
	{
		self->chunk_end = end;
		ask_for_chunk(self,
					  (ParallelBlockTableScanDesc) table_scan->rs_parallel);
	}
}

void
ssdpar_scan_chunks_end(SsdparScanChunks *self)
{
	if (self == NULL)
		return;
	ssdpar_local_read_end(&self->read);
	self->chunks.begun = false;
	self->chunk_end = InvalidBlockNumber;
}
