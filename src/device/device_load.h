/*
 * device_load.h
 *		What all sessions keep outstanding on each tablespace's device.
 */
#ifndef SSDPAR_DEVICE_LOAD_H
#define SSDPAR_DEVICE_LOAD_H

#include "utils/palloc.h"

/* Can this process announce its requests?  Not without shared memory. */
extern bool ssdpar_device_load_available(void);

/*
 * A query of this session is going to keep that many requests (a fraction
 * counts) outstanding on the tablespace's device: other sessions count them
 * until the query's memory context goes away, however the query ends.
 */
extern void ssdpar_device_load_announce(Oid tablespace, double requests,
										MemoryContext query);

/*
 * Requests that other sessions' queries keep outstanding on the tablespace's
 * device, whichever tablespace there they read; 0 if not known.  InvalidOid is
 * the database's tablespace.
 */
extern double ssdpar_device_load_others(Oid tablespace);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_device_load_shmem_size(void);
extern void ssdpar_device_load_shmem_init(void *part);

#endif							/* SSDPAR_DEVICE_LOAD_H */
