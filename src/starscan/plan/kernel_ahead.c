/*
 * kernel_ahead.c
 *		Decides who reads ahead for a sequential scan of a fact: the kernel,
 *		as for core's scans, or the scanning processes themselves.
 *
 * A process that requests its next chunk has two of 256 kB outstanding.  The
 * kernel uses its read-ahead window once it has detected that a process reads
 * sequentially, and needs less CPU time for it, so scans finish sooner.
 * Therefore it is left to the kernel unless its windows are too small for the
 * device, as for a network device with a window of 128 kB.
 *
 * With read-ahead by asynchronous I/O (18) the question is the same: the
 * default of three I/O workers with 128 kB each is too little for such a
 * device.
 *
 * A scan in one process uses the daemon, or requests chunks itself.  So does
 * every scan while a process waits for a write (prefetch/scan_chunks.h).
 */
#include "postgres.h"

#include "base/compat.h"
#include "starscan/plan/kernel_ahead.h"

/* The chunk being read and the next one (prefetch/chunks.h). */
#define CHUNKS_OUTSTANDING 2.0

/* Factor by which the kernel must be slower. */
#define LEAST_GAIN 1.25

/* Amount that each process has outstanding without requesting anything. */
static double
kb_ahead(const SsdparStarTable *table, const SsdparCandidate *candidate)
{
	return ssdpar_asynchronous_io() ?
		ssdpar_stream_kb(candidate->processes) : table->model.read_ahead_kb;
}

bool
ssdpar_kernel_reads_ahead(const SsdparStarTable *table,
						  const SsdparCandidate *candidate)
{
	const SsdparModel *model = &table->model;
	SsdparResidency none = {0.0, 0.0};
	SsdparReads by_kernel;
	SsdparReads by_chunks;

	if (!table->modelled || candidate->workers == 0)
		return false;
	by_kernel = ssdpar_model_read_ahead(candidate->pages,
										kb_ahead(table, candidate), none);
	by_chunks = ssdpar_model_window(candidate->pages, CHUNKS_OUTSTANDING,
									none);
	return ssdpar_model_io_seconds(model->profile, &model->load, &by_kernel,
								   candidate->processes) <=
		ssdpar_model_io_seconds(model->profile, &model->load, &by_chunks,
								candidate->processes) * LEAST_GAIN;
}
