/*
 * scan_chunks.c
 *		Requests the next chunk of a sequential heap scan.
 *
 * The end of the scan is read from its descriptor, which is never changed.
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

/* Without waiting writers, check once per this many pages (64 kB). */
#define PAGES_A_LOOK 8

struct SsdparScanChunks
{
	SsdparChunks chunks;
	SsdparLocalRead read;
	SsdparPace	pace;
	uint32		allowed;		/* result of the last check */
	uint32		pages;			/* pages for which it was requested */
	bool		beside_writers; /* request only while a writer waits */
	BlockNumber chunk_end;		/* end of the chunk whose successor was
								 * requested */
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

	/* local announces more than a chunk already */
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

/* Number of pages that may be requested ahead; 0 leaves it to the kernel. */
static uint32
pages_allowed(SsdparScanChunks *self)
{
	if (self->allowed != PG_UINT32_MAX || self->pages % PAGES_A_LOOK == 0)
		self->allowed = ssdpar_yield_pages(&self->pace);
	self->pages++;
	return self->beside_writers && self->allowed == PG_UINT32_MAX ?
		0 : self->allowed;
}

/* Can the check be skipped because block is already covered by a request? */
static bool
is_asked_for(const SsdparScanChunks *self, BlockNumber block)
{
	return self->chunks.begun && self->allowed == PG_UINT32_MAX &&
		self->pages % PAGES_A_LOOK != 0 &&
		block > self->chunks.block && block + 1 < self->chunks.asked;
}

/* Requests the pages unless the first and the last are in shared buffers. */
static void
ask(SsdparScanChunks *self, BlockNumber first, uint32 count)
{
	BlockNumber ends[] = {first, first + count - 1};

	if (!ssdpar_pages_are_buffered(self->read.rel, MAIN_FORKNUM, ends,
								   lengthof(ends)))
		ssdpar_local_read_ahead(&self->read, first, count);
}

/* Requests the chunk that begins here, as far as it exists and is allowed. */
static void
ask_from(SsdparScanChunks *self, BlockNumber block, BlockNumber nblocks)
{
	BlockNumber rest = SSDPAR_CHUNK_BLOCKS - block % SSDPAR_CHUNK_BLOCKS;

	rest = Min(rest, pages_allowed(self));
	if (block < nblocks && rest > 0)
		ask(self, block, Min(rest, nblocks - block));
}

/*
 * Requests the beginning of the chunk that a parallel scan hands out next.  If
 * another process gets it, that process benefits.
 */
static void
ask_for_chunk(SsdparScanChunks *self, ParallelBlockTableScanDesc shared)
{
	uint64		allocated = pg_atomic_read_u64(&shared->phs_nallocated);
	BlockNumber start = shared->phs_startblock;

	/* the first process to get there chooses the start */
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
 * A process of a parallel scan reads to the end of its chunk only, because the
 * blocks behind it belong to another process.  After it has requested all of
 * this chunk, it once requests the beginning of the chunk handed out next.
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
