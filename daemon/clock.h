/*
 * clock.h
 *		The daemon's time.
 */
#ifndef SSDPARD_CLOCK_H
#define SSDPARD_CLOCK_H

#include <stdint.h>

/* Microseconds of a clock that does not go back; its zero means nothing. */
extern uint64_t ssdpard_now(void);

#endif							/* SSDPARD_CLOCK_H */
