/*
 * early_read.c
 *		Requests the beginnings of tables that will be read sequentially,
 *		little by little while other work is done first.
 *
 * This process asks the kernel to read chunks into its page cache.  The other
 * work may also read, and must not wait in a long queue, so at most one
 * megabyte is outstanding, which is about what keeps a device busy, and each
 * table is limited by the caller.  Completed chunks are noticed only when a
 * function here is called.  If all of them have arrived and nothing else was
 * read meanwhile, the device has been idle, so twice as much is requested at a
 * time until something is read again.
 *
 * A chunk that is in memory is skipped.  If the first two megabytes of a table
 * are in memory, the whole table is assumed to be.
 */
#include "postgres.h"

#include <fcntl.h>

#include "executor/instrument.h"
#include "storage/fd.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "base/transient_file.h"
#include "prefetch/chunks.h"
#include "prefetch/counters.h"
#include "prefetch/early_read.h"
#include "prefetch/page_cache.h"
#include "prefetch/page_list.h"
#include "prefetch/yield.h"

/* Maximum number of outstanding chunks. */
#define MOST_CHUNKS 64

/*
 * If this much of the beginning is in memory, all of the table counts as such.
 */
#define ENOUGH_BLOCKS (2 * 1024 * 1024 / BLCKSZ)

/* One table.  Offsets are relative to start, the first block to be read. */
typedef struct EarlyTable
{
	Relation	rel;
	BlockNumber start;
	BlockNumber nblocks;
	BlockNumber end;			/* offset up to which to request */
	bool		missing;		/* some part was not in memory */
	uint64	   *asked;
	SsdparPace	pace;
} EarlyTable;

/*
 * Invariant: outstanding <= MOST_CHUNKS, and all of them are in the open
 * segment.
 */
struct SsdparEarlyRead
{
	EarlyTable *tables;
	int			ntables;
	int			current;
	BlockNumber next;			/* offset of the first block not examined yet */
	int			room;			/* chunks that may be outstanding */
	int64		reads;			/* of this process, at the last call */
	int			fd;				/* of a segment of the current table, or -1 */
	BlockNumber segment;
	int			outstanding;	/* chunks not yet known to have arrived */
	int			oldest;			/* index in last of the oldest of these */
	BlockNumber last[MOST_CHUNKS];	/* last block of each one; a ring buffer */
};

SsdparEarlyRead *
ssdpar_early_read_begin(int tables)
{
	SsdparEarlyRead *early = palloc0_object(SsdparEarlyRead);

	early->tables = palloc0(tables * sizeof(EarlyTable));
	early->room = SSDPAR_EARLY_CHUNKS;
	early->reads = pgBufferUsage.shared_blks_read;
	early->fd = -1;
	return early;
}

void
ssdpar_early_read_add(SsdparEarlyRead *early, Relation rel, BlockNumber start,
					  BlockNumber nblocks, double pages, uint64 *asked)
{
	EarlyTable *table = &early->tables[early->ntables++];
	double		window = ssdpar_prefetch_window * 1024.0 / BLCKSZ;
	Oid			database;
	Oid			number;

	Assert(start < nblocks || nblocks == 0);
	table->rel = rel;
	table->start = start;
	table->nblocks = nblocks;
	table->end = (BlockNumber) Min(Max(window, pages), nblocks);
	table->asked = asked;
	ssdpar_relation_locator(rel, &table->pace.tablespace, &database, &number);
}

/* Files */

static void
close_segment(SsdparEarlyRead *early)
{
	if (early->fd >= 0)
		CloseTransientFile(early->fd);
	early->fd = -1;
	early->outstanding = 0;
}

/*
 * Opens the segment as a transient file, which is closed on error.  Chunks
 * requested in another segment are no longer tracked.  Returns false if the
 * file is gone or cannot be opened; the scan that reads it will report the
 * reason.
 */
static bool
open_segment(SsdparEarlyRead *early, BlockNumber block)
{
	BlockNumber segment = block / RELSEG_SIZE;
	char		path[MAXPGPATH];

	if (early->fd >= 0 && early->segment == segment)
		return true;
	close_segment(early);
	early->segment = segment;
	ssdpar_fork_path(early->tables[early->current].rel, MAIN_FORKNUM, path,
					 sizeof(path));
	if (segment > 0)
		snprintf(path + strlen(path), sizeof(path) - strlen(path), ".%u",
				 segment);
	early->fd = ssdpar_open_if_possible(path);
	return early->fd >= 0;
}

