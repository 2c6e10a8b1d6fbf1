/*
 * shared_progress.c
 *		How far each parallel scan has been announced, over all of its
 *		processes.
 *
 * The scan nodes are core's, so we have no room in their shared memory.  A
 * fixed number of words serves all scans of the server, found by the tag of
 * the scan: nothing is allocated, and nothing has to be freed after an error.
 * Two scans may share a word.  Then each finds the other's tag in it and some
 * of their ranges are announced twice, which only costs requests.
 */
#include "postgres.h"


#include "prefetch/shared_progress.h"

/* Enough for concurrent parallel scans to collide rarely. */
#define WORDS 512

static uint64 *words = NULL;

Size
ssdpar_shared_progress_shmem_size(void)
{
	return WORDS * sizeof(uint64);
}

void
ssdpar_shared_progress_shmem_init(void *part)
{
	words = part;
	memset(words, 0, WORDS * sizeof(uint64));
}

/*
 * A 64-bit word is read and written atomically, by compare-and-swap
 * (window.c).  There is no lock that a dying process could leave behind.
 */
uint64 *
ssdpar_shared_progress(uint32 tag)
{
	return words != NULL ? &words[tag % WORDS] : NULL;
}
