/*
 * status.h
 *		The daemon's status report.
 */
#ifndef SSDPARD_STATUS_H
#define SSDPARD_STATUS_H

#include "common/protocol.h"
#include "state.h"

extern void ssdpard_status_fill(const SsdpardState *state, int sessions,
								SsdparWireStatus *status);

#endif							/* SSDPARD_STATUS_H */
