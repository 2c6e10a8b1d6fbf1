/*
 * monotone.h
 *		Removes dips caused by noise from a measured profile.
 */
#ifndef SSDPAR_MONOTONE_H
#define SSDPAR_MONOTONE_H

#include "interpolate.h"

/*
 * Makes bytes per second never decrease with the queue depth or the request
 * size. Points in a dip get the geometric mean of their neighborhood; the
 * others stay bit-identical.
 */
extern void ssdpar_profile_make_monotone(SsdparProfile *profile);

#endif							/* SSDPAR_MONOTONE_H */
