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

/* The largest power of two that leaves room for two: chunks meet then. */
static uint32_t
chunk_blocks(uint32_t most)
{
	uint32_t	blocks = SSDPAR_CHUNK_BLOCKS;

	while (blocks > 1 && blocks > most / 2)
		blocks /= 2;
	return blocks;
}

/* Has the scan come on to what it has asked for? */
static bool
goes_on(const SsdparChunks *chunks, uint32_t block)
{
	return chunks->begun && block >= chunks->block && block < chunks->asked;
}

bool
ssdpar_chunks_next(SsdparChunks *chunks, uint32_t block, uint32_t end,
				   uint32_t segment, uint32_t most, uint32_t *first,
				   uint32_t *count)
{
	uint32_t	chunk = chunk_blocks(most);
	uint64_t	from = (uint64_t) block + 1;
	uint64_t	to = ((uint64_t) block / chunk + 2) * chunk;
	uint64_t	file_end;

	if (goes_on(chunks, block) && from < chunks->asked)
		from = chunks->asked;

	/*
	 * A request is for one file.  What is cut off here, at the end of a
	 * segment, is asked for with the next block: asked stands there.
	 */
	file_end = (from / segment + 1) * segment;
	to = to < end ? to : end;
	to = to < file_end ? to : file_end;
	chunks->begun = true;
	chunks->block = block;
	chunks->asked = to > from ? to : from;
	if (from >= to)
		return false;
	*first = (uint32_t) from;
	*count = (uint32_t) (to - from);
	return true;
}
