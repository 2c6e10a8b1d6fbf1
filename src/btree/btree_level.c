/*
 * btree_level.c
 *		Queue of the pages to be read on one level of a btree, with
 *		read-ahead.
 *
 * Pages are pushed while their parent is locked and announced to the device
 * after it has been unlocked.  btree_reader.c decides which pages to push and
 * processes them.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "btree/btree_level.h"

#define FIRST_ROOM 512

/* Blocks passed to the page list at once; they are copied to the stack.  */
#define BATCH 256

void
ssdpar_index_level_open(SsdparIndexLevel *level, Relation index,
						SsdparPageMethod method, int depth)
{
	memset(level, 0, sizeof(SsdparIndexLevel));
	level->room = FIRST_ROOM;
	level->targets = palloc_array(SsdparIndexTarget, level->room);
	level->pages = ssdpar_page_list_open(index, MAIN_FORKNUM, method, depth);
}

/*
 * Moves the queue to the front of its array.  If that would soon be necessary
 * again, doubles the array first.
 */
static void
make_room(SsdparIndexLevel *level)
{
	int			kept = level->tail - level->head;

	if (kept > level->room / 2)
	{
		level->room *= 2;
		level->targets = repalloc(level->targets, level->room *
								  sizeof(SsdparIndexTarget));
	}
	memmove(level->targets, level->targets + level->head,
			kept * sizeof(SsdparIndexTarget));
	level->head = 0;
	level->tail = kept;
	Assert(kept >= 0 && kept < level->room);
}

/*
 * A parent may push hundreds of pages at once, which stay here until they are
 * read.  The caller limits how far ahead the queue is filled.
 */
void
ssdpar_index_level_push(SsdparIndexLevel *level,
						const SsdparIndexTarget *target)
{
	if (level->tail == level->room)
		make_room(level);
	level->targets[level->tail++] = *target;
	if (target->bound != NULL)
		level->bound_bytes += IndexTupleSize(target->bound);
}

SsdparIndexTarget
ssdpar_index_level_take(SsdparIndexLevel *level)
{
	SsdparIndexTarget target = level->targets[level->head++];

	Assert(level->head <= level->tail);
	if (target.bound != NULL)
		level->bound_bytes -= IndexTupleSize(target.bound);
	level->taken++;
	return target;
}

/*
 * Called after the parent was unlocked, because a request is a system call or
 * a message.
 */
void
ssdpar_index_level_announce(SsdparIndexLevel *level, int known)
{
	BlockNumber blocks[BATCH];
	int			count = 0;

	for (int i = level->head + known; i < level->tail; i++)
	{
		blocks[count++] = level->targets[i].block;
		if (count == BATCH || i == level->tail - 1)
		{
			ssdpar_page_list_add(level->pages, blocks, count);
			count = 0;
		}
	}
}
