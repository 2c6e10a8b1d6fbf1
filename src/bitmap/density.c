/*
 * density.c
 *		Adapts the depth of a bitmap heap scan to how densely its pages are
 *		located.
 *
 * Up to PostgreSQL 17 a bitmap heap scan requests each page separately.  If
 * nearly all pages are needed, of a whole table or of a range that rows with
 * similar keys share, the kernel's own read-ahead is faster: when it sees one
 * page missing after another, it reads ahead in large requests.  It never sees
 * this if each page is requested before it is read, so the scan reads nothing
 * ahead while its pages are that dense.
 *
 * The density is computed from the scan's page count and its current block, at
 * its rows.  Each process of a parallel scan sees only its share of the pages,
 * so there may be more of them by a factor of up to the number of processes.
 * Such a scan begins at core's depth, and uses that while it is dense.
 */
#include "postgres.h"

#include "lib/ilist.h"
#include "optimizer/cost.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "bitmap/density.h"

#ifdef SSDPAR_HAS_BITMAP_PREFETCH

/* Pages between two decisions. */
#define WINDOW_PAGES 32

/*
 * Fractions of pages read: above the first a scan becomes dense, below the
 * second it is no longer dense.
 */
#define DENSE 0.94
#define NOT_DENSE 0.85

typedef struct Followed
{
	dlist_node	node;			/* in scans */
	BitmapHeapScanState *scan;
	bool		parallel;
	int			depth;			/* while pages are far apart */
	int			dense_depth;	/* while pages are dense */
	double		processes;		/* maximum number that share the scan */
	bool		dense;			/* last decision */
	uint64		pages;			/* at the beginning of the window */
	BlockNumber block;			/* likewise; invalid: not begun */
	MemoryContextCallback callback;
} Followed;

/* Scans of this process, in the order in which they began and probably run. */
static dlist_head scans = DLIST_STATIC_INIT(scans);
static Followed *last_found = NULL;

/* Called when the memory of a query is freed, for whatever reason. */
static void
forget(void *arg)
{
	Followed   *one = arg;

	dlist_delete(&one->node);
	if (last_found == one)
		last_found = NULL;
}

/*
 * Among thousands of scans, as of partitions, the next one needed is mostly
 * the successor of the last one.
 */
static Followed *
find(const BitmapHeapScanState *scan)
{
	dlist_node *begin;
	dlist_node *node;

	if (dlist_is_empty(&scans))
		return NULL;
	begin = last_found != NULL ? &last_found->node : dlist_head_node(&scans);
	node = begin;
	do
	{
		Followed   *one = dlist_container(Followed, node, node);

		if (one->scan == scan)
			return last_found = one;
		node = dlist_has_next(&scans, node) ? dlist_next_node(&scans, node) :
			dlist_head_node(&scans);
	} while (node != begin);
	return NULL;
}

void
ssdpar_density_follow(BitmapHeapScanState *scan, int depth, int cores)
{
	MemoryContext context = scan->ss.ps.state->es_query_cxt;
	Followed   *one = MemoryContextAllocZero(context, sizeof(Followed));

	one->scan = scan;
	one->parallel = scan->ss.ps.plan->parallel_aware;
	one->depth = depth;
	one->dense_depth = one->parallel ? cores : 0;
	one->processes = one->parallel ?
		max_parallel_workers_per_gather + 1.0 : 1.0;
	one->callback.func = forget;
	one->callback.arg = one;
	MemoryContextRegisterResetCallback(context, &one->callback);
	dlist_push_tail(&scans, &one->node);
}

static void
set_dense(Followed *one, bool dense)
{
	one->dense = dense;
	ssdpar_change_bitmap_depth(one->scan,
							   dense ? one->dense_depth : one->depth);
}

/* When its bitmap is built, the scan decides whether to read ahead at all. */
void
ssdpar_density_begin(BitmapHeapScanState *scan)
{
	Followed   *one = find(scan);

	if (one == NULL)
		return;
	set_dense(one, one->parallel);
	one->block = InvalidBlockNumber;
	one->pages = ssdpar_bitmap_pages(scan);
}

/* Computes the fraction of blocks that were read since the window began. */
static void
judge(Followed *one, uint64 pages, BlockNumber block)
{
	double		share = one->processes * (pages - one->pages) /
		(block - one->block);
	bool		dense = share >= (one->dense ? NOT_DENSE : DENSE);

	if (dense != one->dense)
		set_dense(one, dense);
}

/* Called when the scan has reached a row. */
static void
look(ScanState *node)
{
	BitmapHeapScanState *scan = castNode(BitmapHeapScanState, node);
	Followed   *one = find(scan);
	BlockNumber block;
	uint64		pages;

	if (one == NULL)
		return;
	pages = ssdpar_bitmap_pages(scan);
	if (one->block != InvalidBlockNumber &&
		pages < one->pages + WINDOW_PAGES)
		return;
	block = ssdpar_bitmap_block(scan);
	if (one->block != InvalidBlockNumber && block != InvalidBlockNumber &&
		block > one->block)
		judge(one, pages, block);
	one->block = block;
	one->pages = pages;
}

SsdparLookAtScan
ssdpar_density_looked_at_by(const PlanState *node)
{
	return IsA(node, BitmapHeapScanState) &&
		find((const BitmapHeapScanState *) node) != NULL ? look : NULL;
}

#else

void
ssdpar_density_follow(BitmapHeapScanState *scan, int depth, int cores)
{
}

void
ssdpar_density_begin(BitmapHeapScanState *scan)
{
}

SsdparLookAtScan
ssdpar_density_looked_at_by(const PlanState *node)
{
	return NULL;
}

#endif							/* SSDPAR_HAS_BITMAP_PREFETCH */
