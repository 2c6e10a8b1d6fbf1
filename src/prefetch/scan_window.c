/*
 * scan_window.c
 *		Announces the blocks that a sequential heap scan is about to read.
 *
 * The position of a scan is read from its descriptor, which is never changed.
 * window.c determines how far to look ahead, client.c sends the requests, and
 * the caller decides when to do it.
 *
 * The server's read streams (17 and later) are up to a few megabytes ahead of
 * what the descriptor shows.  The window is larger than that, and blocks
 * behind the stream's position are found cached.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/proc.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "prefetch/client.h"
#include "prefetch/heap_position.h"
#include "prefetch/scan_window.h"
#include "prefetch/window.h"
#include "base/settings.h"
#include "prefetch/counters.h"
#include "prefetch/shared_progress.h"
#include "prefetch/yield.h"

/* Initial read-ahead of a scan. */
#define FIRST_BYTES (1024 * 1024)

/*
 * Nothing is announced for a scan that ends before this: most LIMIT queries
 * do, and the kernel's own read-ahead is sufficient for them.
 */
#define GRACE_BYTES (512 * 1024)

/* Amount that must be found cached before a table is considered cached. */
#define ENOUGH_BYTES (2 * FIRST_BYTES)

struct SsdparScanWindow
{
	Relation	rel;
	int			plan_node_id;
	BlockNumber block;			/* last known position of the scan */
	bool		local;			/* PrefetchBuffer instead of the daemon */
	MemoryContextCallback callback;

	bool		started;		/* the following fields are valid */
	bool		parallel;
	bool		announced;		/* whether anything was sent */
	SsdparWindow window;
	SsdparRelationFile file;
	SsdparPace	pace;
	uint32		stream;
	uint32		tag;			/* of a parallel scan, equal in all of its
								 * processes */
	SsdparWireCounters before;	/* the daemon's counters when the scan began */
};

/*
 * Did the announced blocks turn out to be cached?  Blocks close to the scan do
 * not count, because the kernel reads ahead there itself.  Other scans of this
 * session count too; they can hide that this one is cached.
 */
static bool
seems_cached(SsdparScanWindow *self, const SsdparSpan *span)
{
	const SsdparWindowSizes *sizes = &self->window.sizes;
	uint64		enough = ENOUGH_BYTES / BLCKSZ / sizes->io;
	SsdparWireCounters now;
	uint64		cached;

	ssdpar_client_progress(&now);
	cached = now.cached - self->before.cached;
	if (now.served != self->before.served ||
		!ssdpar_window_is_far(&self->window, span))
	{
		self->before = now;
		return false;
	}
	if (cached < Max(enough, 1))
		return false;
	self->before = now;
	return true;
}

/*
 * Announces the span to the server or to the daemon.  The server needs a
 * system call for each page, whether it is cached or not.  Whether the table
 * seems cached is not checked in that case, as only the daemon counts what it
 * finds.  While a process waits for a write, the kernel's own read-ahead must
 * suffice.
 *
 * A read that could not be sent is not repeated, because the scan would get
 * there before the socket has room.
 */
static void
announce(SsdparScanWindow *self, SsdparSpan span)
{
	uint32_t	block;
	uint32_t	count;

	if (self->local)
	{
		if (ssdpar_yield_pages(&self->pace) < self->window.sizes.window)
		{
			ssdpar_window_back_off(&self->window, &span);
			return;
		}
		while (ssdpar_window_next_read(&self->window, &span, &block, &count))
		{
			for (uint32 i = 0; i < count; i++)
				PrefetchBuffer(self->rel, MAIN_FORKNUM, block + i);
			ssdpar_count(SSDPAR_COUNT_LOCAL, count);
		}
		self->announced = true;
		return;
	}
	if (seems_cached(self, &span))
	{
		ssdpar_window_back_off(&self->window, &span);
		return;
	}
	ssdpar_client_begin(SSDPAR_WIRE_CLASS_SEQUENTIAL, self->stream);
	ssdpar_client_allow(ssdpar_yield_pages(&self->pace));
	while (ssdpar_window_next_read(&self->window, &span, &block, &count))
	{
		if (ssdpar_client_add(&self->file, block, count))
			self->announced = true;
	}
	ssdpar_client_end();
}

