/*
 * ssdsim_shipped.h
 *		The shipped devices: a folder of descriptions.
 */
#ifndef SSDSIM_SHIPPED_H
#define SSDSIM_SHIPPED_H

#include "ssdsim_spec.h"

/* Prints a line for each: the text BEFORE it, its name, its description. */
extern bool ssdsim_shipped_print(const char *folder, const char *before,
								 FILE *file, SsdsimError *error);

#endif							/* SSDSIM_SHIPPED_H */
