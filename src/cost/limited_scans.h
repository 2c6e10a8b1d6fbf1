/*
 * limited_scans.h
 *		Index scans that a LIMIT ends before their last row.
 */
#ifndef SSDPAR_LIMITED_SCANS_H
#define SSDPAR_LIMITED_SCANS_H

#include "nodes/pathnodes.h"

#include "cost/table_price.h"

/*
 * Give those of the table's priced index scans of which a part is expected to
 * be asked for the price of that part.  What all of it costs stays as it is.
 * seen: SsdparSeenPath, of all of the table's index paths.
 */
extern void ssdpar_price_limited_scans(const SsdparTablePrice *table,
									   List *seen);

#endif							/* SSDPAR_LIMITED_SCANS_H */
