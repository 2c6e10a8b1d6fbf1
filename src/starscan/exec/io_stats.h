/*
 * io_stats.h
 *		I/O statistics of a star scan, for EXPLAIN's option IO (PostgreSQL
 *		19).
 *
 * Older servers have no such statistics, so these functions do nothing there.
 */
#ifndef SSDPAR_STAR_IO_STATS_H
#define SSDPAR_STAR_IO_STATS_H

#include "access/relscan.h"
#include "commands/explain.h"
#include "nodes/execnodes.h"

#include "base/compat.h"

/* Contains no pointers, so it can be placed in shared memory.  */
typedef struct SsdparIoStats
{
	bool		wanted;			/* EXPLAIN asks for it */
#ifdef SSDPAR_HAS_EXPLAIN_IO
	IOStats		core;
#endif
} SsdparIoStats;

/* Determines whether to count; called before anything is read.  */
extern void ssdpar_io_stats_begin(SsdparIoStats *stats, const EState *estate);

/* Returns the flags for table_beginscan that enable counting, if wanted.  */
extern uint32 ssdpar_io_stats_scan_flags(const SsdparIoStats *stats);

/* Enables counting for one of our read streams, if wanted.  */
struct ReadStream;
extern void ssdpar_io_stats_of_stream(SsdparIoStats *stats,
									  struct ReadStream *stream);

/* Moves what such a scan has counted so far to stats.  */
extern void ssdpar_io_stats_take(SsdparIoStats *stats, TableScanDesc scan);

extern void ssdpar_io_stats_add(SsdparIoStats *total,
								const SsdparIoStats *stats);

/* Shows the statistics as core does for its own scans.  */
extern void ssdpar_io_stats_explain(const SsdparIoStats *stats,
									ExplainState *es);

#endif							/* SSDPAR_STAR_IO_STATS_H */
