/*
 * reader.h
 *		Chooses how to read: io_uring, or threads where it is not available.
 */
#ifndef SSDPARD_READER_H
#define SSDPARD_READER_H

#include "options.h"
#include "reader_method.h"

/*
 * By options->method.  With "auto", threads after one warning if the kernel
 * refuses the ring.  NULL with one message in PROBLEM.
 */
extern SsdpardReader *ssdpard_reader_open(const SsdpardOptions *options,
										  char problem[SSDPARD_PROBLEM]);

#endif							/* SSDPARD_READER_H */
