/*
 * key_range.h
 *		Estimates the share of a fact that lies in the range of a dimension's
 *		keys.
 */
#ifndef SSDPAR_SHARDS_KEY_RANGE_H
#define SSDPAR_SHARDS_KEY_RANGE_H

#include "nodes/pathnodes.h"

#include "starscan/plan/candidate.h"

/*
 * Share of the fact's rows between the least and the greatest key of the
 * dimension.  It is 1 if the dimension's filter does not compare the key.
 */
extern double ssdpar_key_range_share(PlannerInfo *root,
									 const SsdparDimension *dimension);

#endif							/* SSDPAR_SHARDS_KEY_RANGE_H */
