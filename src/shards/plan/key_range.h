/*
 * key_range.h
 *		What the range of a dimension's keys keeps of a fact.
 */
#ifndef SSDPAR_SHARDS_KEY_RANGE_H
#define SSDPAR_SHARDS_KEY_RANGE_H

#include "nodes/pathnodes.h"

#include "starscan/plan/candidate.h"

/*
 * Share of the fact's rows between the least and the greatest key of the
 * dimension, by what its filter says of the key itself; 1 if that is nothing.
 */
extern double ssdpar_key_range_share(PlannerInfo *root,
									 const SsdparDimension *dimension);

#endif							/* SSDPAR_SHARDS_KEY_RANGE_H */
