/*
 * link.h
 *		What rows and keys take on their way between this server and another.
 *
 * Pure: no server header, so that unit tests hold it alone.
 */
#ifndef SSDPAR_SHARDS_LINK_H
#define SSDPAR_SHARDS_LINK_H

typedef struct SsdparLink
{
	double		latency_seconds;	/* until the first byte of an answer */
	double		bytes_per_second;
	double		rows_per_fetch; /* that are asked for at a time */
} SsdparLink;

/* What is supposed of a server to which the link was not measured. */
extern SsdparLink ssdpar_default_link(double rows_per_fetch);

/* Until so many rows, of so many bytes and columns each, have come over. */
extern double ssdpar_link_rows_seconds(const SsdparLink *link, double rows,
									   double width, int columns);

/* Until so many keys have got there, and have been made ready for look-ups. */
extern double ssdpar_link_keys_seconds(const SsdparLink *link, double keys);

/* Until so many rows have been looked up among the keys there. */
extern double ssdpar_link_tests_seconds(double rows);

#endif							/* SSDPAR_SHARDS_LINK_H */
