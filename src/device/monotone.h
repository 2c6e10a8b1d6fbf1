/*
 * monotone.h
 *		A measured profile without the dips that noise has made in it.
 */
#ifndef SSDPAR_MONOTONE_H
#define SSDPAR_MONOTONE_H

#include "interpolate.h"

/*
 * Makes bytes a second never fall with the queue depth, nor with the size of
 * requests.  Points in which they did become the geometric mean of their
 * neighbourhood; the others stay to the bit.
 */
extern void ssdpar_profile_make_monotone(SsdparProfile *profile);

#endif							/* SSDPAR_MONOTONE_H */
