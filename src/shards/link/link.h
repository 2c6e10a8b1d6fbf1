/*
 * link.h
 *		Time that rows and keys take between this server and a remote one.
 *
 * No server headers, so that unit tests can use it alone.
 */
#ifndef SSDPAR_SHARDS_LINK_H
#define SSDPAR_SHARDS_LINK_H

#include <stdbool.h>

typedef struct SsdparLink
{
	double		latency_seconds;	/* until the first byte of an answer */
	double		bytes_per_second;
	double		rows_per_fetch; /* requested at a time */
	bool		measured;		/* not a default */

	/* speed of the remote server; 0: unknown */
	double		device_bytes_per_second;	/* read sequentially */
	double		cost_unit_seconds;	/* CPU time of planner cost 1 */
} SsdparLink;

/* CPU time of this server, and time of everything remote. */
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

/* Defaults for a server whose link was not measured. */
extern SsdparLink ssdpar_default_link(double rows_per_fetch);

/* Transfers rows that have this width in bytes and number of columns. */
extern SsdparSpent ssdpar_link_rows(const SsdparLink *link, double rows,
									double width, int columns);

/*
 * Reads a table there in one process, because cursors are not parallel.  What
 * is unknown counts as 0.
 */
extern SsdparSpent ssdpar_link_scan(const SsdparLink *link, double bytes,
									double rows);

/* Sends keys as a list and prepares lookups there, or sends a filter. */
extern SsdparSpent ssdpar_link_keys(const SsdparLink *link, double keys);
extern SsdparSpent ssdpar_link_filter(const SsdparLink *link, double bytes);

/* Looks rows up among the keys there. */
extern SsdparSpent ssdpar_link_tests(double rows);

/*
 * One of several tables that a query reads.  Tables at the same place wait for
 * each other: for the connection, the device, the processors.
 */
typedef struct SsdparPlaced
{
	int			place;			/* starts at 0 */
	bool		async;			/* read concurrently with other places */
	SsdparSpent spent;
} SsdparPlaced;

/* Time until all of them are read; room is an array of nplaces. */
extern double ssdpar_all_seconds(const SsdparPlaced *tables, int ntables,
								 double *room, int nplaces);

#endif							/* SSDPAR_SHARDS_LINK_H */
