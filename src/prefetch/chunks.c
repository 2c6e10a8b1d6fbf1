/*
 * chunks.c
 *		What a process of a sequential scan asks for itself, close ahead.
 *
 * A page that the kernel does not find is where it begins to read ahead by
 * itself, read_ahead_kb at once and then again: megabytes on some machines, and
 * other sessions' reads and writes stand behind them.  If each process asks for
 * one small chunk before it comes there, the kernel finds all pages on their
 * way.
 */
#include "prefetch/chunks.h"

bool
ssdpar_chunks_next(SsdparChunks *chunks, uint32_t block, uint32_t end,
				   uint32_t segment, uint32_t *first, uint32_t *count)
{
	uint32_t	chunk = block / SSDPAR_CHUNK_BLOCKS;
	uint64_t	from = (uint64_t) block + 1;
	uint64_t	to = ((uint64_t) chunk + 2) * SSDPAR_CHUNK_BLOCKS;
	uint64_t	file_end;

	/* Asked for when the scan came to this chunk's first page. */
	if (chunks->begun && chunk == chunks->chunk)
		return false;
	if (chunks->begun && chunk == chunks->chunk + 1 && from < chunks->asked)
		from = chunks->asked;

	/*
	 * A request is for one file.  What is cut off here, at the end of a
	 * segment, is asked for from the next chunk on: asked stands there.
	 */
	file_end = (from / segment + 1) * segment;
	to = to < end ? to : end;
	to = to < file_end ? to : file_end;
	chunks->begun = true;
	chunks->chunk = chunk;
	chunks->asked = to;
	if (from >= to)
		return false;
	*first = (uint32_t) from;
	*count = (uint32_t) (to - from);
	return true;
}
