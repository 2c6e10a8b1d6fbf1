/*
 * chunks.c
 *		Chunks that a process of a sequential scan requests shortly ahead.
 *
 * If the kernel does not find a page, it begins its own read-ahead with
 * read_ahead_kb at once, which is megabytes on some machines, and reads and
 * writes of other sessions wait behind them.  If each process requests one
 * small chunk before it gets there, the kernel finds all pages already being
 * read.
 */
#include "prefetch/chunks.h"

/*
 * The largest power of two of which two fit into most, so that two successive
 * chunks can be outstanding.
 */
static uint32_t
chunk_blocks(uint32_t most)
{
	uint32_t	blocks = SSDPAR_CHUNK_BLOCKS;

	while (blocks > 1 && blocks > most / 2)
		blocks /= 2;
	return blocks;
}

/* Has the scan advanced within the blocks that were requested? */
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
	 * A request is for one file.  The part cut off here, at the end of a
	 * segment, is requested with the next block, because asked ends there.
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
