/*
 * star_shared.c
 *		What the processes of a parallel star scan share.
 *
 * The result (key sets, the pages of the bitmap) is made first, in the query's
 * shared memory: star_team.c.  The rows of the fact are then divided: by
 * core's block allocator for the sequential way, by a cursor over the bitmap's
 * pages otherwise.
 *
 * ReInitializeDSM resets what is shared, ReScan what is this process's own.
 * Counters only ever grow; each process has its own ones.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/tableam.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "starscan/star_state.h"
#include "starscan/star_team.h"

/*
 * Followed by the result, the counters of each process, the team, and core's
 * scan.
 */
struct SsdparStarShared
{
	pg_atomic_uint64 next_page; /* of the bitmap: not yet claimed */
	int			nprocesses;		/* leader and workers planned */
	Size		result_offset;
	Size		counters_offset;
	Size		counters_size;	/* of each process */
	Size		team_offset;
	Size		scan_offset;
};

SsdparStarResult *
ssdpar_star_shared_result(SsdparStarShared *shared)
{
	return (SsdparStarResult *) ((char *) shared + shared->result_offset);
}

/* Process 0 is the leader. */
static SsdparStarCounters *
shared_counters(const SsdparStarShared *shared, int process)
{
	return (SsdparStarCounters *)
		((char *) shared + shared->counters_offset +
		 process * shared->counters_size);
}

SsdparStarTeam *
ssdpar_star_shared_team(SsdparStarShared *shared)
{
	return (SsdparStarTeam *) ((char *) shared + shared->team_offset);
}

ParallelTableScanDesc
ssdpar_star_shared_scan(SsdparStarShared *shared)
{
	return (ParallelTableScanDesc) ((char *) shared + shared->scan_offset);
}

int
ssdpar_star_processes(const SsdparStarShared *shared)
{
	return shared->nprocesses;
}

/*
 * Size and layout.
 */

/* Fills in the offsets; returns the size of it all. */
static Size
lay_out(SsdparStarShared *shared, SsdparStarState *state, int nprocesses)
{
	CustomScanState *css = &state->css;
	Size		size = MAXALIGN(sizeof(SsdparStarShared));

	shared->nprocesses = nprocesses;
	shared->result_offset = size;
	size = add_size(size, MAXALIGN(ssdpar_star_result_size(state->plan)));
	shared->counters_offset = size;
	shared->counters_size = MAXALIGN(ssdpar_star_counters_size(state->plan));
	size = add_size(size, mul_size(nprocesses, shared->counters_size));
	shared->team_offset = size;
	size = add_size(size, MAXALIGN(ssdpar_star_team_size(nprocesses)));
	shared->scan_offset = size;
	return add_size(size,
					table_parallelscan_estimate(css->ss.ss_currentRelation,
												css->ss.ps.state->es_snapshot));
}

Size
ssdpar_star_estimate_dsm(CustomScanState *css, ParallelContext *pcxt)
{
	SsdparStarShared layout;

	return lay_out(&layout, (SsdparStarState *) css, pcxt->nworkers + 1);
}

/* What this process did alone, or with others before, is no part of this. */
static void
attach(SsdparStarState *state, SsdparStarShared *shared, int process)
{
	ssdpar_star_forget(state);
	state->ended_early = false;
	state->shared = shared;
	state->process = process;
	state->counters = shared_counters(shared, process);
}

/*
 * When the server is out of segments, what is given is private memory, there
 * are no workers and no area to put a result in: the leader scans alone.
 */
void
ssdpar_star_initialize_dsm(CustomScanState *css, ParallelContext *pcxt,
						   void *coordinate)
{
	SsdparStarState *state = (SsdparStarState *) css;
	SsdparStarShared *shared = coordinate;

	if (pcxt->seg == NULL)
	{
		state->ended_early = false;
		return;
	}
	memset(shared, 0, sizeof(SsdparStarShared));
	lay_out(shared, state, pcxt->nworkers + 1);
	pg_atomic_init_u64(&shared->next_page, 0);
	ssdpar_star_team_init(ssdpar_star_shared_team(shared),
						  shared->nprocesses);
	memset(ssdpar_star_shared_result(shared), 0,
		   ssdpar_star_result_size(state->plan));
	memset(shared_counters(shared, 0), 0,
		   shared->nprocesses * shared->counters_size);
	table_parallelscan_initialize(css->ss.ss_currentRelation,
								  ssdpar_star_shared_scan(shared),
								  css->ss.ps.state->es_snapshot);
	attach(state, shared, 0);
}

