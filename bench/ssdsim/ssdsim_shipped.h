/*
 * ssdsim_shipped.h
 *		The devices that come along: a folder of descriptions.
 */
#ifndef SSDSIM_SHIPPED_H
#define SSDSIM_SHIPPED_H

#include "ssdsim_spec.h"

/* Print a line of each: what is BEFORE it, its name, what it is. */
extern bool ssdsim_shipped_print(const char *folder, const char *before,
								 FILE *file, SsdsimError *error);

#endif							/* SSDSIM_SHIPPED_H */
