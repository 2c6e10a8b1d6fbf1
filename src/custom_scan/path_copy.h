/*
 * path_copy.h
 *		Copies our paths, for callers that keep one that core may free.
 */
#ifndef SSDPAR_PATH_COPY_H
#define SSDPAR_PATH_COPY_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

/*
 * Methods of our paths.  A CustomPath is the beginning of a larger struct, and
 * only its methods tell which one.
 */
typedef struct SsdparPathMethods
{
	CustomPathMethods core;		/* must be first */
	Size		size;			/* of the path's struct, in bytes */
} SsdparPathMethods;

/*
 * Returns a flat copy in the current memory context, or NULL if it is not
 * ours.
 */
extern Path *ssdpar_copy_custom_path(const Path *path);

#endif							/* SSDPAR_PATH_COPY_H */
