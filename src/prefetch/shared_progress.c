/*
 * shared_progress.c
 *		How far each parallel scan has been announced, by all its processes.
 *
 * The scan nodes are core's, so there is no room in their own shared memory.
 * A fixed number of words serves all scans of the server, found by the tag of
 * the scan: nothing is allocated and nothing has to be freed after an error.
 * Two scans may meet in a word; each then finds another's tag in it and some
 * of their ranges are announced twice, which costs requests and nothing else.
 */
#include "postgres.h"

#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "prefetch/shared_progress.h"

/* Parallel scans at a time that most likely do not meet in a word. */
#define WORDS 512

static uint64 *words = NULL;

void
ssdpar_shared_progress_request_shmem(void)
{
	RequestAddinShmemSpace(WORDS * sizeof(uint64));
}

void
ssdpar_shared_progress_attach_shmem(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	words = ShmemInitStruct("ssdpar shared progress", WORDS * sizeof(uint64),
							&found);
	if (!found)
		memset(words, 0, WORDS * sizeof(uint64));
	LWLockRelease(AddinShmemInitLock);
}

/*
 * A word of 64 bits is read and written as one, by compare-and-swap (window.c):
 * no lock, so a process that dies there leaves none behind.
 */
uint64 *
ssdpar_shared_progress(uint32 tag)
{
	return words != NULL ? &words[tag % WORDS] : NULL;
}
