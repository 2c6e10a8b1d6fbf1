/*
 * ssdemu_warm.h
 *		Reads a directory's files into the page cache.
 */
#ifndef SSDEMU_WARM_H
#define SSDEMU_WARM_H

#include "bench/ssdsim/ssdsim_error.h"

/* All files below PATH, on its file system; false if one cannot be read. */
extern bool ssdemu_warm(const char *path, SsdsimError *error);

#endif							/* SSDEMU_WARM_H */