/* Looking ahead */

static uint32
blocks_of_kb(int kb)
{
	return Max((uint64) kb * 1024 / BLCKSZ, 1);
}

/*
 * Cancels announced blocks that will not be read.  In a parallel scan one
 * process does not know what the others have read, so it always cancels its
 * stream.  That contains only what this process announced, and by the end of
 * the scan all of it was read or is useless.
 */
static void
cancel(SsdparScanWindow *self)
{
	uint64		unused;

	if (!self->started || !self->announced)
		return;
	unused = ssdpar_window_unused(&self->window);
	ssdpar_count(SSDPAR_COUNT_WASTED, unused / self->window.sizes.io);
	if (!self->local && (unused > 0 || self->parallel))
		ssdpar_client_cancel(self->stream);
}

/*
 * Returns a tag that is equal in all processes of a parallel scan, and
 * unlikely to be equal to that of another scan.
 */
static uint32
make_tag(SsdparScanWindow *self)
{
	PGPROC	   *leader = MyProc->lockGroupLeader;
	struct
	{
		int			leader;
		int			node;
		Oid			number;
	}			scan = {
		leader != NULL ? leader->pid : MyProcPid,
		self->plan_node_id,
		self->file.number,
	};

	return hash_bytes((const unsigned char *) &scan, sizeof(scan));
}

/*
 * The window covers the table's size at the start of the scan, because blocks
 * added later are not scanned.  The settings are read here, so a scan keeps
 * its sizes.
 *
 * In a parallel scan the shared descriptor contains the start block, which the
 * first process chose before any of them reached a block.
 */
static void
start_scan(SsdparScanWindow *self, HeapScanDesc scan)
{
	SsdparWindowSizes sizes = {
		.window = blocks_of_kb(ssdpar_prefetch_window),
		.first = FIRST_BYTES / BLCKSZ,
		.grace = GRACE_BYTES / BLCKSZ,
		.io = blocks_of_kb(ssdpar_prefetch_io_size),
		.segment = RELSEG_SIZE,
	};
	BlockNumber start = scan->rs_startblock;

	self->parallel = scan->rs_base.rs_parallel != NULL;
	if (self->parallel)
	{
		ParallelBlockTableScanDesc shared =
			(ParallelBlockTableScanDesc) scan->rs_base.rs_parallel;

		start = shared->phs_startblock;
	}
	if (start >= scan->rs_nblocks)
		start = 0;
	ssdpar_window_init(&self->window, &sizes, scan->rs_nblocks, start);
	self->stream = ssdpar_client_new_stream();
	self->tag = make_tag(self);
	ssdpar_client_progress(&self->before);
	self->announced = false;
	self->started = true;
}

static SsdparWindowStep
advance_window(SsdparScanWindow *self, HeapScanDesc scan, SsdparSpan *span)
{
	ParallelBlockTableScanWorker worker = scan->rs_parallelworkerdata;
	ParallelBlockTableScanDesc shared =
		(ParallelBlockTableScanDesc) scan->rs_base.rs_parallel;
	uint64	   *common = ssdpar_shared_progress(self->tag);

	if (!self->parallel || worker == NULL)
		return ssdpar_window_advance(&self->window, self->block, span);
	if (common != NULL &&
		ssdpar_window_can_share(&self->window, worker->phsw_chunk_size))
	{
		uint64		handed_out = pg_atomic_read_u64(&shared->phs_nallocated);

		return ssdpar_window_advance_shared(&self->window, handed_out, common,
											self->tag, span);
	}
	return ssdpar_window_advance_chunk(&self->window, self->block,
									   worker->phsw_nallocated +
									   worker->phsw_chunk_remaining + 1,
									   span);
}

