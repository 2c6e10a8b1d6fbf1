/*
 * star_state.h
 *		What the files that execute an SsdparStarScan share, and nobody else.
 *
 * A scan goes through these stages; only ReScan goes back:
 *
 *		NEW			nothing known
 *		PREPARED	the reducers' keys are known, and by bitmap the pages: the
 *					result, made here or by another process of the query
 *		SCANNING	rows of the fact are being read
 *		ENDED		there are no more
 *
 * Memory: result_context holds what was prepared and lives until the keys may
 * have changed; scan_context what reads the fact and lives until a rescan.
 */
#ifndef SSDPAR_STAR_STATE_H
#define SSDPAR_STAR_STATE_H

#include "access/tableam.h"
#include "executor/instrument.h"
#include "nodes/execnodes.h"
#include "port/atomics.h"
#include "portability/instr_time.h"
#include "utils/dsa.h"

#include "starscan/key_code.h"
#include "starscan/key_set.h"
#include "starscan/star_plan.h"
#include "starscan/tid_set.h"

typedef enum SsdparStarStage
{
	SSDPAR_STAR_NEW,
	SSDPAR_STAR_PREPARED,
	SSDPAR_STAR_SCANNING,
	SSDPAR_STAR_ENDED,
} SsdparStarStage;

/* What the keys phase found of one reducer; flat, may be shared. */
typedef struct SsdparStarFound
{
	uint64		rows;			/* of the child, after its own reducers */
	uint64		keys;			/* distinct; those added to a Bloom filter */
	char		kind[16];		/* of the set, "" if there was no memory */
	dsa_pointer set;			/* in the query's shared memory, if shared */
	bool		by_index;		/* its index was read for the bitmap ... */
	bool		exact;			/* ... and rows found need no test */
	uint64		index_rows;
	uint64		index_leaves;
} SsdparStarFound;

/* What was prepared; flat, may be shared. */
typedef struct SsdparStarResult
{
	bool		empty;			/* no row of the fact can match */
	bool		bitmap;			/* read the pages of the bitmap, not all */
	int			builders;		/* processes that read indexes for it */
	dsa_pointer pages;			/* SsdparTidPages, if shared */
	uint32		exact_pages;
	uint32		lossy_pages;
	instr_time	keys_time;
	instr_time	bitmap_time;
	SsdparStarFound found[FLEXIBLE_ARRAY_MEMBER];	/* one a reducer */
} SsdparStarResult;

/* One reducer's test of rows, in one process. */
typedef struct SsdparStarTestCount
{
	uint64		rows;			/* tested */
	uint64		dropped;
} SsdparStarTestCount;

/* What one process did; flat, may be shared. */
typedef struct SsdparStarCounters
{
	uint64		pages;			/* of the bitmap that were looked at */
	uint64		reads;			/* that were not in shared buffers */
	uint64		asked;			/* of these announced before being read */
	uint64		merged;			/* of these asked together with another */
	uint64		waits;			/* reads that waited for the device */
	uint64		depth_sum;		/* requests ahead, summed up over depth_n */
	uint64		depth_n;
	uint64		depth_max;
	instr_time	prepare_time;	/* until its first row could be looked for */
	SsdparStarTestCount tests[FLEXIBLE_ARRAY_MEMBER];	/* one a reducer */
} SsdparStarCounters;

/* star_tests.c: the tests that a row must pass, in the best order. */
typedef struct SsdparStarTests SsdparStarTests;

/* star_pages.c: reads the pages of a bitmap. */
typedef struct SsdparStarPages SsdparStarPages;

/* star_shared.c: what the processes of a parallel scan share. */
typedef struct SsdparStarShared SsdparStarShared;

typedef struct SsdparStarState
{
	CustomScanState css;		/* must be first */
	SsdparStarPlan *plan;
	PlanState **children;		/* of the reducers */
	bool	   *child_ran;
	SsdparStarStage stage;
	bool		ended_early;	/* shut down: nothing before a rescan */

	MemoryContext result_context;
	SsdparStarResult *result;	/* here or in shared; NULL while NEW */
	SsdparKeySet **sets;		/* NULL where there was no memory */
	SsdparTidPages *pages;		/* if result->bitmap */

	MemoryContext scan_context;
	SsdparStarTests *tests;		/* of every row */
	SsdparStarTests *exact_tests;	/* of rows that a bitmap vouches for */
	SsdparStarPages *reader;	/* by bitmap */
	bool		peeks;			/* rows are shown to tests as stored */
	TableScanDesc scan;			/* sequentially ... */
	struct SsdparScanWindow *window;	/* ... announced here, or NULL */
	struct SsdparScanPieces *pieces;	/* ... asked for here, or NULL */
	BlockNumber block;			/* that these know of */

	SsdparStarCounters *counters;	/* here, or this process's in shared */
	SsdparStarShared *shared;	/* NULL without workers */
	int			process;		/* number of this one, 0 the leader */

	/* For EXPLAIN, once shared is gone. */
	SsdparStarResult *kept_result;
	SsdparStarCounters *kept_counters;
	int			processes_run;
} SsdparStarState;

