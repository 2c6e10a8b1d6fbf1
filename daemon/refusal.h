/*
 * refusal.h
 *		What a client is told that may not connect or breaks the rules.
 */
#ifndef SSDPARD_REFUSAL_H
#define SSDPARD_REFUSAL_H

#include "common/protocol.h"
#include "state.h"

/*
 * Sends one ERROR on SOCKET, which stays open, and logs the refusal: at most
 * one a second, with the number of all.  SEQUENCE is that of the message
 * refused, or 0.
 */
extern void ssdpard_refuse(SsdpardState *state, int socket, uint32_t pid,
						   uint32_t sequence, SsdparWireRefusal refusal);

#endif							/* SSDPARD_REFUSAL_H */
