/*
 * link.h
 *		What rows and keys take on their way between this server and another.
 *
 * Pure: no server header, so that unit tests hold it alone.
 */
#ifndef SSDPAR_SHARDS_LINK_H
#define SSDPAR_SHARDS_LINK_H

#include <stdbool.h>

typedef struct SsdparLink
{
	double		latency_seconds;	/* until the first byte of an answer */
	double		bytes_per_second;
	double		rows_per_fetch; /* that are asked for at a time */
	bool		measured;		/* not supposed */

	/* What the server there is known to have; 0: it is not known. */
	double		device_bytes_per_second;	/* read sequentially */
	double		cost_unit_seconds;	/* that cost 1 takes a processor */
} SsdparLink;

/* Time of this server's processor, and of all that is at the other end. */
typedef struct SsdparSpent
{
	double		here;
	double		there;
} SsdparSpent;

static inline SsdparSpent
ssdpar_spent_plus(SsdparSpent a, SsdparSpent b)
{
	a.here += b.here;
	a.there += b.there;
	return a;
}

/* What is supposed of a server to which the link was not measured. */
extern SsdparLink ssdpar_default_link(double rows_per_fetch);

/* Until so many rows, of so many bytes and columns each, have come over. */
extern SsdparSpent ssdpar_link_rows(const SsdparLink *link, double rows,
									double width, int columns);

/*
 * Until a table of so many bytes and rows has been read there, by one process,
 * as a query through a cursor is: nothing of what is not known.
 */
extern SsdparSpent ssdpar_link_scan(const SsdparLink *link, double bytes,
									double rows);

/*
 * Until so many keys have got there as a list, and have been made ready for
 * look-ups; or as a filter of so many bytes.
 */
extern SsdparSpent ssdpar_link_keys(const SsdparLink *link, double keys);
extern SsdparSpent ssdpar_link_filter(const SsdparLink *link, double bytes);

/* Until so many rows have been looked up among the keys there. */
extern SsdparSpent ssdpar_link_tests(double rows);

/*
 * One of several tables that are read for a query.  Where place is the same,
 * one waits for the other: for the connection, the device, the processors.
 */
typedef struct SsdparPlaced
{
	int			place;			/* from 0 */
	bool		async;			/* beside those at other places */
	SsdparSpent spent;
} SsdparPlaced;

/* Until all of them have been read; room is for a number of each place. */
extern double ssdpar_all_seconds(const SsdparPlaced *tables, int ntables,
								 double *room, int nplaces);

#endif							/* SSDPAR_SHARDS_LINK_H */
