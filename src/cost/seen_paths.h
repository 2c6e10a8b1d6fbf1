/*
 * seen_paths.h
 *		The index paths of a table that core has considered, with what was
 *		estimated for them.
 */
#ifndef SSDPAR_SEEN_PATHS_H
#define SSDPAR_SEEN_PATHS_H

#include "nodes/pathnodes.h"

/* What the amcostestimate of an index said, at this cost of a page. */
typedef struct SsdparIndexEstimate
{
	double		page_cost;
	Cost		startup;
	Cost		total;
	Selectivity selectivity;
	double		correlation;
	double		pages;
	Cost		again;			/* beside it: pages of the table, again */
} SsdparIndexEstimate;

/* An index path that core has considered, whatever became of it. */
typedef struct SsdparSeenPath
{
	IndexPath	path;			/* as core had filled it, not priced yet */
	double		loop_count;
	SsdparIndexEstimate estimate;
} SsdparSeenPath;

/* Add a path to a List of SsdparSeenPath, by value. */
extern List *ssdpar_seen_path_add(List *seen, const IndexPath *path,
								  double loop_count,
								  const SsdparIndexEstimate *estimate);

/*
 * What was estimated for a scan of a whole index that is among these, with its
 * pages at another cost; false if it has to be estimated.
 */
extern bool ssdpar_seen_path_recall(List *seen, const IndexPath *path,
									double page_cost,
									SsdparIndexEstimate *estimate);

#endif							/* SSDPAR_SEEN_PATHS_H */
