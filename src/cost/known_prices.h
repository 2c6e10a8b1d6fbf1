/*
 * known_prices.h
 *		Cache of prices shared by all tables of a tablespace.
 */
#ifndef SSDPAR_KNOWN_PRICES_H
#define SSDPAR_KNOWN_PRICES_H

#include "cost/tablespace_model.h"

/* Prices for the scans of all tables on a tablespace. */
typedef struct SsdparTablespacePrices
{
	Oid			tablespace;
	SsdparModel model;
} SsdparTablespacePrices;

/*
 * NULL if core's prices apply (ssdpar_model_get()).  To be used immediately,
 * because planning another statement invalidates the result.
 */
extern const SsdparTablespacePrices *ssdpar_tablespace_prices(Oid tablespace);

/* Seconds per page of such reads in this number of processes. */
extern double ssdpar_page_seconds(const SsdparModel *model,
								  const SsdparReads *reads, double processes);

/* To be called when planning of a statement begins or ends. */
extern void ssdpar_known_prices_forget(void);

#endif							/* SSDPAR_KNOWN_PRICES_H */
