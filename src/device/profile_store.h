/*
 * profile_store.h
 *		Puts a profile in the place of another one, of which some may stay.
 */
#ifndef SSDPAR_PROFILE_STORE_H
#define SSDPAR_PROFILE_STORE_H

#include "device/machine.h"

/* Keeps what the engine measured, DOCUMENT, with the CPU times of MACHINE. */
extern void ssdpar_profile_store_measured(Oid tablespace, const char *document,
										  const SsdparMachine *machine);

#endif							/* SSDPAR_PROFILE_STORE_H */
