/*
 * scan_window.c
 *		Announces what a sequential scan of a heap is about to read.
 *
 * Reads the position of a scan from its descriptor and never changes it.  How
 * far to look ahead is window.c's business, how it is sent client.c's, and
 * when to look the caller's.
 *
 * The server's read streams (17 and later) have taken up to a few megabytes
 * more than the descriptor shows.  The window is larger than that, and what
 * lies behind the stream's position is found cached.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/proc.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "prefetch/client.h"
#include "prefetch/scan_window.h"
#include "prefetch/window.h"
#include "settings.h"
#include "stats/counters.h"

/* How far to look ahead at the beginning of a scan. */
#define FIRST_BYTES (1024 * 1024)

/*
 * A scan that ends before has nothing announced: LIMIT queries mostly do, and
 * the kernel's own read-ahead is enough for them.
 */
#define GRACE_BYTES (512 * 1024)

/* How much must have been found cached before a table counts as cached. */
#define ENOUGH_BYTES (2 * FIRST_BYTES)

struct SsdparScanWindow
{
	Relation	rel;
	int			plan_node_id;
	BlockNumber block;			/* where the scan was seen last */
	bool		early;			/* too early to announce anything */
	bool		local;			/* PrefetchBuffer instead of the daemon */
	SsdparAnnounced sum;		/* over all rescans */
	MemoryContextCallback callback;

	bool		started;		/* what follows is valid */
	bool		parallel;
	bool		announced;		/* anything at all has been sent */
	SsdparWindow window;
	SsdparRelationFile file;
	uint32		stream;
	uint32		tag;			/* parallel scans: what is common to all */
	SsdparCounters before;		/* the daemon's when the scan began */
};

static void
announce_to_daemon(SsdparScanWindow *self, SsdparSpan span)
{
	uint32_t	block;
	uint32_t	count;

	ssdpar_client_begin(SSDPAR_CLASS_SEQUENTIAL, self->stream);
	while (ssdpar_window_next_read(&self->window, &span, &block, &count))
	{
		if (!ssdpar_client_add(&self->file, block, count))
			continue;
		self->announced = true;
		self->sum.reads++;
		self->sum.pages += count;
	}
	ssdpar_client_end();
}

static void
announce_to_server(SsdparScanWindow *self, SsdparSpan span)
{
	Relation	rel = self->rel;
	uint32_t	block;
	uint32_t	count;

	while (ssdpar_window_next_read(&self->window, &span, &block, &count))
	{
		for (uint32 i = 0; i < count; i++)
			PrefetchBuffer(rel, MAIN_FORKNUM, block + i);
		ssdpar_count(SSDPAR_COUNT_LOCAL, count);
		self->sum.pages += count;
	}
	self->announced = true;
}

/*
 * Has what was announced turned out to be cached?  What lies close to the scan
 * does not count, for the kernel reads ahead there itself.  Other scans of
 * this session count too; then this one is just not found out.
 */
