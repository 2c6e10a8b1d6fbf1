/*
 * work_price.c
 *		How long it takes to ask the data, predicted.
 *
 * The cost model's prices, with what is in memory told from what is not by one
 * bit: the share that is in memory changes from look to look, and the plan
 * should not.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/notes.h"
#include "cost/residency.h"
#include "cost/tablespace_model.h"
#include "sample/work_price.h"

/* With that share of it in memory a relation counts as being there. */
#define IN_MEMORY 0.9

/* Pages priced together: more than a device keeps outstanding. */
#define PRICED_PAGES 1024.0

/* Of a page whose tablespace was not measured: a common SSD's. */
#define UNKNOWN_SECONDS 2e-5

double
ssdpar_work_page_seconds(Relation relation)
{
	BlockNumber pages = RelationGetNumberOfBlocks(relation);
	SsdparResidency resident = ssdpar_residency_of(RelationGetRelid(relation),
												   pages);
	SsdparModel model;
	SsdparReads reads;

	if (!ssdpar_model_get(relation->rd_rel->reltablespace, &model) &&
		!ssdpar_model_get(ssdpar_notes()->priced_tablespace, &model))
		return UNKNOWN_SECONDS;
	resident.page_cache =
		resident.buffers + resident.page_cache >= IN_MEMORY ? 1.0 : 0.0;
	resident.buffers = 0.0;
	reads = ssdpar_model_random(PRICED_PAGES, ssdpar_model_depth(&model), true,
								resident);
	return ssdpar_model_price_one(&model, &reads, 0.0, 1.0).total /
		PRICED_PAGES;
}

double
ssdpar_work_cpu_seconds(double units)
{
	return units * ssdpar_notes()->seconds_per_unit;
}
