/*
 * ssdemu_mount.h
 *		The life of a mount: from a checked command line to an empty mount
 *		point.
 */
#ifndef SSDEMU_MOUNT_H
#define SSDEMU_MOUNT_H

#include "ssdemu_args.h"

/*
 * Mounts, serves until told to end, unmounts.  READY is a descriptor that gets
 * one byte when the mount is usable, -1 for none.  False with a message if it
 * could not be mounted.
 */
extern bool ssdemu_mount_run(const SsdemuArgs *args, int ready,
							 SsdsimError *error);

#endif							/* SSDEMU_MOUNT_H */