static bool
seems_cached(SsdparScanWindow *self, const SsdparSpan *span)
{
	const SsdparWindowSizes *sizes = &self->window.sizes;
	uint64		enough = ENOUGH_BYTES / BLCKSZ / sizes->io;
	SsdparCounters now;
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

static void
announce(SsdparScanWindow *self, SsdparSpan span)
{
	if (self->local)
	{
		announce_to_server(self, span);
		return;
	}
	if (seems_cached(self, &span))
		ssdpar_window_quiet(&self->window, &span);
	else
		announce_to_daemon(self, span);
}

/*
 * Following.
 */

static uint32
blocks_of_kb(int kb)
{
	return Max((uint64) kb * 1024 / BLCKSZ, 1);
}

static void
start_window(SsdparScanWindow *self, HeapScanDesc scan, bool backward)
{
	SsdparWindowSizes sizes = {
		.window = blocks_of_kb(ssdpar_prefetch_window),
		.first = FIRST_BYTES / BLCKSZ,
		.grace = GRACE_BYTES / BLCKSZ,
		.io = blocks_of_kb(ssdpar_prefetch_io_size),
		.segment = RELSEG_SIZE,
	};
	BlockNumber start = scan->rs_startblock;

	if (self->parallel)
	{
		ParallelBlockTableScanDesc shared =
			(ParallelBlockTableScanDesc) scan->rs_base.rs_parallel;

		start = shared->phs_startblock;
	}
	if (start >= scan->rs_nblocks)
		start = 0;
	ssdpar_window_init(&self->window, &sizes, scan->rs_nblocks, start,
					   backward);
}

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

/* The same in all processes of a parallel scan, and in hardly another. */
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

static void
start_following(SsdparScanWindow *self, HeapScanDesc scan, bool backward)
{
	self->parallel = scan->rs_base.rs_parallel != NULL;
	start_window(self, scan, backward);
	self->stream = ssdpar_client_new_stream();
	self->tag = make_tag(self);
	ssdpar_client_progress(&self->before);
	self->announced = false;
	self->started = true;
}

static SsdparFollowed
follow_window(SsdparScanWindow *self, HeapScanDesc scan, SsdparSpan *span)
{
	ParallelBlockTableScanWorker worker = scan->rs_parallelworkerdata;
	ParallelBlockTableScanDesc shared =
		(ParallelBlockTableScanDesc) scan->rs_base.rs_parallel;
	uint64	   *common = ssdpar_common_word(self->tag);

	if (!self->parallel || worker == NULL)
		return ssdpar_window_follow(&self->window, self->block, span);
	if (common != NULL &&
		ssdpar_window_can_share(&self->window, worker->phsw_chunk_size))
		return ssdpar_window_follow_shared(&self->window,
										   pg_atomic_read_u64(&shared->phs_nallocated),
										   common, self->tag, span);
	return ssdpar_window_follow_chunk(&self->window, self->block,
									  worker->phsw_nallocated +
									  worker->phsw_chunk_remaining + 1,
									  span);
}

/* The scan stands on another block than it did, or on none. */
static void
block_changed(SsdparScanWindow *self, HeapScanDesc scan, bool backward)
{
	SsdparSpan	span;

	self->block = scan->rs_cblock;
	if (!BlockNumberIsValid(self->block) ||
		self->block >= scan->rs_nblocks)
		return;
	if (self->started && self->window.backward != backward)
	{
		cancel(self);
		self->started = false;
	}
	if (!self->started)
		start_following(self, scan, backward);
	switch (follow_window(self, scan, &span))
	{
		case SSDPAR_FOLLOW_NOTHING:
			break;
		case SSDPAR_FOLLOW_ANNOUNCE:
			announce(self, span);
			break;
		case SSDPAR_FOLLOW_RESTART:
			if (!self->local)
				ssdpar_client_cancel(self->stream);
			break;
	}
}

void
ssdpar_scan_window_look(SsdparScanWindow *self, TableScanDesc table_scan,
						bool backward)
{
	HeapScanDesc scan = (HeapScanDesc) table_scan;

	if (self == NULL || scan == NULL || scan->rs_cblock == self->block)
		return;
	block_changed(self, scan, backward);
	self->early = !self->started ||
		self->window.next <= self->window.base + self->window.sizes.grace;
}

SsdparAnnounced
ssdpar_scan_window_announced(const SsdparScanWindow *self)
{
	SsdparAnnounced nothing = {0};

	return self == NULL ? nothing : self->sum;
}

bool
ssdpar_scan_window_started(const SsdparScanWindow *self)
{
	return self != NULL && !self->early;
}

/*
 * Between two looks a scan may have gone on, or come to its end, where it
 * stands on no block.
 */
void
ssdpar_scan_window_end(SsdparScanWindow *self, TableScanDesc table_scan)
{
	HeapScanDesc scan = (HeapScanDesc) table_scan;

	if (self == NULL || !self->started)
		return;
	if (scan != NULL)
		ssdpar_window_end(&self->window, scan->rs_cblock);
	cancel(self);
	self->started = false;
	self->early = true;
	self->block = InvalidBlockNumber;
	ssdpar_client_settle();
}

/* Its memory goes away, after an error too: the scan may be gone already. */
static void
context_ends(void *arg)
{
	ssdpar_scan_window_end(arg, NULL);
}

/*
 * Is it this scan that the setting means?  The processes of a parallel scan
 * overlap reading and computing by themselves; on a fast device the daemon
 * may then take CPU time from them.  Seen in one noisy demo run only (SSB Q0,
 * scale 1, cold, 2 workers on 2 cores: 0.41 s without it, 0.83 s with it).
 */
static bool
is_chosen(bool parallel)
{
	return ssdpar_prefetch != SSDPAR_PREFETCH_AUTO ||
		!parallel;
}

/* local is the server's own read stream, where there is one. */
static bool
server_reads_ahead(void)
{
#ifdef SSDPAR_HAS_READ_STREAM
	return ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL;
#else
	return false;
#endif
}

bool
ssdpar_scan_can_be_followed(Relation rel)
{
	return ssdpar_enabled && ssdpar_prefetch != SSDPAR_PREFETCH_OFF &&
		!ssdpar_direct_io() &&
		rel != NULL && !RelationUsesLocalBuffers(rel) &&
		rel->rd_tableam == GetHeapamTableAmRoutine() &&
		RelationGetNumberOfBlocks(rel) >=
		blocks_of_kb(ssdpar_prefetch_min_size);
}

SsdparScanWindow *
ssdpar_scan_window_open(Relation rel, bool parallel, int plan_node_id)
{
	SsdparScanWindow *self;

	if (server_reads_ahead() || !is_chosen(parallel) ||
		!ssdpar_scan_can_be_followed(rel))
		return NULL;
	self = palloc0(sizeof(SsdparScanWindow));
	self->rel = rel;
	self->plan_node_id = plan_node_id;
	self->block = InvalidBlockNumber;
	self->early = true;
	self->local = ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL;
	ssdpar_relation_file(&self->file, rel, MAIN_FORKNUM);
	self->callback.func = context_ends;
	self->callback.arg = self;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &self->callback);
	return self;
}
