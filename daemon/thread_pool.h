/*
 * thread_pool.h
 *		Reads by a pool of threads, where io_uring is not available.
 */
#ifndef SSDPARD_THREAD_POOL_H
#define SSDPARD_THREAD_POOL_H

#include "problem.h"
#include "reader_method.h"

/*
 * For reads of at most MAX_BYTES, THREADS of them at a time or as many as the
 * system allows.  NULL with one message in PROBLEM if it allows none.
 */
extern SsdpardReader *ssdpard_threads_open(uint32_t max_bytes, int threads,
										   char problem[SSDPARD_PROBLEM]);

#endif							/* SSDPARD_THREAD_POOL_H */
