/*
 * ssdemu_mount.h
 *		The mount's life: from a checked command line to an empty mount point.
 */
#ifndef SSDEMU_MOUNT_H
#define SSDEMU_MOUNT_H

#include "ssdemu_args.h"

/*
 * Mount, serve until told to end, unmount.  READY is a descriptor that gets
 * one byte when the mount can be used, -1 for none.  False with a message if
 * it could not be mounted.
 */
extern bool ssdemu_mount_run(const SsdemuArgs *args, int ready,
							 SsdsimError *error);

#endif							/* SSDEMU_MOUNT_H */
