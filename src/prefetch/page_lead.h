/*
 * page_lead.h
 *		How many requests a page list keeps ahead of its reader.
 *
 * The server's own method starts each read immediately, so the number of
 * requests ahead is what the device has: the depth.
 *
 * The daemon limits what the device has, and further requests wait in its
 * queue.  Therefore the list keeps SSDPAR_LEAD_DEPTHS depths ahead.  The list
 * is read in order, so its reader waits for a page whose die collects garbage.
 * If only as many requests were known as the device accepts, all other dies
 * would be idle meanwhile; docs/results/simulator.md describes the gain.
 * Because a message takes time to arrive, the next requests are sent when
 * there is room for a depth of them.
 *
 * The sessions of ssdsim use the same rule.
 */
#ifndef SSDPAR_PAGE_LEAD_H
#define SSDPAR_PAGE_LEAD_H

#include <stdint.h>

#define SSDPAR_LEAD_DEPTHS 8

/* Maximum number of announced requests: twice the largest depth. */
#define SSDPAR_LEAD_MOST 2048

/* For a depth of 1 to half of SSDPAR_LEAD_MOST. */
static inline uint32_t
ssdpar_lead_of_daemon(uint32_t depth)
{
	return depth < SSDPAR_LEAD_MOST / SSDPAR_LEAD_DEPTHS ?
		depth * SSDPAR_LEAD_DEPTHS : SSDPAR_LEAD_MOST;
}

#endif							/* SSDPAR_PAGE_LEAD_H */
