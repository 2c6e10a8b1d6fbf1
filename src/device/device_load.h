/*
 * device_load.h
 *		Tracks the requests that all sessions keep outstanding on each device.
 */
#ifndef SSDPAR_DEVICE_LOAD_H
#define SSDPAR_DEVICE_LOAD_H

#include "utils/palloc.h"

/* Can this process announce its requests?  Not without shared memory. */
extern bool ssdpar_device_load_available(void);

/*
 * Announces that a query of this session will keep this number of requests
 * (maybe a fraction) outstanding on the tablespace's device.  Other sessions
 * count them until the query's memory context is deleted, even by an error.
 */
extern void ssdpar_device_load_announce(Oid tablespace, double requests,
										MemoryContext query);

/*
 * Requests that other sessions' queries keep outstanding on the tablespace's
 * device, in any tablespace there; 0 if unknown.  InvalidOid means the
 * database's tablespace.
 */
extern double ssdpar_device_load_others(Oid tablespace);

/* To be called by the hooks of the same names. */
extern void ssdpar_device_load_request_shmem(void);
extern void ssdpar_device_load_attach_shmem(void);

#endif							/* SSDPAR_DEVICE_LOAD_H */
