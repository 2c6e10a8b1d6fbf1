/*
 * density.c
 *		Follows how densely a bitmap heap scan's pages lie, and changes its
 *		depth by it.
 *
 * Up to PostgreSQL 17 a bitmap heap scan asks for each page by itself.  Where
 * nearly all pages are wanted, of a whole table or of a range that rows of like
 * keys share, that is slower than what the kernel does when it sees one page
 * missing after another: read ahead of it in large requests.  That it never
 * sees while each page is asked for before it is read, so the scan reads
 * nothing ahead while its pages lie that densely.
 *
 * How densely is known from the scan's own count of pages and the block that it
 * stands on, at its rows.  Of a parallel scan each process sees its own pages
 * only, so there may be as many times more as processes may take part; such a
 * scan begins at core's depth, and has that where it is dense.
 */
#include "postgres.h"

#include "lib/ilist.h"
#include "optimizer/cost.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "bitmap/density.h"

#ifdef SSDPAR_HAS_BITMAP_PREFETCH

/* Pages between two judgements. */
#define WINDOW_PAGES 32

/* Shares of the pages passed by: dense from the one on, not below the other. */
#define DENSE 0.94
#define NOT_DENSE 0.85

typedef struct Followed
{
	dlist_node	node;			/* in scans */
	BitmapHeapScanState *scan;
	bool		parallel;
	int			depth;			/* where pages lie apart */
	int			dense_depth;	/* where they lie densely */
	double		processes;		/* that may share the scan */
	bool		dense;			/* as judged last */
	uint64		pages;			/* when the window began */
	BlockNumber block;			/* invalid: it has not */
	MemoryContextCallback callback;
} Followed;

/* Of this process, in the order in which they began and are likely to run. */
static dlist_head scans = DLIST_STATIC_INIT(scans);
static Followed *last_found = NULL;

/* Called when the memory of a query goes away, for whatever reason. */
static void
forget(void *arg)
{
	Followed   *one = arg;

	dlist_delete(&one->node);
	if (last_found == one)
		last_found = NULL;
}

/*
 * Of thousands, as of partitions, the one that is asked for next is most often
 * the one behind.
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

/* Whether a scan reads ahead at all is decided when its bitmap is made. */
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

/* Of the blocks since the window began, the share that the scan reads. */
static void
judge(Followed *one, uint64 pages, BlockNumber block)
{
	double		share = one->processes * (pages - one->pages) /
		(block - one->block);
	bool		dense = share >= (one->dense ? NOT_DENSE : DENSE);

	if (dense != one->dense)
		set_dense(one, dense);
}

/* It has come to a row. */
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