extern Size ssdpar_star_result_size(const SsdparStarPlan *plan);
extern Size ssdpar_star_counters_size(const SsdparStarPlan *plan);

/*
 * Memory for a part of the result: in the query's shared memory if the result
 * is shared, with its address there in pointer.  NULL if there is none.
 */
extern void *ssdpar_star_allocate(SsdparStarState *state, Size size,
								  dsa_pointer *pointer);

/* star_keys.c: run the children.  What the indexes are to be asked for. */
typedef struct SsdparStarIndexKeys
{
	bool		wanted;
	SsdparKeyBuilder *builder;	/* holds the integers */
	const int64 *integers;		/* either these, ascending and distinct ... */
	Datum	   *datums;			/* ... or these, in no order */
	uint64		nkeys;
	uint64		room;			/* in datums */
	bool		exact;			/* they say all that the reducer says */
} SsdparStarIndexKeys;

extern SsdparStarIndexKeys *ssdpar_star_find_keys(SsdparStarState *state);

/* star_bitmap.c: ask the indexes; false if none can be asked. */
extern bool ssdpar_star_build_bitmap(SsdparStarState *state,
									 SsdparStarIndexKeys *index_keys);

/*
 * star_tests.c: peeks promises that every row is first shown as it is stored,
 * skip_exact leaves out what a bitmap has made sure of.  A row that peek or
 * pass refuses matches no key.  skip shows the rows of a page, whose offsets
 * are given, from number next on: the number of the first that is not refused,
 * nrows if there is none.
 */
extern SsdparStarTests *ssdpar_star_tests_create(SsdparStarState *state,
												 bool peeks,
												 bool skip_exact);
extern bool ssdpar_star_tests_peek(SsdparStarTests *tests,
								   HeapTupleHeader header);
extern int	ssdpar_star_tests_skip(SsdparStarTests *tests, Page page,
								   const OffsetNumber *rows, int next,
								   int nrows);
extern bool ssdpar_star_tests_pass(SsdparStarTests *tests,
								   TupleTableSlot *slot);
extern void ssdpar_star_tests_end(SsdparStarTests *tests);

/* star_sequential.c: peeks at rows if the table is one that it knows. */
extern bool ssdpar_star_sequential_peeks(const SsdparStarState *state);
extern void ssdpar_star_sequential_begin(SsdparStarState *state);
extern bool ssdpar_star_sequential_next(SsdparStarState *state,
										TupleTableSlot *slot);
extern void ssdpar_star_sequential_end(SsdparStarState *state);

/* star_pages.c: the next row, and the tests that are left to it. */
extern void ssdpar_star_pages_begin(SsdparStarState *state);
extern bool ssdpar_star_pages_next(SsdparStarState *state,
								   TupleTableSlot *slot,
								   SsdparStarTests **tests);
extern void ssdpar_star_pages_end(SsdparStarState *state);

/*
 * star_scan.c: make the result in this process; end the scan and forget what
 * was prepared.
 */
extern void ssdpar_star_build_result(SsdparStarState *state);
extern void ssdpar_star_forget(SsdparStarState *state);
extern void ssdpar_star_end_scan(SsdparStarState *state);

/* star_shared.c */
extern Size ssdpar_star_estimate_dsm(CustomScanState *css,
									 ParallelContext *pcxt);
extern void ssdpar_star_initialize_dsm(CustomScanState *css,
									   ParallelContext *pcxt,
									   void *coordinate);
extern void ssdpar_star_reinitialize_dsm(CustomScanState *css,
										 ParallelContext *pcxt,
										 void *coordinate);
extern void ssdpar_star_initialize_worker(CustomScanState *css, shm_toc *toc,
										  void *coordinate);
extern void ssdpar_star_shutdown(CustomScanState *css);

/* Where it all lies in the shared memory. */
extern SsdparStarResult *
			ssdpar_star_shared_result(SsdparStarShared *shared);
extern struct SsdparStarTeam *
			ssdpar_star_shared_team(SsdparStarShared *shared);

/* Core's shared block allocator, for the sequential way. */
extern ParallelTableScanDesc
			ssdpar_star_shared_scan(SsdparStarShared *shared);

/*
 * Claim up to max pages of the bitmap's npages: the first one's number, and
 * how many; none at the end.
 */
extern uint32 ssdpar_star_claim_pages(SsdparStarShared *shared, uint32 npages,
									  uint32 max, uint32 *first);
extern int	ssdpar_star_processes(const SsdparStarShared *shared);

/* Counters of all processes so far, added to total. */
extern void ssdpar_star_sum_counters(const SsdparStarState *state,
									 SsdparStarCounters *total);

/* star_explain.c */
extern void ssdpar_star_explain(CustomScanState *css, List *ancestors,
								ExplainState *es);

#endif							/* SSDPAR_STAR_STATE_H */
