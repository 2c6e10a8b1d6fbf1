/*
 * attempt.h
 *		Asks the data so that what fails on the way is the asking alone.
 */
#ifndef SSDPAR_SAMPLE_ATTEMPT_H
#define SSDPAR_SAMPLE_ATTEMPT_H

#include "sample/measure.h"
#include "sample/sampler.h"

typedef void (*SsdparAsk) (SsdparSampler *sampler, void *arg);

/*
 * Ask with a sampler of root's level, which begins and ends here, for at most
 * so long; the time that it took is measured's.  False if that has failed
 * (base/attempt.h): the sampler is gone then, and what was allocated in it, but
 * not what has been kept elsewhere.
 */
extern bool ssdpar_sample_attempt(PlannerInfo *root, double seconds,
								  SsdparAsk ask, void *arg,
								  SsdparMeasured *measured);

#endif							/* SSDPAR_SAMPLE_ATTEMPT_H */
