/*
 * company.h
 *		What all sessions keep outstanding on each tablespace's device.
 */
#ifndef SSDPAR_COMPANY_H
#define SSDPAR_COMPANY_H

#include "executor/execdesc.h"

/*
 * A query has been started: until its memory goes away, others count the
 * requests that it is going to keep outstanding.  Nothing without shared
 * memory, in a parallel worker (its leader speaks for it), or for a plan that
 * reads no large table from a calibrated device.
 */
extern void ssdpar_company_enter(QueryDesc *query);

/* Requests that other sessions' queries keep outstanding; 0 if not known. */
extern double ssdpar_company_others(Oid tablespace);

/* Does this plan node read a table by itself? */
extern bool ssdpar_company_is_scan(const Plan *plan);

/*
 * Is the relation of that range table entry a table large enough for the cost
 * model?  Then its OID, tablespace and pages.
 */
extern bool ssdpar_company_large_table(PlannedStmt *statement, Index relid,
									   Oid *table, Oid *tablespace,
									   BlockNumber *npages);

/* For the hooks of the same names. */
extern void ssdpar_company_request_shmem(void);
extern void ssdpar_company_attach_shmem(void);

#endif							/* SSDPAR_COMPANY_H */
