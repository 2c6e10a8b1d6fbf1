/*
 * limited_scans.h
 *		Prices index scans that a LIMIT ends early.
 */
#ifndef SSDPAR_LIMITED_SCANS_H
#define SSDPAR_LIMITED_SCANS_H

#include "nodes/pathnodes.h"

#include "cost/table_price.h"

/*
 * Prices those of the table's index scans of which only a part is expected to
 * be read, so that this part has the right price.  Total costs do not change.
 * seen has an SsdparSeenPath for each of the table's index paths.
 */
extern void ssdpar_price_limited_scans(const SsdparTablePrice *table,
									   List *seen);

#endif							/* SSDPAR_LIMITED_SCANS_H */
