/*
 * quiet.h
 *		Whether a tablespace's device is quiet enough to be measured.
 */
#ifndef SSDPAR_QUIET_H
#define SSDPAR_QUIET_H

/* A watch over a device, from one moment to another. */
typedef struct SsdparQuietWatch
{
	Oid			tablespace;
	int64		begun;			/* us, monotonic */
	int64		worked_ms;		/* since the kernel started; -1: not known */
	bool		busy_at_begin;
} SsdparQuietWatch;

/* Do queries of any session read its device, by their plans? */
extern bool ssdpar_is_read(Oid tablespace);

extern void ssdpar_quiet_begin(SsdparQuietWatch *watch, Oid tablespace);

/* Has it been quiet since then? */
extern bool ssdpar_quiet_end(const SsdparQuietWatch *watch);

#endif							/* SSDPAR_QUIET_H */
