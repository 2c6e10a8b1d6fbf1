/*
 * ssdsim_policy.h
 *		The available schedulers below the mapping, by name.
 */
#ifndef SSDSIM_POLICY_H
#define SSDSIM_POLICY_H

#include "ssdsim_flash.h"

/* NULL if there is none of that name. */
extern const SsdsimPolicy *ssdsim_policy_find(const char *name);

/* The I-th, NULL past the last. */
extern const SsdsimPolicy *ssdsim_policy_at(int i);

#endif							/* SSDSIM_POLICY_H */
