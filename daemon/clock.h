/*
 * clock.h
 *		The daemon's clock.
 */
#ifndef SSDPARD_CLOCK_H
#define SSDPARD_CLOCK_H

#include <stdint.h>

/* Microseconds of a clock that never goes back; its origin is arbitrary. */
extern uint64_t ssdpard_now(void);

#endif							/* SSDPARD_CLOCK_H */