/* The scan has reached another block, or none. */
static void
block_changed(SsdparScanWindow *self, HeapScanDesc scan)
{
	SsdparSpan	span;

	self->block = scan->rs_cblock;
	if (!BlockNumberIsValid(self->block) ||
		self->block >= scan->rs_nblocks)
		return;
	if (!self->started)
		start_scan(self, scan);
	if (!self->local)
		ssdpar_client_allow(ssdpar_yield_pages(&self->pace));
	switch (advance_window(self, scan, &span))
	{
		case SSDPAR_WINDOW_WAIT:
			break;
		case SSDPAR_WINDOW_ANNOUNCE:
			announce(self, span);
			break;
		case SSDPAR_WINDOW_RESTART:
			if (!self->local)
				ssdpar_client_cancel(self->stream);
			break;
	}
}

void
ssdpar_scan_window_look(SsdparScanWindow *self, TableScanDesc table_scan)
{
	HeapScanDesc scan;

	if (self == NULL || table_scan == NULL)
		return;
	Assert(table_scan->rs_rd == self->rel);
	scan = ssdpar_heap_scan(table_scan);
	if (scan->rs_cblock != self->block)
		block_changed(self, scan);
}

/*
 * Since the last look a scan may have advanced, or may have ended, in which
 * case it has no block.
 */
void
ssdpar_scan_window_end(SsdparScanWindow *self, TableScanDesc table_scan)
{
	if (self == NULL || !self->started)
		return;
	if (table_scan != NULL)
		ssdpar_window_end(&self->window,
						  ssdpar_heap_scan(table_scan)->rs_cblock);
	cancel(self);
	self->started = false;
	self->block = InvalidBlockNumber;
	ssdpar_client_settle();
}

/*
 * Its memory is freed, maybe after an error, so the scan may not exist any
 * more.
 */
static void
context_ends(void *arg)
{
	ssdpar_scan_window_end(arg, NULL);
}

/*
 * Only a heap scan shows its position.  Temporary tables are read through
 * local buffers and mostly cached, and with direct I/O the server could not
 * use the page cache into which the daemon reads.
 */
/*
 * The size that this process knows because it has planned or executed a scan
 * of the table.  Determining it again would cost a system call per scan.
 */
static BlockNumber
known_blocks(Relation rel)
{
	BlockNumber known = RelationGetSmgr(rel)->smgr_cached_nblocks[MAIN_FORKNUM];

	return known != InvalidBlockNumber ? known : RelationGetNumberOfBlocks(rel);
}

bool
ssdpar_scan_window_possible(Relation rel)
{
	return ssdpar_enabled && ssdpar_prefetch != SSDPAR_PREFETCH_OFF &&
		!ssdpar_direct_io() &&
		rel != NULL && !RelationUsesLocalBuffers(rel) &&
		rel->rd_tableam == GetHeapamTableAmRoutine() &&
		known_blocks(rel) >= blocks_of_kb(ssdpar_prefetch_min_size);
}

/*
 * "auto" does not apply to parallel scans: their processes already overlap
 * reading and computing, and on a fast device the daemon may compete with them
 * for CPU time.
 *
 * The callback is registered in the window's context and is called before its
 * memory is freed, so an error cancels the announced blocks, too.
 */
SsdparScanWindow *
ssdpar_scan_window_open(Relation rel, bool parallel, int plan_node_id)
{
	SsdparScanWindow *self;

#ifdef SSDPAR_HAS_READ_STREAM
	/* local is the server's own read stream, if it has one */
	if (ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL)
		return NULL;
#endif
	if ((parallel && ssdpar_prefetch == SSDPAR_PREFETCH_AUTO) ||
		!ssdpar_scan_window_possible(rel))
		return NULL;
	self = palloc0(sizeof(SsdparScanWindow));
	self->rel = rel;
	self->plan_node_id = plan_node_id;
	self->block = InvalidBlockNumber;
	self->local = ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL;
	ssdpar_relation_file(&self->file, rel, MAIN_FORKNUM);
	self->pace.tablespace = self->file.tablespace;
	self->callback.func = context_ends;
	self->callback.arg = self;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &self->callback);
	return self;
}
