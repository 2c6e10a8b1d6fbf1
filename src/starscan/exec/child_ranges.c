/*
 * child_ranges.c
 *		Reads a large dimension with all processes of a parallel star scan.
 *		Each process runs its own child plan over the block ranges that it
 *		draws, and delivers the collected keys to the process that makes the
 *		result.
 *
 * The ranges cover the blocks that the table has when the maker starts, as in
 * a scan by one process.  The snapshot sees no rows in later blocks, and
 * inserting them conflicts with the predicate lock that a serializable
 * transaction has taken before.  The table is open, so no blocks can be
 * truncated.  Each block is in exactly one range.  participants.c describes
 * how ranges are drawn and why no process waits forever.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/tableam.h"
#include "executor/executor.h"
#include "optimizer/paths.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "keys/long_loop.h"
#include "starscan/exec/child_ranges.h"
#include "starscan/exec/query_memory.h"

/* Upper bound of the bytes that a builder's hash table needs for a key.  */
#define BYTES_A_KEY (4 * sizeof(uint64))

bool
ssdpar_may_share_child(const SsdparStarPlan *plan, const SsdparStarChild *child,
					   int n, Size max_bytes, const SsdparLookupKeys *keys)
{
	const SsdparReducer *reducer = &plan->reducers[n];
	Relation	rel;

	for (int i = 0; i < n; i++)
		if (plan->reducers[i].target == n)
			return false;
	if (reducer->keys * BYTES_A_KEY > max_bytes / 2 &&
		!ssdpar_joined_by_keys(reducer))
		return false;
	if (!IsA(child->plan, SeqScanState) ||
		(keys->wanted && !keys->shares_builder))
		return false;
	rel = ((const ScanState *) child->plan)->ss_currentRelation;
	return rel->rd_tableam == GetHeapamTableAmRoutine() &&
		RelationGetNumberOfBlocks(rel) >=
		(BlockNumber) Max(min_parallel_table_scan_size, 1);
}

/*
 * Prepares the child's scan so that it can be restricted to a range of blocks.
 */
static TableScanDesc
begin_ranges(SsdparStarChild *child)
{
	ScanState  *scan = (ScanState *) child->plan;
	EState	   *estate = scan->ps.state;
	MemoryContext before = MemoryContextSwitchTo(estate->es_query_cxt);

	if (child->ran || scan->ps.chgParam != NULL)
		ExecReScan(&scan->ps);
	child->ran = true;
	if (scan->ss_currentScanDesc == NULL)
		scan->ss_currentScanDesc =
			table_beginscan_strat(scan->ss_currentRelation,
								  estate->es_snapshot, 0, NULL, true, false);
	/* an earlier run without ranges may have allowed synchronized scans */
	scan->ss_currentScanDesc->rs_flags &= ~SO_ALLOW_SYNC;
	MemoryContextSwitchTo(before);
	return scan->ss_currentScanDesc;
}

/*
 * If the table has grown since its scan began, table_rescan may allocate a
 * buffer ring, which must live as long as the scan.
 */
static void
begin_range(const SsdparStarChild *child, TableScanDesc scan,
			BlockNumber first, BlockNumber nblocks)
{
	MemoryContext before =
		MemoryContextSwitchTo(child->plan->state->es_query_cxt);

	table_rescan(scan, NULL);
	heap_setscanlimits(scan, first, nblocks);
	MemoryContextSwitchTo(before);
}

/* Reads the drawn range, then draws and reads more until none is left.  */
static uint64
run_ranges(SsdparStarChild *child, const SsdparParticipant *self,
		   const SsdparChildTask *task, uint32 range,
		   const SsdparCollectors *into, SsdparEarlyRead *early)
{
	TableScanDesc scan = begin_ranges(child);
	uint64		rows = 0;

	do
	{
		BlockNumber first;
		BlockNumber nblocks;

		ssdpar_participant_blocks(self, task, range, &first, &nblocks);
		ssdpar_early_read_go_on(early);
		begin_range(child, scan, first, nblocks);
		rows += ssdpar_collect_rows(child,
									ssdpar_next_child_row(child, false), NULL,
									0, into, early);
	} while (ssdpar_participant_draw(self, &range));
	return rows;
}

