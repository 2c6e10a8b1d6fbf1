/*
 * leader_depth.c
 *		Communicates the depth of a tablespace from a leader to its parallel
 *		workers.
 *
 * The scan nodes are core's, so we have no room in their shared memory or in
 * the plan.  A fixed number of words serves all leaders of the server, as in
 * shared_progress.c: a word contains a tag made of leader and tablespace, and
 * the depth.  Two leaders may share a word.  Then the workers of one find the
 * other's tag there and use core's depth.
 *
 * A leader stores the depth whenever it starts a query that needs it, before
 * its workers start, so the value found belongs to this query.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/proc.h"

#include "prefetch/leader_depth.h"

/* Enough for concurrent leaders times tablespaces to collide rarely. */
#define WORDS 1024

static pg_atomic_uint64 *words = NULL;

Size
ssdpar_leader_depth_shmem_size(void)
{
	return WORDS * sizeof(pg_atomic_uint64);
}

void
ssdpar_leader_depth_shmem_init(void *part)
{
	words = part;
	for (int i = 0; i < WORDS; i++)
		pg_atomic_init_u64(&words[i], 0);
}

static uint32
tag_of(int leader, Oid tablespace)
{
	return hash_combine(murmurhash32((uint32) leader),
						murmurhash32((uint32) tablespace));
}

void
ssdpar_leader_depth_tell(Oid tablespace, int depth)
{
	uint32		tag = tag_of(MyProcPid, tablespace);
	uint64		word = ((uint64) tag << 32) | (uint32) depth;

	if (words != NULL && pg_atomic_read_u64(&words[tag % WORDS]) != word)
		pg_atomic_write_u64(&words[tag % WORDS], word);
}

int
ssdpar_leader_depth(Oid tablespace)
{
	PGPROC	   *leader = MyProc->lockGroupLeader;
	uint32		tag;
	uint64		word;

	if (words == NULL || leader == NULL)
		return 0;
	tag = tag_of(leader->pid, tablespace);
	word = pg_atomic_read_u64(&words[tag % WORDS]);
	return (uint32) (word >> 32) == tag ? (int) (uint32) word : 0;
}
