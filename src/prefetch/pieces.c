/*
 * pieces.c
 *		What a process of a sequential scan asks for itself, close ahead.
 *
 * A page that the kernel does not find is where it begins to read ahead by
 * itself, read_ahead_kb at once and on and on: megabytes on some machines, and
 * everybody else's reads and writes stand behind them.  If each process asks
 * for one small piece before it comes there, the kernel finds all pages on
 * their way.
 */
#include "prefetch/pieces.h"

bool
ssdpar_pieces_next(SsdparPieces *pieces, uint32_t block, uint32_t end,
				   uint32_t segment, uint32_t *first, uint32_t *count)
{
	uint32_t	piece = block / SSDPAR_PIECE_BLOCKS;
	uint64_t	from = (uint64_t) block + 1;
	uint64_t	to = ((uint64_t) piece + 2) * SSDPAR_PIECE_BLOCKS;
	uint64_t	file_end;

	if (pieces->begun && piece == pieces->piece)
		return false;
	if (pieces->begun && piece == pieces->piece + 1 && from < pieces->asked)
		from = pieces->asked;
	file_end = (from / segment + 1) * segment;
	to = to < end ? to : end;
	to = to < file_end ? to : file_end;
	pieces->begun = true;
	pieces->piece = piece;
	pieces->asked = to;
	if (from >= to)
		return false;
	*first = (uint32_t) from;
	*count = (uint32_t) (to - from);
	return true;
}
