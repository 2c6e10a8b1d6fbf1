/*
 * store.h
 *		Stores a profile in a database (ssdpar-probe --store).
 */
#ifndef SSDPAR_PROBE_STORE_H
#define SSDPAR_PROBE_STORE_H

#include "probe.h"

typedef struct ProbeStore ProbeStore;

/*
 * Connects and makes sure, before anything is measured, that the profile can
 * be stored: extension, privileges, tablespace.  TABLESPACE NULL means the one
 * that contains DIRECTORY.
 */
extern ProbeStore *ssdpar_probe_store_open(const char *conninfo,
										   const char *directory,
										   const char *tablespace,
										   ProbeError *error);

/* Name of the tablespace; belongs to STORE. */
extern const char *ssdpar_probe_store_tablespace(const ProbeStore *store);

/*
 * Replaces the tablespace's profile; readers see either the old or the new
 * one.  JSON is the output of ssdpar_probe_json().
 */
extern bool ssdpar_probe_store_save(ProbeStore *store, const char *json,
									ProbeError *error);
extern void ssdpar_probe_store_close(ProbeStore *store);

#endif							/* SSDPAR_PROBE_STORE_H */
