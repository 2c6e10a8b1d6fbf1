/*
 * io_stats.h
 *		What core counts of a star scan's reads, for EXPLAIN's option IO (19).
 *
 * On older servers there is nothing to count, and nothing is.
 */
#ifndef SSDPAR_STAR_IO_STATS_H
#define SSDPAR_STAR_IO_STATS_H

#include "access/relscan.h"
#include "commands/explain.h"
#include "nodes/execnodes.h"

#include "base/compat.h"

/* Flat, so that it can lie in shared memory. */
typedef struct SsdparIoStats
{
	bool		wanted;			/* by who asked for EXPLAIN */
#ifdef SSDPAR_HAS_EXPLAIN_IO
	IOStats		core;
#endif
} SsdparIoStats;

/* Before anything is read: is it to be counted? */
extern void ssdpar_io_stats_begin(SsdparIoStats *stats, const EState *estate);

/* What table_beginscan is to be told, if that is so. */
extern uint32 ssdpar_io_stats_scan_flags(const SsdparIoStats *stats);

/* What a stream of ours reads is counted from now on, likewise. */
struct ReadStream;
extern void ssdpar_io_stats_of_stream(SsdparIoStats *stats,
									  struct ReadStream *stream);

/* Take over what such a scan has counted until now. */
extern void ssdpar_io_stats_take(SsdparIoStats *stats, TableScanDesc scan);

extern void ssdpar_io_stats_add(SsdparIoStats *total,
								const SsdparIoStats *stats);

/* As core shows it of its own scans. */
extern void ssdpar_io_stats_explain(const SsdparIoStats *stats,
									ExplainState *es);

#endif							/* SSDPAR_STAR_IO_STATS_H */
