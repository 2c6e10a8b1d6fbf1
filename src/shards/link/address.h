/*
 * address.h
 *		Servers of postgres_fdw, and what they are known by.
 */
#ifndef SSDPAR_SHARDS_ADDRESS_H
#define SSDPAR_SHARDS_ADDRESS_H

#include "foreign/foreign.h"

extern bool ssdpar_is_postgres_fdw(const ForeignServer * server);

/*
 * Where a server of postgres_fdw is, in printable form and the current memory
 * context: the same in all databases, and for all users.
 */
extern char *ssdpar_address_of(const ForeignServer * server);

#endif							/* SSDPAR_SHARDS_ADDRESS_H */
