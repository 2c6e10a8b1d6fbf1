/*
 * refusal.h
 *		Tells a client that it may not connect or has broken the rules.
 */
#ifndef SSDPARD_REFUSAL_H
#define SSDPARD_REFUSAL_H

#include "common/protocol.h"
#include "state.h"

/*
 * Sends one ERROR on SOCKET, which stays open, and logs the refusal, at most
 * once a second, with the total number.  SEQUENCE is that of the refused
 * message, or 0.
 */
extern void ssdpard_refuse(SsdpardState *state, int socket, uint32_t pid,
						   uint32_t sequence, SsdparWireRefusal refusal);

#endif							/* SSDPARD_REFUSAL_H */
