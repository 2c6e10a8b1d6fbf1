/*
 * store.h
 *		Keeps a profile in a database (ssdpar-probe --store).
 */
#ifndef SSDPAR_PROBE_STORE_H
#define SSDPAR_PROBE_STORE_H

#include "probe.h"

typedef struct ProbeStore ProbeStore;

/*
 * Connects and makes sure, before anything is measured, that the profile can
 * be kept: extension, rights, tablespace.  TABLESPACE NULL means the one that
 * DIRECTORY lies in.
 */
extern ProbeStore *ssdpar_probe_store_open(const char *conninfo,
										   const char *directory,
										   const char *tablespace,
										   ProbeError *error);

/* Its name; belongs to STORE. */
extern const char *ssdpar_probe_store_tablespace(const ProbeStore *store);

/*
 * Replaces the tablespace's profile: a reader sees the old one or the new one.
 * JSON is ssdpar_probe_json()'s.
 */
extern bool ssdpar_probe_store_save(ProbeStore *store, const char *json,
									ProbeError *error);
extern void ssdpar_probe_store_close(ProbeStore *store);

#endif							/* SSDPAR_PROBE_STORE_H */
