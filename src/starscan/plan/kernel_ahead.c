/*
 * kernel_ahead.c
 *		Who reads ahead of the processes that scan a fact in sequence: the
 *		kernel, as for core's own scans, or they themselves?
 *
 * A process that asks for its next chunk has two of 256 kB outstanding.  The
 * kernel has its window, once it has seen that a process reads in sequence, and
 * needs less of the processors for it: 3.2 GB in three processes, with 2 GB of
 * memory, took 2.5 s asked for in chunks, and 1.9 s read ahead by the kernel,
 * with windows of 128 kB as with 8 MB.  So it is left to the kernel unless its
 * windows are too small for the device: one behind a network has a tenth of its
 * bandwidth at 128 kB.
 *
 * Where asynchronous I/O (18) reads ahead it is the same question: three I/O
 * workers with 128 kB each, the default, are too little for such a device.
 *
 * A scan in one process has the daemon, or asks by itself.  So does every one
 * while a process waits for a write (prefetch/scan_chunks.h).
 */
#include "postgres.h"

#include "base/compat.h"
#include "starscan/plan/kernel_ahead.h"

/* The chunk that is read and the next one (prefetch/chunks.h). */
#define CHUNKS_OUTSTANDING 2.0

/* How much longer the kernel has to take. */
#define LEAST_GAIN 1.25

/* What each process has outstanding without asking for anything. */
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
