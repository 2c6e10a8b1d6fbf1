/*
 * ssdsim_host_policy.h
 *		The available host schedulers, by name.
 */
#ifndef SSDSIM_HOST_POLICY_H
#define SSDSIM_HOST_POLICY_H

#include "ssdsim_host.h"

/* NULL if there is none of that name. */
extern const SsdsimHostPolicy *ssdsim_host_policy_find(const char *name);

/* The I-th, NULL past the last. */
extern const SsdsimHostPolicy *ssdsim_host_policy_at(int i);

#endif							/* SSDSIM_HOST_POLICY_H */
