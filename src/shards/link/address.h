/*
 * address.h
 *		Identifies the servers of postgres_fdw by their address.
 */
#ifndef SSDPAR_SHARDS_ADDRESS_H
#define SSDPAR_SHARDS_ADDRESS_H

#include "foreign/foreign.h"

extern bool ssdpar_is_postgres_fdw(const ForeignServer * server);

/*
 * Address of a postgres_fdw server, in printable form, allocated in the
 * current memory context.  It is the same in all databases and for all users.
 */
extern char *ssdpar_address_of(const ForeignServer * server);

#endif							/* SSDPAR_SHARDS_ADDRESS_H */
