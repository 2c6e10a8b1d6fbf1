/*
 * residency.c
 *		Estimates which share of a relation is in memory, for the cost model.
 *
 * We sample single blocks for shared buffers, and short, evenly spread ranges
 * for the page cache, because checking a relation of gigabytes would take
 * longer than planning may.  Results are cached for a while; only costs depend
 * on them.
 */
#include "postgres.h"

#include <sys/stat.h>

#include "access/relation.h"
#include "common/pg_prng.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/fd.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "base/elapsed.h"
#include "base/notes.h"
#include "base/settings.h"
#include "base/transient_file.h"
#include "cost/residency.h"
#include "prefetch/page_cache.h"

/*
 * Number of blocks; the standard error at one half is 4 percent.  Relations
 * below 16 MB are sampled proportionally less: they matter little, and a
 * session's first query may have to sample thousands of them (partitions and
 * their indexes).
 */
#define BUFFER_SAMPLES 128
#define BUFFER_SAMPLES_LEAST 16
#define BUFFER_SAMPLE_EVERY 16

/*
 * Ranges of at most 32 kB, one per 256 kB of a small relation, because the
 * kernel reads at least that much at once, and the time of a check depends on
 * its pages.
 */
#define CACHE_SAMPLES 64
#define CACHE_SAMPLES_LEAST 8
#define CACHE_SAMPLE_EVERY (256 * 1024 / BLCKSZ)
#define SAMPLE_BLOCKS Max(32 * 1024 / BLCKSZ, 1)

/*
 * Most relations are in memory as a whole or not at all.  So if the first
 * quarter of the samples are all the same, we skip the others.  This speeds up
 * the first query of a session.
 */
#define FIRST_SHARE 4

/*
 * More relations than one session's queries use, even with a thousand
 * partitions and several indexes each.  About 1 MB.
 */
#define MOST_REMEMBERED 16384

/* We do not remove outdated entries below this number. */
#define FEW_REMEMBERED 64

typedef struct Remembered
{
	Oid			relation;		/* hash key */
	TimestampTz seen;
	SsdparResidency residency;
} Remembered;

/* The segment file that is open. */
typedef struct Segment
{
	char		path[MAXPGPATH];
	int			number;
	int			fd;
} Segment;

/* Per backend, because a shared table would need a lock for a quick lookup. */
static HTAB *remembered = NULL;

/* Number of entries at which outdated ones are removed. */
static long sweep_at = FEW_REMEMBERED;

static bool
in_shared_buffers(Relation rel, BlockNumber block)
{
	BufferTag	tag;
	uint32		hash;
	LWLock	   *lock;
	int			buffer;

	/* temporary tables have pages only in the backend's local buffers */
	Assert(!RelationUsesLocalBuffers(rel));
	ssdpar_buffer_tag(&tag, rel, MAIN_FORKNUM, block);
	hash = BufTableHashCode(&tag);
	lock = BufMappingPartitionLock(hash);

	/* a process that already held the lock would wait for itself forever */
	Assert(!LWLockHeldByMe(lock));
	LWLockAcquire(lock, LW_SHARED);
	buffer = BufTableLookup(&tag, hash);
	Assert(LWLockHeldByMeInMode(lock, LW_SHARED));
	LWLockRelease(lock);
	Assert(buffer >= -1 && buffer < NBuffers);

	/* may have been evicted meanwhile, which an estimate can tolerate */
	return buffer >= 0;
}

/* The share in shared buffers of this number of evenly spread blocks. */
static double
sample_buffers(Relation rel, BlockNumber npages, int samples)
{
	int			found = 0;

	for (int i = 0; i < samples; i++)
	{
		/*
		 * One block at random in each of equal parts.  Random choice from the
		 * whole table would have a larger variance, and every n-th block
		 * might match a pattern.
		 */
		BlockNumber from = (uint64) npages * i / samples;
		BlockNumber to = (uint64) npages * (i + 1) / samples;

		found += in_shared_buffers(rel, from + (BlockNumber)
								   pg_prng_uint64_range(&pg_global_prng_state,
														0, to - from - 1));
	}
	return (double) found / samples;
}

