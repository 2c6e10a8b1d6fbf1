/*
 * shared_progress.h
 *		How far each parallel scan has been announced, over all of its
 *		processes.
 */
#ifndef SSDPAR_SHARED_PROGRESS_H
#define SSDPAR_SHARED_PROGRESS_H

/*
 * The word shared by the processes of the parallel scan with that tag (see
 * prefetch/window.h); NULL without shared memory.
 */
extern uint64 *ssdpar_shared_progress(uint32 tag);

/* Called from the hooks of the same names. */
extern void ssdpar_shared_progress_request_shmem(void);
extern void ssdpar_shared_progress_attach_shmem(void);

#endif							/* SSDPAR_SHARED_PROGRESS_H */
