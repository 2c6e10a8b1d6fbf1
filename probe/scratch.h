/*
 * scratch.h
 *		The scratch file: a place on the device that has no name.
 */
#ifndef SSDPAR_PROBE_SCRATCH_H
#define SSDPAR_PROBE_SCRATCH_H

#include "probe.h"

/* What a scratch file of as many bytes leaves free beside it, for others. */
#define PROBE_ROOM_BESIDE(size) ((size) / 16)

/*
 * Checks that DIRECTORY can hold a scratch file of SIZE bytes on a device and
 * opens it for direct I/O: reserved, not yet written, and already without a
 * name.  ROOM says how many bytes stay free beside it.  Where these are not
 * free SIZE becomes smaller, LEAST at the least.
 * ALIGNMENT (bytes) is what offsets, sizes and buffers must be multiples of.
 * Returns the descriptor or -1.
 */
extern int	ssdpar_probe_scratch_open(const char *directory, uint64_t *size,
									  uint64_t least, uint64_t *room,
									  uint32_t *alignment, ProbeError *error);

/*
 * Whether the file, of SIZE bytes, is in nobody's way: of the ROOM that it left
 * in DIRECTORY's file system most is still free.
 */
extern bool ssdpar_probe_scratch_leaves_room(const char *directory,
											 uint64_t size, uint64_t room,
											 ProbeError *error);

/*
 * Opens a new file without a name in DIRECTORY for reading and writing, FLAGS
 * (O_DIRECT or 0) besides; also on file systems without O_TMPFILE, such as
 * FUSE.  Returns the descriptor, or -1 with errno set.
 */
extern int	ssdpar_probe_scratch_nameless(const char *directory, int flags);

/* The error for a full file system; also used while the file is written. */
extern void ssdpar_probe_scratch_full(const char *directory, uint64_t size,
									  ProbeError *error);

#endif							/* SSDPAR_PROBE_SCRATCH_H */
