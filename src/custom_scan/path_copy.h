/*
 * path_copy.h
 *		Copies of our paths, for who has to keep one that core may free.
 */
#ifndef SSDPAR_PATH_COPY_H
#define SSDPAR_PATH_COPY_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

/*
 * Of every path of ours: a CustomPath is the beginning of something larger, and
 * only its methods can say of what.
 */
typedef struct SsdparPathMethods
{
	CustomPathMethods core;		/* must be first */
	Size		size;			/* of the path, in bytes */
} SsdparPathMethods;

/* A flat copy, in the current memory context; NULL: it is none of ours. */
extern Path *ssdpar_copy_custom_path(const Path *path);

#endif							/* SSDPAR_PATH_COPY_H */
