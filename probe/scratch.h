/*
 * scratch.h
 *		The scratch file: an unnamed file on the device.
 */
#ifndef SSDPAR_PROBE_SCRATCH_H
#define SSDPAR_PROBE_SCRATCH_H

#include "probe.h"

/* Bytes that a scratch file of this size leaves free for others. */
#define PROBE_ROOM_BESIDE(size) ((size) / 16)

/*
 * Checks that DIRECTORY can contain a scratch file of SIZE bytes on a device
 * and opens it for direct I/O: reserved, not yet written, and already without
 * a name.  ROOM is set to the number of bytes that remain free in addition.
 * If these are not free, SIZE is reduced, but not below LEAST.  Offsets, sizes
 * and buffers must be multiples of ALIGNMENT (bytes).  Returns the descriptor
 * or -1.
 */
extern int	ssdpar_probe_scratch_open(const char *directory, uint64_t *size,
									  uint64_t least, uint64_t *room,
									  uint32_t *alignment, ProbeError *error);

/*
 * Does the file, of SIZE bytes, still leave enough space to others, that is,
 * is most of the ROOM that it left in DIRECTORY's file system free?
 */
extern bool ssdpar_probe_scratch_leaves_room(const char *directory,
											 uint64_t size, uint64_t room,
											 ProbeError *error);

/*
 * Opens a new unnamed file in DIRECTORY for reading and writing, with
 * additional FLAGS (O_DIRECT or 0); also on file systems without O_TMPFILE,
 * such as FUSE. Returns the descriptor, or -1 with errno set.
 */
extern int	ssdpar_probe_scratch_nameless(const char *directory, int flags);

/* The error for a full file system; also used while the file is written. */
extern void ssdpar_probe_scratch_full(const char *directory, uint64_t size,
									  ProbeError *error);

#endif							/* SSDPAR_PROBE_SCRATCH_H */
