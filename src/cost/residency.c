/*
 * residency.c
 *		How much of a relation is in memory, for the cost model.
 *
 * Looked at by samples, since a whole relation of gigabytes would take longer
 * than a query may be planned: single blocks for shared buffers, short ranges
 * spread evenly for the page cache.  What was seen is remembered a while; it
 * is an estimate and nothing depends on it but costs.
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
 * Single blocks; the standard error at one half is 4 per cent.  Of a relation
 * below 16 MB as many fewer as it is smaller: little depends on it, and there
 * may be thousands of them, partitions and their indexes, all of which a
 * session's first query looks at.
 */
#define BUFFER_SAMPLES 128
#define BUFFER_SAMPLES_LEAST 16
#define BUFFER_SAMPLE_EVERY 16

/*
 * Ranges of at most 32 kB, one in each 256 kB of a small relation: the kernel
 * reads at least as much at once, and the time of a look is that of its pages.
 */
#define CACHE_SAMPLES 64
#define CACHE_SAMPLES_LEAST 8
#define CACHE_SAMPLE_EVERY (256 * 1024 / BLCKSZ)
#define SAMPLE_BLOCKS Max(32 * 1024 / BLCKSZ, 1)

/*
 * Most relations are in memory as a whole or not at all: where a quarter of
 * the samples are alike, the others are not looked at.  A session's first
 * query, which may be of a single row, is planned half a millisecond sooner.
 */
#define FIRST_SHARE 4

/*
 * More relations than one session's queries look at: a thousand partitions with
 * several indexes each count, too.  About 1 MB.
 */
#define MOST_REMEMBERED 16384

/* So many relations are remembered whether they are looked at again or not. */
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

/* Per backend: shared, it would need a lock for what is looked up quickly. */
static HTAB *remembered = NULL;

/* As many entries as make it worth to look for what is out of date. */
static long sweep_at = FEW_REMEMBERED;

static bool
in_shared_buffers(Relation rel, BlockNumber block)
{
	BufferTag	tag;
	uint32		hash;
	LWLock	   *lock;
	int			buffer;

	/* the pages of temporary tables are in another table, the backend's own */
	Assert(!RelationUsesLocalBuffers(rel));
	ssdpar_buffer_tag(&tag, rel, MAIN_FORKNUM, block);
	hash = BufTableHashCode(&tag);
	lock = BufMappingPartitionLock(hash);

	/* whoever held it already would wait for itself, without an end */
	Assert(!LWLockHeldByMe(lock));
	LWLockAcquire(lock, LW_SHARED);
	buffer = BufTableLookup(&tag, hash);
	Assert(LWLockHeldByMeInMode(lock, LW_SHARED));
	LWLockRelease(lock);
	Assert(buffer >= -1 && buffer < NBuffers);

	/* evicted since, perhaps: an estimate may be as old as that */
	return buffer >= 0;
}

/* Of so many blocks, spread evenly, the share in shared buffers. */
static double
sample_buffers(Relation rel, BlockNumber npages, int samples)
{
	int			found = 0;

	for (int i = 0; i < samples; i++)
	{
		/*
		 * One block at random in each of equal parts.  The whole table at
		 * random would vary more, and every n-th block might meet a pattern.
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
 * Opens the segment that block lies in, if it is another one.  As a transient
 * file, which an error or the end of the transaction closes.
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
 * Of so many ranges, spread evenly, the share in the page cache.  A segment
 * that cannot be opened has just been truncated, or descriptors are scarce:
 * nothing of it is taken to be cached.
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
		/* in the middle of each part: a first page is cached in any case */
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

/* A share of so many parts, by at most so many samples. */
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
 * Being in one cache says nothing about being in the other, so that the share
 * in the page cache counts for pages outside of shared buffers alone.
 *
 * No lock is taken: the planner holds one on each table and index of the query.
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
 * Forgets what is out of date: a session that lives long meets tables that are
 * made anew again and again.  Not before there are twice as many as were left
 * the last time, so that an entry costs the same however many there are.
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

/* With room for another entry. */
static void
make_memory(TimestampTz now)
{
	if (remembered != NULL && hash_get_num_entries(remembered) >= sweep_at)
		sweep(now);

	/* emptied rather than aged, as it happens seldom */
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
 * What is remembered of a relation is not invalidated when it changes: it is
 * dated, and a relation of the same OID later (after a wraparound) is looked at
 * anew.
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
