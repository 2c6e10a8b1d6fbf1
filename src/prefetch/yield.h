/*
 * yield.h
 *		What reads ahead may have outstanding beside those who write.
 *
 * Whoever reads ahead asks before it asks for more.  The processes of the
 * server are looked at when the last look, by any session, is a millisecond
 * old; nothing waits.  Without shared memory (the library is not in
 * shared_preload_libraries) each process looks for itself.
 */
#ifndef SSDPAR_YIELD_H
#define SSDPAR_YIELD_H

/*
 * How fast a tablespace's device answers, in microseconds: by its profile, or a
 * guess.  Made when it is needed first.
 */
typedef struct SsdparPace
{
	Oid			tablespace;
	double		alone;			/* a page with nothing else outstanding */
	double		each;			/* of many, when it is saturated; 0: not made */
} SsdparPace;

/*
 * Pages that this process may have outstanding there now, 1 or more;
 * PG_UINT32_MAX: any number.
 */
extern uint32 ssdpar_yield_pages(SsdparPace *pace);

/* For the hooks of the same names. */
extern void ssdpar_yield_request_shmem(void);
extern void ssdpar_yield_attach_shmem(void);

#endif							/* SSDPAR_YIELD_H */
