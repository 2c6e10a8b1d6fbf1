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

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_device_load_shmem_size(void);
extern void ssdpar_device_load_shmem_init(void *part);

#endif							/* SSDPAR_DEVICE_LOAD_H */
