/*
 * thread_pool.h
 *		Reads with a pool of threads, for systems without io_uring.
 */
#ifndef SSDPARD_THREAD_POOL_H
#define SSDPARD_THREAD_POOL_H

#include "problem.h"
#include "reader_method.h"

/*
 * For reads of at most MAX_BYTES, with THREADS threads or as many as the
 * system allows.  Returns NULL with one message in PROBLEM if it allows none.
 */
extern SsdpardReader *ssdpard_threads_open(uint32_t max_bytes, int threads,
										   char problem[SSDPARD_PROBLEM]);

#endif							/* SSDPARD_THREAD_POOL_H */
