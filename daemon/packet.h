/*
 * packet.h
 *		Receives one packet from a socket, with its descriptors.
 */
#ifndef SSDPARD_PACKET_H
#define SSDPARD_PACKET_H

#include <stdbool.h>
#include <stddef.h>

#include "common/protocol.h"

/* Enough to detect too many; the kernel closes the rest. */
#define SSDPARD_MAX_DESCRIPTORS 2

/*
 * Invariant: fds[0 .. nfds - 1] are open and owned by the packet.  There is
 * room for one byte more than any message has, so a packet that is truncated
 * here does not have the length of a message.
 */
typedef struct SsdpardPacket
{
	unsigned char bytes[SSDPAR_WIRE_MAX_MESSAGE + 1];
	size_t		length;
	int			fds[SSDPARD_MAX_DESCRIPTORS];
	int			nfds;
	bool		fds_lost;		/* by the kernel: too many, or our limit was
								 * reached */
} SsdpardPacket;

typedef enum SsdpardReceived
{
	SSDPARD_RECEIVED,
	SSDPARD_NOTHING_THERE,
	SSDPARD_CONNECTION_ENDED,
} SsdpardReceived;

/* Does not wait.  Unless it returns SSDPARD_RECEIVED, PACKET holds nothing. */
extern SsdpardReceived ssdpard_packet_receive(int socket,
											  SsdpardPacket *packet);

/* Closes the descriptors that were not taken over. */
extern void ssdpard_packet_close(SsdpardPacket *packet);

#endif							/* SSDPARD_PACKET_H */
