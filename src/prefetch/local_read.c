/*
 * local_read.c
 *		Makes the kernel read adjacent pages of a relation ahead in one
 *		request, from this process.
 *
 * The server's descriptors are not accessible, so the segment is opened again,
 * as one of the server's virtual files, which are closed and reopened
 * transparently if descriptors are scarce.
 */
#include "postgres.h"

#include "storage/smgr.h"
#include "utils/rel.h"
#include "utils/wait_event.h"

#include "base/compat.h"
#include "prefetch/local_read.h"

void
ssdpar_local_read_begin(SsdparLocalRead *local, Relation rel, ForkNumber fork)
{
	local->rel = rel;
	local->fork = fork;
	local->file = 0;
	local->segment = 0;
}

void
ssdpar_local_read_end(SsdparLocalRead *local)
{
	if (local->file > 0)
		FileClose(local->file);
	local->file = 0;
}

#ifndef SSDPAR_HAS_RANGE_PREFETCH

/*
 * One segment is kept open, since pages come in runs.  A path that is too long
 * or a missing file is not an error: its pages are then requested one by one,
 * and the server reports the problem when it reads them.
 */
static bool
open_segment(SsdparLocalRead *local, BlockNumber segment)
{
	char		first[MAXPGPATH];
	char		path[MAXPGPATH];

	if (local->file > 0 && local->segment == segment)
		return true;
	ssdpar_local_read_end(local);
	ssdpar_fork_path(local->rel, local->fork, first, sizeof(first));
	if (segment == 0)
		strlcpy(path, first, sizeof(path));
	else if (snprintf(path, sizeof(path), "%s.%u", first, segment) >=
			 (int) sizeof(path))
		return false;
	local->file = PathNameOpenFile(path, O_RDONLY | PG_BINARY);
	local->segment = segment;
	return local->file > 0;
}

void
ssdpar_local_read_ahead(SsdparLocalRead *local, BlockNumber block,
						uint32 count)
{
	BlockNumber in_segment = block % RELSEG_SIZE;

	if (count > 1 && open_segment(local, block / RELSEG_SIZE))
	{
		(void) FilePrefetch(local->file, (off_t) in_segment * BLCKSZ,
							(off_t) count * BLCKSZ,
							WAIT_EVENT_DATA_FILE_PREFETCH);
		return;
	}
	for (uint32 i = 0; i < count; i++)
		smgrprefetch(RelationGetSmgr(local->rel), local->fork, block + i);
}

#else

void
ssdpar_local_read_ahead(SsdparLocalRead *local, BlockNumber block,
						uint32 count)
{
	smgrprefetch(RelationGetSmgr(local->rel), local->fork, block, count);
}

#endif							/* SSDPAR_HAS_RANGE_PREFETCH */
