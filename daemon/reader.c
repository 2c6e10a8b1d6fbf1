/*
 * reader.c
 *		Chooses how to read: io_uring, or threads if it is not available.
 */
#include "reader.h"

#include <stddef.h>

#include "log.h"
#include "ring.h"
#include "thread_pool.h"

SsdpardReader *
ssdpard_reader_open(const SsdpardOptions *options,
					char problem[SSDPARD_PROBLEM])
{
	uint32_t	max_bytes = (uint32_t) options->max_request_kb * 1024;
	SsdpardReader *reader;

	if (options->method != SSDPARD_USE_THREADS)
	{
		reader = ssdpard_ring_open(max_bytes, problem);

		/* "ring" never falls back to threads */
		if (reader != NULL || options->method == SSDPARD_USE_RING)
			return reader;
		ssdpard_log(SSDPARD_LOG_WARNING, "%s; reading with %d threads "
					"instead, which costs more CPU", problem,
					options->threads);
	}
	return ssdpard_threads_open(max_bytes, options->threads, problem);
}
