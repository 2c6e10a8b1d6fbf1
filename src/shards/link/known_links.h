/*
 * known_links.h
 *		The measured links, for the planner.
 */
#ifndef SSDPAR_SHARDS_KNOWN_LINKS_H
#define SSDPAR_SHARDS_KNOWN_LINKS_H

#include "shards/link/link.h"

/*
 * Fills in latency and bandwidth of the link to an address, and the speed of
 * the server there, if they are known.  The only possible error is lack of
 * memory.
 */
extern void ssdpar_known_link(const char *address, SsdparLink *link);

#endif							/* SSDPAR_SHARDS_KNOWN_LINKS_H */
