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

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_shared_progress_shmem_size(void);
extern void ssdpar_shared_progress_shmem_init(void *part);

#endif							/* SSDPAR_SHARED_PROGRESS_H */
