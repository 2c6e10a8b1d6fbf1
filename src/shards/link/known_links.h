/*
 * known_links.h
 *		The links that have been measured, for the planner.
 */
#ifndef SSDPAR_SHARDS_KNOWN_LINKS_H
#define SSDPAR_SHARDS_KNOWN_LINKS_H

#include "shards/link/link.h"

/*
 * Fill in latency and bandwidth of the link to an address, if they are known,
 * and what is known of the server there.
 * Raises no error but for memory.
 */
extern void ssdpar_known_link(const char *address, SsdparLink *link);

#endif							/* SSDPAR_SHARDS_KNOWN_LINKS_H */
