/*
 * reader.h
 *		Chooses how to read: io_uring, or threads if it is not available.
 */
#ifndef SSDPARD_READER_H
#define SSDPARD_READER_H

#include "options.h"
#include "reader_method.h"

/*
 * Opens the reader that options->method selects.  With "auto", falls back to
 * threads with a warning if the kernel refuses the ring.  Returns NULL with
 * one message in PROBLEM on failure.
 */
extern SsdpardReader *ssdpard_reader_open(const SsdpardOptions *options,
										  char problem[SSDPARD_PROBLEM]);

#endif							/* SSDPARD_READER_H */