static void
free_shared_result(SsdparStarState *state, SsdparStarResult *result)
{
	dsa_area   *area = state->css.ss.ps.state->es_query_dsa;

	for (int i = 0; i < state->plan->nreducers; i++)
	{
		if (DsaPointerIsValid(result->found[i].set))
			dsa_free(area, result->found[i].set);
	}
	if (DsaPointerIsValid(result->pages))
		dsa_free(area, result->pages);
	memset(result, 0, ssdpar_star_result_size(state->plan));
}

/* No worker runs at this time. */
void
ssdpar_star_reinitialize_dsm(CustomScanState *css, ParallelContext *pcxt,
							 void *coordinate)
{
	SsdparStarState *state = (SsdparStarState *) css;
	SsdparStarShared *shared = state->shared;

	if (shared == NULL)
		return;
	ssdpar_star_forget(state);
	free_shared_result(state, ssdpar_star_shared_result(shared));
	ssdpar_star_team_init(ssdpar_star_shared_team(shared),
						  shared->nprocesses);
	pg_atomic_write_u64(&shared->next_page, 0);
	table_parallelscan_reinitialize(css->ss.ss_currentRelation,
									ssdpar_star_shared_scan(shared));
}

void
ssdpar_star_initialize_worker(CustomScanState *css, shm_toc *toc,
							  void *coordinate)
{
	attach((SsdparStarState *) css, coordinate, ParallelWorkerNumber + 1);
}

/*
 * Dividing the bitmap.
 */

/* Ranges get shorter towards the end, so that all finish together. */
uint32
ssdpar_star_claim_pages(SsdparStarShared *shared, uint32 npages, uint32 max,
						uint32 *first)
{
	uint64		next = pg_atomic_read_u64(&shared->next_page);
	uint32		count;

	if (next >= npages)
		return 0;
	count = (npages - next) / (4 * shared->nprocesses);
	count = Max(Min(count, max), 1);
	next = pg_atomic_fetch_add_u64(&shared->next_page, count);
	if (next >= npages)
		return 0;
	*first = next;
	return Min(count, npages - next);
}

/*
 * Counters.
 */

static void
add_counters(SsdparStarCounters *total, const SsdparStarCounters *counters,
			 int nreducers)
{
	total->pages += counters->pages;
	total->reads += counters->reads;
	total->asked += counters->asked;
	total->merged += counters->merged;
	total->waits += counters->waits;
	total->depth_sum += counters->depth_sum;
	total->depth_n += counters->depth_n;
	total->depth_max = Max(total->depth_max, counters->depth_max);
	INSTR_TIME_ADD(total->prepare_time, counters->prepare_time);
	for (int i = 0; i < nreducers; i++)
	{
		total->tests[i].rows += counters->tests[i].rows;
		total->tests[i].dropped += counters->tests[i].dropped;
	}
}

void
ssdpar_star_sum_counters(const SsdparStarState *state,
						 SsdparStarCounters *total)
{
	int			n = state->plan->nreducers;

	add_counters(total, state->kept_counters, n);
	if (state->shared == NULL)
		add_counters(total, state->counters, n);
	else
	{
		for (int i = 0; i < state->shared->nprocesses; i++)
			add_counters(total, shared_counters(state->shared, i), n);
	}
}

/* The shared memory goes away after this; keep what EXPLAIN wants of it. */
void
ssdpar_star_shutdown(CustomScanState *css)
{
	SsdparStarState *state = (SsdparStarState *) css;
	SsdparStarShared *shared = state->shared;
	Size		counters_size = ssdpar_star_counters_size(state->plan);
	Size		result_size = ssdpar_star_result_size(state->plan);
	MemoryContext context = css->ss.ps.state->es_query_cxt;
	SsdparStarCounters *total;

	if (shared == NULL || IsParallelWorker())
		return;
	ssdpar_star_end_scan(state);
	total = MemoryContextAllocZero(context, counters_size);
	ssdpar_star_sum_counters(state, total);
	pfree(state->kept_counters);
	state->kept_counters = total;
	if (state->kept_result == NULL)
		state->kept_result = MemoryContextAlloc(context, result_size);
	memcpy(state->kept_result, ssdpar_star_shared_result(shared), result_size);
	state->processes_run =
		ssdpar_star_team_present(ssdpar_star_shared_team(shared));
	state->shared = NULL;
	state->counters = MemoryContextAllocZero(context, counters_size);
	ssdpar_star_forget(state);
	state->ended_early = true;
}
