/*
 * ring.h
 *		Reads with io_uring.
 */
#ifndef SSDPARD_RING_H
#define SSDPARD_RING_H

#include "problem.h"
#include "reader_method.h"

/*
 * For reads of at most MAX_BYTES.  Returns NULL with one message in PROBLEM if
 * the kernel, its settings or a limit do not allow it.
 */
extern SsdpardReader *ssdpard_ring_open(uint32_t max_bytes,
										char problem[SSDPARD_PROBLEM]);

#endif							/* SSDPARD_RING_H */
