/*
 * page_lead.h
 *		How many requests a page list is ahead of who reads it.
 *
 * The server's own way starts each read at once, so what the list is ahead is
 * what the device has: the depth.
 *
 * The daemon bounds what the device has, and what is told it beyond that waits
 * in its queue.  There the list is LEAD depths ahead.  It is read in order, so
 * a page whose die collects garbage is waited for, and with no more told than
 * the device takes all other dies would have nothing to do meanwhile:
 * docs/internals/ssdsim.md has the gain.  A message takes its time to get
 * there, so the next ones are told when there is room for a depth of them.
 *
 * ssdsim's sessions have this rule, too.
 */
#ifndef SSDPAR_PAGE_LEAD_H
#define SSDPAR_PAGE_LEAD_H

#include <stdint.h>

#define SSDPAR_LEAD_DEPTHS 8

/* Requests announced at a time, at most: twice the deepest depth. */
#define SSDPAR_LEAD_MOST 2048

/* For a depth of 1 to half of SSDPAR_LEAD_MOST. */
static inline uint32_t
ssdpar_lead_of_daemon(uint32_t depth)
{
	return depth < SSDPAR_LEAD_MOST / SSDPAR_LEAD_DEPTHS ?
		depth * SSDPAR_LEAD_DEPTHS : SSDPAR_LEAD_MOST;
}

#endif							/* SSDPAR_PAGE_LEAD_H */
