/*
 * yield.h
 *		Limits outstanding read-ahead while other processes wait for writes.
 *
 * Code that reads ahead calls this before requesting more.  The processes of
 * the server are examined if the last look, by any session, is a millisecond
 * old; nothing waits.  Without shared memory (if the library is not in
 * shared_preload_libraries) each process looks separately.
 */
#ifndef SSDPAR_YIELD_H
#define SSDPAR_YIELD_H

/*
 * How fast a tablespace's device answers, in microseconds: from its profile,
 * or a guess.  Determined when first needed.
 */
typedef struct SsdparPace
{
	Oid			tablespace;
	double		alone;			/* per page with one outstanding request */
	double		each;			/* per page when saturated; 0: not determined */
} SsdparPace;

/*
 * Number of pages that this process may have outstanding now, 1 or more;
 * PG_UINT32_MAX: no limit.
 */
extern uint32 ssdpar_yield_pages(SsdparPace *pace);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_yield_shmem_size(void);
extern void ssdpar_yield_shmem_init(void *part);

#endif							/* SSDPAR_YIELD_H */
