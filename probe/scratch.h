/*
 * scratch.h
 *		The scratch file: a place on the device that has no name.
 */
#ifndef SSDPAR_PROBE_SCRATCH_H
#define SSDPAR_PROBE_SCRATCH_H

#include "probe.h"

/*
 * Checks that DIRECTORY can hold a scratch file of SIZE bytes on a device and
 * opens it for direct I/O: reserved, not yet written, and already without a
 * name.  Where there is no room SIZE becomes smaller, LEAST at the least.
 * ALIGNMENT (bytes) is what offsets, sizes and buffers must be multiples of.
 * Returns the descriptor or -1.
 */
extern int	ssdpar_probe_scratch_open(const char *directory, uint64_t *size,
									  uint64_t least, uint32_t *alignment,
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