/* The keys that one process has collected, in the query's shared memory.  */
typedef struct FlatKeys
{
	uint64		rows;
	uint64		ncodes;
	int64		codes[FLEXIBLE_ARRAY_MEMBER];	/* followed by the rows by
												 * key, if they are collected */
} FlatKeys;

static dsa_pointer
flatten_keys(const SsdparCollectors *into, uint64 rows, dsa_area *area)
{
	uint64		ncodes;
	const int64 *codes = ssdpar_key_builder_sorted(into->builder, &ncodes);
	Size		size = offsetof(FlatKeys, codes) + ncodes * sizeof(int64);
	dsa_pointer pointer = InvalidDsaPointer;
	FlatKeys   *flat;

	/* too many keys: the maker builds a Bloom filter alone */
	if (codes == NULL)
		return InvalidDsaPointer;
	flat = ssdpar_query_allocate(area, size + (into->rows == NULL ? 0 :
											   ssdpar_key_rows_flat_size
											   (into->rows)), &pointer);
	if (flat == NULL)
		return InvalidDsaPointer;
	flat->rows = rows;
	flat->ncodes = ncodes;
	memcpy(flat->codes, codes, ncodes * sizeof(int64));
	if (into->rows != NULL)
		ssdpar_key_rows_flatten(into->rows, (char *) flat + size);
	return pointer;
}

static uint64
add_flat_keys(const SsdparCollectors *into, const FlatKeys *flat)
{
	for (uint64 i = 0; i < flat->ncodes; i++)
	{
		ssdpar_heed_interrupts(i);
		ssdpar_key_builder_add(into->builder, flat->codes[i]);
	}
	if (into->rows != NULL)
		ssdpar_key_rows_add_flat(into->rows, flat->codes + flat->ncodes);
	return flat->rows;
}

dsa_pointer
ssdpar_collect_part(void *arg, const SsdparParticipant *self,
					const SsdparChildTask *task, uint32 range)
{
	const SsdparKeysHelp *help = arg;
	const SsdparReducer *reducer = &help->plan->reducers[task->reducer];
	SsdparStarChild *child = &help->children[task->reducer];
	MemoryContext building = AllocSetContextCreate(CurrentMemoryContext,
												   "SsdparStarScan part",
												   ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(building);
	SsdparCollectors into = {
		.coder = ssdpar_key_coder(&reducer->key, SSDPAR_SIDE_KEY),
		.builder = ssdpar_set_builder(reducer, task->max_bytes),
		.rows = ssdpar_rows_builder(reducer, child),
	};
	uint64		rows = run_ranges(child, self, task, range, &into, NULL);
	dsa_pointer flat = flatten_keys(&into, rows, self->area);

	MemoryContextSwitchTo(before);
	MemoryContextDelete(building);
	return flat;
}

bool
ssdpar_run_child_by_all(SsdparStarChild *child, const SsdparParticipant *self,
						const SsdparChildTask *task,
						const SsdparCollectors *into, SsdparEarlyRead *early,
						SsdparStarResult *result)
{
	SsdparReducerResult *reducer = &result->reducers[task->reducer];
	int			readers = 1;
	uint32		range;
	const FlatKeys *flat;
	dsa_pointer pointer;

	reducer->rows = 0;
	ssdpar_participant_open_child(self, task);
	if (ssdpar_participant_draw(self, &range))
		reducer->rows = run_ranges(child, self, task, range, into, early);
	while ((flat = ssdpar_participant_delivered(self, &pointer)) != NULL)
	{
		reducer->rows += add_flat_keys(into, flat);
		ssdpar_query_free(self->area, &pointer);
		readers++;
	}
	result->key_readers = Max(result->key_readers, readers);
	return ssdpar_participant_have_all(self);
}
