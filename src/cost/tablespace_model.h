/*
 * tablespace_model.h
 *		What a plan on one tablespace is priced with: profile, machine, load,
 *		and who reads ahead.
 */
#ifndef SSDPAR_TABLESPACE_MODEL_H
#define SSDPAR_TABLESPACE_MODEL_H

#include "nodes/pathnodes.h"

#include "cost/model.h"

typedef struct SsdparModel
{
	uint64		version;		/* of all profiles, or an older one */
	const SsdparProfile *profile;
	const SsdparMachine *machine;
	SsdparDeviceLoad load;
	double		read_ahead_kb;
} SsdparModel;

/*
 * Fills model for a tablespace (InvalidOid: the database's).  False if plans on
 * it are to be priced as core does: ssdpar.cost_model is off, or there is no
 * usable profile.  What it points at is valid until the transaction ends.
 */
extern bool ssdpar_model_get(Oid tablespace, SsdparModel *model);

/* The same whatever ssdpar.cost_model is. */
extern bool ssdpar_model_load(Oid tablespace, SsdparModel *model);

/* Requests that one process keeps outstanding where ssdpar prefetches. */
extern double ssdpar_model_depth(const SsdparModel *model);

/* The sequential scan of a whole table by core. */
extern SsdparReads ssdpar_model_seqscan(const SsdparModel *model,
										Oid tablespace, double pages,
										SsdparResidency resident);

/* The same by a node of ours, alone or with others in parallel. */
extern SsdparReads ssdpar_model_our_seqscan(const SsdparModel *model,
											Oid tablespace, double pages,
											bool parallel,
											SsdparResidency resident);

/*
 * Seconds that a process waits for memory at a page in random order out of that
 * many, beyond the calibrated time, whose pages are in the processor's caches.
 * Of pages that come from the device the wait is part of the read.
 */
extern double ssdpar_model_visit(double pages, SsdparResidency resident);

/*
 * Seconds of coming back to a page that the query has read before, of a
 * relation of that many: it is in shared buffers as far as the relation fits
 * there, else in the page cache.
 */
extern double ssdpar_model_page_again(const SsdparModel *model, double pages);

/* The price of reads and computing under a model, in seconds. */
extern SsdparPrice ssdpar_model_price_one(const SsdparModel *model,
										  const SsdparReads *reads,
										  double cpu_seconds,
										  double processes);

#endif							/* SSDPAR_TABLESPACE_MODEL_H */
