/*
 * ssb_work.h
 *		Divides a load into items (a range of generated rows, or a file) that
 *		any connection can process.  It does not use connections.
 */
#ifndef SSB_WORK_H
#define SSB_WORK_H

#include "ssb_format.h"
#include "ssb_tbl.h"

typedef struct SsbItem
{
	SsbTable	table;
	uint32_t	first;			/* units, if rows are generated */
	uint32_t	last;
	const SsbTblFile *file;		/* else NULL */
} SsbItem;

typedef struct SsbWork
{
	const SsbGen *gen;			/* NULL if rows come from files */
	SsbTblList	files;
	bool		wanted[SSB_NTABLES];
	int			nitems;
	int			ndimension_items;	/* these come first */
	SsbItem    *items;
	uint64_t	total_units;	/* sum of those passed to sinks */
} SsbWork;

/*
 * Plans the load of the wanted tables, by a number of connections, from the
 * generator or (gen NULL) from the files of a directory.
 */
extern bool ssb_work_plan(SsbWork *work, const SsbGen *gen,
						  const char *directory, int jobs, SsbError *error);
extern void ssb_work_free(SsbWork *work);

/*
 * Passes one item to the sink, as COPY text.  If the sink stops, the result is
 * false and the sink has the reason.
 */
extern bool ssb_work_feed(const SsbWork *work, const SsbItem *item,
						  SsbSink sink, void *arg, SsbError *error);

#endif							/* SSB_WORK_H */
