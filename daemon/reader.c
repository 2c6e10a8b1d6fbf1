/*
 * reader.c
 *		Chooses how to read: io_uring, or threads where it cannot be had.
 */
#include "reader.h"

#include <stddef.h>

#include "log.h"

SsdpardReader *
ssdpard_reader_open(const SsdpardOptions *options,
					char problem[SSDPARD_PROBLEM])
{
	uint32_t sink_bytes = (uint32_t) options->sink_kb * 1024;
	SsdpardReader *reader;

	if (options->method != SSDPARD_USE_THREADS)
	{
		reader = ssdpard_ring_open(sink_bytes, problem);
		if (reader != NULL || options->method == SSDPARD_USE_RING)
			return reader;
		ssdpard_log(SSDPARD_LOG_WARNING, "%s; reading with %d threads "
					"instead, which costs more CPU", problem,
					options->threads);
	}
	return ssdpard_threads_open(sink_bytes, options->threads, problem);
}
