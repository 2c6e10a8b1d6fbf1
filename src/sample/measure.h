/*
 * measure.h
 *		Asks the data how many rows a query's tables and joins have.
 */
#ifndef SSDPAR_MEASURE_H
#define SSDPAR_MEASURE_H

#include "nodes/pathnodes.h"

/* What was asked, and what it took: for EXPLAIN. */
typedef struct SsdparMeasured
{
	int			tables;			/* of which rows were read */
	int			joins;			/* of which the rows are known now */
	int			keys;			/* looked up in indexes */
	double		pages;			/* read, from memory or the device */
	double		milliseconds;
	bool		failed;			/* a page could not be read */
	List	   *distinct;		/* SsdparDistinctColumn, without what core
								 * assumes: known from joins */
} SsdparMeasured;

/*
 * Ask the data for the sizes of root's base relations and of joins of them,
 * for at most this long, and keep them (rowcount/known_rows.h).  Every base
 * relation has its paths by now.  False if nothing could be asked, or a page
 * not be read: then measured has the time alone, and which of the two it was.
 *
 * Raises no error that execution might not.  Can be cancelled.
 */
extern bool ssdpar_measure_rows(PlannerInfo *root, List *initial_rels,
								double budget_seconds,
								SsdparMeasured *measured);

#endif							/* SSDPAR_MEASURE_H */
