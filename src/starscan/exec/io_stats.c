/*
 * io_stats.c
 *		I/O statistics of a star scan, counted by core's read streams.
 */
#include "postgres.h"

#include "starscan/exec/io_stats.h"

#ifdef SSDPAR_HAS_EXPLAIN_IO

#include "storage/read_stream.h"

void
ssdpar_io_stats_begin(SsdparIoStats *stats, const EState *estate)
{
	stats->wanted = (estate->es_instrument & INSTRUMENT_IO) != 0;
}

uint32
ssdpar_io_stats_scan_flags(const SsdparIoStats *stats)
{
	return stats->wanted ? SO_SCAN_INSTRUMENT : SO_NONE;
}

void
ssdpar_io_stats_of_stream(SsdparIoStats *stats, struct ReadStream *stream)
{
	if (stats->wanted)
		read_stream_enable_stats(stream, &stats->core);
}

void
ssdpar_io_stats_take(SsdparIoStats *stats, TableScanDesc scan)
{
	if (scan->rs_instrument == NULL)
		return;
	AccumulateIOStats(&stats->core, &scan->rs_instrument->io);
	memset(&scan->rs_instrument->io, 0, sizeof(IOStats));
}

void
ssdpar_io_stats_add(SsdparIoStats *total, const SsdparIoStats *stats)
{
	IOStats		core = stats->core;

	AccumulateIOStats(&total->core, &core);
}

static void
explain_text(const IOStats * io, ExplainState *es)
{
	char	   *line;

	line = psprintf("avg=%.2f max=%d capacity=%d",
					(double) io->distance_sum / io->prefetch_count,
					io->distance_max, io->distance_capacity);
	ExplainPropertyText("Prefetch", line, es);
	if (io->io_count == 0)
		return;
	line = psprintf("count=" UINT64_FORMAT " waits=" UINT64_FORMAT
					" size=%.2f in-progress=%.2f", io->io_count,
					io->wait_count, (double) io->io_nblocks / io->io_count,
					(double) io->io_in_progress / io->io_count);
	ExplainPropertyText("I/O", line, es);
}

static void
explain_properties(const IOStats * io, ExplainState *es)
{
	double		count = Max(io->io_count, 1);

	ExplainPropertyFloat("Average Prefetch Distance", NULL,
						 (double) io->distance_sum / io->prefetch_count, 3,
						 es);
	ExplainPropertyInteger("Max Prefetch Distance", NULL, io->distance_max,
						   es);
	ExplainPropertyInteger("Prefetch Capacity", NULL, io->distance_capacity,
						   es);
	ExplainPropertyUInteger("I/O Count", NULL, io->io_count, es);
	ExplainPropertyUInteger("I/O Waits", NULL, io->wait_count, es);
	ExplainPropertyFloat("Average I/O Size", NULL, io->io_nblocks / count, 3,
						 es);
	ExplainPropertyFloat("Average I/Os In Progress", NULL,
						 io->io_in_progress / count, 3, es);
}

void
ssdpar_io_stats_explain(const SsdparIoStats *stats, ExplainState *es)
{
	/*
	 * without a read stream, for example if the daemon reads, core counts
	 * nothing
	 */
	if (!es->io || stats->core.prefetch_count == 0)
		return;
	if (es->format == EXPLAIN_FORMAT_TEXT)
		explain_text(&stats->core, es);
	else
		explain_properties(&stats->core, es);
}

#else							/* before 19 */

void
ssdpar_io_stats_begin(SsdparIoStats *stats, const EState *estate)
{
	stats->wanted = false;
}

uint32
ssdpar_io_stats_scan_flags(const SsdparIoStats *stats)
{
	return SO_NONE;
}

void
ssdpar_io_stats_of_stream(SsdparIoStats *stats, struct ReadStream *stream)
{
}

void
ssdpar_io_stats_take(SsdparIoStats *stats, TableScanDesc scan)
{
}

void
ssdpar_io_stats_add(SsdparIoStats *total, const SsdparIoStats *stats)
{
}

void
ssdpar_io_stats_explain(const SsdparIoStats *stats, ExplainState *es)
{
}

#endif							/* SSDPAR_HAS_EXPLAIN_IO */
