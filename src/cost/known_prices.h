/*
 * known_prices.h
 *		Prices that many tables have in common, found out once.
 */
#ifndef SSDPAR_KNOWN_PRICES_H
#define SSDPAR_KNOWN_PRICES_H

#include "cost/tablespace_model.h"

/* What the scans of all tables on a tablespace are priced with. */
typedef struct SsdparTablespacePrices
{
	Oid			tablespace;
	SsdparModel model;
} SsdparTablespacePrices;

/*
 * NULL: those of core (ssdpar_model_get()).  To be used at once: they are
 * forgotten where another statement is planned meanwhile.
 */
extern const SsdparTablespacePrices *ssdpar_tablespace_prices(Oid tablespace);

/* Seconds that so many processes take for one of the pages of such reads. */
extern double ssdpar_page_seconds(const SsdparModel *model,
								  const SsdparReads *reads, double processes);

/* The planning of a statement begins or ends: forget what may have changed. */
extern void ssdpar_known_prices_forget(void);

#endif							/* SSDPAR_KNOWN_PRICES_H */