static void
next_table(SsdparEarlyRead *early)
{
	close_segment(early);
	early->current++;
	early->next = 0;
}

/* Chunks */

static BlockNumber
block_at(const EarlyTable *table, BlockNumber offset)
{
	return (BlockNumber) (((uint64) table->start + offset) % table->nblocks);
}

static off_t
place_of(BlockNumber block)
{
	return (off_t) (block % RELSEG_SIZE) * BLCKSZ;
}

/* Number of blocks from this offset to the end of its chunk, in one file. */
static BlockNumber
chunk_length(const EarlyTable *table, BlockNumber offset)
{
	BlockNumber block = block_at(table, offset);
	BlockNumber rest = SSDPAR_CHUNK_BLOCKS - block % SSDPAR_CHUNK_BLOCKS;

	return Min(Min(rest, table->nblocks - block), table->end - offset);
}

/*
 * Is the chunk's first page in shared buffers, or half of the chunk in the
 * page cache?
 */
static bool
is_in_memory(const SsdparEarlyRead *early, BlockNumber block,
			 BlockNumber length)
{
	const EarlyTable *table = &early->tables[early->current];
	uint64		bytes = (uint64) length * BLCKSZ;

	return ssdpar_pages_are_buffered(table->rel, MAIN_FORKNUM, &block, 1) ||
		ssdpar_page_cache_bytes(early->fd, place_of(block),
								bytes) * 2 >= bytes;
}

/*
 * Requests the next chunk, or proceeds to the next table.  Returns false when
 * there is none.
 */
static bool
ask_for_chunk(SsdparEarlyRead *early)
{
	EarlyTable *table = &early->tables[early->current];
	BlockNumber block;
	BlockNumber length;

	if (early->current == early->ntables)
		return false;
	if (early->next == table->end ||
		(!table->missing && early->next >= ENOUGH_BLOCKS) ||
		!open_segment(early, block_at(table, early->next)))
	{
		next_table(early);
		return true;
	}
	block = block_at(table, early->next);
	length = chunk_length(table, early->next);
	early->next += length;
	if (is_in_memory(early, block, length))
		return true;
	(void) posix_fadvise(early->fd, place_of(block), (off_t) length * BLCKSZ,
						 POSIX_FADV_WILLNEED);
	ssdpar_count(SSDPAR_COUNT_LOCAL, length);
	*table->asked += length;
	table->missing = true;
	early->last[(early->oldest + early->outstanding++) % MOST_CHUNKS] =
		block + length - 1;
	return true;
}

/* A chunk has arrived when its last page has. */
static void
look_what_came(SsdparEarlyRead *early)
{
	while (early->outstanding > 0 &&
		   ssdpar_page_cache_has(early->fd,
								 place_of(early->last[early->oldest])))
	{
		early->oldest = (early->oldest + 1) % MOST_CHUNKS;
		early->outstanding--;
	}
}

/*
 * Number of chunks that may be outstanding now; before is the number
 * outstanding at the beginning of this call.
 */
static int
chunks_allowed(SsdparEarlyRead *early, int before)
{
	SsdparPace *pace = &early->tables[early->current].pace;
	int64		reads = pgBufferUsage.shared_blks_read;

	if (reads != early->reads)
		early->room = SSDPAR_EARLY_CHUNKS;
	else if (before > 0 && early->outstanding == 0)
		early->room = Min(2 * early->room, MOST_CHUNKS);
	early->reads = reads;
	return (int) Min((uint32) early->room,
					 ssdpar_yield_pages(pace) / SSDPAR_CHUNK_BLOCKS);
}

void
ssdpar_early_read_go_on(SsdparEarlyRead *early)
{
	int			before;
	int			allowed;

	if (early == NULL || early->current == early->ntables)
		return;
	before = early->outstanding;
	look_what_came(early);
	allowed = chunks_allowed(early, before);
	while (early->outstanding < allowed && ask_for_chunk(early))
		continue;
}

void
ssdpar_early_read_end(SsdparEarlyRead *early)
{
	if (early == NULL)
		return;
	close_segment(early);
	early->current = early->ntables;
}