/*
 * Opens the segment of this block unless it is open.  It is a transient file,
 * which an error or the end of the transaction closes.
 */
static void
open_segment(Segment *segment, const char *path, BlockNumber block)
{
	int			number = block / RELSEG_SIZE;

	if (segment->number == number)
		return;
	if (segment->fd >= 0)
		CloseTransientFile(segment->fd);
	segment->number = number;
	if (number == 0)
		strlcpy(segment->path, path, sizeof(segment->path));
	else
		snprintf(segment->path, sizeof(segment->path), "%s.%d", path, number);
	segment->fd = ssdpar_open_if_possible(segment->path);
}

/*
 * The share in the page cache of this number of evenly spread ranges.  If a
 * segment cannot be opened, it has just been truncated, or descriptors are
 * scarce; it counts as not cached.
 */
static double
sample_page_cache(Relation rel, BlockNumber npages, int samples)
{
	Segment		segment = {"", -1, -1};
	char		path[MAXPGPATH];
	double		looked = 0.0;
	double		found = 0.0;

	ssdpar_fork_path(rel, MAIN_FORKNUM, path, sizeof(path));
	for (int i = 0; i < samples; i++)
	{
		/*
		 * in the middle of each part, because the first page is always cached
		 */
		BlockNumber middle = (BlockNumber)
			((uint64) npages * (2 * i + 1) / (2 * samples));
		BlockNumber block = middle - middle % SAMPLE_BLOCKS;
		uint64		length = (uint64) Min(npages - block, SAMPLE_BLOCKS) *
			BLCKSZ;

		open_segment(&segment, path, block);
		if (segment.fd >= 0)
			found += Min(ssdpar_page_cache_bytes(segment.fd, (uint64)
												 (block % RELSEG_SIZE) *
												 BLCKSZ, length),
						 (double) length);
		looked += length;
	}
	if (segment.fd >= 0)
		CloseTransientFile(segment.fd);
	return found / looked;
}

typedef double (*Sampler) (Relation rel, BlockNumber npages, int samples);

/*
 * Share of a relation with this number of parts, using at most most samples.
 */
static double
share_by(Sampler sample, Relation rel, BlockNumber npages, BlockNumber parts,
		 int most)
{
	int			first = (int) Min(parts, most / FIRST_SHARE);
	double		share;

	if (parts == 0)
		return 0.0;
	share = sample(rel, npages, first);
	if (parts <= (BlockNumber) first || share <= 0.0 || share >= 1.0)
		return share;
	return sample(rel, npages, (int) Min(parts, most));
}

static int
samples_within(BlockNumber wanted, int least, int most)
{
	return (int) Min(Max(wanted, (BlockNumber) least), (BlockNumber) most);
}

static double
share_in_buffers(Relation rel, BlockNumber npages)
{
	if (RelationUsesLocalBuffers(rel))
		return 0.0;
	return share_by(sample_buffers, rel, npages, npages,
					samples_within(npages / BUFFER_SAMPLE_EVERY,
								   BUFFER_SAMPLES_LEAST, BUFFER_SAMPLES));
}

static double
share_in_page_cache(Relation rel, BlockNumber npages)
{
	BlockNumber ranges = (npages + CACHE_SAMPLE_EVERY - 1) /
		CACHE_SAMPLE_EVERY;

	/* the server's own reads bypass the page cache then */
	if (ssdpar_direct_io())
		return 0.0;
	return share_by(sample_page_cache, rel, npages, ranges,
					samples_within(ranges, CACHE_SAMPLES_LEAST, CACHE_SAMPLES));
}

/*
 * Being in one cache says nothing about being in the other, so the share in
 * the page cache is applied only to pages outside of shared buffers.
 *
 * No lock is taken, because the planner holds one on each table and index.
 */
