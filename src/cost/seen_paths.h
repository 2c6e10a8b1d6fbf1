/*
 * seen_paths.h
 *		Remembers index paths that core has considered, with their estimates.
 */
#ifndef SSDPAR_SEEN_PATHS_H
#define SSDPAR_SEEN_PATHS_H

#include "nodes/pathnodes.h"

/* The result of an index's amcostestimate, with this page cost. */
typedef struct SsdparIndexEstimate
{
	double		page_cost;
	Cost		startup;
	Cost		total;
	Selectivity selectivity;
	double		correlation;
	double		pages;
	Cost		again;			/* additional: revisited table pages */
} SsdparIndexEstimate;

/* An index path that core has considered, whether or not it was kept. */
typedef struct SsdparSeenPath
{
	IndexPath	path;			/* as core filled it in, before pricing */
	double		loop_count;
	SsdparIndexEstimate estimate;
} SsdparSeenPath;

/* Adds a copy of the path to a List of SsdparSeenPath. */
extern List *ssdpar_seen_path_add(List *seen, const IndexPath *path,
								  double loop_count,
								  const SsdparIndexEstimate *estimate);

/*
 * Finds the estimate of a scan of a whole index among these, adjusted to
 * another page cost; returns false if it has to be estimated.
 */
extern bool ssdpar_seen_path_recall(List *seen, const IndexPath *path,
									double page_cost,
									SsdparIndexEstimate *estimate);

#endif							/* SSDPAR_SEEN_PATHS_H */