static SsdparResidency
look(Oid relation, BlockNumber npages)
{
	SsdparResidency residency = {0.0, 0.0};
	Relation	rel = try_relation_open(relation, NoLock);

	if (rel == NULL)
		return residency;
	npages = Min(npages, RelationGetNumberOfBlocks(rel));
	residency.buffers = share_in_buffers(rel, npages);
	if (residency.buffers < 1.0)
		residency.page_cache = share_in_page_cache(rel, npages) *
			(1.0 - residency.buffers);
	relation_close(rel, NoLock);
	return residency;
}

static bool
is_outdated(const Remembered *entry, TimestampTz now)
{
	return ssdpar_is_past(entry->seen, now, ssdpar_residency_ttl * 1000);
}

/*
 * Removes outdated entries, because a long session sees tables that are
 * created again and again.  It waits until the number of entries has doubled
 * since the last time, so that the amortized cost per entry is constant.
 */
static void
sweep(TimestampTz now)
{
	HASH_SEQ_STATUS status;
	Remembered *entry;

	hash_seq_init(&status, remembered);
	while ((entry = hash_seq_search(&status)) != NULL)
	{
		if (is_outdated(entry, now))
			hash_search(remembered, &entry->relation, HASH_REMOVE, NULL);
	}
	sweep_at = Max(FEW_REMEMBERED, 2 * hash_get_num_entries(remembered));
}

/* Makes room for another entry. */
static void
make_memory(TimestampTz now)
{
	if (remembered != NULL && hash_get_num_entries(remembered) >= sweep_at)
		sweep(now);

	/* drop all entries, because this is rare */
	if (remembered != NULL &&
		hash_get_num_entries(remembered) >= MOST_REMEMBERED)
	{
		hash_destroy(remembered);
		remembered = NULL;
	}
	if (remembered == NULL)
	{
		HASHCTL		info = {0};

		info.keysize = sizeof(Oid);
		info.entrysize = sizeof(Remembered);
		info.hcxt = CacheMemoryContext;
		remembered = hash_create("ssdpar residency", 32, &info,
								 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
		sweep_at = FEW_REMEMBERED;
	}
}

/*
 * Entries are not invalidated when a relation changes, because they expire.
 * The same holds if a new relation gets the same OID (after a wraparound).
 */
static SsdparResidency
remember_or_look(Oid relation, BlockNumber npages)
{
	TimestampTz now = GetCurrentTimestamp();
	Remembered *entry;
	SsdparResidency seen;
	SsdparWorkSpan work;

	make_memory(now);
	entry = hash_search(remembered, &relation, HASH_FIND, NULL);
	if (entry != NULL && !is_outdated(entry, now))
		return entry->residency;

	/* looked at first: an error must leave no entry without a date */
	ssdpar_note_work_begin(&work);
	seen = look(relation, npages);
	ssdpar_note_work_end(&work, SSDPAR_WORK_RESIDENCY);
	entry = hash_search(remembered, &relation, HASH_ENTER, NULL);
	entry->seen = now;
	entry->residency = seen;
	return seen;
}

SsdparResidency
ssdpar_residency_in_memory(BlockNumber npages)
{
	double		share = npages > 0 ?
		Min(1.0, (double) NBuffers / npages) : 1.0;
	SsdparResidency all = {share, 1.0 - share};

	return all;
}

SsdparResidency
ssdpar_residency_of(Oid relation, BlockNumber npages)
{
	SsdparResidency none = {0.0, 0.0};

	switch ((SsdparResidencyChoice) ssdpar_residency)
	{
		case SSDPAR_RESIDENCY_COLD:
			return none;
		case SSDPAR_RESIDENCY_HOT:
			return ssdpar_residency_in_memory(npages);
		case SSDPAR_RESIDENCY_AUTO:
			break;
	}
	return remember_or_look(relation, npages);
}
